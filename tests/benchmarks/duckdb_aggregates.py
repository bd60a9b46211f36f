"""Aggregates by hand for DuckDB: what our engine is compared with.

python -m tests.benchmarks.duckdb_aggregates INPUT OUTPUT reads the input tables and writes one
Parquet file per query. An open end is null, as with us.
"""

import sys
from pathlib import Path

import duckdb

#: From leaving a port to the next entering of one. Some leave again at the instant of entering.
_TRIPS = """
    select vessel, t as ts, te from (
        select vessel, t, starts, lead(t) over (partition by vessel order by t) as te
        from (
            select vessel, t, starts, starts is distinct from
                lag(starts) over (partition by vessel order by t) as changes
            from (
                select vessel, t, max(starts) as starts from (
                    select vessel, t, true as starts from leaves_port union all
                    select vessel, t, false from enters_port) group by all
            )
        ) where changes
    ) where starts
"""
_TRIP_AVERAGE = f"""
    select p.vessel, avg(a.speed) as mean, p.ts, p.te
    from ({_TRIPS}) p join ais a
        on a.vessel = p.vessel and a.t >= p.ts and a.t <= coalesce(p.te, {2**62})
    group by all
"""
_AVERAGE = """
    select vessel, avg(speed) over hour as mean, t from ais
    window hour as (partition by vessel order by t range between 3599 preceding and current row)
"""
_COUNT = """
    select vessel, count(*) over hour as number, t from ais
    window hour as (partition by vessel order by t range between 3599 preceding and current row)
"""
#: A vessel is in the area of its heading until it has another one.
_AT_ONCE = """
    with changes as (
        select vessel, heading, t from (
            select vessel, heading, t, heading is distinct from
                lag(heading) over (partition by vessel order by t) as changes
            from ais
        ) where changes
    ), stays as (
        select heading, t as ts, lead(t) over (partition by vessel order by t) as te from changes
    ), borders as (
        select heading, t, sum(step) as step from (
            select heading, ts as t, 1 as step from stays union all
            select heading, te, -1 from stays where te is not null
        ) group by all
    ), levels as (
        select heading, t, sum(step) over (partition by heading order by t) as level
        from borders where step <> 0
    )
    select heading as area, level::bigint as number, ts, te from (
        select heading, level, t as ts, lead(t) over (partition by heading order by t) as te
        from levels
    ) where level > 0
"""
QUERIES = {"trips": _TRIP_AVERAGE, "mean": _AVERAGE, "reports": _COUNT, "vessels": _AT_ONCE}


def main(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    db = duckdb.connect()
    for name in ("ais", "enters_port", "leaves_port"):
        db.execute(f"create view {name} as select * from '{source / name}.parquet'")
    for name, query in QUERIES.items():
        db.execute(f"copy ({query}) to '{target / name}.parquet' (format parquet)")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
