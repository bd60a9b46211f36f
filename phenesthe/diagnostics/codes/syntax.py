"""Codes of the first step: bytes become declarations."""

from phenesthe.diagnostics.codes.model import Code

SYNTAX = (
    Code(
        "S001",
        "the file is not UTF-8",
        "A program is text in the encoding UTF-8, and these bytes are none. Usually an editor "
        "saved the file in an older encoding, where a letter such as é is a single byte. "
        "Nothing else of the file is read. Save it again as UTF-8.",
    ),
    Code(
        "S002",
        "the file is too large",
        "At most 2 MiB of a file are read, which is room for some 20,000 definitions. A larger "
        "file is most likely data that was given in the place of a program. If it is a program, "
        "split it into modules and `import` them.",
    ),
    Code(
        "S003",
        "a character without meaning",
        "Outside of strings and comments a program is made of a few characters only, and this one "
        "is not among them. Often it is an operator or a comment from another language (`&&`, "
        "`!`, `#`), a quote that a word processor made curly, or a blank that only looks like "
        "one. Write the operator of this language, put strings between double quotes, and begin "
        "comments with `//`.",
    ),
    Code(
        "S004",
        "a string is never closed",
        'A string begins and ends with `"` on the same line. Here the line ends first, so it is '
        "not clear where the string was meant to end. Add the missing quote; a line break inside "
        "a string is written `\\n`.",
    ),
    Code(
        "S005",
        "a comment is never closed",
        "A comment that begins with `/*` goes on to the next `*/`. There is none, so all the "
        "rest of the file is part of the comment. Add `*/`, or use `//`, which ends with its "
        "line.",
    ),
    Code(
        "S006",
        "a declaration does not end",
        "Every declaration ends with `;`, and an exclusive state with `}`. The next declaration "
        "begins, or the file ends, before that. The declaration is read as if the mark were "
        "there, so that other mistakes are found too; the fix adds it.",
    ),
    Code(
        "S007",
        "something else is expected here",
        "Each sort of declaration has a fixed shape: a definition, for one, is a kind, a name, "
        "variables in parentheses, a colon, a formula and a semicolon. What stands here does "
        "not fit into that shape. The message says what would fit and shows the shape.",
    ),
    Code(
        "S008",
        "the formula does not go on like this",
        "A formula is made of operands, such as `ais(V, S)`, with operators between them. Here "
        "an operand or an operator is missing, there is one too many, or a sign is written as "
        "in another language. Put in what is missing, or use the spelling that the message "
        "suggests.",
    ),
    Code(
        "S009",
        "parentheses do not match",
        "Every `(` needs its `)`. The mark shows the parenthesis that has no partner; the "
        "mistake may also be a parenthesis further inside that belongs somewhere else.",
    ),
    Code(
        "S010",
        "the formula is nested too deeply",
        "A formula may have a hundred levels of operators and parentheses inside each other, "
        "far more than anybody can follow. A long chain of `and`, `or`, `union` or "
        "`intersection` counts as one level. Give an inner part a name: define it as a "
        "phenomenon of its own.",
    ),
    Code(
        "S011",
        "parentheses are needed",
        "Two readers could group this formula in two ways, and both would have good reasons. "
        "Different temporal relations, different set operations, and a `within` or `as` after a "
        "chain have no order of precedence, so that nobody has to remember one. Put what "
        "belongs together in parentheses; the fix does it in the order in which it is written.",
    ),
    Code(
        "S012",
        "a number or string that does not exist",
        "This is written like a number, a duration or a string, but it has no value: a unit that "
        "does not exist, more than 64 bits can hold, or an escape such as `\\p` that means "
        "nothing. Durations are a number and one of `ms`, `s`, `m`, `h`, `d`; in strings a "
        "backslash itself is written `\\\\`.",
    ),
    Code(
        "S013",
        "a reserved word",
        "The words of the language, such as `start`, `before` or `union`, cannot be the names "
        "of anything, because a formula could then be read in two ways. Choose another name. As "
        "a string the word can be used: put it in quotes.",
    ),
    Code(
        "S014",
        "a value where something happens, or the other way round",
        "Phenomena happen and conditions hold; values are compared. `ais(V, S)` is no number, "
        "so it cannot be compared, and `S` alone is nothing that could be true. Take the value "
        "out of the phenomenon with a variable and compare that: `ais(V, S) and S < 2`.",
    ),
    Code(
        "S015",
        "an argument that is neither a variable nor a constant",
        "What stands in the parentheses of a phenomenon is a variable, a constant or `_`. "
        "Nothing is computed there, and one phenomenon cannot be the argument of another. Use a "
        "variable and say in a condition what is true of it; join two phenomena with an "
        "operator.",
    ),
    Code(
        "S016",
        "not a duration, or not a number",
        "After `lasting`, `within`, `from`, `expires`, `limit`, `gap`, `over` and `past` stands a "
        "length of time: a duration such as `90s` or `2h`, a whole number (of seconds, or the "
        "program's unit), or the name of a parameter; after all but the last two it may also be a "
        "variable that has a whole number. After `at least` stands a whole number or a parameter.",
    ),
    Code(
        "S017",
        "upper case and lower case",
        "Variables begin with an upper-case letter or `_`, and everything else, such as "
        "phenomena, inputs and parameters, with a lower-case letter. That is how the two are "
        'told apart: in a formula `Vessel` is a variable and `vessel` is the string "vessel".',
    ),
    Code(
        "S018",
        "more than can be read",
        "Either a single declaration is longer than 64 KiB, or a file has so many mistakes that "
        "it is hardly a program. Reading stops there. Split a long declaration into several, "
        "and put long lists into the data as facts. Of what is wrong with the definitions of a "
        "file, the first hundred messages are shown, errors before warnings; mend those, and "
        "check again.",
    ),
    Code(
        "S019",
        "an unknown type or unit",
        "Arguments have one of the types `int`, `float`, `str` and `bool`, parameters may also "
        "be `duration`. Time is counted in units of a `second`, a `millisecond` or a "
        "`microsecond`. Nothing else is possible here.",
    ),
    Code(
        "S020",
        "the default of a parameter is not a constant",
        "The default of a parameter is what a run uses when it is told nothing else. It is "
        "written out: a number, a string, `true`, `false` or a duration. It cannot be computed or "
        "refer to anything.",
    ),
    Code(
        "S021",
        "a value of an exclusive state that is no range",
        "Each value of an exclusive state holds from one event to another, or until another "
        "value begins, and is written as a range, `begins(V) ~> ends(V)`. Nothing else can "
        "stand here, because the values would not end each other. Filter by duration or "
        "condition in a definition that uses the exclusive state.",
    ),
    Code(
        "S022",
        "written as in another language",
        "SQL, Flink, Esper, Python, Prolog and others have words and signs that this language has "
        "not, or spells in another way: `AND`, `count(*)`, `BETWEEN`, `10 minutes`, `def`. The "
        "message says what there is instead. Operators are lower case, a duration is a number and "
        "a letter (`10m`), and a definition is a kind, a name with variables, `:`, a formula and "
        "`;`.",
    ),
    Code(
        "S023",
        "a `let` that cannot be read",
        "`F let X = value, Y = value` gives names to what is computed from each row of F: an upper-"
        "case name, a single `=`, and a number, text or truth value, which may be computed. It "
        "ends a definition or stands in parentheses with what it is about; conditions follow it "
        "after `where`.",
    ),
    Code(
        "S024",
        "something in a machine that has not its shape",
        "A machine says what value it has before its first transition, and how one value leads to "
        "another: `machine door(D, How) initially shut { shut -> open : opened(D); open -> shut : "
        "after 1m; }`. Values are texts, words or between quotes; `_` is any value on the left "
        "and none on the right. A transition waits for an event or for a length of time, and at "
        "least one for an event, without which nothing would ever begin.",
    ),
    Code(
        "S025",
        "an aggregate that cannot be read",
        "`count(A)` is the number of rows of an event A, `sum(X of A)` the sum of their X; in the "
        "same way `avg`, `min`, `max`, `first` and `last`. `count(X of A)` counts different "
        "values, `count((X, Y) of A)` pairs of them. `total(B)` is how long the state B holds, and "
        "takes no variable. Beside an event, `over D` or `past D` stands last in the parentheses.",
    ),
)
