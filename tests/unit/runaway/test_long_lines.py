"""A line without end is set aside and counted, in bounded memory, by whatever reads lines."""

import gzip
import json
from pathlib import Path

import pytest

from phenesthe.cli.main import main
from phenesthe.files.long_lines import MAX_LINE, has_long_line
from tests.ais_samples import write_samples
from tests.unit.runaway.memory import LONG, MOST, run_command, write_long

PROGRAM = "input event e(x: int, y: str);\nevent a(X) : e(X, _);\n"
#: One byte more than a line may have, and as much as it may.
TOO_LONG, LONGEST = b"y" * (MAX_LINE + 1), MAX_LINE


@pytest.fixture
def program(tmp_path: Path) -> str:
    (tmp_path / "p.phe").write_text(PROGRAM)
    return str(tmp_path / "p.phe")


def run_local(
    program: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[list[int], list[tuple[int, str]]]:
    """The instants found, and the lines set aside with their reasons."""
    rejects = place.parent / "rejects.jsonl"
    given = ["--input", str(place), "--engine", "local", "--rejects", str(rejects), "--quiet"]
    assert main(["run", program, *given]) == 0
    found = [json.loads(line)["t"] for line in capsys.readouterr().out.splitlines()]
    written = rejects.read_text() if rejects.exists() else ""
    aside = [json.loads(line) for line in written.splitlines()]
    assert all(len(one["row"]) < 2000 for one in aside)
    return found, [(one["line"], one["reason"]) for one in aside]


def test_lines_of_everything(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def line(t: int, text: bytes = b"b") -> bytes:
        return b'{"name": "e", "args": [1, "%s"], "t": %d}\n' % (text, t)

    file = tmp_path / "in.jsonl"
    fits = line(2, b"z" * (LONGEST - len(line(2, b"")) + 1))
    file.write_bytes(line(1) + TOO_LONG + b"\n" + fits + line(3) + TOO_LONG + TOO_LONG)
    found, aside = run_local(program, file, capsys)
    assert found == [1, 2, 3]
    assert aside == [(2, "line too long"), (5, "line too long")]


def test_lines_of_a_table(program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    row = b'{"x": 1, "y": "b", "t": %d}\n'
    (folder / "e.jsonl").write_bytes(row % 1 + TOO_LONG + b"\n" + row % 3 + b"{\n")
    found, aside = run_local(program, folder, capsys)
    assert found == [1, 3]
    assert aside == [(2, "line too long"), (4, "unreadable line")]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_of_csv(
    end: bytes, program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    rows = [b"x,y,t", b"1,b,1", TOO_LONG, b'1,"a', b'b",3', b"1,b", b"1,b,x", b"1,b,7"]
    (folder / "e.csv").write_bytes(end.join(rows))
    found, aside = run_local(program, folder, capsys)
    assert found == [1, 3, 7]
    assert sorted(aside) == [
        (3, "line too long"),
        (6, "wrong number of columns"),
        (7, "wrong type"),
    ]


def test_a_quoted_field_of_many_lines(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    field = b'"' + b"ab\n" * (MAX_LINE // 2) + b'"'
    (folder / "e.csv").write_bytes(b"x,y,t\n1,%s,1\n1,b,2\n1,b,x\n" % field)
    found, aside = run_local(program, folder, capsys)
    last = 2 + MAX_LINE // 2 + 2
    assert found == [2]
    assert sorted(aside) == [(2, "line too long"), (last, "wrong type")]


def test_a_row_of_some_megabytes_is_a_row(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Longer than what Arrow reads at a time."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "e.csv").write_bytes(b"x,y,t\n1,%s,1\n1,b,2\n" % (b"z" * 5_000_000))
    assert run_local(program, folder, capsys) == ([1, 2], [])


def test_strict_names_the_file_and_the_line(
    program: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "in.jsonl"
    file.write_bytes(b"\n" + TOO_LONG)
    assert main(["run", program, "--input", str(file), "--engine", "local", "--strict"]) == 1
    assert f"{file}, line 2: line too long" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["in.jsonl", "in/e.csv"])
def test_a_line_without_end_takes_no_memory(name: str, program: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    before = b"x,y,t\n1,b,1\n" if name.endswith("csv") else b""
    write_long(file, before, b"\n")
    place = file if name == "in.jsonl" else file.parent
    done = run_command("run", program, "--input", place, "--engine", "local", "--allow-empty")
    assert done.code == 0
    assert "1 row was set aside (1 line too long)" in done.err
    assert done.peak < MOST


@pytest.mark.parametrize("kind", ["csv", "nmea"])
def test_a_packed_file_that_unpacks_to_one_line_takes_no_memory(kind: str, tmp_path: Path) -> None:
    _, _, brest, log, _ = write_samples(tmp_path)
    plain = (brest if kind == "csv" else log).read_bytes()
    head, _, rest = plain.partition(b"\n")
    packed = tmp_path / f"packed.{kind}.gz"
    with gzip.open(packed, "wb", compresslevel=1) as file:
        file.write(head + b"\n")
        for _ in range(LONG // 2**20):
            file.write(bytes(2**20))
        file.write(b"\n" + rest)
    output = tmp_path / "out"
    done = run_command("ais", "prepare", packed, "--output", output, "--engine", "local")
    assert done.code == 0, done.err
    assert json.loads((output / "dropped.json").read_text())["line_too_long"] == 1
    # What is left is prepared as it is without that line.
    assert done.peak < MOST
    other = tmp_path / f"other.{kind}"
    other.write_bytes(plain)
    assert (
        main(
            [
                "ais",
                "prepare",
                str(other),
                "--output",
                str(tmp_path / "o"),
                "--engine",
                "local",
                "--quiet",
            ]
        )
        == 0
    )
    kept = [
        json.loads((one / "summary.json").read_text())["kept"] for one in (output, tmp_path / "o")
    ]
    assert kept[0] == kept[1] > 0


@pytest.mark.parametrize(
    ("name", "before"), [("r.jsonl", b""), ("r.csv", b"name,kind,args,t,ts,te\n")]
)
def test_results_with_a_line_without_end(name: str, before: bytes, tmp_path: Path) -> None:
    write_long(tmp_path / name, before, b"\n")
    done = run_command("show", tmp_path / name)
    assert done.code == 1
    line = before.count(b"\n") + 1
    assert f"{name}:{line}: this line is longer than 16 MiB" in done.err
    assert done.peak < MOST


def test_tests_with_a_line_without_end(program: str, tmp_path: Path) -> None:
    head, rest = b'{"test": "a"}\n', b'\n{"expect": "a", "none": true}\n'
    write_long(tmp_path / "p.test.jsonl", head, rest, 60 * 2**20)
    done = run_command("test", program)
    assert done.code == 1
    assert "p.test.jsonl:2: this line is longer than 16 MiB" in done.err
    assert done.peak < MOST


def test_a_long_line_is_seen_without_reading_all(tmp_path: Path) -> None:
    file = tmp_path / "x"
    for content, expected in (
        (b"", False),
        (b"a\n" * 10, False),
        (TOO_LONG, True),
        (b"a\n" * MAX_LINE, False),
        (b"a\n" + TOO_LONG + b"\nb\n", True),
        ((b"b" * (MAX_LINE // 3) + b"\n") * 9, False),
    ):
        file.write_bytes(content)
        assert has_long_line(file) is expected
