"""Running a definition on the data beside its file."""

import html
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phenesthe.ide import drawings, streams
from phenesthe.ide.analysis import Analysis, analyse
from phenesthe.ide.preview import Preview, find_data, preview
from tests.strategies.corpus import PROJECT

TEXT = """\
param limit: float = 0.5;
input event ais(vessel: str, speed: float);
fact tug(vessel: str);
event slow(V) : ais(V, S) ∧ S ≤ limit;
event fast(V) : ais(V, S) ∧ S > limit;
state stopped(V) : slow(V) ⤳ fast(V);
state tied(V) : stopped(V) where tug(V);
"""
SAMPLE = """\
{"name": "ais", "args": ["a", 0.1], "t": 2}
{"name": "ais", "args": ["a", 0.9], "t": 6}
{"name": "ais", "args": ["b", 0.1], "t": 8}
"""


def run(folder: Path, name: str, data: str, *, text: str = TEXT, file: str = "main") -> Preview:
    beside = folder / f"{file}.jsonl"
    beside.write_text(data, encoding="utf-8")
    return preview(open_text(folder, text), name, beside, width=60)


def open_text(folder: Path, text: str) -> Analysis:
    """What the editor has, which no file has."""
    return analyse(folder / "main.phe", text.encode())


def strip_tags(page: str) -> str:
    content = re.sub(r"<style>.*?</style>|<[^<>]*>", "", page, flags=re.DOTALL)
    return html.unescape(content)


def test_a_sample_shows_the_definition_and_what_it_uses(tmp_path: Path) -> None:
    found = run(tmp_path, "stopped", SAMPLE, file="main.sample")
    assert not found.failed
    assert found.title == "stopped on main.sample.jsonl"
    assert found.text == (
        "stopped on main.sample.jsonl\n"
        "\n"
        "       2       3       4       5       6       7       8\n"
        "       ┬╌╌╌╌╌╌╌┬╌╌╌╌╌╌╌┬╌╌╌╌╌╌╌┬╌╌╌╌╌╌╌┬╌╌╌╌╌╌╌┬╌╌╌╌╌╌╌┬\n"
        "stopped state\n"
        "  (a)  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━\n"
        "  (b)                                                  ━▶\n"
        "slow event\n"
        "  (a)  |\n"
        "  (b)                                                  |\n"
        "fast event\n"
        "  (a)                                  |\n"
        "▶ still open\n"
    )


def test_the_page_says_the_same_as_the_text(tmp_path: Path) -> None:
    found = run(tmp_path, "stopped", SAMPLE, file="main.sample")
    words = strip_tags(found.html).split()
    assert words == found.text.split()
    assert "prefers-color-scheme: dark" in found.html
    assert '<span class="green">' in found.html
    assert not re.search(r"<script|https?:|url\(|@import", found.html)


def test_the_editors_text_is_run_not_the_files(tmp_path: Path) -> None:
    (tmp_path / "main.phe").write_text(TEXT)
    changed = TEXT.replace("0.5", "0.05")
    found = run(tmp_path, "slow", SAMPLE, text=changed)
    assert "slow event\n  nowhere" in found.text


def test_facts_and_inputs_are_named(tmp_path: Path) -> None:
    found = run(tmp_path, "tied", SAMPLE + '{"fact": "tug", "args": ["a"]}\n')
    assert "tied state\n  (a)" in found.text
    assert "- uses the fact `tug`, of which there are 1" in found.text
    assert "ais event\n  (a, 0.1)" in run(tmp_path, "slow", SAMPLE).text


def test_dates_in_the_data_are_dates_on_the_axis(tmp_path: Path) -> None:
    dated = re.sub(r'"t": (\d)', r'"t": "2022-01-03T10:00:0\1"', SAMPLE)
    assert "2022-01-03" in run(tmp_path, "stopped", dated).text


def test_rows_that_do_not_fit_are_set_aside(tmp_path: Path) -> None:
    bad = '{"name": "ais", "args": ["c"], "t": 1}\nnonsense\n{"name": "no", "args": []}\nmore\n'
    found = run(tmp_path, "stopped", bad + SAMPLE)
    assert "stopped state\n  (a)" in found.text
    assert "- 4 rows were set aside" in found.text
    assert "- main.jsonl, line 2: unreadable line (and 1 more)" in found.text


def test_an_empty_sample_says_so(tmp_path: Path) -> None:
    found = run(tmp_path, "stopped", "")
    assert "`stopped` holds nowhere, and nothing it uses does" in found.text


TESTS = """\
{"test": "as expected"}
{"name": "ais", "args": ["a", 0.1], "t": 2}
{"expect": "stopped", "args": ["a"], "ts": 2, "te": null}
{"test": "another limit", "params": {"limit": 0.05}}
{"name": "ais", "args": ["a", 0.1], "t": 2}
{"expect": "stopped", "args": ["a"], "ts": 2, "te": null}
{"test": "of another", "until": 9}
{"name": "ais", "args": ["a", 0.1], "t": 2}
{"expect": "slow", "args": ["a"], "t": 2}
{"test": "no such limit", "params": {"limits": 0.05}}
{"expect": "slow", "none": true}
{"test": "a bad line"}
{"name": "aiss", "args": ["a", 0.1], "t": 2}
{"expect": "stopped", "none": true}
"""


