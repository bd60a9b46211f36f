"""What is offered at the cursor, mostly in declarations that are not finished."""

from pathlib import Path

import pytest

from phenesthe.check.calendars import list_zones
from phenesthe.ide.analysis import analyse
from phenesthe.ide.completion import Completion, complete
from phenesthe.resources import LIBRARY
from phenesthe.syntax.tokens import (
    BEGINNING,
    COMPARISONS,
    FUNCTIONS,
    KINDS,
    MODES,
    RELATIONS,
    TYPES,
    UNITS,
)
from phenesthe.vocabulary import AGGREGATES, BUILT_IN
from tests.unit.ide.marked import INPUTS, MAIN, analyse_marked

PROGRAM = (
    INPUTS + 'event docked(V) : ais(V, _) in in_port(V, brest) and vessel_type(V, "old boat");\n'
)
COMPUTED = {*FUNCTIONS, *AGGREGATES}
EVENTS = {"ais", "alarm", "docked"}
VALUES = {"limit", "pause", "V"}


def offer(text: str) -> list[Completion]:
    analysis, offset = analyse_marked(PROGRAM + text)
    found = complete(analysis, MAIN, offset)
    for one in found:
        assert one.replaced.start <= offset <= one.replaced.end
    return found


def labels(text: str) -> set[str]:
    return {one.label for one in offer(text)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|", {*BEGINNING}),
        ("ev|", {*BEGINNING}),
        ("alarm|", {*BEGINNING}),
        ("input |", {*KINDS}),
        ("input event y(a: |", {*TYPES}),
        ("fact y(a: i|, b: int);", {*TYPES}),
        ("param y: |", {*TYPES, "duration"}),
        ("param y: bool = t|", {"true", "false"}),
        ("unit |;", {*UNITS}),
        ("exclusive |", {"state"}),
        ("report |", {"docked"}),
        ("report |;\nevent extra() : alarm();", {"docked", "extra"}),
        ("report extra, |;\nevent extra() : alarm();", {"docked"}),
        ("report docked |", set()),
        ("event |", set()),
        ("event x(|", set()),
        ("exclusive state x(V, W) { |", set()),
        ("event x(V) : ais(V, _) in |", {"in_port", *BUILT_IN}),
        ('state x() : daily(|', set()),
        ('state x() : daily("22:00", |', set()),
        ('state x() : daily("22:00", "06:00", |', {f'"{zone}"' for zone in list_zones()}),
        ('state x() : daily("22:00", "06:00", "Eu|")', {f'"{zone}"' for zone in list_zones()}),
        ("state x() : always(|", set()),
        ("state x(V) : in_port(V, P) lasting |", {*COMPARISONS}),
        ("state x(V) : in_port(V, P) lasting > |", {"pause", "V"}),
        ("state x(V) : ais(V, _) ~> alarm() expires |", {"pause", "V"}),
        ("dynamic x(V) : ais(V, _) before alarm() within p|;", {"pause", "V"}),
        ("dynamic x(V) : ais(V, _) before alarm() within 5m |", {"from", "as", "where"}),
        ("dynamic x(V) : ais(V, _) before alarm() from p|;", {"pause", "V"}),
        ("dynamic x(V) : ais(V, _) before alarm() from 5m |", {"within", "where"}),
        ("dynamic x(V) : ais(V, _) after alarm() from 5m within 9m |", {"where"}),
        ("dynamic x(V) : in_port(V, _) meets in_port(V, _) within 5m |", {"where"}),
        ("param most: int = 3;\nstate x(P) : at least |", {"most"}),
        ("state x(P) : at least 2 |", set()),
        ("state x(P) : at least 2 | of in_port(V, P)", {"V"}),
        ("state x(P) : at least 2 V |", {"of"}),
        ("state x(P) : at least 2 V of |", {"in_port", *BUILT_IN}),
        ("state x(P, K) : count | of in_port(V, P) as K", {"V"}),
        ("state x(P, K) : count V |", {"of"}),
        ("state x(P, K) : count V of in_port(V, P) |", {"as"}),
        ("state x(P, K) : count V of in_port(V, P) as |", {"K"}),
        ("state x(V) : repeat ais(V, _) while |", {"gap"}),
        ("state x(V) : repeat ais(V, _) |", {"and", "or", "in", "not in", "while"}),
        ("state x(V) : in_port(V, P) meets in_port(V, P) as |", {*MODES}),
        ("event x(V) : ais(V, _) |", {"and", "or", "in", "not in", "where", "let"}),
        ("event x(V, D) : ais(V, S) let |", set()),
        ("event x(V, D) : ais(V, S) let D = |", {*COMPUTED, *VALUES, "D", "S"}),
        ("event x(V, D) : ais(V, S) let D = S |", {"+", "-", "*", "/", "%", "where", "let"}),
        ("event x(V) : ais(V, S) and S |", {*COMPARISONS, "+", "-", "*", "/", "%"}),
        ("event x(V) : ais(V, S) and S > |", {*COMPUTED, *VALUES, "S"}),
        ("event x(V) : ais(V, S) and abs(|", {*COMPUTED, *VALUES, "S"}),
        (
            "event x(V) : ais(V, S) and |",
            {*EVENTS, *COMPUTED, *VALUES, "S", "vessel_type", "not", "start", "end"},
        ),
        ("event x(V) : docked(V) where |", {*COMPUTED, *VALUES, "vessel_type", "not"}),
        (
            "state x(V) : repeat ais(V, S) while gap < pause and |",
            {*COMPUTED, *VALUES, "S", "vessel_type", "not"},
        ),
        (
            "state x(V) : repeat ais(V, S) while gap < pause and S > |",
            {*COMPUTED, *VALUES, "S", "prev"},
        ),
        ("event x(V) : ais(V, _) not |", {"in"}),
        ("param x: bool = |", {"true", "false"}),
        ("param x: duration = |", set()),
        ("event x(V) : ais(V, _); // |", set()),
        ("event x(V) : ais(V, S) and S > 3|", set()),
        ('event x(V) : ais(V, S) and S > "a|', set()),
    ],
)  # fmt: skip
def test_exactly(text: str, expected: set[str]) -> None:
    assert labels(text) == expected


