"""Machines: all ways to find their stays, beside one that goes from tick to tick."""

from random import Random

import numpy as np
import pytest

from phenesthe.kernels import machine_blocks, machines
from phenesthe.kernels.arrays import OPEN, Array
from phenesthe.kernels.machine_steps import follow
from phenesthe.kernels.machines import SWITCH, Begin, Table, Transition, find_stays, make_table

#: key, value, from, to.
Stay = tuple[int, int, int, int]
#: key, time, event.
Happening = tuple[int, int, int]


class Drawn:
    """A random machine over a random stream; some keys begin with a value."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self.count = random.randint(1, 4)
        self.events = random.randint(1, 4)
        values = range(self.count)
        self.transitions = []
        for _ in range(random.randint(1, 7)):
            source = random.choice((None, *values))
            target = random.choice((None, *values, *values))
            timed = random.random() < 0.35
            after = random.choice((1, 2, 3, 5, 9, 2**63 - 1)) if timed else None
            event = None if timed else random.randrange(self.events)
            self.transitions.append(Transition(source, target, event, after))
        self.keys, self.first = random.randint(1, 3), random.choice((0, 0, -20, -60))
        self.q = self.first + random.randint(5, 40)
        drawn = {
            (
                random.randrange(self.keys),
                random.randint(self.first, self.q),
                random.randrange(self.events),
            )
            for _ in range(random.randint(0, 30))
        }
        self.rows = sorted(drawn)
        random.shuffle(self.rows)
        self.begins = {
            key: (random.randrange(self.count), self.first + random.randint(-9, -1))
            for key in range(self.keys)
            if random.random() < 0.4
        }

    @property
    def table(self) -> Table:
        return make_table(self.count, self.transitions, self.events)

    def list_columns(self) -> tuple[Array, Array, Array]:
        table = np.array(self.rows, dtype=np.int64).reshape(-1, 3)
        return table[:, 0].copy(), table[:, 1].copy(), table[:, 2].copy()

    def make_begin(self) -> Begin:
        given = [self.begins.get(key, (self.count, 0)) for key in range(self.keys)]
        value, since = np.array(given, dtype=np.int64).T
        return Begin(value.copy(), since.copy())

    def find(self) -> set[Stay]:
        stays = find_stays(self.table, *self.list_columns(), self.make_begin(), self.q)
        columns = (stays.key, stays.value, stays.ts, stays.te)
        found = list(zip(*[column.tolist() for column in columns], strict=True))
        assert found == sorted(found, key=lambda one: (one[0], one[2]))
        return merge(found)


def merge(stays: list[Stay]) -> set[Stay]:
    """Where a value is entered again it holds on."""
    found: list[Stay] = []
    for key, value, ts, te in stays:
        if found and found[-1][:2] == (key, value) and found[-1][3] == ts:
            found[-1] = (key, value, found[-1][2], te)
        else:
            found.append((key, value, ts, te))
    return set(found)


def tick(drawn: Drawn) -> set[Stay]:
    found: list[Stay] = []
    for key in range(drawn.keys):
        held, since = drawn.begins.get(key, (None, None))
        for t in range(drawn.first if since is None else since + 1, drawn.q + 1):
            fired = choose(drawn, (key, t), held, since)
            if fired is None:
                continue
            if held is not None and since is not None:
                found.append((key, held, since, t))
            held, since = fired.target, None if fired.target is None else t
        if held is not None and since is not None:
            found.append((key, held, since, OPEN))
    return merge(found)


def choose(
    drawn: Drawn, place: tuple[int, int], held: int | None, since: int | None
) -> Transition | None:
    """The transition that fires at an instant of a key, if one does."""
    key, t = place
    leaving = [
        one
        for one in drawn.transitions
        if one.source is None or one.source == (0 if held is None else held)
    ]
    for one in leaving:
        if one.event is not None and (key, t, one.event) in drawn.rows:
            return one
    for one in leaving:
        if one.after is not None and since is not None and t - since == one.after:
            return one
    return None


@pytest.mark.parametrize("way", ["numpy", "long blocks", "numba", "interpreted"])
def test_random_machines(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "long blocks":
        # As of many rows: several blocks of several steps.
        monkeypatch.setattr(machine_blocks, "_STEPS", 1)
    if way == "interpreted":
        monkeypatch.setattr(machines, "load_numba", lambda: follow)
    elif way == "numba":
        pytest.importorskip("numba", reason="an optional package")
    monkeypatch.setenv(SWITCH, "numpy" if way in ("numpy", "long blocks") else "numba")
    filled, without_clock = 0, 0
    for seed in range(400):
        drawn = Drawn(seed)
        expected = tick(drawn)
        assert drawn.find() == expected, seed
        filled += bool(expected)
        without_clock += bool(expected) and bool((drawn.table.due == OPEN).all())
    assert filled > 250
    assert without_clock > 80


def test_few_rows_do_without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.setattr(machines, "load_numba", lambda: pytest.fail("loaded"))
    assert Drawn(1).find() == tick(Drawn(1))


def test_without_numba_there_is_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "numba")
    monkeypatch.setattr(machines, "load_numba", lambda: None)
    assert Drawn(1).find() == tick(Drawn(1))


def test_times_at_the_ends_of_64_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also how long a value waits: what would end beyond all time does not end.

    The first ends by itself two ticks before the event.
    """
    table = make_table(1, [Transition(0, 0, 0, None), Transition(0, None, None, 2**63 - 2)], 1)
    key, event = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
    t = np.array([-(2**62), 2**62], dtype=np.int64)
    monkeypatch.setattr(machines, "load_numba", lambda: follow)
    for way in ("numpy", "numba"):
        monkeypatch.setenv(SWITCH, way)
        begin = Begin(np.ones(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
        stays = find_stays(table, key, t, event, begin, 2**62)
        assert (stays.ts.tolist(), stays.te.tolist()) == (t.tolist(), [2**62 - 2, OPEN])
