"""The states of the maritime program by hand for pandas: what our engine is compared with.

python -m tests.benchmarks.pandas_states INPUT OUTPUT writes what duckdb_states writes.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd


def ranges(rows: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """Instants at which φ or ψ is true, φ winning where both are, become maximal ranges."""
    by = list(keys)
    rows = rows.sort_values([*by, "t"], kind="stable")
    same = (rows[[*by, "t"]] == rows[[*by, "t"]].shift(1)).all(axis=1)
    if same.any():
        rows = rows.groupby([*by, "t"], sort=True, as_index=False)["starts"].max()
    new = (rows[by] != rows[by].shift(1)).any(axis=1)
    rows = rows[new | (rows["starts"] != rows["starts"].shift(1))]
    ended = (rows[by] == rows[by].shift(-1)).all(axis=1)
    rows = rows.assign(te=rows["t"].shift(-1).where(ended).astype("Int64"))
    return rows[rows["starts"]].rename(columns={"t": "ts"})[[*by, "ts", "te"]]


def main(source: Path, target: Path) -> None:
    target.mkdir(parents=True, exist_ok=True)
    ais = pd.read_parquet(source / "ais.parquet", columns=["vessel", "speed", "t"])
    enters, leaves = (
        pd.read_parquet(source / f"{name}.parquet") for name in ("enters_port", "leaves_port")
    )
    q = max(int(one["t"].max()) for one in (ais, enters, leaves) if len(one))
    reports = ais.assign(starts=ais["speed"] <= 0.5)[["vessel", "t", "starts"]]
    found = {"stopped": ranges(reports, "vessel")}
    moves = pd.concat([enters.assign(starts=True), leaves.assign(starts=False)])
    found["in_port"] = ranges(moves[["vessel", "port", "t", "starts"]], "vessel", "port")

    seen = ais[["vessel", "t"]].drop_duplicates().sort_values(["vessel", "t"])
    same = seen["vessel"] == seen["vessel"].shift(1)
    run = (~(same & (seen["t"] - seen["t"].shift(1) < 600))).cumsum()
    runs = seen.groupby(run).agg(
        vessel=("vessel", "first"), ts=("t", "min"), te=("t", "max"), count=("t", "size")
    )
    is_last = runs["vessel"] != runs["vessel"].shift(-1)
    runs["te"] = runs["te"].astype("Int64").mask(is_last & (runs["te"] > q + 1 - 600))
    in_range = runs[runs["count"] > 1][["vessel", "ts", "te"]]
    found["in_range"] = in_range

    ends = in_range.dropna(subset="te")[["vessel", "te"]].rename(columns={"te": "t"})
    ends = ends.astype({"t": "int64"})
    ended = ais[["vessel", "t"]].merge(ends.assign(ended=True), how="left", on=["vessel", "t"])
    sailing = (ais["speed"] >= 2.7).to_numpy() & ended["ended"].isna().to_numpy()
    moments = pd.concat([
        ais[["vessel", "t"]].assign(starts=sailing), ends.assign(starts=False)
    ])  # fmt: skip
    found["underway"] = ranges(moments, "vessel")

    far = 2**62
    both = found["stopped"].merge(found["in_port"], on="vessel", suffixes=("", "_p"))
    te, te_p = (both[name].fillna(far).astype("int64") for name in ("te", "te_p"))
    kept = (both["ts"] < te_p) & (both["ts_p"] < te)
    end = pd.Series(np.minimum(te, te_p), index=both.index)
    moored = both.assign(
        ts=np.maximum(both["ts"], both["ts_p"]), te=end.astype("Int64").mask(end == far)
    )
    found["moored"] = moored[kept][["vessel", "port", "ts", "te"]]
    for name, table in found.items():
        table.to_parquet(target / f"{name}.parquet", index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
