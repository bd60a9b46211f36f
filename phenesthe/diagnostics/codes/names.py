"""Codes about names, modules, numbers of arguments, circles and parameters."""

from phenesthe.diagnostics.codes.model import Code

NAMES = (
    Code(
        "N001",
        "an unknown name",
        "A formula uses a name that is declared nowhere: neither as an input or a fact nor by a "
        "definition, in this file or in one that it imports. It may be misspelt, in which case "
        "the message suggests a name, or its declaration is missing, or the library has it and an "
        "import is missing. After `lasting`, `within`, "
        "`expires` and `gap` the name of a parameter is expected.",
    ),
    Code(
        "N002",
        "a name is defined twice",
        "A name means one thing in a whole program, whichever files it is made of. Two "
        "definitions of one name do not add up to alternatives, because then a file could "
        "change what another one means. Rename one of them, or join the two with `or` or "
        "`union` in one definition.",
    ),
    Code(
        "N003",
        "a module that does not exist",
        "`import a.b;` asks for the file `a/b.phe`, first beside the importing file, then in the "
        "folders that are searched for modules, then in the library that comes with the language. "
        "It is in none of them. Names that may have been declared there are not reported as "
        "unknown.",
    ),
    Code(
        "N004",
        "a name from a file that is not imported",
        "The name is defined in another file of the program, but the file that uses it does not "
        "import that one. What a module means must not depend on who else is part of the "
        "program, so every file imports what it uses.",
    ),
    Code(
        "N005",
        "a module that cannot be read",
        "The file of the module is there, but the system does not let it be read, or the "
        "program has more files than are read. The message gives the reason.",
    ),
    Code(
        "N006",
        "two units of time in one program",
        "All files of a program count time in the same unit, because their instants are "
        "compared. A file that says nothing takes over the unit of the others. Change one of "
        "the two, or leave it out.",
    ),
    Code(
        "N007",
        "the same thing twice in one declaration",
        "Variables of a head, arguments of an input, values of an exclusive state and the unit "
        "of a file are each given once, and so is what it reports. If a head had the same "
        "variable twice, or an input the same column, one of them would say nothing.",
    ),
    Code(
        "N008",
        "an argument of a head without a name",
        "The arguments of a head are what a definition reports. `_` stands for some value that "
        "nobody wants to know, which cannot be reported. Give it a name and use it in the "
        "formula, or leave it out of the head.",
    ),
    Code(
        "N009",
        "an exclusive state or a machine without a variable for its value",
        "The last variable of an exclusive state or a machine takes the value that holds: "
        "`power(D, How)` is `power(7, mains)` at one time and `power(7, battery)` at another. "
        "This head has no variable at all.",
    ),
    Code(
        "N010",
        "a value named like a parameter",
        "Elsewhere a bare word is the parameter of that name, if there is one. As a value of an "
        "exclusive state or a machine that would make the values change from run to run, and two "
        "of them could become the same. In quotes it is the word itself; otherwise rename one of "
        "the two.",
    ),
    Code(
        "N011",
        "an argument named like a column of times",
        "The tables of an input have a column per argument and columns for the times: `t` for "
        "events, `ts` and `te` for states and dynamics. An argument of such a name could not be "
        "told apart from them. Choose another name for the "
        "argument; a run can be told to read it from a column of any name.",
    ),
    Code(
        "N012",
        "names that differ only in upper and lower case",
        "What a run finds becomes tables and columns, named like the definitions and their "
        "variables. Parquet readers, Spark and many file systems do not tell upper case from "
        "lower case, so one of two such names would hide the other. Only what a run of the file "
        "reports is looked at. Rename one of them.",
    ),
    Code(
        "N013",
        "something is reported that is no definition",
        "`report` names what a run finds out. The rows of an input and of a fact come with the "
        "data, and the value of a parameter is given before the run, so none of them is a "
        "result. Remove the name; where the rows of an input are wanted among the results, write "
        "a definition that holds where the input does, and report that.",
    ),
    Code(
        "A001",
        "the wrong number of arguments",
        "A phenomenon or fact is used with as many arguments as it was declared with. The "
        "message shows the declaration. For an argument that does not matter write `_`.",
    ),
    Code(
        "A002",
        "the wrong number of values for something built in",
        "`abs` takes one value, `angle_diff` two, `distance` four (longitude and latitude of "
        "two places, in degrees), `min` and `max` two or more. `always` takes none; `daily`, "
        "`weekly`, `yearly` and `dates` take two moments, and a time zone if it is not UTC.",
    ),
    Code(
        "C001",
        "circular definitions",
        "A definition is evaluated after those it uses. If it uses itself, directly or through "
        "others, there is no order in which that could be done. The message prints the whole "
        "circle. Define one of them without the others; `repeat` and `~>` can often express "
        "what was meant.",
    ),
    Code(
        "P001",
        "a duration that is not a whole number of seconds",
        "Time is counted in whole units of the program, a second unless the file says "
        "otherwise. This duration is a fraction of one, or so long that it does not fit "
        "into 64 bits. Choose another duration, or count in a smaller unit: `unit "
        "millisecond;`.",
    ),
    Code(
        "P002",
        "a parameter that is no duration, or no number",
        "After `lasting`, `within`, `expires` and `gap` a parameter must be a `duration`, or an "
        "`int`, which counts seconds, or the program's unit. This one is of another type. Declare "
        "it as `param NAME: duration = 10m;`. After `at least` it is how many, of type `int`.",
    ),
    Code(
        "P003",
        "a duration or a number that makes no sense",
        "No interval and no gap is shorter than nothing, so a duration may not be negative. "
        "`expires` takes at least 1, for otherwise it would never hold. `at least` takes 2 or "
        "more, because a state tells by itself where it holds for one.",
    ),
    Code(
        "P004",
        "a run sets a parameter wrongly",
        "A run may override the parameters of a program, on the command line or from "
        "Python. There is no parameter of this name, or the value is not of its type. The "
        "message names the parameters, or shows what a value looks like.",
    ),
)
