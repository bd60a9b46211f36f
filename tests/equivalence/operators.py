"""Small programs, an operator or two each: what fails in one of them is soon understood."""

from tests.equivalence.aggregates import AGGREGATES
from tests.equivalence.vocabulary import declare

_RELATIONS = ("meets", "overlaps", "starts", "finishes", "equals", "contains", "before")
_MODES = ("source", "target", "union", "intersection", "complement", "inverse_complement")

_SIGNS = ("<", "<=", ">", ">=", "==", "!=")

_TIMED = (
    "state found() : always();",
    "state found(V) : always() where member(V);",
    "event found(V) : start(always()) and member(V);",
    "state found(V) : (always() where member(V)) complement busy(V);",
    "state found() : always() lasting > 6;",
    'state found() : daily("00:00:04", "00:00:09");',
    'state found() : daily("00:00:14", "00:00:06");',
    'event found() : start(daily("23:59:58", "00:00:09")) or end(daily("00:00:02", "00:00:05"));',
    'state found(V) : busy(V) intersection daily("00:00:03", "00:00:12");',
    'state found(V) : busy(V) complement weekly("Wed 23:59:55", "Thu 00:00:07");',
    'state found(V) : busy(V) without daily("00:00:05", "00:00:08");',
    'event found(V) : seen(V) in yearly("12-31", "12-31");',
    'state found() : dates("1970-01-01", "1970-01-01") union dark();',
    'dynamic found(V) : daily("23:59:57", "00:00:06") contains seen(V);',
    'dynamic found(V) : daily("23:59:50", "00:00:04") before seen(V) within 9;',
    'dynamic found(V) : seen(V) before daily("00:00:07", "00:00:20");',
    'state found() : daily("23:59:58", "00:00:05") lasting < 9;',
    'state night() : daily("00:00:03", "00:00:11"); event found(V) : start(night()) and member(V);',
    'state found(V) : (start(daily("23:59:57", "00:00:04")) and member(V)) ~> seen(V);',
    'event found() : start(dark() union daily("23:59:56", "00:00:02"));',
)

