"""Random streams: few instants and few bindings, so that times coincide, touch and overlap."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from phenesthe.syntax.tree import Kind
from phenesthe.vocabulary import ValueType
from tests.equivalence.calendars import choose_offset
from tests.equivalence.vocabulary import FACTS, INPUTS, LENGTHS, ODD_LENGTHS, TIMED, VALUES, Named
from tests.reference import Row, Scalar

#: How far from zero time begins; the great ones leave room for sums within 64 bits.
_OFFSETS = (*(0,) * 12, -15, -15, -1_000_000, 1_700_000_000, 2**40, -(2**40), 2**61, -(2**61))
_LENGTH = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """Rows by input and by fact, the query time and the beginning of the timeline."""

    inputs: dict[str, list[Row]] = field(default_factory=dict)
    facts: dict[str, list[tuple[Scalar, ...]]] = field(default_factory=dict)
    until: int | None = None
    start: int | None = None
    #: What the run says of parameters.
    params: dict[str, Scalar] = field(default_factory=dict)


def make_stream(random: Random, text: str = "") -> Stream:
    """`text` is the program, whose calendar states say when something can be found."""
    offset = choose_offset(text, random)
    if offset is None:
        offset = random.choice(_OFFSETS)
    # NaN and the infinities are rare: a NaN makes most conditions false.
    values = {**VALUES, "int": VALUES["int"][: random.choice((1, 2, 2, 3))]}
    if random.random() < 0.06:
        # Too near each other for a float to tell them apart, too great to be multiplied in 64 bits.
        values["int"] = (2**53, 2**53 + 1, 2**63 - 1, -(2**63))
    if random.random() < 0.7:
        values["float"] = values["float"][: random.choice((1, 2, 3))]
    pattern = Pattern(random)
    inputs: dict[str, list[Row]] = {}
    for kind, known in INPUTS.items():
        for named in known:
            rows = [
                _shift(row, offset)
                for arguments in _choose_bindings(random, named, values)
                for row in pattern.make_rows(kind, arguments)
            ]
            if rows and random.random() < 0.3:
                rows += random.choices(rows, k=3)
            random.shuffle(rows)
            if random.random() < 0.98:
                inputs[named.name] = rows
    facts = {fact.name: list(_choose_bindings(random, fact, values)) for fact in FACTS}
    if random.random() < 0.3:
        facts["enabled"] = []
    for rows_of_fact in facts.values():
        rows_of_fact += rows_of_fact[:1]
    if random.random() < 0.01:
        inputs = {}
    first = min((row[1] for rows in inputs.values() for row in rows), default=offset)
    return Stream(
        inputs=inputs,
        facts=facts,
        until=None if random.random() < 0.7 else offset + random.randint(-2, _LENGTH + 10),
        start=choose_start(random, first),
    )


def choose_start(random: Random, first: int) -> int | None:
    """Seldom before all rows, sometimes among them: events then lie outside the timeline."""
    match random.randrange(8):
        case 0:
            return first - random.randint(0, 5)
        case 1 | 2:
            return first + random.randint(1, _LENGTH // 2)
        case _:
            return None


def starts_late(stream: Stream) -> bool:
    """Whether some of its rows lie before its start."""
    rows = [row for found in stream.inputs.values() for row in found]
    return stream.start is not None and any(row[1] < stream.start for row in rows)


class Pattern:
    """A few intervals and instants that all phenomena of a stream take theirs from.

    So equal, touching, nested and overlapping ones are common; one in ten is out of the pattern.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        grid = range(0, _LENGTH, random.choice((3, 4, 5)))
        self.intervals: list[tuple[int, int]] = []
        for a in random.sample(grid, k=min(len(grid), random.choice((3, 4, 5, 6)))):
            step = grid.step
            self.intervals += random.sample(
                [(a, a + step), (a, a + 2 * step), (a + 1, a + step - 1), (a - 1, a + step),
                 (a + step - 1, a + step + 1), (a, a + 1)],
                k=2,
            )  # fmt: skip
        ends = [t for interval in self.intervals for t in interval]
        self.instants = sorted({*ends, *(t + 1 for t in ends[:4]), *(t - 1 for t in ends[-4:])})
        self.share = random.choice((0.3, 0.45, 0.6, 0.8))

    def make_rows(self, kind: Kind, arguments: tuple[Scalar, ...]) -> Iterator[Row]:
        random = self.random
        if kind == "event":
            for t in self.instants:
                if random.random() < self.share:
                    yield (arguments, t if random.random() < 0.9 else random.randrange(_LENGTH))
            return
        for ts, te in self.intervals:
            if random.random() >= self.share * 0.8:
                continue
            if random.random() < 0.1:
                ts, te = ts + random.randint(-2, 2), te + random.randint(3, 6)
            yield (arguments, ts, None if random.random() < 0.07 else te)


def _choose_bindings(
    random: Random, named: Named, values: Mapping[ValueType, tuple[Scalar, ...]]
) -> Iterator[tuple[Scalar, ...]]:
    found: set[tuple[Scalar, ...]] = set()
    for _ in range(random.choice((3, 4, 6)) if named.types else 1):
        row = tuple(random.choice(values[one]) for one in named.types)
        if named.name in TIMED:
            lengths = ODD_LENGTHS if random.random() < 0.1 else LENGTHS
            row = (*row[:-1], random.choice(lengths))
        if row not in found:
            found.add(row)
            yield row


def _shift(row: Row, offset: int) -> Row:
    if len(row) == 2:
        return (row[0], row[1] + offset)
    return (row[0], row[1] + offset, None if row[2] is None else row[2] + offset)
