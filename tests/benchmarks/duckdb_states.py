"""The states of the maritime program by hand for DuckDB: what our engine is compared with.

python -m tests.benchmarks.duckdb_states INPUT OUTPUT reads the input tables and writes one Parquet
file per state: stopped, in_port, in_range, underway, moored. An open end is null, as with us.
"""

import sys
from pathlib import Path

import duckdb

OPEN = 2**62
#: Instants at which φ or ψ is true, φ winning where both are, become maximal ranges.
RANGES = """
    select {keys}, t as ts, te from (
        select {keys}, t, starts, lead(t) over (partition by {keys} order by t) as te
        from (
            select {keys}, t, starts, starts is distinct from
                lag(starts) over (partition by {keys} order by t) as changes
            from ({instants})
        ) where changes
    ) where starts
"""


def ranges(keys: str, instants: str) -> str:
    return RANGES.format(keys=keys, instants=instants)


def main(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    db = duckdb.connect()
    for name in ("ais", "enters_port", "leaves_port"):
        db.execute(f"create view {name} as select * from '{source / name}.parquet'")
    (q,) = db.execute(
        "select max(t) from (select max(t) t from ais union all select max(t) from enters_port "
        "union all select max(t) from leaves_port)"
    ).fetchone() or (0,)
    db.execute(
        "create table stopped as "
        + ranges("vessel", "select vessel, t, max(speed <= 0.5) as starts from ais group by all")
    )
    db.execute(
        "create table in_port as "
        + ranges(
            "vessel, port",
            "select vessel, port, t, max(starts) as starts from ("
            "select vessel, port, t, true as starts from enters_port union all "
            "select vessel, port, t, false from leaves_port) group by all",
        )
    )
    db.execute(
        f"""create table in_range as
        select vessel, min(t) as ts,
            if(max(t) > {q} + 1 - 600 and max(t) = last, null, max(t)) as te
        from (
            select vessel, t, sum(breaks) over (partition by vessel order by t) as run,
                max(t) over (partition by vessel) as last
            from (
                select vessel, t, (t - lag(t) over (partition by vessel order by t) < 600)
                    is not true as breaks
                from (select distinct vessel, t from ais)
            )
        ) group by vessel, run, last having count(*) > 1"""
    )
    db.execute(
        "create table underway as "
        + ranges(
            "vessel",
            """select vessel, t, max(starts) as starts from (
                select vessel, t, speed >= 2.7 and not exists (
                    select 1 from in_range r where r.vessel = ais.vessel and r.te = ais.t) as starts
                from ais
                union all select vessel, te, false from in_range where te is not null
            ) group by all""",
        )
    )
    db.execute(
        f"""create table moored as
        select s.vessel, port, greatest(s.ts, p.ts) as ts,
            nullif(least(coalesce(s.te, {OPEN}), coalesce(p.te, {OPEN})), {OPEN}) as te
        from stopped s join in_port p on s.vessel = p.vessel
            and s.ts < coalesce(p.te, {OPEN}) and p.ts < coalesce(s.te, {OPEN})"""
    )
    for name in ("stopped", "in_port", "in_range", "underway", "moored"):
        db.execute(f"copy {name} to '{target / name}.parquet' (format parquet)")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
