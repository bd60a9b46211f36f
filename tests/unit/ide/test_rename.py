"""One name for another: all of it and nothing else, or a reason."""

from collections.abc import Mapping

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Edit
from phenesthe.ide.analysis import Analysis, analyse
from phenesthe.ide.places import list_occurrences
from phenesthe.ide.rename import Refusal, prepare_rename, rename
from phenesthe.ide.targets import find_target, list_mentions
from phenesthe.syntax.source import Span
from tests.strategies.programs import damaged_files, programs
from tests.unit.ide.alike import normalise
from tests.unit.ide.projects import FOLDER, MAIN, find_offset, open_project

SHIPS = """\
param limit: float = 0.5;  // the limit
input event ais(vessel: int, speed: float);
/// Says slow(V).
event slow(V) : ais(V, S) ∧ S ≤ limit;
"""
FILES = {
    "main.phe": """\
import ships;
state stopped(V) : slow(V) ⤳ (ais(V, S) ∧ S > limit);
event said(V, Word) : name(V, Word) and slow(V) and Word != bounded and Word != "slow";
event twice(V) : (slow(V) and ais(V, X)) or ais(V, Y);
input event name(vessel: int, word: str);
""",
    "ships.phe": SHIPS,
    "other.phe": "import ships;\nevent again(V) : slow(V) and not slow(V);\n",
    "alone.phe": "input event slow(person: str);\nevent again(P) : slow(P);\n",
}
NAMES = ("main.phe", "other.phe", "alone.phe")


def open_all(files: Mapping[str, str]) -> list[Analysis]:
    return [open_project(files, name) for name in NAMES if name in files]


def apply_rename(
    files: Mapping[str, str], words: str, new: str, *, file: str = "main.phe", after: str = ""
) -> dict[str, str] | str:
    """The files after a renaming, or why it was refused."""
    workspace = open_all(files)
    offset = find_offset(workspace[0], words, file, after=after)
    edits = rename(workspace, FOLDER / file, offset, new)
    if isinstance(edits, Refusal):
        return edits.reason
    return {name: apply_fixes(text, edits.get(FOLDER / name, ())) for name, text in files.items()}


def test_a_phenomenon_is_renamed_in_every_file_that_means_it() -> None:
    renamed = apply_rename(FILES, "slow", "almost_still")
    assert isinstance(renamed, dict)
    assert renamed["ships.phe"] == SHIPS.replace("event slow", "event almost_still")
    assert renamed["main.phe"] == FILES["main.phe"].replace("slow(V)", "almost_still(V)")
    assert renamed["other.phe"] == FILES["other.phe"].replace("slow(V)", "almost_still(V)")
    assert renamed["alone.phe"] == FILES["alone.phe"]
    assert apply_rename(renamed, "almost_still", "slow") == FILES


def test_it_does_not_matter_where_it_is_asked_for() -> None:
    everywhere = apply_rename(FILES, "limit", "bound")
    assert everywhere == apply_rename(FILES, "limit", "bound", file="ships.phe")
    assert isinstance(everywhere, dict)
    assert "// the limit" in everywhere["ships.phe"]
    assert "param bound" in everywhere["ships.phe"]
    assert "S > bound" in everywhere["main.phe"]


def test_what_is_reported_is_renamed_too() -> None:
    files = {**FILES, "main.phe": FILES["main.phe"] + "report stopped, slow;\nreport twice;\n"}
    renamed = apply_rename(files, "slow", "still", after="report stopped, ")
    assert isinstance(renamed, dict)
    assert "report stopped, still;" in renamed["main.phe"]
    assert renamed["ships.phe"] == SHIPS.replace("event slow", "event still")
    assert "report twice" in renamed["main.phe"]
    assert apply_rename(renamed, "still", "slow", file="ships.phe") == files
    refused = apply_rename(files, "slow", "twicE")
    assert refused == (
        "that would be an error: the definitions `twicE` and `twice` differ only in upper and "
        "lower case"
    )


def test_a_variable_is_renamed_in_its_scope() -> None:
    renamed = apply_rename(FILES, "X", "Z", after="twice")
    assert isinstance(renamed, dict)
    assert renamed["main.phe"] == FILES["main.phe"].replace("X", "Z")
    renamed = apply_rename(FILES, "V", "Vessel", after="stopped")
    assert isinstance(renamed, dict)
    assert "stopped(Vessel) : slow(Vessel) ⤳ (ais(Vessel, S)" in renamed["main.phe"]
    assert "said(V, Word)" in renamed["main.phe"]


def test_an_argument_of_an_input_is_renamed() -> None:
    renamed = apply_rename(FILES, "speed", "knots", file="ships.phe")
    assert isinstance(renamed, dict)
    assert renamed["ships.phe"] == SHIPS.replace("speed:", "knots:")


def test_the_same_name_changes_nothing() -> None:
    assert apply_rename(FILES, "slow", "slow") == FILES


