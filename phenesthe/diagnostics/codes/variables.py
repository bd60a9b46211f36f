"""Codes about variables, and warnings."""

from phenesthe.diagnostics.codes.model import Code

VARIABLES = (
    Code(
        "V001",
        "a variable of the head without a value",
        "A definition reports its head variables, so the formula must give each of them a "
        "value, in every alternative. Phenomena and facts give values; comparisons and "
        "negations only test them, and what ends a range is not known while it holds. Use the "
        "variable in such a phenomenon, or leave it out of the head.",
    ),
    Code(
        "V002",
        "a variable of a test without a value",
        "A comparison, a negation and the right of `not in` test values; they cannot come up "
        "with them. Which vessels have not called? There is no answer without a list of all "
        "vessels. A phenomenon or fact joined with `and` gives the variable its value. A "
        "variable that occurs only inside the negation needs none.",
    ),
    Code(
        "V003",
        "a variable that only the right side has",
        "What is on the right of `~>` ends the range, and what is on the right of `complement` "
        "is taken away: neither gives values to the result. A variable that is used outside "
        "must occur on the left too. If any value will do, write `_` there.",
    ),
    Code(
        "V004",
        "a variable that one alternative lacks",
        "Either side of `or` and of `union` may be the one that holds. One that lacks a variable "
        "that is used outside holds for every value of it, and something beside it must say which "
        "values there are: another operand of an `and`, of an `intersection` or of a relation "
        "around it, the other side of `in`, the left of `not in`, `complement`, `without` or `~>`, "
        "or a positive fact of a `where`. Use the variable on both sides, join the whole with what "
        "has it, or leave it out of the head. Variables that one side uses for itself alone may "
        "differ.",
    ),
    Code(
        "V005",
        "`prev` outside of a `repeat`",
        "`prev(X)` is the value that X had at the occurrence before. Only `repeat` goes from "
        "one occurrence to the next, so `prev` stands in its condition, after `while gap …`, "
        "and nowhere else.",
    ),
    Code(
        "V006",
        "a variable that cannot change during a `repeat`, or only there",
        "In a `repeat`, variables that are used outside are the same at every occurrence, so "
        "they have no previous value; and a variable that only the condition has may differ "
        "from pair to pair, so it cannot be used outside. `prev` takes a variable of the "
        "repeated event that occurs only in this `repeat`.",
    ),
    Code(
        "V007",
        "a variable that an exclusive state or a machine cannot use like this",
        "A value of an exclusive state also ends when another value begins, for the same "
        "arguments of the head. A variable that ties both sides of `~>` together without being "
        "in the head would leave open which of several ranges ends. And the last variable of "
        "the head takes the value itself, so the ranges, or the events of a machine, cannot use "
        "it.",
    ),
    Code(
        "V008",
        "a variable that `at least` or `count` cannot count",
        "`at least 3 V of …` and `count V of … as K` tell how many different V there are at a "
        "time. So V must have a value in the state that is counted over, and outside it has none: "
        "there are several. K is the number; it stands for nothing in that state. Count a "
        "variable of the state, and use other variables outside.",
    ),
    Code(
        "V009",
        "a variable that is given a value twice",
        "`let X = …` names a value that is computed from a row, for what follows. A variable that "
        "has its value from the row, or from an earlier `let`, keeps it: nothing is assigned "
        "anew. Choose another name; to filter by what is computed, compare with `==`.",
    ),
    Code(
        "V010",
        "a variable that an aggregate cannot use like that",
        "The rows of an aggregate are those that agree with what it is asked for: `trip(V, A) let "
        "N = count(call(V, _))` counts the calls of that V. A variable of the rows that is used "
        "outside must therefore be one of what stands before `let` or `where`, or beside the "
        "condition. And the X of `sum(X of …)` has many values, so it has none outside: use "
        "another variable there.",
    ),
    Code(
        "W001",
        "a variable that is used once",
        "A variable joins the places where it occurs. If there is only one such place, it "
        "matches anything, which `_` says better; or it is misspelt and was meant to be another "
        "one. Write `_`, or begin the name with `_`.",
    ),
    Code(
        "W002",
        "a variable that joins both sides of a range",
        "The same variable on both sides of `~>` must have the same value on both: only an "
        "event with the value that it began with ends the range. That is easily overlooked when "
        "the variable is not in the head. Use two variables if they are independent; if the "
        "join is meant, add the variable to the head or begin its name with `_`.",
    ),
    Code(
        "W003",
        "something is declared and never used",
        "An input, fact or parameter that no definition uses changes nothing. Either it is left "
        "over and can go, or a definition forgets it. The same is true of a definition that "
        "nothing uses, in a file that says with `report` what its runs report, and leaves it "
        "out. Files that only declare things for others to import are not looked at.",
    ),
    Code(
        "W004",
        "a condition that can never hold",
        "No value meets this condition, so what it filters never happens. Look at the signs and "
        "the constants; often `or` was meant where `and` stands. Parameters count as unknown, "
        "because a run may change them.",
    ),
    Code(
        "W005",
        "a variable that is neither counted nor told apart",
        "`count V of in_area(V, A) as K` counts the vessels of each area if A is used outside, "
        "in the head for example. If it is not, any area will do, as with `_`: vessels of "
        "different areas are counted together, and one that is in two areas counts once. Use A "
        "outside, count pairs with `(V, A)`, or write `_`. In the same way `count(start(in_area(V, "
        "A)))` counts instants: the rows of an aggregate have the variables of its events, and "
        "`start` and `end`, conditions and what stands right of `in` add none.",
    ),
    Code(
        "W006",
        "a calendar state that holds nowhere",
        "`daily` and `weekly` hold from their first moment to the next second one. Where both are "
        "the same moment there is no time between them. Change one of the two; what holds at "
        "every time is `always()`.",
    ),
    Code(
        "W007",
        "a part of a machine that plays no part",
        "From the value after `initially` no transitions lead to this value, or another "
        "transition fires wherever this one could: at an instant the one that is listed first, of "
        "several that wait the one that waits less. Often a value is misspelt, or a transition "
        "for all values is listed too early.",
    ),
    Code(
        "W008",
        "a value of a machine that nothing leaves",
        "Once the machine has this value it keeps it, and in a windowed run each binding is "
        "remembered for ever. That may be meant; otherwise write a transition that leaves it. One "
        "to `_` ends the machine, so that the next event finds it as it was before the first.",
    ),
    Code(
        "W009",
        "a value that is computed and never used",
        "What `let` computes is a variable: it can stand in the head, in the conditions and "
        "computations that follow, and in what is joined with the formula. This one stands "
        "nowhere, so that only rows without such a value are lost. Use it, or leave it out.",
    ),
    Code(
        "W010",
        "a duration that is compared",
        "`duration()` and `end_time()` have no value while an interval still holds, and every "
        "comparison with nothing is false: a state that has lasted for days would not be found "
        "before it ends. `lasting` finds it as soon as it has lasted long enough. Where only "
        "intervals that have ended matter, name the duration with `let` and compare that.",
    ),
    Code(
        "W011",
        "a name that hides something built in",
        "Some names are built in and no words of the language: `always`, `daily` and others. A "
        "program that declares one of them means its own, wherever it sees the declaration, and "
        "cannot use what is built in there. Rename it to have both.",
    ),
    Code(
        "W012",
        "a value that a state never has",
        "A machine and an exclusive state list their values, and what is asked here is none of "
        "them: `status(M, vote)` is true nowhere if there is only `voting`. Mostly the value is "
        "misspelt; otherwise write the transition or the line that gives it. A value that a "
        "parameter says is not looked at, because a run may change it.",
    ),
    Code(
        "W013",
        "a distance in time that nothing has",
        "`from` says how far apart the two sides of `before` and `after` are at least, `within` "
        "how far at most. With the greater one after `from` nothing fits in between, nor does it "
        "with `within 0`: one side follows the other by at least one tick. Exchange the two. "
        "Parameters count as unknown, because a run may change them.",
    ),
)
