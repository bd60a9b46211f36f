"""Formulas of Φ•, Φ⁻ and Φ⁼, each a mapping from the bindings of its free variables.

Every method takes `known`, variables that are bound already, and returns the bindings that agree
with it: the rest of a conjunction binds the variables of an unguarded `not`, and the left of `~>`
those of its right. As "All operators act per binding", that is the same as joining afterwards.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, TypeAlias, assert_never

from phenesthe.check.program import Checked, CheckedDefinition, CheckedMachine
from phenesthe.syntax.tree import (
    After,
    Aggregate,
    And,
    Atom,
    Calendar,
    Comparison,
    Complement,
    Counting,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    Lasting,
    Let,
    MaximalRange,
    Not,
    Or,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Variable,
    Where,
)
from phenesthe.syntax.tree.walk import walk
from tests.reference.aggregates import Rows, aggregate
from tests.reference.bindings import (
    Arguments,
    Binding,
    agree,
    bind,
    drop,
    match_arguments,
    merge,
    restrict,
)
from tests.reference.calendars import find_calendar
from tests.reference.conditions import Conditions, assign, require_bound
from tests.reference.intervals import (
    OPEN,
    Interval,
    coalesce,
    count_holding,
    cut_out,
    find_ranges,
    find_runs,
    hold_together,
    intersect,
    keep_lasting,
    sequence,
    subtract,
)
from tests.reference.relations import relate, relate_as
from tests.reference.scopes import (
    FormulaKind,
    Kinds,
    Names,
    arrange,
    asks_time,
    find_bound,
    find_free,
    find_kind,
    find_lacking,
    find_varying,
    is_positive,
)
from tests.reference.values import MICROSECONDS, Moments, Scalar, Values, compare, name_previous

Instants: TypeAlias = dict[Binding, set[int]]
Intervals: TypeAlias = dict[Binding, set[Interval]]


@dataclass(frozen=True)
class Formulas:
    q: int
    #: "every instant of the timeline (first input instant, or `--start`, … q)"
    timeline: frozenset[int]
    #: Every instant up to q at which anything can be true.
    everywhere: frozenset[int]
    kinds: Kinds
    conditions: Conditions
    events: dict[str, dict[Arguments, set[int]]]
    intervals: dict[str, dict[Arguments, set[Interval]]]
    #: Definitions that are made of a calendar state.
    timed: set[str] = field(default_factory=set)
    #: The definitions as they were evaluated: what is known by identity must stay.
    evaluated: list[Checked] = field(default_factory=list)
    #: By variable the values it has where the definition at hand speaks of it.
    domains: dict[str, set[Scalar]] = field(default_factory=dict)
    #: What was evaluated before, by formula and known variables; only to save time.
    instants_of: dict[tuple[int, Binding, bool], Instants] = field(default_factory=dict)
    intervals_of: dict[tuple[int, Binding], Intervals] = field(default_factory=dict)

    def begin(self, definition: Checked) -> None:
        """The formulas that are asked about next are those of this definition."""
        self.evaluated.append(definition)
        self.domains.clear()

    def find_instants(
        self, formula: Formula, known: Binding = (), *, guarded: bool = False
    ) -> Instants:
        """`guarded`: a positive event stands beside the formula, or beside one around it."""
        known = restrict(known, find_free(formula))
        key = (id(formula), known, guarded)
        if key not in self.instants_of:
            found = self.evaluate_event(formula, known, guarded)
            self.instants_of[key] = {binding: times for binding, times in found.items() if times}
        return self.instants_of[key]

    def find_intervals(self, formula: Formula, known: Binding = ()) -> Intervals:
        known = restrict(known, find_free(formula))
        key = (id(formula), known)
        if key not in self.intervals_of:
            found = self.evaluate_intervals(formula, known)
            self.intervals_of[key] = {binding: held for binding, held in found.items() if held}
        return self.intervals_of[key]

    def find_entities(self, formula: Formula, known: Binding = ()) -> Intervals:
        """ "an instant t counts as [t,t]"."""
        if self.kind(formula) != "event":
            return self.find_intervals(formula, known)
        found = self.find_instants(formula, known)
        return {binding: {(t, t) for t in times} for binding, times in found.items()}

    def kind(self, formula: Formula) -> FormulaKind:
        return find_kind(formula, self.kinds)

    @property
    def values(self) -> Values:
        return self.conditions.values

    # Φ•

    def evaluate_event(self, formula: Formula, known: Binding, guarded: bool) -> Instants:
        result: Instants = defaultdict(set)
        match formula:
            case Atom(name=name, arguments=terms):
                for arguments, times in self.events[name.text].items():
                    binding = match_arguments(terms, arguments, known, self.values)
                    if binding is not None:
                        result[binding] |= times
            case And(operands=operands):
                return self.conjoin(operands, known, guarded)
            case Where(operand=operand, condition=condition):
                # "inside Φ•, `and COND` means the same"; what an aggregate filters is its own.
                aggregates = any(isinstance(part, Aggregate) for part in walk(condition))
                return self.conjoin((operand, condition), known, guarded and not aggregates)
            case Or(operands=operands):
                # "`or` unites"
                for operand in operands:
                    for wider in self.widen(find_lacking(formula, operand), known):
                        found = self.find_instants(operand, wider, guarded=guarded)
                        for binding, times in found.items():
                            result[merge(wider, binding)] |= times
            case Not(operand=operand):
                # "true at every instant of the timeline … where φ is not"; "Guarded by a positive
                # event it is an anti-join", and then the event says where to look.
                require_bound(operand, known)
                within = self.everywhere if guarded else self.timeline
                result[known] = set(within) - self.union_instants(operand, known, guarded=guarded)
            case In():
                return self.include(formula, known, guarded)
            case Start(operand=operand):
                for binding, intervals in self.find_intervals(operand, known).items():
                    result[binding] = self.keep_inside(operand, {start for start, _ in intervals})
            case End(operand=operand):
                # "the known ends"
                for binding, intervals in self.find_intervals(operand, known).items():
                    ends = {int(end) for _, end in intervals if end != OPEN}
                    result[binding] = self.keep_inside(operand, ends)
            case Let(operand=operand, assignments=assignments):
                # What is computed with is its own, as what a definition says.
                for binding, times in self.find_instants(operand, known).items():
                    for t in times:
                        more = assign(assignments, binding, (t, t), self.values)
                        if more is not None and agree(more, known):
                            result[more].add(t)
            case Exists(variables=variables, operand=operand):
                # "over Φ• that is a union of instants"
                found = self.find_instants(operand, known, guarded=guarded)
                for binding, times in found.items():
                    result[drop(binding, variables)] |= times
            case (
                Calendar() | Comparison() | MaximalRange() | Repeat() | Union() | Intersection()
                | Complement() | Lasting() | Then() | Relation() | Counting()
            ):  # fmt: skip
                raise ValueError(f"not an event: {formula!r}")
            case _:
                assert_never(formula)
        return result

    def keep_inside(self, formula: Formula, instants: set[int]) -> set[int]:
        """ "a `start` before the timeline is no event": of what is made of a calendar state."""
        return instants & self.timeline if self.has_calendar(formula) else instants

    def has_calendar(self, formula: Formula) -> bool:
        return any(
            (isinstance(part, Calendar) and part.name != "always")
            or (isinstance(part, Atom) and part.name.text in self.timed)
            for part in walk(formula)
        )

    def widen(self, names: Names, known: Binding) -> Iterator[Binding]:
        """ "It then holds for every value the context has."

        As all operators act per binding, it may as well hold for every value that there is. Where
        there is none, an alternative holds all the same that lacks a local variable of others.
        """
        missing = sorted(names - {name for name, _ in known})
        for values in product(*(self.list_values(name) or {math.nan} for name in missing)):
            yield merge(known, bind(dict(zip(missing, values, strict=True))))

    def list_values(self, name: str) -> set[Scalar]:
        """What the variable can be: what stands in its place, wherever it is mentioned."""
        if name not in self.domains:
            parts = [part for body in list_bodies(self.evaluated[-1]) for part in walk(body)]
            found: set[Scalar] = {
                row[at]
                for atom in parts
                if isinstance(atom, Atom)
                for at, term in enumerate(atom.arguments)
                if isinstance(term, Variable) and term.name == name
                for row in self.list_rows(atom.name.text)
            }
            for part in parts:
                if isinstance(part, Let | Counting) and name in part.names:
                    found.update(dict(binding)[name] for binding in self.find_entities(part))
            self.domains[name] = found
        return self.domains[name]

    def list_rows(self, name: str) -> Iterable[Arguments]:
        return (
            *self.events.get(name, ()),
            *self.intervals.get(name, ()),
            *self.conditions.facts.get(name, ()),
        )

    def union_instants(
        self, formula: Formula, known: Binding, *, guarded: bool = False
    ) -> set[int]:
        """Where the formula is true, all of its variables being known."""
        return set().union(*self.find_instants(formula, known, guarded=guarded).values())

    def conjoin(self, operands: tuple[Formula, ...], known: Binding, guarded: bool) -> Instants:
        """ "`and` intersects"; `not φ` "Guarded by a positive event … is an anti-join".

        Positive events first, then conditions, then what is negated: as far as each operand
        finds its variables bound. None stands for all time, while no event has been met.
        """
        guarded = guarded or any(is_positive(operand, self.kinds) for operand in operands)
        found: dict[Binding, set[int] | None] = {known: None}
        bound = frozenset(name for name, _ in known)
        for operand in arrange(operands, bound, self.kinds, self.rank):
            extended: dict[Binding, set[int] | None] = {}
            for binding, times in found.items():
                if isinstance(operand, str):
                    for wider in self.widen(frozenset((operand,)), binding):
                        extended[wider] = times
                elif self.kind(operand) == "condition" and asks_time(operand):
                    for t in self.everywhere if times is None else times:
                        for more in self.conditions.solve(operand, binding, (t, t)):
                            there = extended.setdefault(merge(binding, more), set())
                            extended[merge(binding, more)] = {t} | (there or set())
                elif self.kind(operand) == "condition":
                    for more in self.conditions.solve(operand, binding):
                        extended[merge(binding, more)] = times
                else:
                    events = self.find_instants(operand, binding, guarded=guarded)
                    for more, others in events.items():
                        extended[merge(binding, more)] = others if times is None else times & others
            found = extended
        return {binding: times for binding, times in found.items() if times is not None}

    def rank(self, operand: Formula) -> int:
        if self.kind(operand) == "condition":
            return 1
        return 2 if isinstance(operand, Not) else 0

    def include(self, formula: In, known: Binding, guarded: bool) -> Instants:
        """ "φ is true at t and some interval of σ has a ≤ t ≤ b; `not in` when φ is true and none
        does"."""
        result: Instants = {}
        events = self.find_instants(formula.event, known, guarded=guarded)
        for binding, times in events.items():
            states = self.find_intervals(formula.state, merge(known, binding))
            if formula.negated:
                require_bound(formula.state, merge(known, binding))
                states = states or {(): set()}
            for more, intervals in states.items():
                inside = {t for t in times if any(a <= t <= b for a, b in intervals)}
                satisfying = times - inside if formula.negated else inside
                result[merge(known, binding, more)] = satisfying
        return result

    def aggregate(self, node: Aggregate, known: Binding, row: Moments) -> Scalar:
        """ "over the rows with start ≤ t ≤ end, up to q for an open one"; "`over D`, the rows in
        (t − D, t], or `past D`, those in [t − D, t)"."""
        start, end = row
        inside = restrict(known, find_free(node.operand) - set(node.local))
        if node.function == "total":
            held = coalesce(set().union(*self.find_intervals(node.operand, inside).values()))
            shared = [(max(a, start), min(b, end, self.q)) for a, b in held]
            return sum(int(b) - a for a, b in shared if a < b)
        first, last = start, min(end, self.q)
        if node.over is not None:
            first = start - self.values.count_ticks(node.over) + 1
        if node.past is not None:
            first, last = start - self.values.count_ticks(node.past), start - 1
        rows: Rows = {}
        for binding, times in self.find_instants(node.operand, inside).items():
            values = tuple(dict(binding)[one.name] for one in node.of)
            rows |= {(t, binding): values for t in times if first <= t <= last}
        return aggregate(node.function, rows)

    # Φ⁻ and Φ⁼

    def evaluate_intervals(self, formula: Formula, known: Binding) -> Intervals:
        """ "the operator acts per value of it, and one that is not positive holds nothing"."""
        varying = find_varying(formula)
        if not varying:
            return self.evaluate_at_length(formula, known)
        result: Intervals = {}
        for wider in self.widen(varying, known):
            lengths = restrict(wider, varying)
            if all(is_positive_number(value) for _, value in lengths):
                found = self.evaluate_at_length(formula, wider)
                result |= {merge(lengths, one): held for one, held in found.items()}
        return result

    def evaluate_at_length(self, formula: Formula, known: Binding) -> Intervals:
        """Of a formula all of whose durations are known."""
        result: Intervals = defaultdict(set)
        match formula:
            case Atom(name=name, arguments=terms):
                for arguments, intervals in self.intervals[name.text].items():
                    binding = match_arguments(terms, arguments, known, self.values)
                    if binding is not None:
                        result[binding] |= intervals
                return self.close(formula, result)
            case MaximalRange(value=str() as value):
                return self.find_exclusive(formula, value, known)
            case MaximalRange():
                for binding, starts in self.find_instants(formula.start, known).items():
                    stops = self.find_stops(formula, merge(known, binding))
                    expires = self.values.count_if_given(formula.expires, known)
                    limit = self.values.count_if_given(formula.limit, known)
                    result[binding] = find_ranges(starts, stops, expires, self.q, limit)
            case Calendar():
                per_second = 1_000_000 // MICROSECONDS[self.values.unit]
                first = min(self.timeline, default=None)
                result[()] = find_calendar(formula, first, self.q, per_second)
            case Repeat():
                return self.repeat(formula, known)
            case Union(operands=operands):
                for operand in operands:
                    for wider in self.widen(find_lacking(formula, operand), known):
                        for binding, intervals in self.find_intervals(operand, wider).items():
                            result[merge(wider, binding)] |= intervals
                return self.close(formula, result)
            case Intersection(operands=(first, *others)):
                result = self.find_intervals(first, known)
                for operand in others:
                    common: Intervals = {}
                    for binding, left in result.items():
                        rights = self.find_intervals(operand, merge(known, binding))
                        for more, right in rights.items():
                            common[merge(binding, more)] = intersect(left, right)
                    result = common
            case Complement(left=left_side, right=right_side, name=difference):
                for binding, left in self.find_intervals(left_side, known).items():
                    rights = self.find_intervals(right_side, merge(known, binding))
                    removed = set().union(*rights.values())
                    take_away = cut_out if difference == "without" else subtract
                    result[binding] = take_away(left, removed, self.q)
            case Lasting(operand=operand, operator=comparison):
                ticks = self.values.count_ticks(formula.duration, known)
                for binding, intervals in self.find_intervals(operand, known).items():
                    result[binding] = keep_lasting(intervals, comparison, ticks, self.q)
            case Counting():
                return self.count_values(formula, known)
            case Then():
                for binding, left, right in self.join(formula, known):
                    result[binding] = sequence(left, right)
            case Relation(name=relation, mode=mode):
                within = self.values.count_if_given(formula.within, known)
                apart = self.values.count_if_given(formula.apart, known) or 1
                for binding, left, right in self.join(formula, known):
                    if mode is None:
                        result[binding] = relate(relation, left, right, within, self.q, apart)
                    else:
                        result[binding] = relate_as(relation, mode, left, right, within, self.q)
            case Where(operand=operand, condition=condition):
                needed = find_free(condition) - find_free(operand)
                needed -= find_bound(condition, self.kinds)
                for wider in self.widen(needed, known):
                    for binding, intervals in self.find_intervals(operand, wider).items():
                        both = merge(wider, binding)
                        for interval in intervals:
                            for more in self.conditions.solve(condition, both, interval):
                                result[merge(both, more)].add(interval)
            case Let(operand=operand, assignments=assignments):
                for binding, intervals in self.find_intervals(operand, known).items():
                    for interval in intervals:
                        found = assign(assignments, binding, interval, self.values)
                        if found is not None and agree(found, known):
                            result[found].add(interval)
            case Exists(variables=variables, operand=operand):
                for binding, intervals in self.find_intervals(operand, known).items():
                    result[drop(binding, variables)] |= intervals
                return self.close(formula, result)
            case (
                Comparison() | And() | Or() | Not() | In() | Start() | End() | Intersection()
            ):  # fmt: skip
                raise ValueError(f"holds on no intervals: {formula!r}")
            case _:
                assert_never(formula)
        return result

    def find_exclusive(self, formula: MaximalRange, value: str, known: Binding) -> Intervals:
        """ "per binding of the others a counted φ with another value ends the one that holds; of
        several at one instant only the least counts (false first, numbers by size, text by code
        point)"."""
        expires = self.values.count_if_given(formula.expires, known)
        limit = self.values.count_if_given(formula.limit, known)
        # What begins a value begins it, however long its clock runs: with any of them it counts.
        head = self.evaluated[-1].signature.arguments
        local = find_free(formula) - set(head)
        free = tuple(item for item in known if item[0] not in {*local, value})
        groups: dict[Binding, dict[Binding, set[int]]] = defaultdict(lambda: defaultdict(set))
        for binding, times in self.find_instants(formula.start, free).items():
            one = drop(binding, local)
            groups[drop(one, (value,))][one] |= times
        counted: dict[Binding, set[int]] = {}
        others: dict[Binding, set[int]] = {}
        for members in groups.values():
            # What is no number comes last.
            ordered = sorted(members, key=lambda one: order_value(dict(one)[value]))
            for one in ordered:
                earlier = [counted[other] for other in ordered if other in counted]
                counted[one] = members[one].difference(*earlier)
            for one in ordered:
                others[one] = set().union(*[counted[it] for it in ordered if it != one])
        result: Intervals = {}
        for binding, times in self.find_instants(formula.start, known).items():
            one = drop(binding, local)
            stops = self.find_stops(formula, merge(known, binding)) | others[one]
            starts = times & counted[one]
            result[binding] = find_ranges(starts, stops, expires, self.q, limit)
        return result

    def count_values(self, formula: Counting, known: Binding) -> Intervals:
        """Per binding of "the variables of σ but X", and for `count` of "K, the number"."""
        counted = {one.name for one in formula.counted}
        held: dict[Binding, list[set[Interval]]] = defaultdict(list)
        inside = restrict(known, find_free(formula.operand) - counted)
        for binding, intervals in self.find_intervals(formula.operand, inside).items():
            held[drop(binding, counted)].append(intervals)
        result: Intervals = {}
        for binding, members in held.items():
            if formula.number is None:
                assert formula.least is not None
                least = self.values.count_ticks(formula.least)
                result[binding] = hold_together(members, least)
                continue
            wanted = dict(known).get(formula.number.name)
            for number, intervals in count_holding(members).items():
                if wanted is None or wanted == number:
                    more = bind({formula.number.name: number})
                    result[merge(binding, more)] = intervals
        return result

    def find_stops(self, formula: MaximalRange, known: Binding) -> set[int]:
        """ "The right side may be left out"."""
        return set() if formula.stop is None else self.union_instants(formula.stop, known)

    def close(self, formula: Formula, found: Intervals) -> Intervals:
        """ "over Φ⁻ a temporal union (intervals coalesce), over Φ⁼ a set union"."""
        if self.kind(formula) == "dynamic":
            return found
        return {binding: coalesce(intervals) for binding, intervals in found.items()}

    def join(
        self, formula: Then | Relation, known: Binding
    ) -> Iterator[tuple[Binding, set[Interval], set[Interval]]]:
        for binding, left in self.find_entities(formula.left, known).items():
            rights = self.find_entities(formula.right, merge(known, binding))
            for more, right in rights.items():
                yield merge(binding, more), left, right

    def repeat(self, formula: Repeat, known: Binding) -> Intervals:
        """`prev(X)` is X "at the previous occurrence; with several bindings at one instant,
        neighbours connect when some pair of them satisfies COND"."""
        gap = self.values.count_ticks(formula.gap, known)
        names = find_free(formula)
        by_outer: dict[Binding, dict[int, list[Binding]]] = {}
        for binding, times in self.find_instants(formula.event, known).items():
            occurrences = by_outer.setdefault(drop(binding, formula.local), {})
            for t in times:
                occurrences.setdefault(t, []).append(binding)
        result: Intervals = {}
        for occurrences in by_outer.values():
            instants = sorted(occurrences)
            #: For each two neighbours the bindings, without the local variables, that link them.
            links: list[set[Binding]] = []
            for earlier, later in pairwise(instants):
                links.append(set())
                if not compare(formula.operator, later - earlier, gap):
                    continue
                for previous, current in product(occurrences[earlier], occurrences[later]):
                    before = bind({name_previous(name): value for name, value in previous})
                    both = merge(known, current, before)
                    solutions: set[Binding] = {()}
                    if formula.condition is not None:
                        solutions = self.conditions.solve(formula.condition, both)
                    links[-1] |= {restrict(merge(both, more), names) for more in solutions}
            for binding in set().union(*links):
                linked = [binding in link for link in links]
                result[binding] = find_runs(instants, linked, formula.operator, gap, self.q)
        return result


def list_bodies(definition: Checked) -> list[Formula]:
    if isinstance(definition, CheckedDefinition):
        return [definition.body]
    if isinstance(definition, CheckedMachine):
        return [one.when for one in definition.transitions if not isinstance(one.when, After)]
    return [branch.body for branch in definition.branches]


def is_positive_number(value: Any) -> bool:
    return bool(value > 0)


def order_value(value: Any) -> tuple[bool, Any]:
    is_no_number = value != value
    return is_no_number, 0 if is_no_number else value
