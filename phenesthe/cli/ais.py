"""`phenesthe ais prepare`: AIS position reports as the input of the maritime library."""

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from phenesthe.allocator import keep_big_arrays
from phenesthe.cli.engines import add_engine_arguments, add_time_format
from phenesthe.cli.progress import Progress
from phenesthe.cli.terminal import complain, warn
from phenesthe.runs.options import UsageError, check_time_format, read_duration
from phenesthe.runs.protect import Taken, find_clash

if TYPE_CHECKING:
    from phenesthe.ais.areas import Areas
    from phenesthe.ais.settings import Settings
    from phenesthe.ais.sources import Source
    from phenesthe.ais.tally import Tally

#: What is written beside the tables.
_BESIDES = ("dropped.json", "summary.json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    text = "make the input tables of the maritime library from files of position reports"
    prepare = actions.add_parser("prepare", help=text, description=text.capitalize() + ".")
    prepare.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="CSV of a public archive or alike, Parquet, or a log of NMEA sentences; also .gz",
    )
    prepare.add_argument(
        "--areas",
        metavar="AREAS",
        nargs="+",
        action="extend",
        default=[],
        help="GeoJSON with polygons, or CSV with points and radii (may be repeated)",
    )
    prepare.add_argument("--output", metavar="DIR", required=True, help="the folder to write")
    prepare.add_argument("--overwrite", action="store_true", help="replace an existing output")
    add_engine_arguments(
        prepare, "parts to cut the vessels into on Spark (default: by the number of reports)"
    )
    prepare.add_argument(
        "--map",
        metavar="FIELD=COLUMN",
        action="append",
        default=[],
        help="read vessel, t, lon, lat, speed, course, heading or type from this column",
    )
    add_time_format(prepare)
    prepare.add_argument(
        "--ids",
        choices=("mmsi", "any"),
        help="whether vessels must have the MMSI of a ship (default: in all but plain tables)",
    )
    prepare.add_argument("--gap", metavar="D", help="silence that is a gap (default: 30m)")
    prepare.add_argument(
        "--near", metavar="METRES", type=float, help="how close is proximity (default: 500)"
    )
    prepare.add_argument("--quiet", action="store_true", help="show no progress and no summary")


def run(given: argparse.Namespace) -> int:
    from phenesthe.io import DataError

    keep_big_arrays()
    with Progress(quiet=given.quiet) as progress:
        try:
            _check_places(given)
            _protect_files(given)
            check_time_format(given.time_format)
            settings, mapping = _read_settings(given), _read_mapping(given)
            summary = _prepare(given, settings, mapping, progress.say)
        except UsageError as problem:
            return complain(str(problem), code=2)
        except DataError as problem:
            return complain(str(problem))
        except MemoryError:
            return complain(
                f"there is not enough memory ({progress.step})\n"
                "  help: give fewer files at a time, or use Spark"
            )
    if not given.quiet:
        print(summary)
    return 0


def _check_places(given: argparse.Namespace) -> None:
    """What nobody reads is refused, and what is not there, before anything is started."""
    from phenesthe.io.address import is_address
    from phenesthe.io.foreign import refuse_web
    from phenesthe.io.links import find_real
    from phenesthe.io.places import refuse_absence

    for place in (*given.files, *given.areas):
        refuse_web(place)
        if is_address(place):
            continue
        find_real(place)  # refuses a link that leads back to itself; a pipe has no real path
        if not Path(place).exists():
            raise refuse_absence(place)


def _protect_files(given: argparse.Namespace) -> None:
    """The output must not take the place of what is read, nor of a folder that holds it."""
    read = [Taken(one, f"`{one}`", whole=True) for one in (*given.files, *given.areas)]
    clash = find_clash(given.output, read)
    if clash is not None:
        where, what = clash
        raise UsageError(
            f"--output `{given.output}` {where} {what}, which is read", "write to another place"
        )


def _read_settings(given: argparse.Namespace) -> "Settings":
    from phenesthe.ais.settings import Settings

    if given.engine == "local" and (given.master or given.partitions):
        option = "--master" if given.master else "--partitions"
        raise UsageError(f"{option} is for Spark", "leave it out, or leave --engine local out")
    settings = Settings()
    if given.gap is not None:
        gap = read_duration(given.gap, "gap", "second")
        settings = replace(settings, gap=gap)
    if given.near is not None:
        if not 1 <= given.near <= 100_000:
            raise UsageError(
                f"--near takes 1 to 100000 metres, not {given.near:g}", "for example 500"
            )
        settings = replace(settings, near=given.near)
    if given.partitions is not None and given.partitions < 1:
        raise UsageError(f"--partitions takes 1 or more, not {given.partitions}", "leave it out")
    return settings


def _read_mapping(given: argparse.Namespace) -> dict[str, str]:
    from phenesthe.ais.formats import check_mapping

    mapping = {}
    for text in given.map:
        field, equals, column = text.partition("=")
        if not equals or not column:
            raise UsageError(f"`--map {text}` names no column", "write --map FIELD=COLUMN")
        mapping[field] = column
    check_mapping(mapping)
    return mapping