@pytest.mark.parametrize(
    ("text", "among", "missing"),
    [
        ("event x(V) : |", {*EVENTS, "vessel_type", "not"}, {"in_port", "convoy", "repeat"}),
        ("state x(V) : |", {*EVENTS, "in_port", "repeat", "not"}, {"convoy"}),
        ("dynamic x(V) : |", {*EVENTS, "in_port", "convoy"}, set()),
        ("exclusive state x(V, W) { a : |", EVENTS, {"in_port", "W"}),
        ("event x(V) : start(|", {"in_port", "repeat"}, {"convoy"}),
        ("event x(V) : ais(V, _) and (|", EVENTS, {"in_port"}),
        ("state x(V) : ais(V, _) ~> |", EVENTS, {"in_port"}),
        ("state x(V) : in_port(V, P) ⊔ |", {*EVENTS, "in_port"}, {"convoy"}),
        ("event x(V) : ais(V, _) ∧ |", EVENTS, {"in_port"}),
        ("state x(V) : docked(V) |", {"~>", "and", "then", "before"}, {"union", "lasting"}),
        ("state x(V) : docked(V) |", {"~>", "limit", "expires"}, set()),
        ("state x(V) : |", {*BUILT_IN}, set()),
        ("event x(V) : ais(V, _) and |", {"ais"}, {*BUILT_IN}),
        ("state x() : always() |", {"union", "lasting", "contains"}, {"and", "~>"}),
        ('state x() : daily("22:00", "06:00") |', {"without", "where"}, {"and", "~>"}),
        ("event daily(V) : ais(V, _);\nstate x(V) : |", {"daily", "always"}, set()),
        ("state x(V) : docked(V) limit 5 |", {"union", "expires", "lasting"}, {"~>", "limit"}),
        ("state x(V) : docked(V) ~> alarm() limit 5 |", {"union", "expires"}, {"~>", "limit"}),
        ("event x(V) : docked(V) |", {"and"}, {"limit", "expires"}),
        ("state x(P) : |", {"at least", "count", "repeat"}, set()),
        ("event x(P) : |", {"count"}, {"at least", "repeat"}),
        ("state x(V, N) : docked(V) let N = count(|", EVENTS, {"in_port"}),
        ("state x(V, N) : docked(V) let N = total(|", {"in_port"}, EVENTS),
        ("state x(V, N) : docked(V) let N = sum(S |", {"of"}, EVENTS),
        ("state x(V, N) : docked(V) let N = sum(S of |", EVENTS, {"in_port"}),
        ("state x(P, K) : count V of in_port(V, P) as K |", {"lasting", "union"}, {"as", "of"}),
        ("state x(V) : in_port(V, _) |", {"complement", "without"}, set()),
        ("exclusive state x(V, P) : ais(V, P) |", {"~>", "limit", "expires"}, {"lasting"}),
        ("state x(V) : docked(V) ~> alarm() |", {"union", "expires", "and", "lasting"}, {"~>"}),
        ("state x(V) : in_port(V, P) |", {"union", "lasting", *RELATIONS}, {"and", "~>", "as"}),
        ("state x(V) : (docked(V) ~> alarm()) |", {"union", "lasting"}, {"and", "~>"}),
        ("state x(V) : in_port(V, P) lasting > 3 |", {"union", "lasting"}, {"and", "<"}),
        ("state x(V) : repeat ais(V, _) while gap < pause |", {"and", "union"}, {"<", "+"}),
        ("dynamic x(V) : docked(V) before in_port(V, P) |", {"within", "as", "before"}, {"meets"}),
        ("dynamic x(V) : (docked(V) before alarm()) |", {"lasting", "meets"}, {"and", "union"}),
        ("event x(V) : start(in_port(V, P)) |", {"and", "in"}, {"union", "<"}),
        ("event x(V) : ais(V, S) and S > 3 |", {"and", "or", "+"}, {"union"}),
        ("event x(V) : ais(V, S) |and S > 3;", {"and", "in"}, {"union"}),
    ],
)  # fmt: skip
def test_what_fits(text: str, among: set[str], missing: set[str]) -> None:
    found = labels(text)
    assert found >= among
    assert not found & missing


