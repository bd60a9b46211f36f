"""Simulated days from their seed to their scores, several at a time."""

import multiprocessing
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from examples.maritime.files import REPORTS, TRUTH, write_traffic
from examples.maritime.recognise import recognise
from examples.maritime.scores import Score, compare
from examples.maritime.simulate import simulate
from examples.maritime.stage import HOUR
from examples.maritime.truth import NAMES
from phenesthe.report.read_results import read_results


@dataclass(frozen=True, slots=True)
class Day:
    seed: int
    noise: float
    hours: float
    vessels: int
    every: int


def evaluate_days(days: Sequence[Day], jobs: int) -> Iterator[tuple[Day, dict[str, Score]]]:
    """Each day with its scores, in the order in which they are ready."""
    if min(jobs, len(days)) == 1:
        yield from ((day, evaluate_day(day)) for day in days)
        return
    # A fork would take along locks that other threads hold.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(days)), mp_context=context) as pool:
        waiting = {pool.submit(evaluate_day, day): day for day in days}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def evaluate_day(day: Day) -> dict[str, Score]:
    """Simulate, prepare and run with the local engine, and compare."""
    traffic = simulate(day.seed, int(day.hours * HOUR), day.vessels)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write_traffic(traffic, place, seed=day.seed, noise=day.noise, every=day.every)
        truth = read_results(place / TRUTH).rows
        rows = recognise(place / REPORTS, NAMES, place)
    return compare(truth, rows, NAMES)
