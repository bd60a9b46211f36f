"""From a name to its declaration and its uses."""

from phenesthe.ide.navigate import Location, find_definition, find_references, highlight
from phenesthe.resources import LIBRARY
from tests.unit.ide.projects import FOLDER, MAIN, find_offset, open_project

SHIPS = """\
param limit: float = 0.5;
input event ais(vessel: int, speed: float);
event slow(V) : ais(V, S) ∧ S ≤ limit;
"""
FILES = {
    "main.phe": """\
import ships;
// slow is not meant here
state stopped(V) : slow(V) ⤳ (ais(V, S) ∧ S > limit);
event twice(V) : (slow(V) and ais(V, X)) or ais(V, X);
event said(V) : ais(V, _) and slow(V) and "slow" == slow;
""",
    "ships.phe": SHIPS,
    "other.phe": "import ships;\nevent again(V) : slow(V);\n",
    "alone.phe": "input event slow(person: str);\nevent again(P) : slow(P);\n",
}
WORKSPACE = [open_project(FILES, name) for name in ("main.phe", "other.phe", "alone.phe")]
PROGRAM = WORKSPACE[0]


def show(locations: list[Location]) -> list[str]:
    return [
        f"{one.file.name}:{one.span.first.line}:{one.span.first.column} {one.span.text}"
        for one in locations
    ]


def define(words: str, after: str = "") -> list[str]:
    return show(find_definition(PROGRAM, MAIN, find_offset(PROGRAM, words, after=after)))


def test_a_name_leads_to_its_declaration_in_another_file() -> None:
    assert define("slow(V)") == ["ships.phe:3:7 slow"]
    assert define("limit") == ["ships.phe:1:7 limit"]
    assert define("ais") == ["ships.phe:2:13 ais"]
    assert define("stopped") == ["main.phe:3:7 stopped"]


def test_what_is_reported_leads_to_its_definition() -> None:
    files = {**FILES, "main.phe": f"{FILES['main.phe']}report stopped, slow;\n"}
    program = open_project(files, "main.phe")
    offset = find_offset(program, "slow;\n", after="report stopped, ")
    assert show(find_definition(program, MAIN, offset)) == ["ships.phe:3:7 slow"]
    assert "main.phe:6:17 slow" in show(find_references([program], MAIN, offset))


def test_the_end_of_a_name_belongs_to_it() -> None:
    assert define("(V) ⤳") == ["ships.phe:3:7 slow"]


def test_an_import_leads_to_the_file() -> None:
    (found,) = find_definition(PROGRAM, MAIN, find_offset(PROGRAM, "ships"))
    assert (found.file, found.span.start, found.span.end) == (FOLDER / "ships.phe", 0, 0)


def test_the_library_can_be_looked_into() -> None:
    analysis = open_project("import maritime.core;\nevent a(V) : stop_start(V);\n")
    (found,) = find_definition(analysis, MAIN, find_offset(analysis, "stop_start"))
    assert found.file == LIBRARY / "maritime" / "inputs.phe"
    assert found.span.text == "stop_start"
    (module,) = find_definition(analysis, MAIN, find_offset(analysis, "core"))
    assert module.file == LIBRARY / "maritime" / "core.phe"


def test_a_variable_leads_to_the_head_or_to_its_first_occurrence() -> None:
    assert define("V) ⤳") == ["main.phe:3:15 V"]
    assert define("S >") == ["main.phe:3:38 S"]
    # Alternatives share their variables.
    assert define("X);", after="or ais") == ["main.phe:4:38 X"]


def test_an_argument_leads_to_itself() -> None:
    analysis = open_project(SHIPS)
    offset = find_offset(analysis, "speed")
    assert show(find_definition(analysis, MAIN, offset)) == ["main.phe:2:30 speed"]


def test_texts_comments_and_words_of_the_language_lead_nowhere() -> None:
    for words in ("slow is not", '"slow"', "slow;", "⤳", "event", "_)"):
        assert define(words) == []


def test_references_are_found_in_all_files_that_mean_the_same() -> None:
    offset = find_offset(PROGRAM, "slow(V)")
    found = show(find_references(WORKSPACE, MAIN, offset))
    assert sorted(found) == [
        "main.phe:3:20 slow",
        "main.phe:4:19 slow",
        "main.phe:5:31 slow",
        "other.phe:2:18 slow",
        "ships.phe:3:7 slow",
    ]
    used = show(find_references(WORKSPACE, MAIN, offset, declarations=False))
    assert sorted(set(found) - set(used)) == ["ships.phe:3:7 slow"]
    from_home = find_offset(PROGRAM, "slow", "ships.phe")
    again = show(find_references(WORKSPACE, FOLDER / "ships.phe", from_home))
    assert sorted(again) == sorted(found)


def test_references_of_a_module_are_its_imports() -> None:
    found = find_references(WORKSPACE, MAIN, find_offset(PROGRAM, "ships"))
    assert sorted(show(found)) == ["main.phe:1:8 ships", "other.phe:1:8 ships"]


def test_references_of_a_variable_stay_in_its_scope() -> None:
    offset = find_offset(PROGRAM, "S)", after="stopped")
    assert show(find_references(WORKSPACE, MAIN, offset)) == ["main.phe:3:38 S", "main.phe:3:43 S"]


def test_a_file_of_no_program_has_no_references() -> None:
    assert find_references(WORKSPACE, FOLDER / "nowhere.phe", 0) == []
    assert find_definition(PROGRAM, FOLDER / "nowhere.phe", 0) == []
    assert highlight(PROGRAM, FOLDER / "nowhere.phe", 0) == []


def test_highlights_tell_where_a_name_gets_its_meaning() -> None:
    analysis = open_project(SHIPS)

    def shown(words: str) -> list[tuple[int, bool]]:
        found = highlight(analysis, MAIN, find_offset(analysis, words))
        return [(one.span.first.line, one.writes) for one in found]

    assert shown("limit") == [(1, True), (3, False)]
    assert shown("V") == [(3, True), (3, False)]
    assert shown("speed") == [(2, True)]
    assert shown("event") == []


def test_a_name_whose_declaration_is_broken_is_still_found() -> None:
    files = {
        "main.phe": "import ships;\nevent b(V) : slow(V) and (slow(V);\nevent c(V) : slow(V);\n",
        "ships.phe": SHIPS.replace("∧", "and and"),
    }
    analysis = open_project(files)
    for after in ("event b", "and (", "event c"):
        offset = find_offset(analysis, "slow", after=after)
        assert show(find_definition(analysis, MAIN, offset)) == ["ships.phe:3:7 slow"]
        assert len(find_references([analysis], MAIN, offset)) == 4


def test_a_name_declared_twice_has_both_places() -> None:
    analysis = open_project("event a(V) : b(V);\nevent a(V) : b(V);\nevent c(V) : a(V);\n")
    offset = find_offset(analysis, "a(V);", after="event c")
    assert show(find_definition(analysis, MAIN, offset)) == ["main.phe:1:7 a", "main.phe:2:7 a"]


def test_an_unknown_name_leads_nowhere() -> None:
    analysis = open_project("import nowhere;\nevent a(V) : b(V);\n")
    assert find_definition(analysis, MAIN, find_offset(analysis, "b(V)")) == []
    assert find_definition(analysis, MAIN, find_offset(analysis, "nowhere")) == []
