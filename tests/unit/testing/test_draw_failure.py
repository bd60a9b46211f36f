"""What a failed test looks like."""

from pathlib import Path
from typing import Any

from phenesthe.report.drawing_marks import ASCII
from phenesthe.testing.draw_failure import MAX_BINDINGS, MAX_LINES, draw_failure
from tests.unit.testing.samples import event, expect, run, write


def draw(folder: Path, *lines: Any, **options: Any) -> list[str]:
    (outcome,) = run(write(folder, {"test": "one"}, *lines))
    assert outcome.differences
    return [line.plain for line in draw_failure("FAILED", outcome.differences, **options)]


def test_expected_and_found_on_one_axis(tmp_path: Path) -> None:
    drawn = draw(
        tmp_path,
        event("drop", 4, "alice", "wallet"),
        event("pick_up", 10, "bob", "wallet"),
        event("drop", 12, "bob", "wallet"),
        event("drop", 2, "bob", "coin"),
        event("weigh", 13, "coin", 1.0, 1, False),
        expect("lying", "wallet", ts=4, te=9),
        expect("lying", "wallet", ts=12, te=None),
        expect("lying", "coin", ts=2, te=None),
        {"expect": "light", "none": True},
        width=60,
    )
    assert drawn == [
        "FAILED",
        "",
        "            4    5    6    7    8    9    10   11   12   13",
        "            ┬╌╌╌╌┬╌╌╌╌┬╌╌╌╌┬╌╌╌╌┬╌╌╌╌┬╌╌╌╌┬╌╌╌╌┬╌╌╌╌┬╌╌╌╌┬",
        "lying(wallet) state",
        "  expected  ━━━━━━━━━━━━━━━━━━━━━━━━━━              ━━━━━━▶",
        "  found     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━         ━━━━━━▶",
        "light(coin) event",
        "  expected",
        "  found                                                  |",
        "▶ still open",
        "",
        'missing: {"expect": "lying", "args": ["wallet"], "ts": 4, "te": 9}',
        'not expected: {"expect": "lying", "args": ["wallet"], "ts": 4, "te": 10}',
        'not expected: {"expect": "light", "args": ["coin"], "t": 13}',
        "",
    ]


def test_many_differences_are_counted_not_listed(tmp_path: Path) -> None:
    drops = [event("drop", i, "alice", f"thing{i:03}") for i in range(MAX_BINDINGS + 5)]
    drawn = draw(tmp_path, *drops, {"expect": "lying", "none": True})
    assert "  … and 5 more arguments with differences" in drawn
    assert sum(line.startswith("lying(") for line in drawn) == MAX_BINDINGS
    assert sum(line.startswith("not expected: {") for line in drawn) == MAX_LINES
    assert drawn[-2] == f"not expected: … and {MAX_BINDINGS + 5 - MAX_LINES} more"


def test_text_of_the_data_does_not_act_and_ascii_stays_ascii(tmp_path: Path) -> None:
    drop = event("drop", 1, "alice", "\x1b[31m[red]é")
    drawn = draw(tmp_path, drop, {"expect": "lying", "none": True}, marks=ASCII)
    assert all(line.isascii() and line.isprintable() for line in drawn)
    assert '  "args": ["\\u001b[31m[red]\\u00e9"]'.strip() in drawn[-2]