@pytest.mark.parametrize(
    ("words", "after", "new", "reason"),
    [
        ("slow", "", "stopped", "`stopped` is already declared at main.phe:2"),
        ("slow", "", "limit", "`limit` is already declared at ships.phe:1"),
        ("slow", "", "again", "`again` is already declared at other.phe:2"),
        ("slow", "", "Slow", "`Slow` is no name: it begins with a small letter"),
        ("slow", "", "", "`` is no name"),
        ("slow", "", "a b\x1b", "`a b\\u{1B}` is no name"),
        ("slow", "", "before", "`before` is a word of the language and cannot be a name"),
        ("limit", "", "bounded", "`bounded` at main.phe:3 would then mean it too"),
        ("S >", "", "V", "`V` would become one with another variable"),
        ("V", "stopped", "S", "`S` would become one with another variable"),
        ("V", "stopped", "_", "`_` is no name of a variable"),
        ("V", "stopped", "vessel", "`vessel` is no name of a variable"),
        ("V", "event said", "Word", "`Word` would become one with another variable"),
        ("X", "twice", "Y", "`Y` would become one with another variable"),
        ("vessel", "", "word", "`word` is already an argument, see main.phe:5"),
        ("vessel", "", "t", "that would be an error: `t` cannot be an argument"),
        ("vessel", "", "in", "`in` is a word of the language"),
        ("ships", "", "boats", "a module is named by its file"),
        ("bounded", "", "bounds", "`bounded` is a text, not a name"),
        ("import", "", "bounds", "there is no name here"),
    ],
)
def test_a_renaming_that_would_change_the_meaning_is_refused(
    words: str, after: str, new: str, reason: str
) -> None:
    refused = apply_rename(FILES, words, new, after=after)
    assert isinstance(refused, str), refused
    assert refused.startswith(reason)


def test_a_variable_of_several_alternatives_is_renamed_in_all_of_them() -> None:
    text = FILES["main.phe"].replace("ais(V, Y)", "ais(V, X)")
    renamed = apply_rename({**FILES, "main.phe": text}, "X", "Y", after="or ais(V, ")
    assert isinstance(renamed, dict)
    assert "(slow(V) and ais(V, Y)) or ais(V, Y)" in renamed["main.phe"]


def test_values_of_an_exclusive_state_may_use_the_same_variable() -> None:
    text = (
        "input event ais(vessel: int, speed: float);\n"
        "exclusive state pace(V, P) {\n"
        "    fast : ais(V, X) and X > 3 ~> ais(V, _);\n"
        "    slow : ais(V, Y) and Y < 3 ~> ais(V, _);\n}\n"
    )
    renamed = apply_rename({"main.phe": text}, "X", "Y")
    assert renamed == {"main.phe": text.replace("X", "Y")}
    # Going back needs to know which of them is meant.
    assert apply_rename(renamed, "Y", "X") == {"main.phe": text}


def test_the_text_of_a_default_is_no_capture() -> None:
    files = {"main.phe": "param a: str = word;\nparam b: str = word;\n"}
    assert apply_rename(files, "a", "word", after="m ") == {
        "main.phe": "param word: str = word;\nparam b: str = word;\n"
    }


def test_the_library_is_not_renamed() -> None:
    files = {"main.phe": "import maritime.core;\nevent a(V) : stop_start(V);\n"}
    refused = apply_rename(files, "stop_start", "stops")
    assert refused == "`stop_start` belongs to the library, which cannot be changed"
    prepared = prepare_rename(open_project(files), MAIN, find_offset(open_project(files), "core"))
    assert prepared == Refusal("a module is named by its file: rename the file")


def test_a_broken_declaration_that_may_mean_it_is_left_alone() -> None:
    broken = {**FILES, "other.phe": "import ships;\nevent again(V) : slow(V) and (;\n"}
    refused = apply_rename(broken, "slow", "still")
    assert refused == (
        "`slow` may be meant in what cannot be read of other.phe:2: correct that first"
    )
    assert isinstance(apply_rename(broken, "limit", "bound"), dict)
    unclosed = {**FILES, "other.phe": "import ships;\nevent again(V) : limit();\n/* slow"}
    assert isinstance(apply_rename(unclosed, "slow", "still"), str)
    # Not even what it declares.
    lost = {"main.phe": "event a(V) : b(V) c(V);\nevent d(V) : a(V);\n"}
    assert isinstance(apply_rename(lost, "a(V);", "e"), str)
    assert isinstance(apply_rename(lost, "V", "W"), str)
    assert isinstance(apply_rename(lost, "V", "W", after="event d"), dict)


def test_a_broken_declaration_may_already_have_the_name() -> None:
    broken = {"main.phe": "event a(V) : b(V) c(V);\nevent d(V) : f(V);\nevent e(V) : d(V);\n"}
    assert apply_rename(broken, "d(V)", "a") == "`a` is already declared at main.phe:1"
    assert apply_rename(broken, "d(V)", "c") == "`c` at main.phe:1 would then mean it too"