def test_each_test_is_a_stream_with_its_verdict(tmp_path: Path) -> None:
    text = run(tmp_path, "stopped", TESTS, file="main.test").text
    _, passed, failed, other, misfit, bad = re.split(
        r"\n(?=as exp|another limit|of another|no such|a bad)", text
    )
    assert passed.startswith("as expected (passed)\n")
    assert "stopped state\n  (a)" in passed
    assert failed.startswith("another limit (failed)\n")
    assert "stopped state\n  nowhere" in failed
    assert 'missing: {"expect": "stopped", "args": ["a"], "ts": 2, "te": null}' in failed
    assert other.startswith("of another\n")
    assert "9" in other.splitlines()[2]
    assert "there is no parameter `limits`" in misfit
    assert bad.startswith("a bad line\n")
    assert "- main.test.jsonl, line 13: the program has no input `aiss`" in bad


def test_a_file_without_tests_says_so(tmp_path: Path) -> None:
    found = run(tmp_path, "stopped", '{"expect": "slow", "none": true}\n', file="main.test")
    assert "- main.test.jsonl, line 1: this line comes before the first test" in found.text
    assert "- there is no test in main.test.jsonl" in found.text


def test_more_tests_than_a_preview_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_TESTS", 1)
    text = run(tmp_path, "stopped", TESTS, file="main.test").text
    assert "- only the first 1 of 5 tests were run" in text
    assert "another limit" not in text


def test_a_program_with_errors_shows_them(tmp_path: Path) -> None:
    found = run(tmp_path, "stopped", SAMPLE, text=TEXT.replace("slow(V) ⤳", "slo(V) ⤳"))
    assert found.failed
    assert "- the program has errors\n- main.phe:6: `slo` is not defined" in found.text
    assert "`slo` is not defined" in strip_tags(found.html)


def test_what_is_not_there_is_a_message(tmp_path: Path) -> None:
    analysis = open_text(tmp_path, TEXT)
    missing = preview(analysis, "stopped", tmp_path / "main.sample.jsonl")
    assert missing.failed
    assert "main.sample.jsonl cannot be used: no such file or directory" in missing.text
    unknown = run(tmp_path, "sailing", SAMPLE)
    assert unknown.failed
    assert "the program has no definition `sailing`" in unknown.text


@pytest.mark.parametrize(
    ("limit", "value"), [("MAX_LINES", 2), ("MAX_BYTES", SAMPLE.index("\n", 60) + 20)]
)
def test_a_long_file_is_cut_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(streams, limit, value)
    text = run(tmp_path, "stopped", SAMPLE).text
    assert "- only the first 2 lines of main.jsonl were read" in text
    assert "(b)" not in text
    assert "set aside" not in text


def test_more_than_there_is_room_for_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings, "MAX_BINDINGS", 1)
    monkeypatch.setattr(drawings, "MAX_ROWS", 2)
    text = run(tmp_path, "slow", SAMPLE).text
    assert "slow event\n  (a)" in text
    assert "  … and 1 more\n" in text
    assert "of 3 rows the first 2 are drawn" in text


def test_an_evaluation_that_takes_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawings, "MAX_SECONDS", -1)
    found = run(tmp_path, "stopped", SAMPLE)
    assert found.failed
    assert "- stopped before `slow`, after -1 seconds" in found.text


def test_text_of_the_data_is_only_shown(tmp_path: Path) -> None:
    evil = "<i>&amp;\x1b"
    line = json.dumps({"name": "ais", "args": [evil, 0.1], "t": 2})
    aside = json.dumps({"name": evil, "args": [], "t": 2})
    found = run(tmp_path, "slow", f"{line}\n{aside}\n")
    titled = run(tmp_path, "slow", f"{json.dumps({'test': evil})}\n{line}\n", file="main.test")
    for one in (found, titled):
        assert "\x1b" not in one.text + one.html
        assert "<i>" in one.text
        assert "<i>" not in one.html
        assert "&lt;i&gt;&amp;amp;" in one.html


def test_the_data_beside_a_file_is_found(tmp_path: Path) -> None:
    file = tmp_path / "main.phe"
    assert find_data(file) == ()
    for name in ("main.sample.jsonl", "main.test.jsonl", "other.sample.jsonl"):
        (tmp_path / name).write_text("")
    assert [one.name for one in find_data(file)] == ["main.test.jsonl", "main.sample.jsonl"]


@pytest.mark.parametrize("file", sorted(PROJECT.glob("examples/*/*.phe")), ids=lambda f: f.stem)
def test_every_definition_of_the_examples_can_be_previewed(file: Path) -> None:
    analysis = analyse(file, file.read_bytes())
    assert analysis.program is not None
    for data in find_data(file):
        for name in analysis.program.reported:
            found = preview(analysis, name, data)
            assert not found.failed
            assert "set aside" not in found.text
            assert "(failed)" not in found.text


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(("ais", "tug", "stopped", "a", "2022-01-03", "retract", "insert")),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
_KEYS = st.sampled_from(
    ("test", "name", "fact", "expect", "args", "t", "ts", "te", "op", "arrival", "until", "params")
)
_LINES = st.lists(
    st.dictionaries(_KEYS, _VALUES, max_size=6).map(json.dumps)
    | st.sampled_from((*SAMPLE.splitlines(), *TESTS.splitlines()))
    | st.text(max_size=5),
    max_size=12,
)


@settings(max_examples=100, deadline=None)
@given(_LINES, st.sampled_from(("main.test", "main.sample")))
def test_no_data_makes_a_preview_fail(lines: list[str], file: str) -> None:
    with TemporaryDirectory() as folder:
        data = Path(folder, f"{file}.jsonl")
        data.write_bytes("\n".join(lines).encode(errors="surrogatepass"))
        found = preview(open_text(Path(folder), TEXT), "tied", data)
    assert not found.failed, found.text
