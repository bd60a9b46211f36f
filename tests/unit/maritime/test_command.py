"""The command line of the example, from a seed to a table."""

from pathlib import Path

import pytest

from examples.maritime.command import main
from examples.maritime.files import REPORTS, TRUTH
from examples.maritime.recognise import recognise
from examples.maritime.scores import compare
from examples.maritime.truth import NAMES
from phenesthe.report.read_results import read_results

SMALL = ("--vessels", "30", "--every", "60", "--quiet")


def test_the_way_from_a_seed_to_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--seed", "4", *SMALL, "--output", str(tmp_path)]) == 0
    truth = read_results(tmp_path / TRUTH).rows
    scores = compare(truth, recognise(tmp_path / REPORTS, NAMES, tmp_path))
    assert scores["moored"].recall == scores["trip"].recall == 1
    results = str(tmp_path / "results.jsonl")
    capsys.readouterr()
    assert main(["evaluate", "--truth", str(tmp_path / TRUTH), "--results", results]) == 0
    table = capsys.readouterr().out
    assert all(name in table for name in scores)


def test_days_are_judged_together_however_many_at_a_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["evaluate", "--seeds", "4", "--noise", "0", "1", "--brief", *SMALL]
    tables = []
    for jobs in ("1", "2"):
        assert main([*words, "--jobs", jobs]) == 0
        tables.append(capsys.readouterr().out)
    assert tables[0] == tables[1]
    assert all(name in tables[0] for name in NAMES)
    assert "noise 0: below 95 %" in tables[0]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["simulate", "--vessels", "3", "--output", "x"], "30 vessels or more"),
        (["simulate", "--hours", "2", "--output", "x"], "18 hours"),
        (["evaluate", "--results", "x.jsonl"], "--truth"),
        (["simulate", "--noise", "4", "--output", "x"], "no level from 0 to 3"),
        (["evaluate", "--seeds", "5-2"], "no seeds in it"),
    ],
)
def test_wrong_usage(words: list[str], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code: object = main(words)
    except SystemExit as ended:  # argparse ends by itself
        code = ended.code
    assert code == 2
    assert reason in capsys.readouterr().err


def test_results_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost = str(tmp_path / "lost.jsonl")
    assert main(["evaluate", "--truth", lost, "--results", lost]) == 1
    assert "there is no file" in capsys.readouterr().err
