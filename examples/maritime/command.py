"""The command line of the example."""

import argparse
import os
from pathlib import Path

from rich.console import Console

from examples.maritime.days import Day, evaluate_days
from examples.maritime.files import REPORTS, TRUTH, write_traffic
from examples.maritime.labelled import FISHING, judge_file
from examples.maritime.recognise import CommandFailed
from examples.maritime.scores import Score, compare
from examples.maritime.simulate import FEWEST_VESSELS, SHORTEST, simulate
from examples.maritime.stage import HOUR
from examples.maritime.tables import draw_judged, draw_levels, draw_scores, say_what_degrades
from examples.maritime.truth import NAMES
from phenesthe.cli.progress import Progress
from phenesthe.cli.terminal import complain
from phenesthe.io.errors import DataError
from phenesthe.report.read_results import ResultsError, read_results

_NOISE = "from 0, none, to 3; 1 is nominal"


def main(arguments: list[str] | None = None) -> int:
    given = _make_parser().parse_args(arguments)
    if given.command == "names":
        print(*NAMES)
        return 0
    if given.command == "labelled":
        return _judge_file(given)
    if given.hours * HOUR < SHORTEST or given.vessels < FEWEST_VESSELS:
        return complain(
            f"a day with every activity in it takes {SHORTEST // HOUR} hours and "
            f"{FEWEST_VESSELS} vessels or more",
            code=2,
        )
    if given.command == "simulate":
        return _simulate(given)
    if given.results is not None:
        return _evaluate_results(given)
    try:
        return _evaluate_seeds(given)
    except CommandFailed as problem:
        return complain(str(problem).rstrip())


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m examples.maritime", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    size = argparse.ArgumentParser(add_help=False)
    size.add_argument("--hours", type=float, default=24, help="how long (default: 24)")
    size.add_argument("--vessels", type=int, default=60, help="at least so many (default: 60)")
    size.add_argument(
        "--every",
        metavar="SECONDS",
        type=_read_count,
        default=1,
        help="keep one report of a vessel in so many seconds, as archives do (default: all)",
    )
    size.add_argument("--quiet", action="store_true", help="show no progress")
    one = commands.add_parser("simulate", parents=[size], help="write reports and their truth")
    one.add_argument("--seed", type=_read_count, default=1)
    one.add_argument("--noise", type=_read_noise, default=1.0, help=_NOISE)
    one.add_argument("--output", metavar="DIR", type=Path, required=True)
    commands.add_parser("names", help="the names that have a truth, for `phenesthe run --only`")
    other = commands.add_parser(
        "evaluate", parents=[size], help="compare truth and results, or simulate, run and compare"
    )
    other.add_argument("--truth", metavar="FILE", type=Path, help=f"a {TRUTH}")
    other.add_argument("--results", metavar="PATH", type=Path, help="what `phenesthe run` wrote")
    other.add_argument(
        "--seeds",
        metavar="A-B",
        type=_read_seeds,
        default=range(301, 311),
        help="to simulate when there is no --results (default: 301-310)",
    )
    other.add_argument("--noise", type=_read_noise, nargs="+", default=[0, 1, 2, 3], help=_NOISE)
    other.add_argument(
        "--jobs", metavar="N", type=_read_count, default=os.cpu_count(),
        help="days that are simulated at a time (default: one for each core)",
    )  # fmt: skip
    other.add_argument(
        "--brief", action="store_true", help="one table of all levels of noise, not one of each"
    )
    observed = commands.add_parser(
        "labelled", help="compare trawling with the labels of observers in a Parquet table"
    )
    observed.add_argument("file", metavar="FILE", type=Path)
    observed.add_argument("--quiet", action="store_true", help="show no progress")
    return parser


def _read_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number of at least 1")
    return int(text)


def _read_noise(text: str) -> float:
    try:
        level = float(text)
    except ValueError:
        level = -1.0
    if not 0 <= level <= 3:
        raise argparse.ArgumentTypeError(f"`{text}` is no level from 0 to 3")
    return level


def _read_seeds(text: str) -> range:
    first, _, last = text.partition("-")
    seeds = range(_read_count(first), _read_count(last or first) + 1)
    if not seeds:
        raise argparse.ArgumentTypeError(f"`{text}` has no seeds in it; write 301-310")
    return seeds


def _simulate(given: argparse.Namespace) -> int:
    with Progress(quiet=given.quiet) as progress:
        progress.say("simulating")
        traffic = simulate(given.seed, int(given.hours * HOUR), given.vessels)
        count = write_traffic(
            traffic, given.output, seed=given.seed, noise=given.noise, every=given.every
        )
    print(
        f"{count:,} reports of {len(traffic.vessels)} vessels in {given.output / REPORTS}, "
        f"{len(traffic.truth):,} true intervals in {given.output / TRUTH}"
    )
    return 0


def _judge_file(given: argparse.Namespace) -> int:
    try:
        with Progress(quiet=given.quiet) as progress:
            progress.say("preparing and running")
            groups = list(judge_file(given.file))
    except (CommandFailed, DataError) as problem:
        return complain(str(problem).rstrip())
    console = Console()
    console.print(draw_judged(groups))
    console.print(
        f"fishing is what is labelled {', '.join(FISHING)}; "
        "wrong is the share of other time that is taken for trawling",
        highlight=False,
    )
    return 0


def _evaluate_results(given: argparse.Namespace) -> int:
    if given.truth is None:
        return complain("--results needs --truth, the file that tells what is true", code=2)
    try:
        truth = read_results(given.truth).rows
        results = read_results(given.results, only=NAMES).rows
    except ResultsError as problem:
        return complain(str(problem))
    Console().print(draw_scores(compare(truth, results, NAMES), "true activities recognised"))
    return 0


def _evaluate_seeds(given: argparse.Namespace) -> int:
    """Simulate, prepare and run with the local engine, for every seed and level of noise."""
    days = [
        Day(seed, noise, given.hours, given.vessels, given.every)
        for noise in given.noise
        for seed in given.seeds
    ]
    levels: dict[float, dict[str, Score]] = {
        noise: dict.fromkeys(sorted(NAMES), Score()) for noise in given.noise
    }
    with Progress(quiet=given.quiet) as progress:
        progress.say(f"simulating {len(days)} days")
        for number, (day, scores) in enumerate(evaluate_days(days, given.jobs), start=1):
            progress.say(f"{number} of {len(days)} days: noise {day.noise:g}, seed {day.seed}")
            for name, score in scores.items():
                levels[day.noise][name] += score
    _print_levels(levels, f"seeds {_tell(given.seeds)}", brief=given.brief)
    return 0


def _print_levels(
    levels: dict[float, dict[str, Score]], seeds: str, *, brief: bool = False
) -> None:
    console = Console()
    if not brief or len(levels) == 1:
        for noise, scores in levels.items():
            console.print(draw_scores(scores, f"noise {noise:g}, {seeds}"))
    if len(levels) > 1:
        console.print(draw_levels(levels, f"recall and precision by level of noise, {seeds}"))
        for line in say_what_degrades(levels):
            console.print(line, highlight=False)


def _tell(seeds: range) -> str:
    return f"{seeds[0]}–{seeds[-1]}"
