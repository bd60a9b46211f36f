"""The states of the maritime program by hand for Polars: what our engine is compared with.

python -m tests.benchmarks.polars_states INPUT OUTPUT writes what duckdb_states writes.
"""

import sys
from pathlib import Path

import polars as pl


def ranges(rows: pl.LazyFrame, *keys: str) -> pl.LazyFrame:
    """Instants at which φ or ψ is true, φ winning where both are, become maximal ranges."""
    before = pl.col("starts").shift(1).over(keys)
    return (
        rows.group_by(*keys, "t")
        .agg(pl.col("starts").max())
        .sort(*keys, "t")
        .filter(pl.col("starts").ne_missing(before))
        .with_columns(te=pl.col("t").shift(-1).over(keys))
        .filter("starts")
        .select(*keys, pl.col("t").alias("ts"), "te")
    )


def main(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    ais, enters, leaves = (
        pl.scan_parquet(source / f"{name}.parquet")
        for name in ("ais", "enters_port", "leaves_port")
    )
    lasts = [one.select(pl.col("t").max()) for one in (ais, enters, leaves)]
    q = pl.concat(lasts).max().collect().item()
    stopped = ranges(ais.select("vessel", "t", starts=pl.col("speed") <= 0.5), "vessel")
    moves = pl.concat([
        enters.select("vessel", "port", "t", starts=pl.lit(True)),
        leaves.select("vessel", "port", "t", starts=pl.lit(False)),
    ])  # fmt: skip
    in_port = ranges(moves, "vessel", "port")
    in_range = (
        ais.select("vessel", "t")
        .unique()
        .sort("vessel", "t")
        .with_columns(
            run=(pl.col("t").diff().over("vessel") >= 600).fill_null(True).cum_sum().over("vessel"),
            last=pl.col("t").max().over("vessel"),
        )
        .group_by("vessel", "run")
        .agg(
            ts=pl.col("t").min(),
            te=pl.col("t").max(),
            count=pl.len(),
            last=pl.col("last").first(),
        )
        .filter(pl.col("count") > 1)
        .with_columns(
            te=pl.when((pl.col("te") > q + 1 - 600) & (pl.col("te") == pl.col("last")))
            .then(None)
            .otherwise("te")
        )
        .select("vessel", "ts", "te")
        .collect()
    )
    ends = in_range.lazy().drop_nulls("te").select("vessel", t=pl.col("te"))
    ended = ends.with_columns(ended=pl.lit(True))
    sailing = (
        ais.select("vessel", "t", "speed")
        .join(ended, on=["vessel", "t"], how="left")
        .select("vessel", "t", starts=(pl.col("speed") >= 2.7) & pl.col("ended").is_null())
    )
    stops = ends.with_columns(starts=pl.lit(False))
    underway = ranges(pl.concat([sailing, stops]), "vessel")
    far = pl.lit(2**62)
    made = pl.collect_all([stopped, in_port, underway])
    moored = (
        made[0].lazy()
        .join(made[1].lazy(), on="vessel", suffix="_p")
        .with_columns(pl.col("te").fill_null(far), pl.col("te_p").fill_null(far))
        .filter((pl.col("ts") < pl.col("te_p")) & (pl.col("ts_p") < pl.col("te")))
        .select(
            "vessel",
            "port",
            ts=pl.max_horizontal("ts", "ts_p"),
            te=pl.min_horizontal("te", "te_p"),
        )
        .with_columns(te=pl.when(pl.col("te") < far).then("te"))
        .collect()
    )  # fmt: skip
    found = {"stopped": made[0], "in_port": made[1], "underway": made[2]}
    for name, table in {**found, "in_range": in_range, "moored": moored}.items():
        table.write_parquet(target / f"{name}.parquet")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
