"""What inserts, retractions and ends mean for the rows they name.

Batch runs, working memories, Spark's workers and tests number their rows as they need, rows that
are the same by one number, and ask here.
"""

import numpy as np

from phenesthe.io.columns import Mask, Numbers


def apply_in_order(
    identity: Numbers,
    retract: Mask,
    present: Numbers | None = None,
    order: Numbers | None = None,
) -> tuple[Mask, Numbers, Mask]:
    """Operations one after the other on rows known by their identity; `present` are there before.

    Gives the retractions of what is not there, the identities that were named, and which of these
    are there in the end. An insert of what is there, or a retraction of nothing, changes nothing.
    `order` is by identity, then by when they apply, unless they stand in the latter.
    """
    if order is None:
        order = np.argsort(identity, kind="stable")
    named, taken = identity[order], retract[order]
    first = np.ones(len(named), dtype=np.bool_)
    first[1:] = named[1:] != named[:-1]
    was_there = np.zeros(len(named), dtype=np.bool_)
    if present is not None:
        was_there = np.isin(named, present)
    was_there[~first] = ~taken[:-1][~first[1:]]
    of_nothing = np.zeros(len(identity), dtype=np.bool_)
    of_nothing[order] = taken & ~was_there
    last = np.roll(first, -1)
    last[-1:] = True
    return of_nothing, named[last], ~taken[last]


def mark_closed(group: Numbers, is_open: Mask) -> Mask:
    """Still-holding rows of which the end is known: one of their group has one.

    A group has the same arguments and start.
    """
    closed: Mask = is_open & np.isin(group, group[~is_open])
    return closed
