"""A day of traffic: scripts in turn until there are enough vessels."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from examples.maritime.fleet import Deed, Vessel
from examples.maritime.meetings import board_pilots, meet_at_sea, tow
from examples.maritime.stage import HOUR, Stage
from examples.maritime.truth import list_truth
from examples.maritime.voyages import (
    fish,
    linger,
    pass_by,
    search,
    shuttle,
    speed_along_coast,
    stay,
    trade,
)

Script = Callable[[Stage, np.random.Generator], None]

#: Every activity comes once among the first 30 vessels; a larger fleet begins again from the top.
SCRIPTS: tuple[Script, ...] = (
    partial(trade, kind="cargo"),
    fish,
    tow,
    partial(meet_at_sea, dark=True),
    board_pilots,
    partial(fish, closed=True),
    partial(pass_by, kind="cargo", drifts=True),
    linger,
    search,
    shuttle,
    partial(trade, kind="tanker", silent="far"),
    partial(trade, kind="cargo", silent="near"),
    speed_along_coast,
    partial(meet_at_sea, dark=False),
    partial(pass_by, kind="tanker"),
    partial(stay, kind="pleasure"),
    partial(fish, closed=True, hides=True),
    partial(trade, kind="tanker"),
    partial(stay, kind="cargo"),
    fish,
    partial(trade, kind="cargo"),
    partial(pass_by, kind="cargo"),
)
FEWEST_VESSELS = 30
SHORTEST = 18 * HOUR


@dataclass(frozen=True, slots=True)
class Traffic:
    vessels: tuple[Vessel, ...]
    truth: tuple[Deed, ...]


def simulate(seed: int, seconds: int, vessels: int) -> Traffic:
    """Traffic of at least so many vessels, the same for the same seed whatever the noise."""
    stage = Stage(seconds)
    turn = 0
    while len(stage.vessels) < vessels:
        SCRIPTS[turn % len(SCRIPTS)](stage, np.random.default_rng([seed, turn]))
        turn += 1
    return Traffic(tuple(stage.vessels), list_truth(stage))
