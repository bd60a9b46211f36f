"""Random cases for Spark by their number: cut in every way, stored in every form, often empty."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.plan.stages import find_stages
from tests.equivalence.compare import find_local
from tests.equivalence.late import WindowedCase, make_windowed
from tests.equivalence.overrides import compile_with
from tests.equivalence.plans import WISHES, make_case
from tests.equivalence.streams import Stream, make_stream
from tests.equivalence.vocabulary import declare
from tests.reference import Row, Scalar
from tests.reference.windowed import Operation
from tests.spark.stored import FORMS, Form

PARTITIONS = (1, 2, 7)
_SIGNS = ("<", "<=", ">", ">=", "==", "!=")
_LIMITS = ("0", "0.0", "-0.0", "1.5", "-1.5")
_ATOMS = ("0.0", "1.5", "-1.5")
_FLOATS = (0.0, -0.0, 0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1.5, -1.5, 5e-324)
_SPAN = 12
_TRIES = 5

#: What holds where nothing is: in one place, by a key, by pairs, and in several stages.
_QUIET = (
    "state quiet() : not tick() ~> tick();",
    "state quiet() : not seen(_) ~> seen(_);",
    "state quiet(V) : (member(V) and not seen(_)) ~> seen(V);",
    "state quiet(V) : (member(V) and not seen(V)) ~> seen(V);",
    "state quiet(V, W) : (pair(V, W) and not calls(V, W)) ~> calls(V, W);",
    "state quiet(V, W) : (pair(V, W) and not seen(V)) ~> calls(V, W);",
    "state quiet(V, P) : ((home(V, P) and not enters(V, P)) ~> enters(V, P)) complement busy(V);",
    "event loud(V) : seen(V) and V > 2; state quiet() : not loud(_) ~> loud(_);",
    "state still(V) : (member(V) and not seen(V)) ~> seen(V); event loud(V) : seen(V) in still(V);"
    "state quiet() : not loud(_) ~> loud(_); event late(V) : seen(V) in quiet();"
    "state calm(V) : (member(V) and not late(_)) ~> late(V);",
    "dynamic far(V, W) : busy(V) before calls(V, W); state quiet(V) : (member(V) and not"
    " (seen(V) in busy(_))) ~> seen(V); state calm() : not start(quiet(_)) ~> seen(_);",
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A program over a stream; `seen` says what is special about it."""

    text: str
    program: CheckedProgram
    stream: Stream
    form: Form
    #: Whether workers read it, as they read what is large.
    is_large: bool
    seen: tuple[str, ...]


