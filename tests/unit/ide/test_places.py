"""Names and their roles: the same from words as from trees, and still there when a tree is not."""

from collections.abc import Container
from pathlib import Path

import pytest

from phenesthe.check.machines import list_values
from phenesthe.ide.analysis import analyse
from phenesthe.ide.places import (
    Occurrence,
    find_imported,
    find_place,
    is_built_in,
    list_occurrences,
    list_visible,
)
from phenesthe.resources import LIBRARY
from phenesthe.syntax.clauses import list_durations
from phenesthe.syntax.tokens import FUNCTIONS
from phenesthe.syntax.tree import (
    After,
    Atom,
    Declaration,
    Definition,
    ExclusiveState,
    Fact,
    Formula,
    Import,
    Input,
    Machine,
    Name,
    Node,
    Parameter,
    Report,
    StrLiteral,
    UnitDeclaration,
    Variable,
    Wildcard,
    Word,
)
from phenesthe.syntax.tree.walk import walk
from phenesthe.vocabulary import AGGREGATES
from tests.strategies.corpus import corpus, read_corpus
from tests.unit.ide.marked import INPUTS, MAIN, analyse_marked, analyse_text


def is_function(name: str, visible: Container[str]) -> bool:
    return name in {*FUNCTIONS, *AGGREGATES} and name not in visible


def list_names(declaration: Declaration, visible: Container[str]) -> set[tuple[int, str]]:
    """Where the names of a declaration stand, and their roles, from its tree."""
    found: set[tuple[int, str]] = set()

    def note(node: Node, role: str) -> None:
        found.add((node.span.start, role))

    def note_bare(node: Node) -> None:
        if isinstance(node, StrLiteral) and not node.span.text.startswith('"'):
            note(node, "constant")

    name: Name
    match declaration:
        case Import() | UnitDeclaration():
            return found
        case Report():
            for one in declaration.names:
                note(one, "uses")
            return found
        case Parameter():
            note_bare(declaration.default)
            name = declaration.name
        case Input() | Fact():
            for argument in declaration.arguments:
                note(argument.name, "argument")
            name = declaration.name
        case Definition() | ExclusiveState() | Machine():
            name = declaration.head.name
            for variable in declaration.head.variables:
                note(variable, "wildcard" if variable.name == "_" else "variable")
            bodies: list[Formula] = []
            if isinstance(declaration, Definition):
                bodies.append(declaration.body)
            for branch in getattr(declaration, "branches", ()):
                note_bare(branch.label)
                bodies.append(branch.body)
            if isinstance(declaration, Machine):
                for label in list_values(declaration):
                    note_bare(label)
                for way in declaration.transitions:
                    if not isinstance(way.when, After):
                        bodies.append(way.when)
                    elif isinstance(way.when.duration, Word):
                        note(way.when.duration, "word")
            for body in bodies:
                for node in walk(body):
                    match node:
                        case Atom() if is_built_in(node.name.text, visible):
                            pass
                        case Atom() if is_function(node.name.text, visible):
                            pass
                        case Atom():
                            note(node.name, "uses")
                        case Word():
                            note(node, "word")
                        case Variable():
                            note(node, "variable")
                        case Wildcard():
                            note(node, "wildcard")
                        case _:
                            for _, duration in list_durations(node):
                                if isinstance(duration, Word):
                                    note(duration, "word")
    note(name, "declares")
    return found


@pytest.mark.parametrize("file", sorted(corpus()), ids=lambda file: file.stem)
def test_words_tell_what_trees_tell(file: Path) -> None:
    analysis = analyse(file, corpus()[file], read=read_corpus)
    parsed = analysis.modules.files[0].parsed
    occurrences = {one.span.start: one for one in list_occurrences(analysis, file)}
    parameters = {name for name, one in list_visible(analysis, file).items() if one.is_parameter}
    for declaration in parsed.declarations:
        inside = range(declaration.span.start, declaration.span.end)
        wanted = list_names(declaration, list_visible(analysis, file))
        got = {
            (at, one.role) for at, one in occurrences.items()
            if at in inside and one.role != "imports"
        }  # fmt: skip
        words = {at for at, role in wanted if role == "word"}
        judged = {(at, role) for at, role in got if at in words}
        assert got - judged == {pair for pair in wanted if pair[1] != "word"}
        for at, role in judged:
            is_parameter = occurrences[at].name in parameters
            assert is_parameter <= (role == "uses")
        assert {at for at, _ in judged} == words


def find(text: str) -> Occurrence | None:
    analysis, offset = analyse_marked(text)
    place = find_place(analysis, MAIN, offset)
    assert place is not None
    return place.occurrence