def find(text: str, label: str) -> Completion:
    return next(one for one in offer(text) if one.label == label)


def test_a_phenomenon_comes_with_its_arguments() -> None:
    found = find("event x(V) : |", "ais")
    assert found.blanks == ("Vessel", "Speed")
    assert found.detail == "input event ais(vessel: int, speed: float)"
    assert found.kind == "event"
    assert find("event x(V) : |", "docked").detail == "event docked(V: int)"
    assert find("event x(V) : |", "alarm").blanks == ()
    assert find("event x(V) : start(|", "in_port").blanks == ("Vessel", "Port")


def test_arguments_that_are_there_are_not_written_again() -> None:
    found = find("event x(V) : do|(V) and alarm();", "docked")
    assert found.blanks is None
    assert found.replaced.text == "do"
    found = find("event x(V) : d|ais (V) and alarm();", "docked")
    assert found.replaced.text == "dais"


def test_what_is_being_defined_is_not_offered() -> None:
    assert "x" not in labels("event x(V) : |")
    assert "y" in labels("event x(V) : |\nevent y(V) : ais(V, ")


def test_what_cannot_be_read_is_offered_all_the_same() -> None:
    found = find("event near_by(V) : ais(V, ) and ;\nevent x(V) : |", "near_by")
    assert found.detail == "event near_by(V: int)"


