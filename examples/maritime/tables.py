"""Scores as tables for the terminal."""

from collections.abc import Iterable, Mapping

from rich import box
from rich.markup import escape
from rich.table import Table

from examples.maritime.labelled import NAMES, Judged
from examples.maritime.scores import Score

GOOD = 0.95


def draw_scores(scores: Mapping[str, Score], title: str) -> Table:
    """One row for each activity, the figures below the target marked."""
    table = _make_table(title)
    for head in ("true", "found", "recall", "recog-\nnised", "right", "preci-\nsion"):
        table.add_column(head, justify="right", no_wrap=True)
    for head in ("time\nrecall", "time\nprec."):
        table.add_column(head, justify="right", style="dim", no_wrap=True)
    for name, score in scores.items():
        table.add_row(
            name,
            f"{score.true:,}",
            f"{score.found:,}",
            write_share(score.recall),
            f"{score.recognised:,}",
            f"{score.right:,}",
            write_share(score.precision),
            write_share(score.time_recall),
            write_share(score.time_precision),
        )
    return table


def draw_levels(levels: Mapping[float, Mapping[str, Score]], title: str) -> Table:
    """Recall and precision of each activity at each level of noise, how many are true before."""
    table = _make_table(title)
    for head in ("true", *(f"noise {level:g}" for level in levels)):
        table.add_column(head, justify="right", no_wrap=True)
    for name in next(iter(levels.values())):
        cells = [scores[name] for scores in levels.values()]
        shares = (f"{write_share(one.recall)} {write_share(one.precision)}" for one in cells)
        table.add_row(name, f"{cells[0].true:,}", *shares)
    return table


def draw_judged(groups: Iterable[Iterable[Judged]]) -> Table:
    """Shares of time, one row for each trip, the last of a group for all of its gear.

    After the recall and the precision of each name comes how much of the other time is taken for
    fishing.
    """
    table = _make_table("fishing against observers: recall and precision of time", "trip")
    names = (name.replace("_", "\n") for name in NAMES)
    for head in ("\nhours", "of it\nfishing", *names, "\nwrong"):
        table.add_column(head, justify="right", no_wrap=True)
    for group in groups:
        for one in group:
            shares = [
                f"{write_share(score.time_recall, 0)} {write_share(score.time_precision, 0)}"
                for score in one.scores.values()
            ]
            hours = f"{one.labelled_time / 3600:.1f}"
            fished, wrong = write_share(one.fishing, 0), write_share(one.wrong, 0)
            table.add_row(escape(one.text), hours, fished, *shares, wrong)
        table.add_section()
    return table


def _make_table(title: str, head: str = "activity") -> Table:
    table = Table(
        title=f"{title}, shares in %", title_justify="left", box=box.SIMPLE_HEAD, padding=0
    )
    table.add_column(head, no_wrap=True)
    return table


def say_what_degrades(levels: Mapping[float, Mapping[str, Score]]) -> list[str]:
    """One line for each level: what falls below the target there and did not before."""
    lines = []
    fallen: set[str] = set()
    for level, scores in sorted(levels.items()):
        low = {name: _worst(score) for name, score in scores.items() if _worst(score) < GOOD}
        new = sorted(set(low) - fallen, key=lambda name: low[name])
        none = "nothing else" if fallen else "nothing"
        fallen |= set(low)
        told = ", ".join(f"{name} ({write_share(low[name])} %)" for name in new)
        lines.append(f"noise {level:g}: below {100 * GOOD:.0f} % {told or none}")
    return lines


def _worst(score: Score) -> float:
    return min(share for share in (score.recall, score.precision, 1.0) if share is not None)


def write_share(share: float | None, good: float = GOOD) -> str:
    """Per cent, rounded down, so that 100 are all of them; marked if they are not good."""
    if share is None:
        return "—"
    text = f"{int(share * 1000) / 10:.1f}"
    return text if share >= good else f"[bold red]{text}[/]"