def draw_run(number: int) -> Drawn:
    random = Random(f"spark {number}")
    sort = ("cut", "quiet", "cut", "zeros")[number % 4]
    match sort:
        case "quiet":
            body = _QUIET[number // 4 % len(_QUIET)]
            text, stream, emptied = declare(body) + body, make_stream(random), draw_empty(random)
        case "zeros":
            emptied = "full"
            for _ in range(_TRIES):
                text, stream = _draw_zeros(number // 4, random)
                if find_local(phenesthe.compile(text=text).checked, stream)["found"]:
                    break
        case _:
            case, _ = make_case(number)
            text, stream = case.text, case.stream
            emptied = "full" if random.random() < 0.75 else draw_empty(random)
    program = compile_with(text, stream.params).checked
    stream = _EMPTY[emptied](stream, program, random)
    form = FORMS[number // 4 % len(FORMS)]
    if sort == "zeros" and random.random() < 0.6:
        # Only Parquet has filters.
        form = random.choice(("parquet", "parquet parts"))
    seen = (sort, f"inputs {emptied}", f"stored as {form}", *describe(program))
    return Drawn(text, program, stream, form, random.random() < 0.3, seen)


def draw_replay(number: int) -> tuple[Drawn, WindowedCase]:
    """The same with rows that come late and too late, and are taken back."""
    drawn = draw_run(number)
    random = Random(f"spark replay {number}")
    case = make_windowed(drawn.text, drawn.program, drawn.stream, random)
    # What is never taken back is read and judged in other ways.
    keeps_all = random.random() < 0.5
    for name, operations in case.operations.items():
        if keeps_all:
            operations = [one for one in operations if not one.retract]
            case.operations[name] = operations
        if operations and random.random() < 0.6:
            chosen = random.choices(operations, k=random.choice((1, 1, 3)))
            late = case.window + case.step
            case.operations[name] = operations + [
                Operation(one.row, arrival=one.row[1] + late + random.randint(0, 5))
                for one in chosen
            ]
    return drawn, case


def describe(program: CheckedProgram) -> list[str]:
    """How the program is cut."""
    stages = find_stages(program)
    found = [wish.__name__.replace("_", " ") for wish in WISHES if wish(program)]
    if any(stage.is_global for stage in stages):
        found.append("has a stage in one place")
    return found


def draw_empty(random: Random) -> str:
    return random.choice([one for one in _EMPTY if one != "full"])


def _keep(stream: Stream, _program: CheckedProgram, _random: Random) -> Stream:
    return stream


def _empty_some(stream: Stream, program: CheckedProgram, random: Random) -> Stream:
    names = [one.name for one in program.inputs]
    emptied = set(random.sample(names, k=(len(names) + 1) // 2))
    inputs = {name: [] if name in emptied else rows for name, rows in stream.inputs.items()}
    return _bound(stream, inputs)


def _leave_some_out(stream: Stream, program: CheckedProgram, random: Random) -> Stream:
    names = [one.name for one in program.inputs]
    absent = set(random.sample(names, k=(len(names) + 1) // 2))
    inputs = {name: rows for name, rows in stream.inputs.items() if name not in absent}
    return _bound(stream, inputs)


def _come_after(stream: Stream, _program: CheckedProgram, _random: Random) -> Stream:
    first = _find_first(stream.inputs)
    return replace(stream, start=first - _SPAN, until=first - 1)


def _empty_all(stream: Stream, _program: CheckedProgram, _random: Random) -> Stream:
    first = _find_first(stream.inputs)
    return replace(stream, inputs={}, start=first - 1, until=first + _SPAN)


_EMPTY: dict[str, Callable[[Stream, CheckedProgram, Random], Stream]] = {
    "full": _keep,
    "partly empty": _empty_some,
    "partly absent": _leave_some_out,
    "all after q": _come_after,
    "all empty": _empty_all,
}


def _find_first(inputs: dict[str, list[Row]]) -> int:
    return min((row[1] for rows in inputs.values() for row in rows), default=0)


def _bound(stream: Stream, inputs: dict[str, list[Row]]) -> Stream:
    """With a timeline of its own, since there may be no row to give one."""
    first = _find_first(stream.inputs)
    return replace(stream, inputs=inputs, start=first - 1, until=first + _SPAN)


def _draw_zeros(number: int, random: Random) -> tuple[str, Stream]:
    """One use of a float, so that it is what Spark takes to the files.

    By the number every comparison is made with every limit.
    """
    sign, limit = _SIGNS[number % len(_SIGNS)], _LIMITS[number // len(_SIGNS) % len(_LIMITS)]
    other = f"G {random.choice(_SIGNS)} {random.choice(_LIMITS)}"
    test = f"F {sign} {limit}"
    tests = (
        f"event found(V) : level(V, F, _) and {test};",
        f"event found(V) : level(V, F, B) and {test} and B == true;",
        f"state found(V) : (level(V, F, _) and {test}) ~> (level(V, G, _) and {other});",
        f"state found(V, F) : heat(V, F) where {test};",
        f"state found(V) : heat(V, F) where {test} and weight(V, F);",
    )
    atom = random.choice(_ATOMS)
    atoms = (
        f"event found(V) : level(V, {atom}, _);",
        f"event found(V) : seen(V) and not level(V, {atom}, _);",
    )
    body = random.choice(atoms if random.random() < 0.2 else tests)
    floats = random.sample(_FLOATS, k=random.choice((1, 2, 4, 8)))

    def draw_rows(types: str, count: int) -> list[tuple[Scalar, ...]]:
        values: dict[str, tuple[Scalar, ...]] = {
            "i": (1, 2, 3), "f": tuple(floats), "b": (True, False),
        }  # fmt: skip
        return [tuple(random.choice(values[one]) for one in types) for _ in range(count)]

    levels: list[Row] = [(row, random.randrange(20)) for row in draw_rows("ifb", 8)]
    seen: list[Row] = [(row, random.randrange(20)) for row in draw_rows("i", 8)]
    heats: list[Row] = []
    for row in draw_rows("if", 6):
        ts = random.randrange(15)
        heats.append((row, ts, random.choice((None, ts + 3, ts + 5))))
    facts = {"weight": draw_rows("if", 4)}
    inputs = {"level": levels, "seen": seen, "heat": heats}
    return declare(body) + body, Stream(inputs=inputs, facts=facts)
