"""Small programs with aggregates, of every kind of formula, function and join."""

_NUMBERS = ("sum", "avg", "min", "max", "first", "last")
_ANY = ("min", "max", "first", "last")

AGGREGATES = (
    # Of an interval
    "state found(V, N) : busy(V) let N = count(seen(V));",
    "state found(V, N) : busy(V) let N = count(enters(V, _));",
    "state found(V, N) : busy(V) let N = count(P of enters(V, P));",
    "state found(V, N) : busy(V) let N = count((W, P) of (calls(V, W) and enters(W, P)));",
    "state found(N) : dark() let N = count(calls(_, _));",
    "state found(V, P, N) : inside(V, P) let N = count(calls(V, _) or calls(_, V));",
    "state found(V, P, N) : inside(V, P) let N = count(enters(_, P));",
    "dynamic found(V, P, N) : trip(V, P) let N = count(enters(V, _) and not seen(V));",
    "dynamic found(V, N) : (seen(V) before enters(V, _)) let N = count(calls(V, _));",
    "state found(V) : busy(V) where count(seen(V)) > 1;",
    "state found(V) : busy(V) where count(seen(V)) == 0;",
    "state found(V) : busy(V) where not (max(S of level(V, S, _)) > 1);",
    "state found(V) : (busy(V) where count(seen(V)) < 2) lasting > 4;",
    "state found(V) : (seen(V) ~> enters(V, _) expires 6) where count(calls(_, V)) >= 1;",
    "state found(V) : (busy(V) where count(seen(V)) > 0) union inside(V, _);",
    "event found(V) : start(busy(V) where count(seen(V)) > 1);",
    "event found(V) : seen(V) in (busy(V) where count(enters(V, _)) < 2);",
    "dynamic found(V) : (busy(V) where count(seen(V)) > 1) before inside(V, _);",
    *(f"state found(V, N) : busy(V) let N = {one}(S of level(V, S, _));" for one in _NUMBERS),
    *(f"state found(V, N) : busy(V) let N = {one}(W of calls(V, W));" for one in _NUMBERS),
    *(f"state found(V, N) : busy(V) let N = {one}(P of enters(V, P));" for one in _ANY),
    *(f"state found(V, N) : busy(V) let N = {one}(B of level(V, _, B));" for one in _ANY),
    "state found(N) : dark() let N = sum(S of level(_, S, _));",
    "state found(V) : busy(V) where sum(W of calls(V, W)) > 9223372036854775807;",
    "state found(V, N) : busy(V) let N = sum(X of (calls(V, W) let X = W * 2)) where N > 2;",
    "state found(V, N, M) : busy(V) let N = count(seen(V)), M = count(calls(V, N));",
    "state found(V, N) : busy(V) let N = max(W of (calls(V, W) where member(W)));",
    "state found(V, N) : busy(V) let N = count(seen(V) in inside(V, _));",
    "state found(V, N) : busy(V) let N = count(start(inside(V, _)));",
    "state found(V, N) : busy(V) let N = last(P of start(inside(V, P)));",
    "state found(V, N) : busy(V) let N = total(inside(V, _));",
    "state found(V, N) : busy(V) let N = total(busy(V) union inside(V, _));",
    "state found(V, N) : busy(V) let N = total(dark());",
    "state found(P, N) : inside(1, P) let N = total(inside(_, P) without dark());",
    "state found(V) : busy(V) where total(inside(V, _)) * 2 > duration();",
    "state found(V) : busy(V) where total(heat(V, _)) > 3;",
    "dynamic found(V, P, N) : trip(V, P) let N = total(busy(V));",
    "state found(V) : (member(V) and not seen(V)) ~> seen(V) where count(enters(V, _)) > 0;",
    "state found(N) : (count V of busy(V) as K) let N = sum(V of seen(V)) where N > K;",
    "state one(V) : busy(V) where count(seen(V)) > 1; state found(V, N) : one(V) let N ="
    " count(start(one(V)));",
    "event one(V, N) : seen(V) let N = count(calls(V, _) over 6);"
    " state found(V, M) : busy(V) let M = sum(N of one(V, N));",
    # Of an event
    *(
        f"event found(V, N) : seen(V) let N = count(enters(V, _) {span});"
        for span in ("over 5", "past 5", "over 1", "past 1", "over 9000000000000000000")
    ),
    "event found(V) : seen(V) and count(seen(V) over 9) >= 2;",
    "event found(V) : seen(V) and count(seen(_) past 4) == 0;",
    "event found(V) : seen(V) and (enters(V, P) and count(enters(_, P) over 8) > 1);",
    "event found(V) : (seen(V) where count(W of calls(V, W) past 9) > 1) and tick();",
    "event found(V, W) : calls(V, W) and not (count(calls(V, W) past 12) > 0);",
    "event found(V) : level(V, S, _) and S >= avg(Z of level(V, Z, _) past 9);",
    "event found(V) : level(V, S, _) and S < 0.5 * max(Z of level(V, Z, _) over 9);",
    *(
        f"event found(V, N) : seen(V) let N = {one}(S of level(V, S, _) over 8);"
        for one in _NUMBERS
    ),
    *(f"event found(V, N) : seen(V) let N = {one}(W of calls(V, W) past 8);" for one in _NUMBERS),
    *(f"event found(V, N) : seen(V) let N = {one}(P of enters(V, P) over 12);" for one in _ANY),
    "event found(V) : seen(V) and member(V) and count(V2 of calls(V, V2) over 7) < 2;",
    "event found(V, N) : end(busy(V)) let N = count(seen(V) over 6);",
    "event found(V, N) : (seen(V) in busy(V)) let N = count(seen(V) in busy(V) over 9);",
    "event found(V) : not enters(V, _) and seen(V) and count(enters(V, _) past 6) > 0;",
    "event found(V) : (seen(V) and count(enters(V, _) over 6) > 0) or tick() and seen(V);",
    "state found(V) : (seen(V) and count(seen(V) past 8) > 0) ~> enters(V, _);",
    "state found(V) : seen(V) ~> (tick() and count(tick() over 9) > 1) expires 9;",
    "state found(V) : repeat (level(V, S, _) and count(seen(V) over 5) > 0) while gap < 9;",
    "event found(V, W) : seen(V) and seen(W) and count(calls(V, W) over 9) > 0;",
    "event found(V, N) : seen(V) let N = count(enters(V, _) over 5) + count(calls(V, _) past 7);",
    "event found(N) : tick() let N = sum(S of (level(V, S, _) and seen(V)) over 9);",
    "event found(V) : seen(V) and not seen(2) and starts_with(last(P of enters(V, P) over 9), "
    '"no");',
    "machine found(V, X) initially idle { idle -> busy : seen(V) and count(seen(V) over 9) > 1;"
    " busy -> idle : enters(V, _); }",
    # With durations that vary
    "state found(V, N) : busy(V) let N = total((seen(V) expires D) where lasts(V, D));",
    "state found(V, N) : busy(V) let N = total(rents(V, D) lasting != D);",
    "state found(V, N) : busy(V) let N = count(start(asks(V, D) expires D));",
    "state found(V, N) : busy(V) let N = count(D of start(asks(V, D) limit D));",
    "event found(V, N) : seen(V) let N = sum(D of start(asks(V, D) expires D) over 9);",
    "event found(V, N) : seen(V) let N = count(end((busy(V) lasting > D) where lasts(V, D))"
    " over 20);",
    "state found(V, N) : (busy(V) lasting > D) where lasts(V, D) let N = count(seen(V));",
    "state found(V) : ((seen(V) ~> enters(V, _) limit D) where lasts(V, D))"
    " where count(calls(V, _)) >= 1;",
    # Conditions in conditions
    "event found(V) : seen(V) and not (count(seen(V) over 9) > 1 and member(V));",
    "event found(V) : seen(V) and (count(seen(V) over 9) > 1 and V > 2 or V == 1);",
    "event found(V) : seen(V) and not (count(seen(V) over 9) > 1 and count(seen(V) over 9) < 3);",
    "state found(V) : busy(V) where not (count(seen(V)) > 1 and member(V));",
)
