"""Machines without clocks: which value is held after each moment, without going row by row.

Events are cut into blocks of one length. All blocks go on at once, each from every value that it
could begin with; what they make of these says where each of them really begins.
"""

import numpy as np
import numpy.typing as npt

from phenesthe.kernels.arrays import OPEN, Array, join_columns, number_rows
from phenesthe.kernels.order import mark_new

#: A value of a machine by its number: as narrow as the numbers allow.
Values = npt.NDArray[np.unsignedinteger]
#: A step of all blocks costs as much as so many steps from one block to the next.
_STEPS = 130


def find_held(
    fires: Array, target: Array, key: Array, first: Array, event: Array, begin: Array
) -> tuple[Values, Values]:
    """Before and after each moment; moment i begins with row `first[i]`, rows being sorted.

    `fires[v, e]` is the first transition that leaves value v on event e, or their number.
    """
    steps = _find_steps(fires, target, first, event)
    key = key[first]
    starts = np.flatnonzero(mark_new(key))
    begun = begin[key[starts]]
    # Where a key begins all come to what its own value becomes.
    steps[:, starts] = steps[begun, starts]
    after = _go(steps)
    before = np.empty_like(after)
    before[1:] = after[:-1]
    before[starts] = begun
    return before, after


def _find_steps(fires: Array, target: Array, first: Array, event: Array) -> Values:
    """By value and moment, what is held next."""
    width, never = len(fires), len(target)
    kind = np.min_scalar_type(width)
    steps = np.empty((width, len(first)), dtype=kind)
    is_alone = len(first) == len(event)
    for value in range(width):
        entered = join_columns(target, np.array([value])).astype(kind)
        if is_alone:
            entered[fires[value]].take(event, out=steps[value], mode="clip")
        else:
            # Of several events of a moment the one counts whose transition is listed first.
            chosen = fires[value].astype(np.min_scalar_type(never)).take(event)
            entered.take(np.minimum.reduceat(chosen, first), out=steps[value], mode="clip")
    return steps


def _go(steps: Values) -> Values:
    """What is held after each step, the first of which comes to one value from all."""
    width, count = steps.shape
    length = max(1, int((count / _STEPS) ** 0.5))
    blocks = -(-count // length)
    # By place in the block, block, and value; what fills the last block changes nothing.
    table = np.empty((length, blocks, width), dtype=steps.dtype)
    for value in range(width):
        filled = np.full(blocks * length, value, dtype=steps.dtype)
        filled[:count] = steps[value]
        table[:, :, value] = filled.reshape(blocks, length).T
    flat = table.reshape(length, blocks * width)
    base = number_rows(blocks) * width
    offset = np.repeat(base, width)
    held = np.tile(number_rows(width), blocks)
    for step in flat:
        held = step.take(offset + held)
    value = 0
    begins: list[int] = []
    for made in held.reshape(blocks, width).tolist():
        begins.append(value)
        value = made[value]
    found = np.empty((length, blocks), dtype=steps.dtype)
    one = np.array(begins, dtype=np.int64)
    for at, step in enumerate(flat):
        one = found[at] = step.take(base + one)
    return found.T.reshape(-1)[:count]


def list_stays(
    key: Array, t: Array, before: Values, after: Values, begin: Array, since: Array
) -> tuple[Array, Array, Array, Array]:
    """Key, value, start and end, by key and time; of every key first what it begins with."""
    changed = np.flatnonzero(after != before)
    keys = join_columns(number_rows(len(begin)), key[changed])
    ts = join_columns(since, t[changed])
    # What was not entered yet has no time of its own.
    order = np.argsort(keys, kind="stable")
    keys, ts = keys[order], ts[order]
    value = join_columns(begin, after[changed].astype(np.int64))[order]
    te = np.full(len(ts), OPEN, dtype=np.int64)
    same = keys[1:] == keys[:-1]
    te[:-1][same] = ts[1:][same]
    return keys, value, ts, te
