"""Writes events: conjunctions, filters that depend on their neighbours, unbounded negations."""

from abc import ABC, abstractmethod
from random import Random

from phenesthe.syntax.tree import Kind
from phenesthe.vocabulary import ValueType
from tests.equivalence.conditions import COMPARISONS, ConditionWriter
from tests.equivalence.vocabulary import CONSTANTS, Scope


class EventWriter(ConditionWriter, ABC):
    """`depth` is what is left of the nesting, `budget` of the operators of a definition.

    A *filter* is an event that binds nothing and may use what its neighbours bind. An *unbounded*
    event is a negation that no event limits; it stands only where the language allows it.
    """

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.budget = 0
        #: The unit of durations.
        self.suffix = "s"
        #: Whether what is written is aggregated: there is no aggregate inside another one.
        self.is_aggregated = False

    @abstractmethod
    def write(self, kind: Kind, depth: int, scope: Scope) -> str:
        """A formula of the kind that gives all variables of the scope a value."""

    @abstractmethod
    def atom(self, kind: Kind, scope: Scope) -> str: ...

    @abstractmethod
    def duration(self, least: int = 0) -> str: ...

    def event(self, depth: int, scope: Scope) -> str:
        match self.random.randrange(25):
            case 23 | 24:
                return self.computed("event", depth, scope)
            case 0 | 1 | 2 | 3:
                return self.conjunction(depth, scope)
            case 4 | 5:
                parts = [self.write("event", depth, one) for one in self.share_alternatives(scope)]
                return f"({' or '.join(parts)})"
            case 6 | 7 | 8:
                left, right = self.share_out(scope)
                return f"({' in '.join(self.write_beside('event', left, 'state', right, depth))})"
            case 9 | 10:
                local = self.new_variable() if self.chance(0.2) else {}
                event = self.write("event", depth, {**scope, **local})
                with self.beside({**scope, **local}):
                    state = self.write("state", depth, self.choose_some({**scope, **local}))
                return f"({event} not in {state})"
            case 11 | 12 | 13:
                return f"{self.pick(('start', 'end'))}({self.write('state', depth, scope)})"
            case 14:
                return self.filtered("event", depth, scope)
            case 15:
                return self.measured("event", depth, scope)
            case 16 | 17 | 18:
                local = self.new_variable() if self.chance(0.2) else {}
                event = self.write("event", depth, {**scope, **local})
                return self.join_parts([event, self.filter(depth, {**scope, **local})])
            case 19:
                # Facts bind, and an event that needs them says when.
                event = self.write("event", depth, {})
                return self.join_parts(
                    [self.bind_by_facts(scope), f"({event} and {self.filter(depth, scope)})"]
                    if scope
                    else [event, self.filter(depth, scope)]
                )
            case 20:
                # Two negations of an event leave the event.
                return self.negated_twice(depth, scope)
            case 21:
                return self.event_of_alternatives(depth, scope)
            case _:
                return self.atom("event", scope)

    def event_of_alternatives(self, depth: int, scope: Scope) -> str:
        """Alternatives of which some lack what stands right beside them."""
        with self.beside(scope):
            parts = [self.write("event", depth, one) for one in self.lack([scope, scope])]
        either = f"({' or '.join(parts)})"
        context: Kind = self.pick(("event", "state"))
        beside = self.write(context, depth, scope)
        if context == "event":
            return self.join_parts([beside, either])
        return f"({either} in {beside})"

    def join_parts(self, parts: list[str]) -> str:
        self.random.shuffle(parts)
        return f"({' and '.join(parts)})"

    def conjunction(self, depth: int, scope: Scope) -> str:
        left, right = self.share_out(scope)
        if right and self.chance(0.3):
            with self.beside(right):
                parts = [self.write("event", depth, left)]
            parts.append(self.bind_by_facts(right))
        else:
            parts = [*self.write_beside("event", left, "event", right, depth)]
        everything = {**left, **right}
        if self.chance(0.3):
            with self.about("event"):
                parts.append(self.condition(1, everything))
        if not self.is_aggregated and self.chance(0.2):
            parts.append(self.compare_aggregate("event", depth, everything))
        if self.chance(0.2):
            parts.append(self.filter(depth, everything))
        return self.join_parts(parts)

    def negated_twice(self, depth: int, scope: Scope) -> str:
        event = self.write("event", depth, scope)
        if not scope:
            return f"(not (not {event}))"
        inner = f"({self.bind_by_facts(scope)} and not {event})"
        return self.join_parts([self.bind_by_facts(scope), f"not {inner}"])

    def filtered(self, kind: Kind, depth: int, scope: Scope) -> str:
        """`where`, with a condition that may give some of the variables their values."""
        if scope and self.chance(0.4):
            left, right = self.share_out(scope)
            if right:
                # Facts give the alternatives on the left values, so they may have these too.
                facts = {**right, **self.choose_some(scope, 0.3)}
                with self.beside(facts):
                    written = self.write(kind, depth, {**left, **self.choose_some(facts, 0.5)})
                return f"({written} where {self.bind_by_facts(facts)})"
        local = self.new_variable() if self.chance(0.3) else {}
        everything = {**scope, **local}
        body = self.write(kind, depth, everything)
        if not self.is_aggregated and self.chance(0.4):
            return f"({body} where {self.compare_aggregate(kind, depth, everything)})"
        with self.about(kind):
            return f"({body} where {self.condition(2, everything)})"

    def computed(self, kind: Kind, depth: int, scope: Scope) -> str:
        """`let`: some of the variables are computed of others, which may be seen nowhere else."""
        return f"({self.let(kind, depth, scope)})"

    def let(self, kind: Kind, depth: int, scope: Scope) -> str:
        new = self.choose_some(scope, 0.7)
        given = {name: found for name, found in scope.items() if name not in new}
        if self.chance(0.3):
            new = {**new, **self.new_variable(("int", "int", "float", "str"))}
        for _ in range(self.pick((0, 1, 1))):
            given = {**given, **self.new_variable(("int", "int", "float", "str"))}
        body = self.write(kind, depth, given)
        with self.about(kind):
            if self.chance(0.15):
                body += f" where {self.condition(1, given)}"
            parts = []
            for name, found in new.items():
                if not self.is_aggregated and self.chance(0.5):
                    parts.append(f"{name} = {self.aggregate(kind, depth, found, given)}")
                else:
                    parts.append(f"{name} = {self.compute(found, given)}")
                given = {**given, name: found}
            if parts:
                word = self.pick((", ", " let "))
                body += f" let {word.join(parts)}"
            if self.chance(0.3):
                body += f" where {self.condition(1, given)}"
        return body

    def measured(self, kind: Kind, depth: int, scope: Scope) -> str:
        if self.is_aggregated:
            return self.filtered(kind, depth, scope)
        body = self.write(kind, depth, scope)
        return f"({body} where {self.compare_aggregate(kind, depth, scope)})"

    def aggregate(self, kind: Kind, depth: int, wanted: ValueType, scope: Scope) -> str:
        """A value of many rows beside a formula that gives the scope a value."""
        functions = ["min", "max", "first", "last"]
        if wanted == "int":
            functions += ["count", "count", "count", "count of", "sum", "sum"]
            functions += ["total", "total"] if kind != "event" else []
        if wanted == "float":
            functions += ["sum", "avg", "avg"]
        function = self.pick(functions)
        shared = self.choose_some(scope)
        before, self.is_aggregated = self.is_aggregated, True
        given, self.given, moments, self.moments = self.given, {}, self.moments, ()
        of: Scope = {}
        if function == "count of":
            of = self.new_variable() | (self.new_variable() if self.chance(0.2) else {})
        elif function not in ("count", "total"):
            # Averages are of whole numbers, too.
            of = self.new_variable((wanted, "int") if function == "avg" else (wanted,))
        inner: Kind = "state" if function == "total" else "event"
        rows = self.write(inner, self.pick((0, 0, min(depth, 1))), {**shared, **of})
        self.is_aggregated, self.given, self.moments = before, given, moments
        names = f"({', '.join(of)}) of " if len(of) > 1 else "".join(f"{one} of " for one in of)
        span = f" {self.pick(('over', 'past'))} {self.duration(1)}" if kind == "event" else ""
        return f"{function.removesuffix(' of')}({names}{rows}{span})"

    def compare_aggregate(self, kind: Kind, depth: int, scope: Scope) -> str:
        types: tuple[ValueType, ...] = ("int", "int", "int", "float", "str")
        wanted = self.pick(types)
        value = self.aggregate(kind, depth, wanted, scope)
        numbers = [name for name, found in scope.items() if found == wanted]
        others = [*CONSTANTS[wanted], *numbers] if wanted == "str" else ["0", "1", "2", *numbers]
        found = f"{value} {self.pick(COMPARISONS)} {self.pick(others)}"
        match self.random.randrange(6):
            case 0:
                return f"not ({found})"
            case 1:
                return f"({found} {self.pick(('and', 'or'))} {self.condition(1, scope)})"
            case _:
                return found

    def write_beside(
        self, one: Kind, first: Scope, other: Kind, second: Scope, depth: int
    ) -> tuple[str, str]:
        """Two formulas of which one may lack, in some alternative, what the other one has."""
        if self.chance(0.5):
            with self.beside(second):
                left = self.write(one, depth, first)
            return left, self.write(other, depth, second)
        left = self.write(one, depth, first)
        with self.beside(first):
            return left, self.write(other, depth, second)

    def filter(self, depth: int, scope: Scope) -> str:
        with self.beside(scope):
            return self._filter(depth, scope)

    def _filter(self, depth: int, scope: Scope) -> str:
        self.budget -= 1
        if depth <= 0 or self.budget <= 0:
            return f"not {self.atom('event', self.choose_some(scope))}"
        depth -= 1
        match self.random.randrange(14):
            case 0 | 1 | 2 | 3:
                return f"not {self.write('event', depth, self.choose_some(scope))}"
            case 12:
                # Inside a negation only what it has itself gives a value to another.
                inner = self.write("event", depth, {})
                return f"not ({inner} or not {self.write('event', depth, {})})"
            case 13:
                parts = [self.write("event", depth, {}), self.filter(depth, scope)]
                self.random.shuffle(parts)
                return f"({' or '.join(parts)})"
            case 4:
                return f"not {self.unbounded(depth, self.choose_some(scope))}"
            case 5 | 6:
                parts = [self.filter(depth, scope) for _ in range(self.pick((2, 2, 3)))]
                return f"({' or '.join(parts)})"
            case 7:
                local = self.new_variable() if self.chance(0.5) else {}
                event = self.write("event", depth, local)
                return self.join_parts([event, self.filter(depth, {**scope, **local})])
            case 8:
                local = self.new_variable() if self.chance(0.5) else {}
                event = self.write("event", depth, local)
                state = self.write("state", depth, {**self.choose_some(scope), **local})
                return f"({event} not in {state})"
            case 9:
                return f"({self.write('event', depth, {})} where {self.condition(1, scope)})"
            case 10:
                word = self.pick(("in", "not in"))
                return f"({self.filter(depth, scope)} {word} {self.write('state', depth, {})})"
            case _:
                return self.join_parts([self.filter(depth, scope), self.filter(depth, scope)])

    def unbounded(self, depth: int, scope: Scope) -> str:
        self.budget -= 1
        choice = self.random.randrange(10 if depth > 0 and self.budget > 0 else 5)
        depth -= 1
        match choice:
            case 5:
                first, second = self.lack([scope, scope])
                parts = [self.unbounded(depth, first), self.write("event", depth, second)]
                self.random.shuffle(parts)
                return f"({' or '.join(parts)})"
            case 6:
                left, right = self.share_out(scope)
                return f"({self.unbounded(depth, left)} in {self.write('state', depth, right)})"
            case 7:
                state = self.write("state", depth, self.choose_some(scope))
                return f"({self.unbounded(depth, scope)} not in {state})"
            case 8:
                return f"({self.unbounded(depth, scope)} where {self.condition(1, scope)})"
            case 9 if scope:
                part = f"not {self.write('event', depth, self.choose_some(scope))}"
                return f"({part} where {self.bind_by_facts(scope)})"
        local = self.new_variable() if self.chance(0.2) else {}
        everything = {**scope, **local}
        parts = [f"not {self.write('event', depth, self.choose_some(everything))}"]
        if everything:
            parts.append(self.bind_by_facts(everything))
        if self.chance(0.3):
            parts.append(f"not {self.write('event', depth, self.choose_some(everything))}")
        return self.join_parts(parts)

    def either(self, kind: Kind, depth: int, scope: Scope, probability: float = 0.12) -> str:
        if kind == "event" and self.chance(probability):
            return self.unbounded(depth, scope)
        return self.write(kind, depth, scope)
