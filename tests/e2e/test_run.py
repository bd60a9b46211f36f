"""`phenesthe run` as a hurried or hostile person uses it."""

import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.test_cli import run
from tests.interrupts import heed_interrupts
from tests.strategies.corpus import PROJECT

PROGRAM = """\
input event z(x: str);
input event a(x: str);
event alone(X) : z(X) and not a(_);
"""
ROWS = (
    '{"name": "z", "args": ["one"], "t": -3}\n'
    '{"name": "z", "args": ["one"], "t": 5}\n'
    '{"name": "nobody"}\n'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p.phe").write_text(PROGRAM)
    (tmp_path / "in.jsonl").write_text(ROWS)
    return tmp_path


def list_times(text: str) -> list[int]:
    return [json.loads(line)["t"] for line in text.splitlines()]


def test_a_guarded_negation_without_variables_does_not_ask_for_the_timeline(folder: Path) -> None:
    ended = run(
        "run", "p.phe", "--engine", "local", "--input", "in.jsonl", "--start", "5", cwd=folder
    )
    assert list_times(ended.out) == [-3, 5]


@pytest.mark.parametrize(
    "options",
    [
        ("--until", "soon"),
        ("--until", "99999999999999999999"),
        ("--start", str(2**62)),
        ("--start", str(-(2**62))),
        ("--map", "z.x="),
        ("--map", "z=x"),
        ("--output", "in.jsonl", "--overwrite"),
        ("--output", "p.phe", "--overwrite"),
        ("--rejects", "in.jsonl"),
        ("--rejects", "out.jsonl", "--output", "./out.jsonl"),
    ],
)
def test_options_that_cannot_be_meant_end_with_2(folder: Path, options: tuple[str, ...]) -> None:
    ended = run("run", "p.phe", "--engine", "local", "--input", "in.jsonl", *options, cwd=folder)
    assert ended.code == 2
    assert ended.out == ""
    assert options[0] in ended.err
    assert (folder / "in.jsonl").read_text() == ROWS
    assert (folder / "p.phe").read_text() == PROGRAM
    assert not (folder / "out.jsonl").exists()


def test_foreign_text_is_shown_and_not_obeyed(folder: Path) -> None:
    tables = folder / "tables"
    tables.mkdir()
    (tables / "z.csv").write_text("x\x1b[31m,t\n1,2\n")
    ended = run("run", "p.phe", "--engine", "local", "--input", "tables", cwd=folder)
    assert r"`x\u{1B}[31m`" in ended.err
    assert "\x1b" not in ended.err
    ended = run(
        "run", "p.phe", "--engine", "local", "--input", "in.jsonl", "--only", "\x1b[31m", cwd=folder
    )
    assert r"`\u{1B}[31m`" in ended.err
    assert "\x1b" not in ended.err


def test_controls_in_results_are_escaped_and_read_back(folder: Path) -> None:
    text = "\x1b[1m\x7f\x9b31m\u202eok"
    (folder / "in.jsonl").write_text(json.dumps({"name": "z", "args": [text], "t": 1}) + "\n")
    ended = run("run", "p.phe", "--engine", "local", "--input", "in.jsonl", cwd=folder)
    assert ended.out.isascii()
    assert json.loads(ended.out)["args"] == [text]


def test_too_little_memory_is_told(folder: Path) -> None:
    (folder / "p.phe").write_text(
        "input event a(x: int);\ninput event b(x: int);\nevent ab(X, Y) : a(X) and b(Y);\n"
    )
    with (folder / "in.jsonl").open("w") as file:
        for number in range(30_000):
            for name in "ab":
                file.write(json.dumps({"name": name, "args": [number], "t": 1}) + "\n")

    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "phenesthe",
            "run",
            "p.phe",
            "--engine",
            "local",
            "--input",
            "in.jsonl",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(PROJECT)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)),
        check=False,
    )
    assert done.returncode == 1
    assert "`a(X) and b(Y)` in `ab` would make 900,000,000 rows or more" in done.stderr
    assert "Traceback" not in done.stderr


def test_show_ends_well_when_its_reader_goes_away(folder: Path) -> None:
    with (folder / "r.jsonl").open("w") as file:
        for number in range(20_000):
            row = {"name": f"n{number}", "kind": "event", "args": [number], "t": number}
            file.write(json.dumps(row) + "\n")
    with subprocess.Popen(
        [sys.executable, "-m", "phenesthe", "show", "r.jsonl"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": str(PROJECT)},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0


@pytest.mark.parametrize("closed", ["1", "2"])
def test_a_closed_stream_is_no_reason_to_crash(folder: Path, closed: str) -> None:
    command = (
        f'"{sys.executable}" -m phenesthe run p.phe --engine local --input in.jsonl {closed}>&-'
    )
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        env={"PYTHONPATH": str(PROJECT)},
        check=False,
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert list_times(done.stdout) == ([] if closed == "1" else [-3, 5])


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_watch_replaces_its_own_output_and_does_not_see_it_as_a_change(folder: Path) -> None:
    tables, log = folder / "tables", folder / "log"
    tables.mkdir()
    results = tables / "results.csv"
    (tables / "z.csv").write_text("x,t\none,1\n")
    options = ("--input", "tables", "--output", "tables/results.csv", "--watch")
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-m", "phenesthe", "run", "p.phe", "--engine", "local", *options],
            cwd=folder,
            stderr=errors,
            env={"PYTHONPATH": str(PROJECT)},
            preexec_fn=heed_interrupts,
        ) as process,
    ):
        try:
            wait_for(lambda: "watching" in log.read_text())
            (tables / "z.csv").write_text("x,t\none,1\none,22\n")
            wait_for(lambda: results.read_text().count("\n") == 3)
            time.sleep(1.5)
            assert log.read_text().count(" changed") == 1
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 0
        finally:
            process.kill()
