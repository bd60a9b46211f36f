"""The same rows again and again, each time later and about other things."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tests.equivalence.streams import Stream
from tests.equivalence.vocabulary import TIMED
from tests.reference import Row, Scalar

Values: TypeAlias = tuple[Scalar, ...]

#: Far from all numbers that random streams have.
_FRESH = 1_000_000


@dataclass(frozen=True, slots=True)
class Generations:
    """The rows of all generations, and which value belongs to which."""

    inputs: dict[str, list[Row]]
    facts: dict[str, list[Values]]
    homes: Mapping[Scalar, int]
    end: int

    def find(self, values: Iterable[Scalar]) -> int | None:
        """The generation that such a row is of, if it is of one."""
        return next((self.homes[one] for one in values if is_name(one) and one in self.homes), None)


def is_name(value: Scalar) -> bool:
    """What can be called something else: bools are few, and floats are measured."""
    return isinstance(value, str | int) and not isinstance(value, bool)


class Names:
    """What a value is called in each generation; numbers stay in their order."""

    def __init__(self, known: Iterable[Scalar]) -> None:
        numbers = sorted({one for one in known if is_name(one) and isinstance(one, int)})
        self._rank = {one: at for at, one in enumerate(numbers)}
        self.homes: dict[Scalar, int] = {}

    def call(self, value: Scalar, generation: int) -> Scalar:
        if not is_name(value):
            return value
        new = value
        if generation and isinstance(value, str):
            new = f"{value}~{generation}"
        elif generation and isinstance(value, int):
            new = _FRESH + generation * len(self._rank) + self._rank[value]
        self.homes[new] = generation
        return new

    def call_all(self, name: str, values: Values, generation: int) -> Values:
        """The values of a row; a length of time is no name of anything."""
        called = tuple([self.call(value, generation) for value in values])
        return (*called[:-1], values[-1]) if name in TIMED else called


def list_lengths(stream: Stream, names: Collection[str]) -> set[Scalar]:
    """The lengths of time that these inputs and facts have, the same in all generations."""
    wanted = [name for name in TIMED if name in names]
    found = [row[0] for name in wanted for row in stream.inputs.get(name, ())]
    found += [values for name in wanted for values in stream.facts.get(name, ())]
    return {values[-1] for values in found}


def repeat_stream(
    stream: Stream,
    inputs: Sequence[str],
    count: int,
    pause: int,
    lengths: Collection[Scalar] = (),
) -> Generations:
    """`count` generations of these inputs; what would hold on ends with its generation."""
    rows = {name: stream.inputs.get(name, []) for name in inputs}
    times = [
        time for found in rows.values() for row in found for time in row[1:] if time is not None
    ]
    first, last = min(times, default=0), max(times, default=0) + 1
    names = Names(
        [
            *[value for found in rows.values() for row in found for value in row[0]],
            *[value for known in stream.facts.values() for values in known for value in values],
        ]
    )
    repeated: dict[str, list[Row]] = {name: [] for name in inputs}
    facts: dict[str, list[Values]] = {name: [] for name in stream.facts}
    later = 0
    for generation in range(count):
        later = generation * (last - first + 1 + pause)
        for name, found in rows.items():
            for row in found:
                values = names.call_all(name, row[0], generation)
                if len(row) == 2:
                    repeated[name].append((values, row[1] + later))
                else:
                    end = last if row[2] is None else row[2]
                    repeated[name].append((values, row[1] + later, end + later))
        for name, known in stream.facts.items():
            facts[name] += [names.call_all(name, values, generation) for values in known]
    for length in lengths:
        # It is the same in all of them.
        names.homes.pop(length, None)
    return Generations(repeated, facts, names.homes, last + later)
