"""A machine of four values over the million events, beside one `~>` over the union of its rows."""

import os
import time

import pyarrow.parquet as pq

import phenesthe
from phenesthe.kernels.machines import SWITCH
from phenesthe.program import Program
from tests.benchmarks.engine import RUNS, stream

_EVENTS = """
input event ais(vessel: int, speed: float, course: float, heading: float);
event stops(V) : ais(V, S, _, _) and S <= 0.5;
event drifts(V) : ais(V, S, _, _) and S > 0.5 and S <= 2.7;
event sails(V) : ais(V, S, _, _) and S > 2.7 and S <= 9.0;
event races(V) : ais(V, S, _, _) and S > 9.0;
"""
_RANGE = _EVENTS + "state found(V) : (stops(V) or drifts(V)) ~> (sails(V) or races(V));"
_MACHINE = (
    _EVENTS
    + """
machine found(V, How) initially unknown {
    _ -> stopped : stops(V);
    stopped -> drifting : drifts(V);
    drifting -> sailing : sails(V);
    sailing -> racing : races(V);
    racing -> sailing : sails(V);
    sailing -> drifting : drifts(V);
    unknown -> drifting : drifts(V);
}"""
)


def measure_machine() -> float:
    """With numba, which the run before has loaded; the other way is printed beside it."""
    folder, _ = stream(206)
    table = pq.read_table(folder / "ais.parquet")
    programs = {text: phenesthe.compile(text=text) for text in (_RANGE, _MACHINE)}

    def run(text: str, way: str) -> float:
        os.environ[SWITCH] = way
        return _time(programs[text], table)

    try:
        run(_MACHINE, "numba")
        turns = [
            (run(_RANGE, ""), run(_MACHINE, "numba"), run(_MACHINE, "numpy")) for _ in range(RUNS)
        ]
    finally:
        del os.environ[SWITCH]
    plain, quick, slow = (min(turn[at] for turn in turns) for at in range(3))
    print(
        f"{'':11} `~>` {plain:.2f} s, the machine {quick:.2f} s with numba and {slow:.2f} s "
        f"without ({slow / plain:.2f} times)"
    )
    return quick / plain


def _time(program: Program, table: object) -> float:
    """Seconds of processor time: what else the computer does plays no part."""
    began = time.process_time()
    program.run({"ais": table}, only=["found"])
    return time.process_time() - began
