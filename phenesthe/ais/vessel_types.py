"""The fact `vessel_type`: what kind of vessel each is, as it says most often."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.ais.facts import UNKNOWN, name_vessel_type
from phenesthe.ais.normalise import TYPES
from phenesthe.arrow import make_text, mark_nulls, pack, to_ints, wrap
from phenesthe.kernels.order import mark_new


def find_types(track: Any, told: Any) -> Any:
    """One row for each vessel of a track, `unknown` where none was told.

    `told` are types from messages without a position, of these and other vessels.
    """
    vessels = wrap(np.unique(to_ints(track["vessel"])))
    chosen = _choose(_count(pa.concat_tables([track.select(TYPES.names), told])))
    place = pc.index_in(vessels, value_set=chosen["vessel"])
    name = pc.fill_null(
        chosen["name"].combine_chunks().take(place), make_text(UNKNOWN, pa.string())
    )
    return pa.table([vessels, name], schema=TYPES)


def _count(said: Any) -> Any:
    """How often each vessel is of each kind: vessel, name, count."""
    said = said.filter(wrap(~mark_nulls(said["type"])))
    spelt = said.group_by(TYPES.names, use_threads=False).aggregate([([], "count_all")])
    words = pc.unique(spelt["type"])
    names = pack([name_vessel_type(one) for one in words.to_pylist()], pa.string())
    named = pa.table(
        {
            "vessel": spelt["vessel"],
            "name": names.take(pc.index_in(spelt["type"], value_set=words)),
            "count": spelt["count_all"],
        }
    )
    known = named.filter(pc.not_equal(named["name"], make_text(UNKNOWN, pa.string())))
    keys = ["vessel", "name"]
    return known.group_by(keys, use_threads=False).aggregate([("count", "sum")])


def _choose(counted: Any) -> Any:
    """The most frequent name of each vessel, of two the first in the alphabet."""
    order = [("vessel", "ascending"), ("count_sum", "descending"), ("name", "ascending")]
    ordered = counted.sort_by(order)
    return ordered.filter(wrap(mark_new(to_ints(ordered["vessel"]))))