@pytest.mark.parametrize(
    ("text", "role", "name"),
    [
        ("event |x(V) : ais(V, _);", "declares", "x"),
        ("event x|(V) : ais(V, _);", "declares", "x"),
        ("event x(V) : a|is(V, _);", "uses", "ais"),
        ("event x(V) : ais(V|, _);", "variable", "V"),
        ("event x(V) : ais(V, |_);", "wildcard", "_"),
        ("event x(V) : ais(V, S) and S > lim|it;", "uses", "limit"),
        ("event x(V) : ais(V, _) in in_port(V, br|est);", "constant", "brest"),
        ("state x(V) : in_port(V, _) lasting > |pause;", "uses", "pause"),
        ("import maritime|.core;", "imports", "maritime.core"),
        ("import maritime.co|re;", "imports", "maritime.core"),
        ("input event y(spe|ed: float);", "argument", "speed"),
        ("exclusive state x(V, W) { ne|ar : ais(V, _) ~> alarm(); }", "constant", "near"),
        # Broken in one way or another:
        ("event x(V) : ais(V, _) and (|ais(V", "uses", "ais"),
        ("event x(V) : and and a|is(V, _);", "uses", "ais"),
        ("state x(V) : in_p|ort union", "uses", "in_port"),
        ("event x(V) : ais(V, S) and S > > lim|it;", "uses", "limit"),
        ("event x(V : a|is(V, S);", "uses", "ais"),
        ("x(V) : |ais(V, S);", "uses", "ais"),
        ("state x(V) : in_port(V, _) lasting > |paus", "uses", "paus"),
        ("input event y(a: int, sp|eed float", "argument", "speed"),
    ],
)
def test_role(text: str, role: str, name: str) -> None:
    occurrence = find(INPUTS + text)
    assert occurrence is not None
    assert (occurrence.role, occurrence.name) == (role, name)


@pytest.mark.parametrize(
    "text",
    [
        "ev|ent x(V) : ais(V, _);",
        "input event y(speed: flo|at);",
        "unit sec|ond;",
        "state x(V) : repeat ais(V, _) while g|ap < 3;",
        "state x(V) : in_port(V, P) before in_port(V, P) as so|urce;",
        "event x(V) : ais(V, _) |  and ais(V, _);",
        'event x(V) : ais(V, _) in in_port(V, "bre|st");',
        "event x(V) : ais(V, _); // a|is",
    ],
)
def test_no_name(text: str) -> None:
    assert find(INPUTS + text) is None


def test_the_same_file_may_be_none_of_the_program() -> None:
    analysis = analyse_text(INPUTS)
    assert find_place(analysis, Path("/other.phe"), 0) is None
    assert list_occurrences(analysis, Path("/other.phe")) == []


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("event x(|V) : ais(V, S) and S > 3;", "event x(V) : ais(V, S) and S > 3;"),
        ("event x(V) : ais(V, S) and |S > 3;", "ais(V, S) and S > 3"),
        (
            "event x(V) : ais(V, S) and S > 3 or ais(V, |S) and S < 1;",
            "ais(V, S) and S > 3 or ais(V, S) and S < 1",
        ),
        ("event x(V) : ais(V, |S) or in_port(V, S", "event x(V) : ais(V, S) or in_port(V, S"),
        (
            "state x(V) : (repeat ais(V, S) while gap < 3 and S > prev(|S)) lasting > 3;",
            "repeat ais(V, S) while gap < 3 and S > prev(S)",
        ),
        (
            "exclusive state x(V, W) { a : ais(V, |S) and S > 3 ~> alarm(); }",
            "ais(V, S) and S > 3",
        ),
    ],
)
def test_scope(text: str, scope: str) -> None:
    occurrence = find(INPUTS + text)
    assert occurrence is not None
    assert occurrence.scope is not None
    assert occurrence.scope.text == scope


def test_symbols_come_from_every_file() -> None:
    files = {"a.phe": INPUTS, "b.phe": "input event hidden();"}
    analysis, offset = analyse_marked("import a; event x(V) : a|is(V, _) and alarm();", files)
    place = find_place(analysis, MAIN, offset)
    assert place is not None
    assert place.occurrence is not None
    assert place.occurrence.symbol is analysis.work.symbols["ais"]
    assert find_imported(analysis, MAIN, "a") == MAIN.parent / "a.phe"
    assert find_imported(analysis, MAIN, "b") is None


def test_the_library_is_found() -> None:
    analysis = analyse_text("import maritime.core;")
    assert find_imported(analysis, MAIN, "maritime.core") == LIBRARY / "maritime" / "core.phe"


def test_a_parameter_that_is_not_visible_is_a_text() -> None:
    files = {"a.phe": "import main; param near: str = brest;"}
    text = "import a; input state s(p: str); state x() : s(near);"
    analysis = analyse_text(text, files)
    roles = {one.name: one.role for one in list_occurrences(analysis, MAIN)}
    assert roles["near"] == "uses"
    other = analyse_text(text.removeprefix("import a; "), files)
    roles = {one.name: one.role for one in list_occurrences(other, MAIN)}
    assert roles["near"] == "constant"


def test_a_name_whose_declaration_is_lost_may_be_a_parameter() -> None:
    occurrence = find(INPUTS + "param lost: float = ; event x(V) : ais(V, S) and S > lo|st;")
    assert occurrence is not None
    assert (occurrence.role, occurrence.symbol) == ("uses", None)
