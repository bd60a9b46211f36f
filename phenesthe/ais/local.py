"""`phenesthe ais prepare` in this process."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from phenesthe.ais.areas import Areas
from phenesthe.ais.facts import list_usual_speeds
from phenesthe.ais.normalise import SCHEMA, TYPES
from phenesthe.ais.prepare import join_tables, prepare_vessels
from phenesthe.ais.proximity import find_proximity
from phenesthe.ais.read import read_reports
from phenesthe.ais.settings import Settings
from phenesthe.ais.sources import Source
from phenesthe.ais.tables import TABLES, fit_table
from phenesthe.ais.tally import Tally
from phenesthe.io.write import write_parquet


def prepare_locally(
    sources: Sequence[tuple[Path, Source]],
    areas: Areas,
    settings: Settings,
    folder: Path,
    say: Callable[[str], None] = lambda _: None,
) -> Tally:
    """Write all tables into a folder, one file each, and count."""
    tally = Tally()
    reports, types = [], []
    for path, source in sources:
        for chunk in read_reports(path, source, settings):
            tally.add_read(chunk)
            reports.append(chunk.rows)
            types.append(chunk.types)
            say(f"reading {path.name} ({tally.read:,} rows)")
    found: dict[str, list[Any]] = {name: [] for name in TABLES}
    rows = join_tables(reports, SCHEMA)
    reports.clear()
    for group in prepare_vessels(rows, join_tables(types, TYPES), areas, settings):
        tally.add_kept(group.chunk, group.vessels)
        say(f"finding what each vessel does ({tally.kept:,} reports)")
        for name, table in group.tables.items():
            found[name].append(table)
    del rows
    found["gap_start"].append(fit_table("gap_start", tally.list_lost(settings)))
    tables = join_facts(found, areas)
    say("finding vessels close to each other")
    tables["proximity"] = fit_table("proximity", find_proximity(tables["ais"], settings))
    say("writing the tables")
    write_tables(tables, folder, tally)
    return tally


def join_facts(found: Mapping[str, Sequence[Any]], areas: Areas) -> dict[str, Any]:
    """Whole tables, with the facts that no report tells."""
    facts = list_facts(areas)
    return {
        name: facts[name] if name in facts else join_tables(list(found[name]), schema)
        for name, schema in TABLES.items()
    }


def list_facts(areas: Areas) -> dict[str, Any]:
    facts = {"area_type": areas.list_types(), "usual_speed": list_usual_speeds()}
    return {name: fit_table(name, table) for name, table in facts.items()}


def write_tables(tables: Mapping[str, Any], folder: Path, tally: Tally) -> None:
    for name, table in tables.items():
        write_parquet(table, folder / f"{name}.parquet", folder)
        tally.rows[name] += table.num_rows
