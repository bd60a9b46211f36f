"""Programs that are long in one way, of a size that is given."""

from collections.abc import Callable

_INPUTS = "input event e(x: int, y: int);\ninput state s(x: int, y: int);\nfact f(x: int);\n"


def _join(sign: str, part: str, size: int) -> str:
    return f" {sign} ".join(part.replace("#", str(at)) for at in range(size))


def _list(line: str, size: int) -> str:
    return "\n".join(
        line.replace("#+", str((at + 1) % size)).replace("#", str(at)) for at in range(size)
    )


#: Without errors, so that they can be compiled.
RIGHT: dict[str, Callable[[int], str]] = {
    "and": lambda n: f"event a(X) : {_join('and', 'e(X, Y#)', n)};",
    "and constants": lambda n: f"event a(X) : {_join('and', 'e(X, #)', n)};",
    "or": lambda n: f"event a(X) : {_join('or', 'e(X, #)', n)};",
    "union": lambda n: f"state a(X) : {_join('union', 's(X, Y#)', n)};",
    "intersection": lambda n: f"state a(X) : {_join('intersection', 's(X, Y#)', n)};",
    "conditions": lambda n: f"event a(X) : e(X, Y) and {_join('and', 'Y > #', n)};",
    "atoms with conditions": lambda n: f"event a(X) : {_join('and', 'e(X, Y#) and Y# > #', n)};",
    "facts": lambda n: f"event a(X) : e(X, _) and {_join('and', 'f(#)', n)};",
    "negations": lambda n: f"event a(X) : e(X, _) and {_join('and', 'not e(X, #)', n)};",
    "joined in a chain": lambda n: f"event a(X0) : {_join('and', 'e(X#, X#)', n)};",
    "a key of the head for each part": lambda n: (
        f"event a(X, {', '.join(f'Y{at}' for at in range(n))}) : {_join('and', 'e(X, Y#)', n)};"
    ),
    "arguments": lambda n: (
        f"input event w({', '.join(f'a{at}: int' for at in range(n))});\n"
        f"event a({', '.join(f'A{at}' for at in range(n))}) : "
        f"w({', '.join(f'A{at}' for at in range(n))});"
    ),
    "values of an exclusive state": lambda n: (
        f"exclusive state a(X, V) {{ {_list('v# : e(X, #) ~> e(X, 7);', n)} }}"
    ),
    "parameters": lambda n: _list("param p# : int = #;\nevent a#(X) : e(X, Y) and Y > p#;", n),
    "definitions in a chain": lambda n: (
        "event a0(X) : e(X, _);\n"
        + "\n".join(f"event a{at + 1}(X) : a{at}(X) and e(X, {at});" for at in range(n))
    ),
    "definitions that use many": lambda n: "\n".join(
        f"event a{at}(X) : "
        + " and ".join(["e(X, _)", *(f"a{one}(X)" for one in range(max(0, at - 5), at))])
        + ";"
        for at in range(n)
    ),
    "one input each": lambda n: _list("input event i#(x: int);\nevent a#(X) : i#(X);", n),
    "one fact each": lambda n: _list("fact g#(x: int);\nevent a#(X) : e(X, _) and g#(X);", n),
    "unlimited memory": lambda n: _list("dynamic a#(X) : e(X, _) before e(X, #);", n),
}
#: With something wrong many times over.
WRONG: dict[str, Callable[[int], str]] = {
    "unknown names": lambda n: _list("event a#(X) : zz#(X);", n),
    "wrong numbers of arguments": lambda n: _list("event a#(X) : e(X);", n),
    "wrong kinds": lambda n: _list("event a#(X) : s(X, _);", n),
    "wrong kinds in one formula": lambda n: f"event a(X) : {_join('and', 's(X, _)', n)};",
    "no value in the head": lambda n: (
        f"event a({', '.join(f'Z{at}' for at in range(n))}) : e(X, _);"
    ),
    "no value in a condition": lambda n: f"event a(X) : e(X, _) and {_join('and', 'Z# > 1', n)};",
    "no value on one side": lambda n: (
        f"event a({', '.join(f'Z{at}' for at in range(n))}) : {_join('or', 'e(Z#, _)', n)};"
    ),
    "no value from the left": lambda n: f"state a(X) : e(X, _) ~> ({_join('or', 'e(Z#, Q#)', n)});",
    "wrong types": lambda n: "event a(X) : e(X, Y) and " + _join("and", 'Y == "b#"', n) + ";",
    "defined twice": lambda n: _list("event a(X) : e(X, _);", n),
    "a circle": lambda n: _list("event a#(X) : a#+(X);", n),
    "circles through one": lambda n: _list("event a#(X) : a0(X) and a#+(X);", n),
    "unused variables": lambda n: _list("event a#(X) : e(X, Y);", n),
    "modules that are not there": lambda n: _list("import zzz#;", n),
    "wrong words": lambda n: _list("param p# : int = 1;\nevent a#(X) : e(X, Y) and Y > q# + 1;", n),
    "no such durations": lambda n: _list("state a#(X) : s(X, _) lasting > q#;", n),
    "a sum that is too deep": lambda n: f"event a(X) : e(X, Y) and Y > {_join('+', '#', n)};",
    "syntax errors": lambda n: _list("event a#(X) e(X, _);", n),
    "aggregates without a length": lambda n: (
        f"event a(X) : e(X, Y) and {_join('and', 'count(e(X, _)) > #', n)};"
    ),
    "aggregates of what has one value": lambda n: (
        f"event a(X) : e(X, Y) and {_join('and', 'sum(Y of e(X, Y) over 9) > #', n)};"
    ),
    "aggregates as elsewhere": lambda n: (
        f"event a(X) : e(X, Y) and {_join('and', 'avg(Y) > #', n)};"
    ),
    "aggregates after having": lambda n: (
        f"event a(X) : e(X, Y) having {_join('and', 'avg(Y) > #', n)};"
    ),
    "values of no machine": lambda n: (
        _list('event a#(X) : e(X, _) in x(X, "no #");', n)
        + 'exclusive state x(X, V) { "it is" : e(X, _) ~> e(X, 0); }'
    ),
}


def write(shapes: dict[str, Callable[[int], str]], name: str, size: int) -> str:
    return _INPUTS + shapes[name](size)
