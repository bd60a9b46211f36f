"""Scores as tables for the terminal."""

from collections.abc import Mapping

from rich.table import Table

from examples.maritime.scores import Score

GOOD = 0.95


def draw_scores(scores: Mapping[str, Score], title: str) -> Table:
    """One row for each activity, the figures below the target marked."""
    table = Table(title=title, title_justify="left")
    table.add_column("activity")
    for head in ("true", "found", "recall", "recognised", "right", "precision"):
        table.add_column(head, justify="right")
    for head in ("time recall", "time precision"):
        table.add_column(head, justify="right", style="dim")
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


def draw_levels(levels: Mapping[float, Mapping[str, Score]]) -> Table:
    """Recall and precision of each activity at each level of noise."""
    table = Table(title="recall / precision by noise level", title_justify="left")
    table.add_column("activity")
    for level in levels:
        table.add_column(f"noise {level:g}", justify="right")
    for name in next(iter(levels.values())):
        cells = [scores[name] for scores in levels.values()]
        table.add_row(
            name, *(f"{write_share(one.recall)} / {write_share(one.precision)}" for one in cells)
        )
    return table


def say_what_degrades(levels: Mapping[float, Mapping[str, Score]]) -> list[str]:
    """One line for each level above the nominal: what falls below the target first there."""
    lines = []
    fallen: set[str] = set()
    for level, scores in sorted(levels.items()):
        low = {name: _worst(score) for name, score in scores.items() if _worst(score) < GOOD}
        new = sorted(set(low) - fallen, key=lambda name: low[name])
        fallen |= set(low)
        told = ", ".join(f"{name} ({write_share(low[name])})" for name in new)
        lines.append(f"noise {level:g}: below {write_share(GOOD)} are {told or 'no others'}")
    return lines


def _worst(score: Score) -> float:
    return min(share for share in (score.recall, score.precision, 1.0) if share is not None)


def write_share(share: float | None) -> str:
    """Per cent, rounded down, so that 100 % is all of them."""
    if share is None:
        return "—"
    text = f"{int(share * 1000) / 10:.1f} %"
    return text if share >= GOOD else f"[bold red]{text}[/]"
