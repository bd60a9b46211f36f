"""Codes about what formulas and values are: kinds of phenomena, types of values."""

from phenesthe.diagnostics.codes.model import Code

KINDS = (
    Code(
        "K001",
        "a definition of one kind, a formula of another",
        "There are three kinds of phenomena: events happen at instants, states hold on "
        "intervals that never overlap, and dynamic phenomena on intervals that may. The "
        "operators decide which kind a formula is, `~>` for instance makes a state, and the "
        "word before the name must say the same. Change that word, or the formula.",
    ),
    Code(
        "K002",
        "an operator that cannot take this kind",
        "Each operator works on certain kinds of phenomena: `and`, `or` and `not` on events, `in` "
        "on an event and a state, `union`, `intersection` and `complement` on states, relations "
        "such as `overlaps` on whatever lasts. Events become states with `~>`, states become "
        "events with `start(…)` and `end(…)`, and a relation with `as` is a state.",
    ),
    Code(
        "K003",
        "`or` between an event and a condition",
        "An event is true at certain instants; a condition, such as a comparison or a fact, has "
        "no time. Joined with `or` it would hold at every instant. Say which event the "
        "condition is about: `a(X) or (b(X) and X > 3)`.",
    ),
    Code(
        "K004",
        "a condition as a whole definition",
        "Comparisons and facts have no time: they are true always or never. A phenomenon needs "
        "something that says when, an event to join with `and` or a phenomenon to filter with "
        "`where`.",
    ),
    Code(
        "K005",
        "a condition where a phenomenon belongs, or the other way round",
        "Conditions filter, phenomena happen. A condition cannot be an operand of `~>`, of a "
        "set operation or of a relation, because it has no time; and after `where`, or after "
        "the gap of `repeat`, only a condition can stand.",
    ),
    Code(
        "K006",
        "an event that is true nearly always",
        "`not A` is true at every instant at which A does not happen: every second of every "
        "day. As an event of its own it would fill any result. Join it with an event that says "
        "at which instants to look, `ais(V, _) and not A`, or make a state of it: `not A ~> A`.",
    ),
    Code(
        "K007",
        "a negation that no event limits, where single instants are needed",
        "`repeat` goes from one occurrence to the next, a transition of a machine fires at single "
        "instants, values of an exclusive state do so if a clock of theirs varies, "
        "and a relation or sequence pairs the instants of its sides. A negation without "
        "an event beside it is true at nearly every instant, so there would be as many pairs as "
        "seconds. Join it with an event: `ais(V, _) and not A`.",
    ),
    Code(
        "K008",
        "a duration that the relation does not take",
        "`from` and `within` limit the time between the two sides of `before` and `after`; with "
        "`meets`, `starts`, `finishes` and `equals`, `within` says how far apart instants may be "
        "that should be the same. Where one interval overlaps or contains another there is "
        "nothing to limit: to limit how long something lasts, use `lasting`. And `as` takes all "
        "pairs of the relation itself, so only the `within` of `before` and `after` stands with "
        "it.",
    ),
    Code(
        "K009",
        "a time that this kind of phenomenon does not have",
        "In conditions and after `let` the row can be asked when it is true: an event for its "
        "`time()`, a state or a dynamic phenomenon for `start_time()`, `end_time()` and "
        "`duration()`. The condition of a `repeat` is about two occurrences and cannot be asked; "
        "`gap` limits the time between them.",
    ),
    Code(
        "K010",
        "an aggregate that has no rows where it stands",
        "Beside a state or a dynamic phenomenon, in `where` or `let`, an aggregate looks at what "
        "happens within the interval: `moored(V, P) let N = count(visit(V))`. Beside an event "
        "there is no interval, so it says how far it looks back: `over 1h` up to the instant of "
        "the event, `past 1h` without it. `total` measures within intervals only. The condition of "
        "a `repeat` has neither, and inside an aggregate there is no other one.",
    ),
    Code(
        "T001",
        "a variable of two types",
        "A variable stands for one value, and all arguments it is used for must have the same "
        "type; the message shows two places that differ. Types come from the inputs and are "
        "handed on through the definitions. An `int` and a `float` are not joined either: use "
        "two variables and compare them.",
    ),
    Code(
        "T002",
        "a constant of the wrong type",
        "The argument has one type and the constant another, so the two could never be equal. A "
        "bare word is a string, unless a parameter has that name, and is easily taken for a "
        "variable or a misspelt parameter. The values of one exclusive state are of one type, "
        "too.",
    ),
    Code(
        "T003",
        "values that cannot be compared",
        "Numbers compare with numbers, also an `int` with a `float`, strings with strings, and "
        "booleans with booleans, but those only by `==` and `!=`. A bare word is a string "
        "unless a parameter has that name.",
    ),
    Code(
        "T004",
        "a function or an operator for values of another type",
        "`+`, `-`, `*`, `/`, `%` and most functions work on numbers, and some functions, such as "
        "`length` and `starts_with`, on texts. This value is of another type. If it is a bare "
        "word, a parameter of that name is missing, or a variable was meant, which begins with an "
        "upper-case letter.",
    ),
    Code(
        "T005",
        "a default of another type than its parameter",
        "The default of a parameter has the type that the parameter is declared with. A whole "
        "number also does for a `float`, and for a `duration`, where it counts seconds, or the "
        "program's unit.",
    ),
)
