"""Which positions are in which areas.

Positions are many and close together, areas are large beside the way between two reports. So the
cells of a fine grid that have positions are compared with the areas first: most cells have no area,
many are wholly within one, and only positions in the others are compared themselves.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely

from phenesthe.ais.areas import Areas
from phenesthe.ais.earth import measure_distances
from phenesthe.kernels.arrays import Array, Mask, Pairs, join_columns, number_rows
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.search import expand_ranges
from phenesthe.kernels.sphere import Floats

#: Cells to a degree, a power of two so that the corners of cells are exact: cells of about a mile.
_FINENESS = 64
_COLUMNS = 360 * _FINENESS + 1
#: Positions looked at together, which bounds memory.
_CHUNK = 1 << 20
_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Cells with shapes in them, by cell: for each pair whether the cell is wholly inside."""

    low: Array
    high: Array
    shape: Array
    is_whole: Mask


def find_inside(lon: Floats, lat: Floats, areas: Areas) -> Pairs:
    """The rows of positions, ascending, and the areas that they are in; a border is inside.

    A row comes twice with an area of several shapes that overlap.
    """
    rows, found = [number_rows(0)], [number_rows(0)]
    tree = shapely.STRtree(areas.shapes)
    shapely.prepare(areas.shapes)
    for start in range(0, len(lon), _CHUNK):
        part = slice(start, start + _CHUNK)
        row, shape = _find_shapes(lon[part], lat[part], areas, tree)
        rows.append(row + start)
        found.append(areas.owner[shape])
    return join_columns(*rows), join_columns(*found)


def _find_shapes(lon: Floats, lat: Floats, areas: Areas, tree: shapely.STRtree) -> Pairs:
    code = np.floor((lon + 180) * _FINENESS).astype(np.int64)
    code += np.floor((lat + 90) * _FINENESS).astype(np.int64) * _COLUMNS
    # A vessel stays in a cell for a while, and stretches are fewer to sort than positions.
    begins = np.flatnonzero(mark_new(code))
    distinct, of_stretch = np.unique(code[begins], return_inverse=True)
    cells = _compare_cells(distinct, areas, tree)
    has_shapes = (cells.high > cells.low)[of_stretch]
    ends = np.append(begins[1:], len(code))
    stretch, row = expand_ranges(begins[has_shapes], ends[has_shapes])
    cell = of_stretch[has_shapes][stretch]
    number, pair = expand_ranges(cells.low[cell], cells.high[cell])
    row, shape, is_inside = row[number], cells.shape[pair], cells.is_whole[pair]
    doubtful = np.flatnonzero(~is_inside)
    is_inside[doubtful] = _compare(lon[row[doubtful]], lat[row[doubtful]], shape[doubtful], areas)
    return row[is_inside], shape[is_inside]


def _compare_cells(code: Array, areas: Areas, tree: shapely.STRtree) -> _Cells:
    north, east = np.divmod(code, _COLUMNS)
    west, south = east / _FINENESS - 180, north / _FINENESS - 90
    boxes = shapely.box(west, south, west + 1 / _FINENESS, south + 1 / _FINENESS)
    cell, shape = tree.query(boxes)
    is_circle = areas.mark_circles()[shape]
    meets = is_circle | shapely.intersects(areas.shapes[shape], boxes[cell])
    cell, shape, is_circle = cell[meets], shape[meets], is_circle[meets]
    is_whole = ~is_circle & shapely.contains_properly(areas.shapes[shape], boxes[cell])
    order = np.lexsort((shape, cell))
    cell, shape = cell[order].astype(np.int64), shape[order].astype(np.int64)
    low, high = (np.searchsorted(cell, np.arange(len(code)), side=side) for side in _SIDES)
    return _Cells(low.astype(np.int64), high.astype(np.int64), shape, is_whole[order])


def _compare(lon: Floats, lat: Floats, shape: Array, areas: Areas) -> Mask:
    is_inside = np.zeros(len(shape), dtype=np.bool_)
    is_circle = areas.mark_circles()[shape]
    at = np.flatnonzero(~is_circle)
    at = at[np.argsort(shape[at])]  # one shape after the other stays in the cache
    is_inside[at] = shapely.intersects_xy(areas.shapes[shape[at]], lon[at], lat[at])
    at = np.flatnonzero(is_circle)
    which = shape[at]
    distance = measure_distances(lon[at], lat[at], areas.lon[which], areas.lat[which])
    is_inside[at] = distance <= areas.radius[which]
    return is_inside
