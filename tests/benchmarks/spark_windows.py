"""The states of the maritime program by hand in Spark SQL: what one would write without us.

Maximal ranges are gaps and islands over window functions. Each state is written to Parquet and read
back by those that build on it; an open end is null, as with us.
"""

from pathlib import Path

from pyspark.sql import SparkSession

OPEN = 2**62

#: Instants at which φ or ψ is true, φ winning where both are, become maximal ranges.
_RANGES = """
    select {names}, t as ts, te from (
        select {keys}, t, starts, lead(t) over (partition by {keys} order by t) as te
        from (
            select {keys}, t, starts, not starts <=>
                lag(starts) over (partition by {keys} order by t) as changes
            from ({instants})
        ) where changes
    ) where starts
"""

_STOPPED = "select vessel, t, max(speed <= 0.5) as starts from ais group by vessel, t"

_IN_PORT = """
    select vessel, port, t, max(starts) as starts from (
        select vessel, port, t, true as starts from enters_port
        union all select vessel, port, t, false from leaves_port
    ) group by vessel, port, t
"""

#: `last` tells the run that the next report may still continue.
_IN_RANGE = """
    select vessel as V, min(t) as ts,
        if(max(t) > {q} + 1 - 600 and max(t) = last, null, max(t)) as te
    from (
        select vessel, t, sum(breaks) over (partition by vessel order by t) as run,
            max(t) over (partition by vessel) as last
        from (
            select vessel, t, if(t - lag(t) over (partition by vessel order by t) < 600, 0, 1)
                as breaks
            from (select distinct vessel, t from ais)
        )
    ) group by vessel, run, last having count(*) > 1
"""

_UNDERWAY = """
    select vessel, t, max(fast) and not max(ends) as starts from (
        select vessel, t, speed >= 2.7 as fast, false as ends from ais
        union all select V, te, false, true from in_range where te is not null
    ) group by vessel, t
"""

_MOORED = f"""
    select s.V, P, greatest(s.ts, p.ts) as ts,
        nullif(least(coalesce(s.te, {OPEN}), coalesce(p.te, {OPEN})), {OPEN}) as te
    from stopped s join in_port p on s.V = p.V
        and s.ts < coalesce(p.te, {OPEN}) and p.ts < coalesce(s.te, {OPEN})
"""

#: A voyage is the last one under way before a mooring, if it ended after the one in the same port
#: began. It belongs to the last departure from each port after the voyage before it to that port.
_TRIP = """
    with arrival as (
        select V, P as PB, ts as t, lag(ts) over (partition by V, P order by ts) as previous
        from moored
    ), met as (
        select V, PB, t, previous, is_arrival,
            last(if(is_arrival, null, struct(te, ts)), true) over (
                partition by V order by t, is_arrival desc
                rows between unbounded preceding and 1 preceding) as before
        from (
            select V, PB, t, previous, null as ts, null as te, true as is_arrival from arrival
            union all
            select V, null, te, null, ts, te, false from underway where te is not null
        )
    ), voyage as (
        select V, PB, before.ts as ts, t as te,
            lag(before.ts) over (partition by V, PB order by before.ts) as previous
        from met
        where is_arrival and before is not null and (previous is null or previous <= before.te)
    )
    select v.V, m.P as PA, v.PB, max(m.te) as ts, v.te
    from voyage v join moored m
        on v.V = m.V and m.te < v.ts and m.te >= coalesce(v.previous, m.te)
    group by v.V, m.P, v.PB, v.ts, v.te
"""


def run_windows(spark: SparkSession, folder: Path, target: Path) -> None:
    """Write one table per state, and the trips."""
    for name in ("ais", "enters_port", "leaves_port"):
        spark.read.parquet(str(folder / f"{name}.parquet")).createOrReplaceTempView(name)
    (q,) = spark.sql(
        "select max(t) from (select t from ais union all select t from enters_port "
        "union all select t from leaves_port)"
    ).collect()[0]

    def write(name: str, query: str) -> None:
        spark.sql(query).write.mode("overwrite").parquet(str(target / name))
        spark.read.parquet(str(target / name)).createOrReplaceTempView(name)

    write("stopped", _ranges("vessel", "vessel as V", _STOPPED))
    write("in_port", _ranges("vessel, port", "vessel as V, port as P", _IN_PORT))
    write("in_range", _IN_RANGE.format(q=q))
    write("underway", _ranges("vessel", "vessel as V", _UNDERWAY))
    write("moored", _MOORED)
    write("trip", _TRIP)


def _ranges(keys: str, names: str, instants: str) -> str:
    return _RANGES.format(keys=keys, names=names, instants=instants)
