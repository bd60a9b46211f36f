"""The command line of the example."""

import argparse
import tempfile
from collections import defaultdict
from pathlib import Path

from rich.console import Console

from examples.maritime.files import REPORTS, TRUTH, write_traffic
from examples.maritime.recognise import recognise
from examples.maritime.scores import Score, compare
from examples.maritime.simulate import FEWEST_VESSELS, SHORTEST, simulate
from examples.maritime.stage import HOUR
from examples.maritime.tables import draw_levels, draw_scores, say_what_degrades
from phenesthe.cli.progress import Progress
from phenesthe.cli.terminal import complain
from phenesthe.report.read_results import ResultsError, read_results


def main(arguments: list[str] | None = None) -> int:
    given = _make_parser().parse_args(arguments)
    if given.hours * HOUR < SHORTEST or given.vessels < FEWEST_VESSELS:
        return complain(
            f"a day with every activity in it takes {SHORTEST // HOUR} hours and "
            f"{FEWEST_VESSELS} vessels or more",
            code=2,
        )
    if given.command == "simulate":
        return _simulate(given)
    if given.results is None:
        return _evaluate_seeds(given)
    return _evaluate_results(given)


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m examples.maritime", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    size = argparse.ArgumentParser(add_help=False)
    size.add_argument("--hours", type=float, default=24, help="how long (default: 24)")
    size.add_argument("--vessels", type=int, default=60, help="at least so many (default: 60)")
    size.add_argument(
        "--every",
        metavar="SECONDS",
        type=int,
        default=1,
        help="keep one report of a vessel in so many seconds, as archives do (default: all)",
    )
    size.add_argument("--quiet", action="store_true", help="show no progress")
    one = commands.add_parser("simulate", parents=[size], help="write reports and their truth")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--noise", type=float, default=1.0, help="0 none, 1 nominal, up to 3")
    one.add_argument("--output", metavar="DIR", type=Path, required=True)
    one.set_defaults(results=None)
    other = commands.add_parser(
        "evaluate", parents=[size], help="compare truth and results, or simulate, run and compare"
    )
    other.add_argument("--truth", metavar="FILE", type=Path, help=f"a {TRUTH}")
    other.add_argument("--results", metavar="PATH", type=Path, help="what `phenesthe run` wrote")
    other.add_argument("--seeds", metavar="A-B", type=_read_seeds, default=range(101, 111))
    other.add_argument("--noise", type=float, nargs="+", default=[0, 1, 2, 3])
    return parser


def _read_seeds(text: str) -> range:
    first, _, last = text.partition("-")
    try:
        return range(int(first), int(last or first) + 1)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no range of seeds such as 101-110") from None


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


def _evaluate_results(given: argparse.Namespace) -> int:
    if given.truth is None:
        return complain("--results needs --truth, the file that tells what is true", code=2)
    try:
        truth = read_results(given.truth).rows
        results = read_results(given.results, only={row.name for row in truth}).rows
    except ResultsError as problem:
        return complain(str(problem))
    Console().print(draw_scores(compare(truth, results), "true activities recognised"))
    return 0


def _evaluate_seeds(given: argparse.Namespace) -> int:
    """Simulate, prepare and run with the local engine, for every seed and level of noise."""
    console = Console()
    levels: dict[float, dict[str, Score]] = {}
    with Progress(quiet=given.quiet) as progress:
        for noise in given.noise:
            total: dict[str, Score] = defaultdict(Score)
            for seed in given.seeds:
                progress.say(f"noise {noise:g}, seed {seed}")
                traffic = simulate(seed, int(given.hours * HOUR), given.vessels)
                with tempfile.TemporaryDirectory() as folder:
                    place = Path(folder)
                    write_traffic(traffic, place, seed=seed, noise=noise, every=given.every)
                    truth = read_results(place / TRUTH).rows
                    rows = recognise(place / REPORTS, {row.name for row in truth}, place)
                for name, score in compare(truth, rows).items():
                    total[name] += score
            levels[noise] = dict(sorted(total.items()))
    for noise, scores in levels.items():
        console.print(draw_scores(scores, f"noise {noise:g}, seeds {_tell(given.seeds)}"))
    if len(levels) > 1:
        console.print(draw_levels(levels))
        for line in say_what_degrades(levels):
            console.print(line, highlight=False)
    return 0


def _tell(seeds: range) -> str:
    return f"{seeds[0]}–{seeds[-1]}"