def _prepare(
    given: argparse.Namespace,
    settings: "Settings",
    mapping: dict[str, str],
    say: Callable[[str], None],
) -> str:
    from phenesthe.ais.areas import read_areas
    from phenesthe.ais.local import prepare_locally
    from phenesthe.ais.sources import look
    from phenesthe.cli.unrecognised import list_unrecognised
    from phenesthe.io import DataError
    from phenesthe.io.address import is_address
    from phenesthe.io.putting import AT_ONCE
    from phenesthe.io.target import check_target

    if is_address(given.output):
        raise DataError(
            f"cannot write to `{given.output}`: tables are written to a folder that this machine "
            "sees",
            "write to a folder here or on a shared disk, and copy it there afterwards",
        )
    target = given.output.rstrip("/") + "/"
    check_target(target, overwrite=given.overwrite, besides=_BESIDES)
    say("reading the areas")
    areas = read_areas([Path(one) for one in given.areas], settings)
    for one in (*areas.set_aside, *areas.notes):
        warn(f"{one}")
    # Files of this machine are looked at before anything is started.
    looked = {
        one: look(Path(one), mapping)
        for one in given.files
        if given.engine == "local" or not is_address(one)
    }
    with AT_ONCE.folder(Path(target), overwrite=given.overwrite) as folder:
        if given.engine == "spark":
            tally = _run_on_spark(given, settings, mapping, looked, areas, folder, say)
        else:
            sources = [(Path(one), _adapt(given, looked[one])) for one in given.files]
            tally = prepare_locally(sources, areas, settings, folder, say)
        for text in tally.unreadable.describe():
            warn(text)
        _refuse_nothing(tally)
        _write_json(folder / "dropped.json", tally.describe_dropped())
        _write_json(folder / "summary.json", {**tally.describe(), "areas": len(areas)})
    if not tally.kept:
        warn("there was no report")
    elif not given.quiet:
        for text in list_unrecognised(set(areas.types), tally.describe()["tables"]):
            warn(text)
    return describe(tally)


#: Of reasons for which no report is kept, what can be done.
_REMEDIES = {
    "bad_id": "--ids any takes all numbers, also those that no ship can have",
    "unreadable": "look at the columns named above; --time-format says how times are written, "
    "--map FIELD=COLUMN names other columns",
    "no_time": "--map t=COLUMN names the column of times",
}


def _refuse_nothing(tally: "Tally") -> None:
    """Reports of which none can be used are an error; that there are none may well be."""
    from phenesthe.ais.tally import REASONS
    from phenesthe.io import DataError

    dropped = tally.describe_dropped()
    if dropped and not tally.kept:
        known = {**REASONS, "unreadable": tally.unreadable.explain() or REASONS["unreadable"]}
        reasons = ", ".join(
            f"{count:,} {reason} ({known[reason]})" for reason, count in dropped.items()
        )
        raise DataError(
            f"no report could be used: {reasons}",
            "; ".join(_REMEDIES[one] for one in dropped if one in _REMEDIES)
            or "see what these reasons mean in docs/ais.md, and correct the reports",
        )


def _adapt(given: argparse.Namespace, source: "Source") -> "Source":
    from phenesthe.io.time_format import make_clock

    return source.adapt(given.ids, make_clock("second", given.time_format).form)


def _run_on_spark(
    given: argparse.Namespace,
    settings: "Settings",
    mapping: dict[str, str],
    looked: Mapping[str, "Source"],
    areas: "Areas",
    folder: Path,
    say: Callable[[str], None],
) -> "Tally":
    from phenesthe.ais.spark import look_on_spark, prepare_on_spark
    from phenesthe.engines.spark.jobs import open_spark

    with open_spark(given.master, say) as session:
        spark = session.spark
        sources = [
            (one, _adapt(given, looked.get(one) or look_on_spark(spark, one, mapping)))
            for one in given.files
        ]
        return prepare_on_spark(
            spark,
            sources,
            areas,
            settings,
            folder,
            target=Path(given.output),
            partitions=given.partitions,
        )


def _write_json(path: Path, content: Mapping[str, object]) -> None:
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def describe(tally: "Tally") -> str:
    """What was done, for the terminal: reports, reasons, tables."""
    from phenesthe.ais.tally import REASONS

    told = tally.describe()
    lines = [f"{tally.read:>12,} reports read", f"{tally.kept:>12,} kept"]
    lines += [
        f"{count:>12,} dropped: {reason} ({REASONS[reason]})"
        for reason, count in told["dropped"].items()
    ]
    if tally.kept:
        lines.append(f"{tally.vessels:>12,} vessels, {told['first']} to {told['last']}")
    lines += ["", "        rows table"]
    lines += [f"{count:>12,} {name}" for name, count in told["tables"].items()]
    return "\n".join(lines)