_DEFINITIONS = (
    # Φ•
    "event found(V) : seen(V) and not enters(V, _);",
    "event found(V) : seen(V) in busy(V);",
    "event found(V) : seen(V) not in busy(V);",
    "event found(V) : start(busy(V)) or end(busy(V));",
    "event found(V) : end(seen(V) ~> enters(V, _) expires 4);",
    # Alternatives that lack what stands beside them, in every kind of place.
    "event found(V, W) : calls(V, W) and (seen(V) or enters(W, _));",
    "event found(V, W) : calls(V, W) and not (seen(V) or end(busy(W)));",
    "event found(V) : (seen(V) or tick()) in busy(V);",
    "event found(V) : seen(V) in (busy(V) union dark());",
    "event found(V) : seen(V) in ((busy(V) union dark()) lasting > 3);",
    "event found(V) : seen(V) not in (busy(V) union dark());",
    "event found(V) : seen(V) and start(busy(V) union dark());",
    "event found(V) : (seen(V) or tick()) where member(V);",
    "state found(V) : (inside(V, _) union dark()) intersection busy(V);",
    "state found(V) : ((inside(V, _) union dark()) lasting > 4) intersection busy(V);",
    "state found(V) : ((seen(V) or tick()) ~> enters(V, _)) intersection busy(V);",
    "state found(V) : ((busy(V) union dark()) complement inside(V, _)) intersection heat(V, _);",
    "state found(V) : busy(V) complement (inside(V, _) union dark());",
    "state found(V) : busy(V) without (inside(V, _) union dark());",
    "state found(V) : busy(V) without ((inside(V, _) union dark()) lasting > 3);",
    "state found(V) : seen(V) ~> (enters(V, _) or tick());",
    "state found(V) : seen(V) ~> (enters(V, _) or tick()) expires 6;",
    "state found(V) : seen(V) ~> start(inside(V, _) union dark());",
    "state found(V) : (busy(V) union dark()) where member(V);",
    "state found(V) : ((busy(V) union dark()) lasting >= 4) where member(V);",
    "state found(V) : (inside(V, _) union dark()) then busy(V);",
    "state found(V) : (inside(V, _) union dark()) overlaps busy(V) as union;",
    "state found(V) : busy(V) before (inside(V, _) union dark()) within 6 as target;",
    *(f"dynamic found(V) : (inside(V, _) union dark()) {name} busy(V);" for name in _RELATIONS),
    "dynamic found(V) : (seen(V) or tick()) before trip(V, _) within 5;",
    "dynamic found(V) : trip(V, _) contains (seen(V) or tick());",
    "dynamic found(V) : (seen(V) or (enabled() and not tick())) starts trip(V, _);",
    "exclusive state found(V, X) { north : seen(V) ~> (calls(V, _) or tick()); other : enters(V, _)"
    " ~> (calls(_, V) or end(dark())) expires 6; }",
    # Φ⁻
    "state found(V) : seen(V) ~> enters(V, _);",
    "state found(V) : seen(V) ~> enters(V, _) expires 5;",
    "state found(V) : (member(V) and not seen(V)) ~> seen(V);",
    "state found(V) : (member(V) and not seen(V)) ~> (member(V) and not enters(V, _)) expires 3;",
    "state found(V) : inside(V, _);",
    "state found(V) : busy(V) union inside(V, _);",
    "state found(V) : busy(V) intersection inside(V, _);",
    "state found(V) : busy(V) complement inside(V, _);",
    "state found(V) : busy(V) complement dark();",
    "state found(V) : busy(V) without inside(V, _);",
    "state found(V) : busy(V) without dark();",
    "state found(V) : (busy(V) without inside(V, _)) lasting >= 4;",
    "state found(V) : seen(V) ~> enters(V, _) limit 5;",
    "state found(V) : seen(V) ~> enters(V, _) expires 3 limit 7;",
    "state found(V) : seen(V) expires 4;",
    "state found(V) : seen(V) limit 4;",
    "state found(V) : (member(V) and not seen(V)) limit 5;",
    "state found(V) : (member(V) and not seen(V)) ~> seen(V) limit 4 expires 2;",
    "event found(V) : end(seen(V) limit 4);",
    *(f"state found(V) : busy(V) lasting {sign} 5;" for sign in ("<", ">", "==", "!=")),
    "state found(V) : (busy(V) complement inside(V, _)) lasting >= 4;",
    *(f"state found(V) : repeat seen(V) while gap {sign} 4;" for sign in ("<", ">", "==", "!=")),
    "state found(V) : repeat level(V, S, _) while gap <= 6 and S >= prev(S);",
    "state found(V) : busy(V) then inside(V, _);",
    "state found(V) : seen(V) then busy(V);",
    "state found() : tick() then seen(_);",
    "exclusive state found(V, X) { north : seen(V) ~> calls(V, _); other : enters(V, _) ~>"
    " calls(_, V) expires 6; }",
    "exclusive state found(V, X) { north : seen(V) ~> calls(V, _) limit 4; other : enters(V, _)"
    " expires 3 limit 6; }",
    "exclusive state found(V, P) : enters(V, P) ~> calls(V, _);",
    "exclusive state found(V, P) : enters(V, P) ~> inside_ends(V, P) expires 4;"
    " event inside_ends(V, P) : end(inside(V, P));",
    "exclusive state found(V, P) : enters(V, P) ~> seen(V) expires 5 limit 9;",
    "exclusive state found(V, W) : calls(V, W) limit 6;",
    "exclusive state found(V) : seen(V) ~> tick();",
    "exclusive state found(V, X) : (home(V, X) and not enters(V, X)) ~> seen(V) limit 4;",
    "state found() : at least 2 V of busy(V);",
    "state found(P) : at least 2 V of inside(V, P);",
    "state found() : at least 3 (V, P) of inside(V, P);",
    "state found(V) : (at least 2 P of inside(V, P)) lasting > 3;",
    "event found(V) : seen(V) in (at least 2 W of busy(W));",
    "state found(K) : count V of busy(V) as K;",
    "state found(P, K) : count V of inside(V, P) as K;",
    "state found(K, P) : (count V of (inside(V, P) intersection busy(V)) as K) where K > 1;",
    "state found(K) : count (V, P) of inside(V, P) as K;",
    "state found(K) : count V of inside(V, _) as K;",
    "state found(K) : (count V of (seen(V) ~> enters(V, _) expires 5) as K) lasting >= 2;",
    "event found(K) : start(count V of (busy(V) without dark()) as K);",
    "exclusive state found(K) : start(count V of busy(V) as K) limit 5;",
    "state one(P, K) : count V of inside(V, P) as K; state found(K, N) : count P of one(P, K) as"
    " N;",
    "state one(P, K) : count V of inside(V, P) as K; state found(V) : one(_, V) intersection"
    " busy(V);",
    "state one(K) : count V of busy(V) as K; dynamic found(K) : one(K) meets one(_);",
    # Time alone; without rows there is no timeline.
    *(f"{one} event other(V) : seen(V);" for one in _TIMED),
    # Values
    "event found(V, T) : seen(V) let T = time() % 4;",
    "event found(V, X) : level(V, S, _) let X = S * 2 where X > 1;",
    "event found(V, P) : (seen(V) let P = upper(harbour)) or enters(V, P);",
    "state found(V, D) : busy(V) let D = duration() % 5;",
    "state found(V) : busy(V) where not (end_time() % 3 == 1);",
    "state found(V) : (busy(V) let D = duration() where D > 4) union inside(V, _);",
    "state found(V, D) : (inside(V, P) let D = length(P) + start_time() % 2) lasting >= 3;",
    "dynamic found(V, D) : (seen(V) before inside(V, _)) let D = end_time() - start_time();",
    "event found(V) : start(busy(V) where duration() > 5);",
    "dynamic found(V, D) : (busy(V) let D = duration()) before (seen(V) let D = time() % 9);",
    # Durations that vary
    *(f"state found(V) : (busy(V) lasting {sign} D) where lasts(V, D);" for sign in _SIGNS),
    *(f"state found(V) : rents(V, D) lasting {sign} D;" for sign in _SIGNS),
    *(
        f"state found(V) : (repeat seen(V) while gap {sign} D) where lasts(V, D);"
        for sign in _SIGNS
    ),
    *(f"state found(V) : repeat asks(V, D) while gap {sign} D;" for sign in _SIGNS),
    "state found(V, D) : (busy(V) lasting > D) where lasts(_, D);",
    "dynamic found(V) : (trip(V, P) lasting <= D) where stay(P, D);",
    "state found(V) : asks(V, D) ~> seen(V) expires D;",
    "state found(V) : (seen(V) ~> enters(V, _) expires D) where lasts(V, D);",
    "state found(V) : (seen(V) ~> enters(V, _) limit D) where lasts(V, D);",
    "state found(V) : asks(V, D) limit D;",
    "state found(V) : asks(V, D) expires D limit 8;",
    "state found(V) : (seen(V) expires 3 limit D) where lasts(V, D);",
    "state found(V) : (seen(V) expires D limit E) where lasts(V, D) and lasts(V, E);",
    "state found(V) : (lasts(V, D) and not seen(V)) ~> enters(V, _) expires D;",
    "state found(V) : (lasts(V, D) and not seen(V)) limit D expires 2;",
    "event found(V) : end(asks(V, D) limit D);",
    "event found(V) : seen(V) and lasts(V, D) and not start(busy(V) lasting > D);",
    "state found(V) : ((busy(V) lasting > D) union inside(V, _)) where lasts(V, D);",
    "state found(V) : ((rents(V, D) union busy(V)) lasting > D) where lasts(V, D);",
    "state found(V) : busy(V) complement (rents(V, D) lasting < D);",
    "exclusive state found(V, X) { north : asks(V, D) ~> calls(V, _) expires D;"
    " other : enters(V, _) ~> calls(_, V) expires 6; }",
    "exclusive state found(V, X) { north : seen(V) ~> calls(V, _); other : asks(V, D) limit D; }",
    "exclusive state found(V, P) : enters(V, P) and stay(P, D) ~> calls(V, _) limit D;",
    "exclusive state found(V, P) : (enters(V, P) and asks(V, D)) expires D;",
    "exclusive state found(V, W) : asks(V, W) expires W;",
    *(
        f"dynamic found(V) : (busy(V) before inside(V, _) {clause}) where lasts(V, D);"
        for clause in ("within D", "from D", "from D within 12", "from 2 within D")
    ),
    *(
        f"dynamic found(V) : {sides} {clause};"
        for sides in (
            "rents(V, D) before seen(V)",
            "seen(V) before asks(V, D)",
            "busy(V) after rents(V, D)",
            "rents(V, D) before asks(V, D)",
        )
        for clause in ("within D", "from D", "from 2 within D")
    ),
    "dynamic found(V) : rents(V, D) before asks(V, E) from D within E;",
    *(
        f"dynamic found(V) : (busy(V) {name} inside(V, _) within D) where lasts(V, D);"
        for name in ("meets", "starts", "finishes", "equals")
    ),
    *(
        f"dynamic found(V) : {sides};"
        for name in ("meets", "starts", "finishes", "equals")
        for sides in (
            f"rents(V, D) {name} inside(V, _) within D",
            f"inside(V, _) {name} rents(V, D) within D",
        )
    ),
    *(
        f"state found(V) : (busy(V) before inside(V, _) within D as {mode}) where lasts(V, D);"
        for mode in _MODES
    ),
    *(f"state found(V) : busy(V) before rents(V, D) within D as {mode};" for mode in _MODES),
    "dynamic found(V) : (lasts(V, D) and not seen(V)) before trip(V, _) within D;",
    "dynamic found(V) : (trip(V, _) before (member(V) and not seen(V)) from D) where lasts(V, D);",
    "dynamic found(V) : ((member(V) and not seen(V)) starts trip(V, _) within D) where"
    " lasts(V, D);",
    # Φ⁼
    *(f"dynamic found(V) : busy(V) {name} inside(V, _);" for name in _RELATIONS),
    *(f"dynamic found(V, P) : trip(V, P) {name} inside(V, _);" for name in _RELATIONS),
    *(f"dynamic found(V) : seen(V) {name} trip(V, _);" for name in ("before", "starts")),
    "dynamic found(V) : seen(V) finishes trip(V, _);",
    "dynamic found(V) : busy(V) contains seen(V);",
    "dynamic found() : tick() before seen(_);",
    "dynamic found(V, P) : seen(V) before enters(V, P);",
    "dynamic found(V, P) : enters(V, P) before seen(V) within 6;",
    "dynamic found(V) : seen(V) before busy(V) from 3;",
    "dynamic found(V, P) : inside(V, P) before seen(V) from 2 within 9;",
    "dynamic found(V, P) : seen(V) before inside(V, P) from 4;",
    "dynamic found(V) : seen(V) after (member(V) and not enters(V, _)) from 3;",
    "dynamic found(V) : seen(V) before (member(V) and not enters(V, _)) from 5 within 8;",
    *(
        f"dynamic found(V) : busy(V) {name} inside(V, _) within 3;"
        for name in ("meets", "starts", "finishes", "equals")
    ),
    *(
        f"dynamic found(V, P) : trip(V, P) {name} busy(V) within 2;"
        for name in ("meets", "starts", "finishes", "equals")
    ),
    *(
        f"dynamic found(V, P) : seen(V) {name} trip(V, P) within 3;"
        for name in ("starts", "finishes")
    ),
    *(
        f"dynamic found(V) : (member(V) and not seen(V)) {name} busy(V) within 3;"
        for name in ("starts", "finishes")
    ),
    "dynamic found(V, W) : seen(V) before calls(V, W) before seen(W);",
    "dynamic found(V) : seen(V) before (busy(V) contains enters(V, _));",
    "dynamic found(V) : seen(V) before ((busy(V) lasting > 6) union inside(V, _));",
    "dynamic found(V) : seen(V) before end(repeat enters(V, _) while gap < 8);",
    "dynamic found(V) : (busy(V) overlaps inside(V, _)) lasting >= 6;",
    # With an output
    *(f"state found(V) : busy(V) {name} inside(V, _) as union;" for name in _RELATIONS),
    *(f"state found(V) : busy(V) before inside(V, _) as {mode};" for mode in _MODES),
    *(f"state found(V) : busy(V) overlaps inside(V, _) as {mode};" for mode in _MODES),
    "state found(V) : busy(V) before inside(V, _) within 4 as source;",
    # One above the other
    "state one(V) : busy(V) complement inside(V, _);"
    " dynamic found(V) : (one(V) lasting > 3) before start(one(V));",
    "state one(V) : seen(V) ~> enters(V, _) expires 5;"
    " state found(V) : one(V) overlaps busy(V) as intersection;",
    "dynamic one(V) : seen(V) before enters(V, _); dynamic found(V) : one(V) contains busy(V);",
)

OPERATORS = tuple(declare(one) + one for one in (*_DEFINITIONS, *AGGREGATES))
