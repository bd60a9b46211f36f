"""The outline of a file, and the search in a workspace."""

from hypothesis import given, settings

from phenesthe.ide.analysis import analyse
from phenesthe.ide.symbols import list_symbols, search_symbols
from tests.strategies.programs import damaged_files
from tests.unit.ide.projects import FOLDER, MAIN, open_project

TEXT = """\
import ships;
unit second;
param limit: float = 0.5;
fact fishing(vessel: int);
/// Nearly still.
event slow(V) : ais(V, S) ∧ S ≤ limit;
exclusive state mode(V, Value) {
    low : slow(V) ⤳ slow(V);
    "very high" : slow(V) ⤳ slow(V);
}
dynamic broken(V, : slow(V);
state (V) : slow(V);
input state port(vessel int);
nonsense;
"""
SHIPS = "input event ais(vessel: int, speed: float);\nevent stop_start(V) : ais(V, 0.0);\n"


def test_the_outline_has_every_declaration() -> None:
    analysis = open_project({"main.phe": TEXT, "ships.phe": SHIPS})
    symbols = list_symbols(analysis, MAIN)
    assert [(one.name, one.kind, one.detail, one.broken) for one in symbols] == [
        ("ships", "module", "import", False),
        ("limit", "parameter", "float", False),
        ("fishing", "fact", "fact (vessel: int)", False),
        ("slow", "event", "event (V)", False),
        ("mode", "state", "exclusive state (V, Value)", False),
        ("broken", "dynamic", "cannot be read", True),
        ("port", "input", "cannot be read", True),
    ]
    values = symbols[4].parts
    assert [(one.name, one.kind) for one in values] == [("low", "value"), ('"very high"', "value")]
    for one in (*symbols[1:], *values):
        assert one.name_span.text == one.name
        assert one.span.start <= one.name_span.start < one.name_span.end <= one.span.end


def search(query: str) -> list[tuple[str, str]]:
    files = {"main.phe": TEXT, "ships.phe": SHIPS}
    analyses = [open_project(files), open_project(files, "ships.phe")]
    found = search_symbols(analyses, query)
    return [(one.outlined.name, one.file.name) for one in found]


def test_a_search_finds_names_by_their_letters_best_first() -> None:
    assert search("s") == [
        ("slow", "main.phe"),
        ("stop_start", "ships.phe"),
        ("ais", "ships.phe"),
        ("fishing", "main.phe"),
    ]
    assert search("STA") == [("stop_start", "ships.phe")]
    assert search("spst") == [("stop_start", "ships.phe")]
    assert search("nowhere") == []


def test_an_empty_search_finds_each_name_once() -> None:
    found = search("")
    assert sorted(found) == sorted(set(found))
    assert ("broken", "main.phe") in found
    assert len(found) == 8


def test_a_file_of_another_program_has_no_symbols() -> None:
    assert list_symbols(open_project(TEXT), FOLDER / "other.phe") == []


@settings(max_examples=100, deadline=None)
@given(damaged_files())
def test_any_text_has_an_outline_in_its_order(data: bytes) -> None:
    symbols = list_symbols(analyse(MAIN, data, read=lambda _: None), MAIN)
    starts = [one.span.start for one in symbols]
    assert starts == sorted(set(starts))
    assert all(one.name_span.text == one.name for one in symbols if one.kind != "module")
