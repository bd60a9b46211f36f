"""All definitions of the maritime program beside its five states by hand, for the fastest peer.

Processor time of whole processes, Parquet in and out, in turns; the states must be the same rows.
"""

from collections import defaultdict

import pyarrow.parquet as pq

from tests.benchmarks.engine import RUNS, WORK, run_command, run_process, stream

PEERS = ("duckdb", "polars", "pandas")
STATES = ("stopped", "in_port", "in_range", "underway", "moored")


def measure_peers() -> float:
    folder, _ = stream(206)
    seconds: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(RUNS):
        for peer in PEERS:
            made = _time(f"tests.benchmarks.{peer}_states", str(folder), str(WORK / peer))
            seconds[peer].append(made)
        seconds["all"].append(_time(*run_command(folder, target="all")))
        seconds["five states"].append(_time(*run_command(folder, *STATES, target="five")))
    best = {name: min(found) for name, found in seconds.items()}
    for state in STATES:
        own = _read("five", state)
        assert own, f"{state} has no rows"
        for peer in PEERS:
            assert _read(peer, state) == own, f"{peer} finds other rows of {state}"
    told = ", ".join(f"{name} {found:.2f} s" for name, found in best.items())
    print(f"{'':11} processor time: {told}")
    return best["all"] / min(best[peer] for peer in PEERS)


def _time(*command: str) -> float:
    usage = run_process(*command)
    return usage.ru_utime + usage.ru_stime


def _read(folder: str, state: str) -> list[tuple[object, ...]]:
    table = pq.read_table(WORK / folder / f"{state}.parquet")
    rows = zip(*[column.to_pylist() for column in table.columns], strict=True)
    return sorted(rows, key=repr)