def test_a_name_declared_twice_is_not_renamed() -> None:
    twice = {"main.phe": "event a(V) : b(V);\nevent a(V) : b(V);\nevent c(V) : a(V);\n"}
    assert apply_rename(twice, "a(V);", "d") == "`a` is declared twice, at main.phe:2 again"


def test_an_unknown_name_is_not_renamed() -> None:
    files = {"main.phe": "import nowhere;\nevent c(V) : a(V, _);\n"}
    assert apply_rename(files, "a(V", "d") == "`a` is not declared"
    assert apply_rename(files, "nowhere", "d") == "the module `nowhere` cannot be found"
    assert apply_rename(files, "_", "D") == "`_` stands for any value and has no name"
    refused = rename([open_project(files)], FOLDER / "other.phe", 0, "d")
    assert refused == Refusal("this file belongs to no program")


def test_what_would_be_renamed_is_the_name_under_the_cursor() -> None:
    analysis = open_project(FILES)
    span = prepare_rename(analysis, MAIN, find_offset(analysis, "low(V)"))
    assert isinstance(span, Span)
    assert span.text == "slow"


_NEW = st.sampled_from(
    ("renamed", "Renamed", "V", "X1", "X2", "limit", "event_0", "state_1", "ais", "hot", "union")
)


@settings(max_examples=150, deadline=None)
@given(programs(), st.data())
def test_a_renaming_changes_names_and_nothing_else(text: str, data: st.DataObject) -> None:
    analysis = analyse(MAIN, text.encode(), read=lambda _: None)
    assert analysis.program is not None
    occurrences = [
        one
        for one in list_occurrences(analysis, MAIN)
        if one.role in ("declares", "uses", "variable", "argument")
    ]
    chosen = data.draw(st.sampled_from(occurrences))
    new = data.draw(_NEW)
    edits = rename([analysis], MAIN, chosen.span.start, new)
    names = {chosen.name: new} if chosen.role in ("declares", "uses") else {}
    before = normalise(analysis.program, names)
    if isinstance(edits, Refusal):
        event("refused")
        is_variable = new[0].isupper()
        assert new not in ("renamed", "Renamed") or is_variable != (chosen.role == "variable")
        after = analyse(MAIN, _force(analysis, chosen.span.start, new).encode(), read=_read_none)
        assert after.program is None or normalise(after.program, {}) != before
        return
    event("renamed")
    changed = apply_fixes(text, edits.get(MAIN, ()))
    after = analyse(MAIN, changed.encode(), read=_read_none)
    assert after.program is not None
    assert normalise(after.program, {}) == before
    first = edits[MAIN][0].span.start if edits else chosen.span.start
    back = rename([after], MAIN, first, chosen.name)
    assert not isinstance(back, Refusal)
    assert apply_fixes(changed, back.get(MAIN, ())) == text


def _read_none(_: object) -> None:
    return None


def _force(analysis: Analysis, offset: int, new: str) -> str:
    """The text after a renaming that nobody checked."""
    found = find_target(analysis, MAIN, offset)
    assert found is not None
    mentions = list_mentions(analysis, MAIN, found[0])
    text = analysis.modules.files[0].parsed.source.text
    return apply_fixes(text, [Edit(span=one.span, text=new) for one in mentions])


@settings(max_examples=150, deadline=None)
@given(damaged_files(), st.data(), _NEW)
def test_renaming_in_any_text_gives_edits_or_a_reason(
    data: bytes, draw: st.DataObject, new: str
) -> None:
    analysis = analyse(MAIN, data, read=_read_none)
    text = analysis.modules.files[0].parsed.source.text
    occurrences = list_occurrences(analysis, MAIN)
    named = [(one.span.start, one.role == "variable") for one in occurrences] or [(0, False)]
    offset, is_variable = draw.draw(st.sampled_from(named))
    if draw.draw(st.booleans()):
        new = "Renamed" if is_variable else "renamed"
    prepared = prepare_rename(analysis, MAIN, offset)
    edits = rename([analysis], MAIN, offset, new)
    if isinstance(edits, Refusal):
        event("refused")
        assert edits.reason
        return
    event("renamed")
    assert isinstance(prepared, Span)
    if not edits:
        assert new == prepared.text
        return
    changed = apply_fixes(text, edits[MAIN])
    before = [one.role for one in occurrences]
    after = analyse(MAIN, changed.encode(errors="replace"), read=_read_none)
    assert [one.role for one in list_occurrences(after, MAIN)] == before


def test_values_of_an_exclusive_state_share_a_variable_of_one_type_only() -> None:
    text = (
        "input event ais(vessel: int, speed: float);\ninput event name(v: int, word: str);\n"
        "exclusive state pace(V, P) {\n"
        "    fast : ais(V, X) and X > 3 ~> ais(V, _);\n"
        '    slow : name(V, Y) and Y == "a" ~> ais(V, _);\n}\n'
    )
    assert apply_rename({"main.phe": text}, "X", "Y") == (
        "that would be an error: `Y` cannot be both `float` and `str`"
    )
