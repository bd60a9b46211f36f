"""`phenesthe show`, from its options to its exit code."""

import argparse
import io
import json
import sys
from pathlib import Path

import pytest

from phenesthe.cli import show

RECORDS = (
    {"name": "moored", "kind": "state", "args": [7, "brest"], "ts": 12, "te": 40},
    {"name": "moored", "kind": "state", "args": [8, "brest"], "ts": 20, "te": None},
    {"name": "stop", "kind": "event", "args": [7], "t": 12},
)


@pytest.fixture
def results(tmp_path: Path) -> str:
    file = tmp_path / "results.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), "utf-8")
    return str(file)


def call(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    show.add_arguments(parser)
    return show.run(parser.parse_args(arguments))


def test_draws_everything(results: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(results) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()[2:]] == [
        "moored", "(7,", "(8,", "stop", "(7)", "▶",
    ]  # fmt: skip
    assert "\x1b" not in out
    assert err == ""


def test_filters(results: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(results, "--args", "7, brest", "--width", "60") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]] == [
        "moored", "(7,",
    ]  # fmt: skip
    assert call(results, "--only", "stop", "--from", "10", "--to", "1970-01-01T00:00:14") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == ["10", "11", "12", "13", "14"]
    assert out[2:] == ["stop event", "  (7)                  |"]
    assert call(results, "--limit", "1") == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("… and 2 more")


def test_dates_on_the_axis(results: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(results, "--times", "iso", "--unit", "millisecond") == 0
    assert "00:00:00.020" in capsys.readouterr().out.splitlines()[1]


def test_a_name_that_is_not_there(results: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(results, "--only", "mored") == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        f"warning: {results} has nothing of `mored`; did you mean `moored`?",
        "there is nothing to draw",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--limit", "0"], "--limit must be at least 1"),
        (["--from", "soon"], "--from takes an integer or a date"),
        (["--from", "5", "--to", "4"], "--from is later than --to"),
    ],
)
def test_wrong_usage(
    results: str, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert call(results, *arguments) == 2
    assert f"error: {message}" in capsys.readouterr().err


def test_a_bad_file_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad\x1b[31m.jsonl"
    file.write_text("nonsense")
    assert call(str(file)) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(".jsonl:1: this line is not JSON\n")
    assert "\x1b" not in err


def test_an_output_that_takes_no_unicode(results: str, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    assert call(results) == 0
    sys.stdout.flush()
    assert "> still open" in raw.getvalue().decode("ascii")
