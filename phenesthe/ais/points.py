"""Critical points: where a vessel begins or ends to stop, go slowly, change speed, turn, be silent.

In the manner of the trajectory synopses of the maritime papers, for many vessels at once. Three
things keep noise out. Speeds have two limits, one to come below and a higher one to go above. A
state begins and ends with reports in a row that agree (`settings.confirm_reports`), and does so at
the first of them, so that one wrong report does nothing and a right one is not late. Means are over
a time, not over a number of reports, so that class A and class B units are treated alike. A report
without a speed or a course has no say.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from phenesthe.ais.earth import wrap_degrees
from phenesthe.ais.recent import find_mean_courses, find_recent, sum_recent
from phenesthe.ais.settings import Settings
from phenesthe.ais.track import Track, list_measures, make_events, view_track
from phenesthe.kernels.arrays import Array, Mask, number_rows
from phenesthe.kernels.order import mark_new
from phenesthe.kernels.sphere import Floats

#: Speeds are counted in thousandths of a knot, so that sums are exact and the same whichever
#: vessels are looked at together.
_PARTS = 1000


@dataclass(frozen=True, slots=True, eq=False)
class _Periods:
    """The rows and times at which something begins, and at which it ends."""

    begins: Array
    ends: Array
    end_times: Array


def find_critical_points(table: pa.Table, settings: Settings) -> dict[str, pa.Table]:
    """The events of a track, each as a table of vessel and t, in that order."""
    track = view_track(table)
    speed, course = list_measures(table["speed"]), list_measures(table["course"])
    is_silent = track.list_silences() >= settings.gap
    is_cut = track.is_first | is_silent
    # Many vessels are silent in port: a silence ends a stop only if they are elsewhere after it.
    is_stop_cut = track.is_first | (is_silent & (track.list_steps() > settings.stop_radius))
    # There is no recent mean after a silence that is longer than it.
    is_change_cut = is_cut | (track.list_silences() > settings.recent)
    with np.errstate(invalid="ignore"):  # a missing speed or course compares as false
        is_stopped = _mark_below(speed, settings.stop_speed, is_stop_cut, settings)
        is_slow = ~is_stopped & _mark_below(speed, settings.slow_speed, is_cut, settings)
        is_changing = ~is_stopped & _mark_changes(track, speed, is_change_cut, settings)
        turns = _find_turns(track, speed, course, is_cut, settings)
    gaps = np.flatnonzero(is_silent)
    points = {
        "gap_start": make_events(track.vessel[gaps], track.t[gaps - 1]),
        "gap_end": make_events(track.vessel[gaps], track.t[gaps]),
        "change_in_heading": make_events(track.vessel[turns], track.t[turns]),
    }
    for name, holds, cuts in (
        ("stop", is_stopped, is_stop_cut),
        ("slow_motion", is_slow, is_cut),
        # At rest a speed does not change, even if the mean of the last minutes is still another.
        # Reports are minutes apart there, so that the first of them is late to say so.
        ("change_in_speed", is_changing, is_change_cut | is_stopped),
    ):
        found = _list_periods(track, holds, cuts)
        points[f"{name}_start"] = make_events(track.vessel[found.begins], track.t[found.begins])
        points[f"{name}_end"] = make_events(track.vessel[found.ends], found.end_times)
    return points


def _mark_below(speed: Floats, limit: float, is_cut: Mask, settings: Settings) -> Mask:
    is_above = speed > limit + settings.speed_margin
    return _settle(speed <= limit, is_above, is_cut, settings.confirm_reports)


def _mark_changes(track: Track, speed: Floats, is_cut: Mask, settings: Settings) -> Mask:
    """Where the speed differs from the mean of the reports not long before."""
    first = find_recent(track.t, is_cut, settings.recent)
    is_known = np.isfinite(speed)
    parts = np.rint(np.where(is_known, speed, 0.0) * _PARTS).astype(np.int64)
    total, count = sum_recent(parts, first), sum_recent(is_known.astype(np.int64), first)
    limit = np.maximum(settings.speed_change * total, settings.speed_margin * _PARTS * count)
    has_say = is_known & (count > 0)
    is_far = np.abs(parts * count - total) > limit
    return _settle(has_say & is_far, has_say & ~is_far, is_cut, settings.confirm_reports)


def _find_turns(
    track: Track, speed: Floats, course: Floats, is_cut: Mask, settings: Settings
) -> Array:
    """The rows at which a vessel has turned away from its recent course, and each time it has
    turned as much again before it is back to a steady one: who circles turns all the time.

    The course of a vessel that hardly moves is chance and has no say.
    """
    moves = ~(speed <= settings.stop_speed + settings.speed_margin)
    has_course = np.isfinite(course) & moves
    mean, is_known = find_mean_courses(track.t, course, has_course, is_cut, settings.recent)
    has_say = has_course & is_known
    is_off = np.abs(wrap_degrees(course - mean)) > settings.turn
    turns = _settle(has_say & is_off, has_say & ~is_off, is_cut, settings.confirm_reports)
    rows = np.flatnonzero(turns & has_course)
    begins = mark_new(np.cumsum(is_cut | ~turns, dtype=np.int64)[rows])
    change = wrap_degrees(np.diff(course[rows], prepend=course[rows[:1]]))
    turned = np.cumsum(np.rint(change * 10).astype(np.int64))  # AIS gives tenths of a degree
    since = turned - turned[np.maximum.accumulate(np.where(begins, number_rows(len(rows)), 0))]
    step = np.trunc(since / (10 * settings.turn)).astype(np.int64)
    return rows[begins | mark_new(step)]


def _settle(on: Mask, off: Mask, is_cut: Mask, confirm: int) -> Mask:
    """Whether a state holds at each row, which so many rows in a row have to say that have a say.

    It does not hold from a cut on until they do.
    """
    voters = np.flatnonzero(on | off)
    vote, part = on[voters], np.cumsum(is_cut, dtype=np.int64)[voters]
    first = np.flatnonzero(mark_new(vote.astype(np.int64), part))
    is_firm = np.diff(first, append=len(voters)) >= confirm
    first = first[is_firm]
    holds = np.zeros(len(on), dtype=np.bool_)
    holds[voters[first]] = vote[first]
    is_decided = is_cut.copy()
    is_decided[voters[first]] = True
    decided_at = np.maximum.accumulate(np.where(is_decided, number_rows(len(on)), 0))
    return holds[decided_at]


def _list_periods(track: Track, holds: Mask, is_cut: Mask) -> _Periods:
    """What holds up to a cut ends with the last report before it; at the end of a vessel's reports
    nothing ends."""
    held = np.zeros_like(holds)
    held[1:] = holds[:-1]
    begins = np.flatnonzero(holds & (is_cut | ~held))
    ends = np.flatnonzero(held & (is_cut | ~holds) & ~track.is_first)
    end_times = np.where(is_cut[ends], track.t[ends - 1], track.t[ends])
    # A period of one report before a cut has no length.
    last_begin = begins[np.searchsorted(begins, ends) - 1] if len(ends) else ends
    has_length = track.t[last_begin] < end_times
    return _Periods(
        np.setdiff1d(begins, last_begin[~has_length], assume_unique=True),
        ends[has_length],
        end_times[has_length],
    )
