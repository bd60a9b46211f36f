"""`exclusive state`: several values of which at most one holds."""

from collections.abc import Sequence
from dataclasses import dataclass

from phenesthe.kernels.arrays import Array, Event, Intervals
from phenesthe.kernels.events import subtract_events, unite_events
from phenesthe.kernels.ranges import find_ranges_until


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Branch:
    """One value's `start ~> stop [expires] [limit]`; `join` as in `find_ranges_until`."""

    start: Event
    stop: Event | None
    expires: int | None = None
    limit: int | None = None
    join: Array | None = None


def find_exclusive(branches: Sequence[Branch], q: int) -> list[Intervals]:
    """The intervals of each value, in the order of the branches, which is their priority.

    All branches have one coding of keys: the arguments without the value. A value's own φ never
    ends it, so "any other value's φ" may as well be any φ: one union serves all branches.
    """
    anyone = branches[0].start
    starts = [anyone]
    for branch in branches[1:]:
        starts.append(subtract_events(branch.start, anyone))
        anyone = unite_events(anyone, starts[-1])
    found = []
    for start, branch in zip(starts, branches, strict=True):
        stops = [] if branch.stop is None else [(branch.stop, branch.join)]
        stops.append((anyone, None))
        found.append(find_ranges_until(start, stops, q, branch.expires, branch.limit))
    return found
