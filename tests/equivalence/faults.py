"""Mistakes that a kernel or the memory of an operator could have."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """In a module, `wrong` in the place of `right`, which is there once."""

    module: str
    text: str
    right: str
    wrong: str
    #: What few programs have is looked for in those alone: a text that a program has to have.
    among: str = ""


FAULTS = (
    Fault(
        "ranges",
        "`~>`: a stop at an instant of φ ends it (`<=` for `<`)",
        "end[:-1] < first[1:]",
        "end[:-1] <= first[1:]",
    ),
    Fault(
        "ranges",
        "`expires`: a φ exactly at the deadline comes too late (`>=` for `>`)",
        "last[:-1]) > as_spans(",
        "last[:-1]) >= as_spans(",
    ),
    Fault(
        "ranges",
        "`expires`: the deadline is one tick late (off by one)",
        "last[over] + take_lengths(own, over)",
        "last[over] + take_lengths(own, over) + 1",
    ),
    Fault(
        "exclusive",
        "the first listed value has no priority (a missing check)",
        "subtract_events(branch.start, anyone)",
        "branch.start",
    ),
    Fault(
        "states",
        "`union`: touching intervals stay two (`>=` for `>`)",
        "start[1:] > np.maximum",
        "start[1:] >= np.maximum",
    ),
    Fault(
        "states",
        "`intersection`: one common instant is enough (a closed bound)",
        "np.searchsorted(left_start, right_end),",
        'np.searchsorted(left_start, right_end, side="right"),',
    ),
    Fault(
        "states",
        "`complement`: the last instant of the right stays (off by one)",
        "OPEN - apart) + apart",
        "OPEN - apart)",
    ),
    Fault(
        "states",
        "`complement`: a run of one instant counts (`<=` for `<`)",
        "kept = (ts < te)",
        "kept = (ts <= te)",
    ),
    Fault(
        "spans",
        "`lasting >` of an open interval: one tick late (`>` for `>=`)",
        '">" | "!=":\n            return known >= limit',
        '">" | "!=":\n            return known > limit',
    ),
    Fault(
        "spans",
        "`repeat`: a run stays open one tick too long (off by one)",
        "known < limit - 1",
        "known < limit",
        among="repeat ",
    ),
    Fault(
        "neighbours",
        "`prev` is the later of the two (swapped sides)",
        """            Places(rows, candidates - 1, candidates),
            Places(rows, candidates, candidates + 1),""",
        """            Places(rows, candidates, candidates + 1),
            Places(rows, candidates - 1, candidates),""",
        among="prev(",
    ),
    Fault(
        "instants",
        "`in`: the end of an interval is outside (`>` for `>=`)",
        "np.maximum.accumulate(end)[at[held]] >= wanted[held]",
        "np.maximum.accumulate(end)[at[held]] > wanted[held]",
    ),
    Fault(
        "runs",
        "`not`: runs end one tick late (off by one)",
        "time[ends] - 1)",
        "time[ends])",
    ),
    Fault(
        "runs",
        "the first instant after a time may be that time (off by one)",
        "np.maximum(runs.first[at[found]], t[found] + 1)",
        "np.maximum(runs.first[at[found]], t[found])",
    ),
    Fault(
        "adjacency",
        "`before`: another left may end in between (a missing between-check)",
        "bound = find_following(left.key if group is None else group, left.te)",
        "bound = np.full(len(left), OPEN, dtype=np.int64)",
    ),
    Fault(
        "adjacency",
        "`before`: another right may start in between (a missing between-check)",
        "find_tie_ends(key, starts)[low]",
        "lookup.high[found]",
    ),
    Fault(
        "adjacency",
        "`before`: a′ = b will do (a closed bound)",
        'left.te, bound, "(]")',
        'left.te, bound, "[]")',
    ),
    Fault(
        "lookup",
        "two open ends are equal (a missing check)",
        "np.where(at < OPEN, found.high, found.low)",
        "found.high",
    ),
    Fault(
        "relations",
        "`overlaps`, `meets`: the result ends where the left does (a swapped side)",
        "return sort_intervals(left.key[one], left.ts[one], right.te[other])",
        "return sort_intervals(left.key[one], left.ts[one], left.te[one])",
    ),
    Fault(
        "relations",
        "`contains`: a = b will do (a closed bound)",
        'left.ts, left.te, "()")',
        'left.ts, left.te, "[)")',
    ),
    Fault(
        "relations",
        "`finishes`: b > a instead of b < a (a swapped comparison)",
        "right.key, right.te).mark_below(\n                    ~left.ts, ~right.ts\n",
        "right.key, right.te).mark_below(\n                    left.ts, right.ts\n",
    ),
    Fault(
        "allen",
        "`starts … as`: equal ends will do (`<=` for `<`)",
        "self.same_start, left_end < pick",
        "self.same_start, left_end <= pick",
    ),
    Fault(
        "allen",
        "`before … within … as`: the distance must be less (`<` for `<=`)",
        "np.minimum(there, here)) <= limit",
        "np.minimum(there, here)) < limit",
    ),
    Fault(
        "search",
        "a minimum over a range forgets its last value (off by one)",
        "values[high[odd] - 1]",
        "values[high[odd] - 2]",
    ),
    Fault(
        "states",
        "`without` cuts the borders off, as `complement` does (a missing check)",
        "apart = 0 if keep_borders else 1",
        "apart = 1",
    ),
    Fault(
        "ranges",
        "`limit`: a φ at the very end begins a new interval (`left` for `right`)",
        'following = np.searchsorted(there, wanted, side="right")',
        "following = np.searchsorted(there, wanted)",
    ),
    Fault(
        "machines",
        "time wins over an event of the same instant (`<` for `<=`)",
        "(at >= 0) & (t <= deadline)",
        "(at >= 0) & (t < deadline)",
    ),
    Fault(
        "machines",
        "of several transitions the last listed fires (a missing check)",
        "fires[value, one.event] = min(fires[value, one.event], number)",
        "fires[value, one.event] = number",
    ),
    Fault(
        "counting",
        "`at least N`: one more is needed (`>` for `>=`)",
        "levels.level >= least",
        "levels.level > least",
    ),
)

#: Mistakes in what an operator remembers from query to query, or forgets too early.
IN_WINDOWS = (
    Fault(
        "ranges",
        "a value of an exclusive state begins again at events before the cut (a forgotten cut)",
        "found.take(found.ts > cuts.of(self.keys, found)) if self.memory else found",
        "found",
    ),
    Fault(
        "ranges",
        "`expires`: the last φ before the cut is forgotten (a missing row)",
        "masks[at] |= self._mark_last(number, views[at], cuts)",
        "pass",
    ),
    Fault(
        "ranges",
        "`~>`: what spans the cut begins where it is looked at (a lost start)",
        "begun = Rows(own.variables, own.columns, own.ts, own.ts)",
        "begun = Rows(own.variables, own.columns[:], own.ts, own.ts).take(own.ts < own.ts)",
    ),
    Fault(
        "sets",
        "`union`: the start of what spans the cut is forgotten (a lost start)",
        "parts = [tables.arrange(rows, self.variables) for rows in selected]\n"
        "        return self.work.run([tables.join([before, *parts])])",
        "parts = [tables.arrange(rows, self.variables) for rows in selected]\n"
        "        return self.work.run([tables.join([before.take(before.ts > before.te), *parts])])",
    ),
)
