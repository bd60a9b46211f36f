"""A machine event by event, as plain loops: what numba compiles where it is installed.

It means the same interpreted, hundreds of times as slowly. Nothing here may call a function that
numba does not know.
"""

import numpy as np

from phenesthe.kernels.arrays import Array

_OPEN = np.iinfo(np.int64).max


def follow(
    key: Array,
    t: Array,
    event: Array,
    value: Array,
    since: Array,
    fires: Array,
    target: Array,
    due: Array,
    after: Array,
    q: int,
) -> tuple[Array, int]:
    """The stays as columns of key, value, ts and te, and how many they are.

    `value` and `since` are what each key begins with. The rest is as in `machines.Table`; rows
    come by key, then time.
    """
    never, unentered, rows = len(target), len(due) - 1, len(t)
    size = rows + len(value) + 1
    out = np.empty((4, size), np.int64)
    count, at = 0, 0
    for one in range(len(value)):
        held, begin = value[one], since[one]
        while True:
            wait = due[held]
            deadline = _OPEN
            if wait < _OPEN and (begin <= 0 or wait < _OPEN - begin):
                deadline = begin + wait
            is_event = at < rows and key[at] == one
            now = t[at] if is_event else _OPEN
            if deadline < now and deadline <= q:
                now, following = deadline, after[held]
            elif is_event:
                chosen = never
                while at < rows and key[at] == one and t[at] == now:
                    chosen = min(chosen, fires[held, event[at]])
                    at += 1
                if chosen < never:
                    following = target[chosen]
                elif deadline == now:
                    following = after[held]
                else:
                    continue
                if following == held and wait == _OPEN:
                    continue  # nothing shows, and no clock restarts
            else:
                break
            if held != unentered:
                if count + 1 >= size:
                    size *= 2
                    wider = np.empty((4, size), np.int64)
                    wider[:, :count] = out[:, :count]
                    out = wider
                out[0, count], out[1, count], out[2, count], out[3, count] = one, held, begin, now
                count += 1
            held, begin = following, now
        if held != unentered:
            if count + 1 >= size:
                size *= 2
                wider = np.empty((4, size), np.int64)
                wider[:, :count] = out[:, :count]
                out = wider
            out[0, count], out[1, count], out[2, count], out[3, count] = one, held, begin, _OPEN
            count += 1
    return out, count