def test_arguments_take_variables_of_their_type() -> None:
    found = offer("event x(V) : ais(V, S) and in_port(V, P) and vessel_type(|")
    variables = [one.label for one in found if one.kind == "variable"]
    assert variables == ["V", "Vessel"]
    assert found[0].label == "V"
    assert found[0].detail == "int"
    assert {"pause", "_"} <= {one.label for one in found}
    assert "limit" not in {one.label for one in found}
    assert {"true", "false"} <= labels("input event l(on: bool); event x() : l(|")


def test_constants_that_others_wrote() -> None:
    assert {"brest", "Port"} <= labels("event x(V) : start(in_port(V, |")
    assert '"old boat"' in labels("event x(V) : alarm() and vessel_type(V, |")
    assert labels('event x(V) : start(in_port(V, "|")') == {'"brest"'}
    assert labels('event x(V) : start(in_port(V, "b|') == {'"brest"'}
    assert "mine" not in labels("event x(V) : start(in_port(V, mine|")
    modes = (
        "exclusive state mode(V, M) { slow : docked(V) ~> alarm(); 'x : ais(V, _) ~> alarm(); }\n"
    )
    assert "slow" in labels(modes + "event x(V) : start(mode(V, |")
    assert "slow" not in labels(modes + "event x(V) : start(mode(|")
    # A word that names a phenomenon is a text all the same; one that names a parameter is not.
    assert "alarm" in labels("event y(V) : start(in_port(V, alarm));\nevent x(V) : in_port(V, |")
    found = offer("event y(V) : start(in_port(V, limit));\nevent x(V) : start(in_port(V, |")
    assert "limit" not in {one.label for one in found}


def test_a_branch_sees_the_head_and_itself() -> None:
    text = "exclusive state m(V, W) { a : ais(V, S) and S > 1 ~> alarm(); b : ais(V, T) and | ; }"
    found = labels(text)
    assert {"V", "T"} <= found
    assert not {"W", "S"} & found


def test_modules(tmp_path: Path) -> None:
    file = tmp_path / "main.phe"
    (tmp_path / "ports").mkdir()
    (tmp_path / "ports" / "brest.phe").touch()
    (tmp_path / "other.phe").touch()
    (tmp_path / "Not-one.phe").touch()
    file.touch()
    (tmp_path / "more" / "deep").mkdir(parents=True)
    (tmp_path / "more" / "deep" / "down.phe").touch()
    (tmp_path / "circle").symlink_to(tmp_path / "circle")

    def find_modules(text: str, path: tuple[Path, ...] = ()) -> dict[str, str]:
        before, _, after = text.partition("|")
        analysis = analyse(file, (before + after).encode())
        found = complete(analysis, file, len(before), path=path)
        assert {one.kind for one in found} == {"module"}
        return {one.label: one.replaced.text for one in found}

    library = {f"maritime.{module.stem}" for module in (LIBRARY / "maritime").glob("*.phe")}
    beside = {"ports.brest", "other", "more.deep.down", *library}
    assert find_modules("import |").keys() == beside
    assert find_modules("import |", (tmp_path / "more",)).keys() == {*beside, "deep.down"}
    assert find_modules("import ports.br|;")["ports.brest"] == "ports.br"
    assert find_modules("import ports.|\nunit second;")["ports.brest"] == "ports."
    assert find_modules("import po|rts.brest;")["other"] == "ports.brest"


def test_names_that_are_not_imported_are_not_offered() -> None:
    files = {"a.phe": "import b; event y(V) : z(V);", "b.phe": "input event z(v: int);"}
    analysis, offset = analyse_marked("import a; event x(V) : |", files)
    assert {"y", "z"} <= {one.label for one in complete(analysis, MAIN, offset)}
    analysis, offset = analyse_marked("import b; event x(V) : |", files)
    found = {one.label for one in complete(analysis, MAIN, offset)}
    assert "z" in found
    assert "y" not in found


def test_docs_come_along() -> None:
    found = find("/// Near <b>.\nevent y(V) : ais(V, _);\nevent x(V) : |", "y")
    assert found.doc == "Near \\<b\\>."
    assert find("event x(V) : |", "not").doc
