"""Options are named as the user gives them: flags on the command line, else arguments."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from threading import Thread
from typing import Any

import pyarrow as pa
import pytest

import phenesthe
from phenesthe.cli.main import main
from phenesthe.options import name_mapping, name_option, naming_flags

PACKAGE = Path(phenesthe.__file__).parent
FLAG = re.compile(r"(?<![\w-])--[a-z][\w-]*")
#: What looks like a flag of ours and is none: options of Spark's own, variables of style sheets.
OTHERS = {
    "engines/spark/reasons.py": {"--packages"},
    "engines/spark/start.py": {"--master", "--properties-file"},
}
STYLES = {"ide/pages.py"}
#: Where flags are made.
MAKER = "options.py"

PROGRAM = "input event ais(v: int, speed: float);\nevent fast(V) : ais(V, S) and S > 5;\n"
ROW = "v,speed,t\n1,9.5,3\n"


def list_texts(file: Path) -> Iterator[ast.Constant]:
    """The texts of a file, without those that only explain the code."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    notes = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
            yield node


def test_no_text_outside_the_command_line_names_a_flag() -> None:
    found = [
        f"{name}:{text.lineno}: {flag}"
        for file in sorted(PACKAGE.rglob("*.py"))
        if not (name := file.relative_to(PACKAGE).as_posix()).startswith("cli/")
        and name != MAKER
        and name not in STYLES
        for text in list_texts(file)
        for flag in FLAG.findall(str(text.value))
        if flag not in OTHERS.get(name, ())
    ]
    assert found == []


def test_all_work_of_spark_is_sent_with_the_way_options_are_named() -> None:
    found = {
        file.name for file in PACKAGE.rglob("*.py") if ".mapInArrow(" in file.read_text("utf-8")
    }
    assert found == {"dispatch.py"}


def test_an_option_is_named_as_it_is_given() -> None:
    assert name_option("time_format", '"%Y"') == 'time_format="%Y"'
    assert name_option("state") == "state"
    assert name_option("overwrite", python="overwrite=True") == "overwrite=True"
    assert name_mapping({"a.v": "X", "a.t": "Y"}) == 'mapping={"a.v": "X", "a.t": "Y"}'
    with naming_flags():
        assert name_option("time_format", '"%Y"') == '--time-format "%Y"'
        assert name_option("state") == "--state"
        assert name_option("overwrite", python="overwrite=True") == "--overwrite"
        assert name_mapping({"a.v": "X", "a.t": "Y"}) == "--map a.v=X --map a.t=Y"
    assert name_option("state") == "state"


def test_the_threads_of_a_command_speak_to_whoever_typed_it() -> None:
    said: list[str] = []
    with naming_flags():
        thread = Thread(target=lambda: said.append(name_option("partitions", "N")))
        thread.start()
        thread.join()
    assert said == ["--partitions N"]


#: Tables with something wrong, the options given, and what each of the two users reads.
MISTAKES: dict[str, tuple[str, Mapping[str, Any], list[str], str, str]] = {
    "a map to no column": (
        ROW, {"mapping": {"ais.v": "w"}}, ["--map", "ais.v=w"],
        "--map ais.v=w", 'mapping={"ais.v": "w"}',
    ),
    "a map of no input": (
        ROW, {"mapping": {"aix.v": "w"}}, ["--map", "aix.v=w"],
        "--map aix.v=w", 'mapping={"aix.v": "w"}',
    ),
    "a map of no argument": (
        ROW, {"mapping": {"ais": "w"}}, ["--map", "ais=w"],
        "--map takes INPUT.ARG=COLUMN", 'mapping={"INPUT.ARGUMENT": "COLUMN"}',
    ),
    "two columns spelt alike": (
        "V,SPEED,Speed,t\n1,9,9,3\n", {}, [],
        "--map ais.speed=SPEED", 'mapping={"ais.speed": "SPEED"}',
    ),
    "no column": (
        "v,knots,t\n1,9,3\n", {}, [], "--map ais.speed=COLUMN", 'mapping={"ais.speed": "COLUMN"}',
    ),
    "another table": (
        "a,b\n1,9\n", {}, [], "--map ais.v=COLUMN", 'mapping={"ais.v": "COLUMN"}',
    ),
    "a time that is guessed": (
        "v,speed,t\n1,9,13/02/2020 10:00\n", {}, [],
        '--time-format "%d/%m/%Y %H:%M"', 'time_format="%d/%m/%Y %H:%M"',
    ),
    "a time that is none": (
        "v,speed,t\n1,9,noon\n", {}, [],
        '--time-format "%d/%m/%Y %H:%M:%S"', 'time_format="%d/%m/%Y %H:%M:%S"',
    ),
    "a row that does not fit": (
        "v,speed,t\none,9,3\n", {"strict": True}, ["--strict"],
        "without --strict such rows are set aside (--rejects PATH)",
        "without strict=True such rows are set aside (`rejects` of the results)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_each_user_reads_the_option_as_it_is_given(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, arguments, flags, flag, argument = MISTAKES[name]
    (tmp_path / "p.phe").write_text(PROGRAM)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ais.csv").write_text(table)
    program = phenesthe.compile(tmp_path / "p.phe")
    with pytest.raises(phenesthe.DataError) as problem:
        program.run({"ais": tmp_path / "in" / "ais.csv"}, **arguments)
    assert argument in str(problem.value)
    assert not FLAG.search(str(problem.value))
    file, folder = str(tmp_path / "p.phe"), str(tmp_path / "in")
    assert main(["run", file, "--input", folder, "--engine", "local", *flags])
    said = capsys.readouterr().err
    assert flag in said
    assert argument not in said
    with pytest.raises(phenesthe.DataError) as again:
        program.run({"ais": tmp_path / "in" / "ais.csv"}, **arguments)
    assert str(again.value) == str(problem.value)


def test_warnings_name_arguments_in_python() -> None:
    program = phenesthe.compile(text=PROGRAM)
    times = pa.array(["2020-02-01", "13/02/2020"])
    table = pa.table({"v": [1, 2], "speed": [9.0, 9.0], "t": times})
    (warning,) = program.run({"ais": table}).warnings
    assert 'time_format="%d/%m/%Y" reads it' in warning
