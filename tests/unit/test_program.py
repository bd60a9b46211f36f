"""The Python interface: `phenesthe.compile`."""

import json
from pathlib import Path
from typing import Any

import pytest

import phenesthe

TEXT = """\
param limit: float = 0.5;
input event ais(vessel: int, speed: float);
/// Slow.
event slow(V) : ais(V, S) and S < limit;
"""


def test_a_text_is_compiled() -> None:
    program = phenesthe.compile(text=TEXT)
    assert program.diagnostics == ()
    assert [d.signature.name for d in program.checked.definitions] == ["slow"]


@pytest.mark.parametrize("as_text", [True, False])
def test_a_file_is_compiled(tmp_path: Path, as_text: bool) -> None:
    file = tmp_path / "slow.phe"
    file.write_text(TEXT)
    program = phenesthe.compile(str(file) if as_text else file)
    assert program.checked.definitions[0].signature.span.source.path == str(file)


def test_a_library_module_is_compiled_by_its_name() -> None:
    program = phenesthe.compile("maritime.core")
    assert "moored" in program.checked.reported


def test_modules_are_found_on_the_path(tmp_path: Path) -> None:
    (tmp_path / "reports.phe").write_text(TEXT)
    main = "import reports;\nstate s(V) : slow(V) ~> slow(V);"
    assert phenesthe.compile(text=main, path=[str(tmp_path)]).checked.reported == ("s",)


def test_a_relative_path_counts_from_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "reports.phe").write_text(TEXT)
    (tmp_path / "lib" / "main.phe").write_text("import reports;\nevent e(V) : slow(V);")
    program = phenesthe.compile("lib/main.phe", path=["lib"])
    assert program.checked.reported == ("e",)
    assert program.checked.inputs[0].span.source.path == str(Path("lib", "reports.phe"))


def test_parameters_are_overridden() -> None:
    program = phenesthe.compile(text=TEXT, params={"limit": 2})
    assert program.checked.parameters[0].value == 2.0


def test_warnings_do_not_stop_it() -> None:
    program = phenesthe.compile(text=TEXT + "event e(V) : ais(V, Speed);")
    assert [d.code for d in program.diagnostics] == ["W001"]
    assert program.diagnostics[0].severity is phenesthe.Severity.WARNING


def test_an_error_carries_all_diagnostics() -> None:
    with pytest.raises(phenesthe.ProgramError) as caught:
        phenesthe.compile(text="event a(V) : b(V);\nevent c(V) : d(V);\ninput event e(v: int);")
    assert [d.code for d in caught.value.diagnostics] == ["N001", "N001", "W003"]
    assert str(caught.value) == "program.phe:1:14: N001: `b` is not defined (and 1 more)"


def test_the_first_error_is_named_even_behind_warnings() -> None:
    with pytest.raises(phenesthe.ProgramError, match="T002"):
        phenesthe.compile(text=TEXT + "event e(V) : ais(V, X);\nevent f() : ais(x, _);")


def test_wrong_parameters_are_a_program_error() -> None:
    with pytest.raises(phenesthe.ProgramError, match=r"parameters:1:1: P004"):
        phenesthe.compile(text=TEXT, params={"limit": "much"})


@pytest.mark.parametrize("name", ["missing.phe", "no.such.module", "", "a\0b", "..", "x" * 5000])
def test_a_missing_file_is_an_os_error(name: str) -> None:
    with pytest.raises(OSError):  # noqa: PT011 -- which one depends on the system
        phenesthe.compile(name)


def test_a_folder_is_no_program(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match="is a folder"):
        phenesthe.compile(tmp_path)


def test_a_file_or_a_text_is_given() -> None:
    with pytest.raises(TypeError, match="either a file or a text"):
        phenesthe.compile()
    with pytest.raises(TypeError, match="either a file or a text"):
        phenesthe.compile("a.phe", text="")


def test_a_text_may_hold_anything() -> None:
    with pytest.raises(phenesthe.ProgramError):
        phenesthe.compile(text="event \ud800 : \0")
    assert phenesthe.compile(text="").checked.definitions == ()


def test_a_program_explains_itself() -> None:
    program = phenesthe.compile(text=TEXT)
    assert "event slow(V: int)" in program.explain()
    assert json.loads(program.explain("json"))["definitions"][0]["doc"] == "Slow."
    assert program.explain("dot").startswith("digraph")


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(ValueError, match="unknown format 'html'"):
        phenesthe.compile(text=TEXT).explain("html")


def test_a_file_that_defines_nothing_stands_for_all_that_it_imports(tmp_path: Path) -> None:
    (tmp_path / "reports.phe").write_text(TEXT)
    (tmp_path / "more.phe").write_text("import reports;\nevent slower(V) : slow(V);")
    program = phenesthe.compile(text="import more;", path=[str(tmp_path)])
    assert sorted(program.checked.reported) == ["slow", "slower"]


@pytest.mark.parametrize("given", ["day/", None, 3, [1]])
def test_a_run_takes_tables_by_their_names(given: Any) -> None:
    program = phenesthe.compile(text="input event ais(vessel: int); event here(V) : ais(V);")
    with pytest.raises(phenesthe.DataError) as raised:
        program.run(given)
    assert 'give a dict, for example {"ais": table}' in str(raised.value)
