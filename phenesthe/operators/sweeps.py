"""In which order to look at the pairs of a condition, so that few need to be looked at.

`abs(S - prev(S)) < 6` holds, for one previous row, of the rows whose S lies between two values.
With the rows of an instant sorted by S these are neighbours, and a binary search that asks the
condition itself finds the first of them. The same goes for every condition whose parts come true,
or cease to be, as one value of one side rises: that value is the key of the sweep.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import islice

from phenesthe.frozen import dataclass
from phenesthe.graph.formulas import And, Column, Comparison, Exists, Formula, Not, Or, Value
from phenesthe.operators.monotone import find_truth, list_columns, list_parts, take_apart

#: So many keys are tried at most.
_MOST_KEYS = 8


@dataclass(frozen=True, slots=True)
class Way:
    """One way to satisfy a condition: all of these, and perhaps more.

    What is `rising` holds from some key on, what is `falling` up to some.
    """

    rising: tuple[Comparison, ...]
    falling: tuple[Comparison, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class Sweep:
    """`is_previous`: the key is a value of the previous row."""

    key: Value
    is_previous: bool
    ways: tuple[Way, ...]


def find_sweeps(
    condition: Formula, shared: Collection[str], known: Collection[str]
) -> list[Sweep] | None:
    """Those that find together what satisfies, one for each alternative if there are several.

    `shared` are the variables that are the same in both rows, `known` all that rows have.
    """
    found: list[Sweep] = []
    for one in condition.operands if isinstance(condition, Or) else (condition,):
        sweep = _find_sweep(one, shared, known)
        if sweep is None:
            return None
        found.append(sweep)
    return found


def _find_sweep(
    condition: Formula, shared: Collection[str], known: Collection[str]
) -> Sweep | None:
    found: list[Sweep] = []
    for key, is_previous in islice(_list_keys(condition, shared, known), _MOST_KEYS):

        def varies(column: Column, is_previous: bool = is_previous) -> bool:
            is_own = column.is_previous == is_previous and column.name not in shared
            return is_own or column.name not in known

        ways = tuple([_sort(way, key, varies) for way in take_apart(condition, key, varies)])
        if all(way.rising or way.falling for way in ways):
            found.append(Sweep(key, is_previous, ways))
    return min(found, key=_count_more, default=None)


def _count_more(sweep: Sweep) -> int:
    return sum([way.has_more for way in sweep.ways])


def _sort(parts: Sequence[Formula], key: Value, varies: Callable[[Column], bool]) -> Way:
    rising: list[Comparison] = []
    falling: list[Comparison] = []
    for part in parts:
        truth = find_truth(part, key, varies) if isinstance(part, Comparison) else None
        if truth is not None:
            assert isinstance(part, Comparison)
            (falling if truth < 0 else rising).append(part)
    return Way(tuple(rising), tuple(falling), len(rising) + len(falling) < len(parts))


def _list_keys(
    node: Formula | Value, shared: Collection[str], known: Collection[str]
) -> Iterator[tuple[Value, bool]]:
    """Values of one side in the comparisons of a condition, each with its side and once."""
    seen: set[tuple[Value, bool]] = set()
    for value in _list_values(node):
        columns = [one for one in list_columns(value) if one.name not in shared]
        sides = {one.is_previous for one in columns}
        if len(sides) == 1 and all(one.name in known for one in columns):
            found = value, sides.pop()
            if found not in seen:
                seen.add(found)
                yield found


def _list_values(node: Formula | Value) -> Iterator[Value]:
    match node:
        case And() | Or():
            for part in node.operands:
                yield from _list_values(part)
        case Not() | Exists():
            yield from _list_values(node.operand)
        case Comparison():
            for value in (node.left, node.right):
                yield from list_parts(value)
        case _:
            pass
