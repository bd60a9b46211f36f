"""A checked program looks names up, so that nobody else has to."""

import re
from pathlib import Path

import phenesthe

PROGRAM = """
param most: float = 0.5;
param wait: duration = 3s;
input event go(x: int, speed: float);
input state on(x: int);
fact good(x: int);
event slow(X) : go(X, S) and S <= most and good(X);
exclusive state mode(X, V) { up : slow(X) ~> start(on(X)) expires wait; }
"""
#: Signatures or values by name, made of the tuples of a program.
_BY_HAND = re.compile(
    r"(\w+)\.signature\.name: \1\.signature for \1 in [\w.]+\.definitions\s*}"
    r"|(\w+)\.name: \2 for \2 in \(\*[\w.]+\.inputs, \*[\w.]+\.facts\)"
    r"|(\w+)\.name: \3\.value for \3 in [\w.]+\.parameters"
)


def test_names_are_looked_up() -> None:
    program = phenesthe.compile(text=PROGRAM).checked
    assert list(program.given) == ["go", "on", "good"]
    assert list(program.defined) == ["slow", "mode"]
    assert program.signatures == {**program.given, **program.defined}
    assert all(name == one.name for name, one in program.signatures.items())
    assert program.signatures["good"].kind is None
    assert program.defined["mode"].arguments == ("X", "V")
    assert program.values == {"most": 0.5, "wait": 3}


def test_nobody_else_does() -> None:
    package = Path(phenesthe.__file__).parent
    found = [
        str(one.relative_to(package))
        for one in package.rglob("*.py")
        if one.name != "program.py" and _BY_HAND.search(one.read_text("utf-8"))
    ]
    assert found == []
