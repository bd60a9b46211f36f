"""Constants that occur in no row are told after the run, with what does occur."""

from pathlib import Path

import pytest

import phenesthe
from phenesthe.engines.spark.session import Session
from tests.e2e.test_windows import start

DECLARED = """\
input event ais(vessel: int, status: str);
fact area_type(area: str, type: str);
fact vessel_type(vessel: int, type: str);
"""
TABLES = {
    "ais": "vessel,status,t\n1,Fishing,1\n2,moored,2\n",
    "area_type": "area,type\nx,closed_fishing\ny,port\n",
    "vessel_type": "vessel,type\n1,fishing\n2,tug\n",
}
#: What a definition asks for, and what is said of it.
CASES: dict[str, tuple[str, str | None]] = {
    "a word": (
        "event e(V) : ais(V, _) where area_type(_, closed_fihsing);",
        "no row of fact `area_type` has as `type` what the program asks for: "
        "`closed_fihsing` (did you mean `closed_fishing`?)",
    ),
    "a text": (
        'event e(V) : ais(V, _) where vessel_type(V, "Fishing");',
        "no row of fact `vessel_type` has as `type` what the program asks for: "
        "`Fishing` (did you mean `fishing`?)",
    ),
    "a comparison": (
        'event e(V) : ais(V, S) and S == "fishing";',
        "no row of input `ais` has as `status` what the program asks for: "
        "`fishing` (did you mean `Fishing`?)",
    ),
    "the other way round": (
        'event e(V) : ais(V, S) and "MOORED" == S;',
        "no row of input `ais` has as `status` what the program asks for: "
        "`MOORED` (did you mean `moored`?)",
    ),
    "a number": (
        "event e(S) : ais(77, S);",
        "no row of input `ais` has as `vessel` what the program asks for: "
        "`77` (there is: `1`, `2`)",
    ),
    "a parameter": (
        'param kind: str = "tuug";\nevent e(V) : ais(V, _) where vessel_type(V, kind);',
        "no row of fact `vessel_type` has as `type` what the program asks for: "
        "`tuug` (did you mean `tug`?)",
    ),
    "several": (
        "event e(V) : ais(V, _) where area_type(_, reef);\n"
        "event f(V) : ais(V, _) where area_type(_, lagoon);",
        "no row of fact `area_type` has as `type` what the program asks for: "
        "`reef`, `lagoon` (there is: `closed_fishing`, `port`)",
    ),
    "all there": ('event e(V) : ais(V, "moored") where vessel_type(V, tug);', None),
    "unequal": ('event e(V) : ais(V, S) and S != "nothing";', None),
    "one of two": (
        'event e(V) : ais(V, S) and vessel_type(V, S) and S == "tug";',
        None,
    ),
}


def write(folder: Path, text: str, **tables: str) -> None:
    (folder / "p.phe").write_text(DECLARED + text + "\n")
    (folder / "in").mkdir(exist_ok=True)
    for name, content in (TABLES | tables).items():
        (folder / "in" / f"{name}.csv").write_text(content)


def find_warnings(folder: Path, *options: str, engine: str = "local") -> list[str]:
    given = ("--quiet", "--input", "in", "--engine", engine, *options)
    ended = start(folder, "run", "p.phe", *given)
    assert ended.code == 0, ended.err
    return [line.removeprefix("warning: ") for line in ended.err.splitlines()]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "windows", [(), ("--window", "10"), ("--window", "10", "--state", "memory")]
)
def test_a_constant_that_is_nowhere_is_told(
    tmp_path: Path, case: str, windows: tuple[str, ...]
) -> None:
    text, expected = CASES[case]
    write(tmp_path, text)
    assert find_warnings(tmp_path, *windows) == ([] if expected is None else [expected])


@pytest.mark.parametrize("case", ["a word", "a comparison", "a number", "several", "all there"])
def test_spark_tells_the_same(tmp_path: Path, session: Session, case: str) -> None:
    assert session.spark is not None
    text, expected = CASES[case]
    write(tmp_path, text)
    found = [] if expected is None else [expected]
    assert find_warnings(tmp_path, engine="spark") == found
    if case == "several":
        assert find_warnings(tmp_path, "--window", "10", engine="spark") == found


def test_what_a_run_does_not_need_is_not_told(tmp_path: Path) -> None:
    text, _ = CASES["a word"]
    write(tmp_path, text + "\nevent f(V) : ais(V, _);")
    assert find_warnings(tmp_path, "--only", "f") == []
    (tmp_path / "lib.phe").write_text(DECLARED + text + "\nevent g(V) : ais(V, _);\n")
    (tmp_path / "p.phe").write_text("import lib;\nevent f(V) : g(V);\n")
    assert find_warnings(tmp_path) == []


def test_a_table_without_rows_lacks_no_constant(tmp_path: Path) -> None:
    text, _ = CASES["a word"]
    write(tmp_path, text, area_type="area,type\n")
    assert find_warnings(tmp_path) == []


def test_a_run_that_goes_on_lacks_nothing(tmp_path: Path) -> None:
    write(tmp_path, 'event e(V) : ais(V, "moored");')
    windows = ("--window", "10", "--state", "memory")
    assert find_warnings(tmp_path, *windows) == []
    write(tmp_path, 'event e(V) : ais(V, "moored");', ais="vessel,status,t\n1,Fishing,30\n")
    assert find_warnings(tmp_path, *windows) == []


def test_of_many_values_none_is_suggested(tmp_path: Path) -> None:
    rows = "".join(f"{at},s{at},1\n" for at in range(1001))
    write(tmp_path, 'event e(V) : ais(V, "s") where not vessel_type(V, tug);',
          ais="vessel,status,t\n" + rows)  # fmt: skip
    assert find_warnings(tmp_path) == [
        "no row of input `ais` has as `status` what the program asks for: `s`"
    ]


def test_in_python_it_is_a_warning_of_the_result(session: Session) -> None:
    text, expected = CASES["a comparison"]
    program = phenesthe.compile(text=DECLARED + text)
    rows = {"vessel": [1, 2], "status": ["Fishing", "moored"], "t": [1, 2]}
    assert program.run({"ais": rows}).warnings == (expected,)
    frame = session.spark.createDataFrame(
        [(1, "Fishing", 1), (2, "moored", 2)], "vessel bigint, status string, t bigint"
    )
    assert program.run({"ais": frame}).warnings == (expected,)
