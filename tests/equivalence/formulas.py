"""Writes formulas of a wanted kind that give a wanted set of variables a value."""

from random import Random

from phenesthe.syntax.tree import INVERSES, Kind
from tests.equivalence.conditions import COMPARISONS, ConditionWriter
from tests.equivalence.vocabulary import INPUTS, Named, Scope

MODES = ("source", "target", "union", "intersection", "complement", "inverse_complement")
RELATIONS = ("before", "meets", "overlaps", "starts", "finishes", "equals", "contains")
ALL_RELATIONS = (*RELATIONS, *INVERSES)
#: What a relation takes on its left and on its right.
_ANY: tuple[Kind, ...] = ("event", "state", "dynamic")
_LONG: tuple[Kind, ...] = ("state", "dynamic")
SIDES = {
    "before": (_ANY, _ANY),
    "meets": (_LONG, _LONG),
    "overlaps": (_LONG, _LONG),
    "starts": (_ANY, _LONG),
    "finishes": (_ANY, _LONG),
    "equals": (_LONG, _LONG),
    "contains": (_LONG, _ANY),
}


class FormulaWriter(ConditionWriter):
    """`depth` is what is left of the nesting, `budget` of the operators of a definition.

    A *filter* is an event that binds nothing and may use what its neighbours bind. An *unbounded*
    event is a negation that no event limits; it stands only where `language.md` allows it.
    """

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.known: dict[Kind, list[Named]] = {kind: list(INPUTS[kind]) for kind in INPUTS}
        self.budget = 0
        self.suffix = "s"

    def write(self, kind: Kind, depth: int, scope: Scope) -> str:
        self.budget -= 1
        if depth <= 0 or self.budget <= 0:
            return self.atom(kind, scope)
        match kind:
            case "event":
                return self.event(depth - 1, scope)
            case "state":
                return self.state(depth - 1, scope)
            case "dynamic":
                return self.dynamic(depth - 1, scope)

    def atom(self, kind: Kind, scope: Scope) -> str:
        fitting = self.find_fitting(self.known[kind], scope)
        if fitting:
            own = [one for one in fitting if one not in INPUTS[kind]]
            return self.fill(self.pick(own if own and self.chance(0.5) else fitting), scope)
        name, *others = scope
        first = self.atom(kind, {name: scope[name]})
        rest = self.atom(kind, {other: scope[other] for other in others})
        word = {
            "event": ("and",),
            "state": ("intersection", "intersection", "then", "before {} as union"),
            "dynamic": ("before", "after", "overlaps", "meets"),
        }[kind]
        chosen = self.pick(word)
        if "{}" in chosen:
            return f"({first} {chosen.format(rest)})"
        return f"({first} {chosen} {rest})"

    def duration(self, least: int = 0) -> str:
        ticks = self.pick((1, 2, 3, 4, 4, 5, 6, 8, 8, 12, 20))
        if self.chance(0.04):
            return self.pick((str(least), "9000000000000000000"))
        written = str(ticks), f"{ticks}{self.suffix}"
        return self.pick((*written, *written, "pause", "chosen"))

    # Φ•

    def event(self, depth: int, scope: Scope) -> str:
        match self.random.randrange(22):
            case 0 | 1 | 2 | 3:
                return self.conjunction(depth, scope)
            case 4 | 5:
                parts = [self.write("event", depth, scope) for _ in range(self.pick((2, 2, 3)))]
                return f"({' or '.join(parts)})"
            case 6 | 7 | 8:
                left, right = self.share_out(scope)
                event, state = self.write("event", depth, left), self.write("state", depth, right)
                return f"({event} in {state})"
            case 9 | 10:
                local = self.new_variable() if self.chance(0.2) else {}
                event = self.write("event", depth, {**scope, **local})
                state = self.write("state", depth, self.choose_some({**scope, **local}))
                return f"({event} not in {state})"
            case 11 | 12 | 13:
                return f"{self.pick(('start', 'end'))}({self.write('state', depth, scope)})"
            case 14 | 15:
                return self.filtered("event", depth, scope)
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
            case _:
                return self.atom("event", scope)

    def join_parts(self, parts: list[str]) -> str:
        self.random.shuffle(parts)
        return f"({' and '.join(parts)})"

    def conjunction(self, depth: int, scope: Scope) -> str:
        left, right = self.share_out(scope)
        parts = [self.write("event", depth, left)]
        if right and self.chance(0.3):
            parts.append(self.bind_by_facts(right))
        else:
            parts.append(self.write("event", depth, right))
        everything = {**left, **right}
        if self.chance(0.3):
            parts.append(self.condition(1, everything))
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
                return f"({self.write(kind, depth, left)} where {self.bind_by_facts(right)})"
        local = self.new_variable() if self.chance(0.3) else {}
        everything = {**scope, **local}
        return f"({self.write(kind, depth, everything)} where {self.condition(2, everything)})"

    def filter(self, depth: int, scope: Scope) -> str:
        self.budget -= 1
        if depth <= 0 or self.budget <= 0:
            return f"not {self.atom('event', self.choose_some(scope))}"
        depth -= 1
        match self.random.randrange(12):
            case 0 | 1 | 2 | 3:
                return f"not {self.write('event', depth, self.choose_some(scope))}"
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
                parts = [self.unbounded(depth, scope), self.write("event", depth, scope)]
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

    # Φ⁻

    def state(self, depth: int, scope: Scope) -> str:
        match self.random.randrange(27):
            case 0 | 1 | 2 | 3:
                return self.maximal_range(depth, scope)
            case 4 | 5 | 6:
                return self.repeat(depth, scope)
            case 7 | 8:
                parts = [self.write("state", depth, scope) for _ in range(self.pick((2, 2, 3)))]
                return f"({' union '.join(parts)})"
            case 9 | 10:
                left, right = self.share_out(scope)
                parts = [self.write("state", depth, left), self.write("state", depth, right)]
                if self.chance(0.2):
                    parts.append(self.write("state", depth, self.choose_some(scope)))
                return f"({' intersection '.join(parts)})"
            case 11 | 12:
                joining = self.new_variable() if self.chance(0.15) else {}
                left = self.write("state", depth, {**scope, **joining})
                right = self.write("state", depth, {**self.choose_some(scope), **joining})
                return f"({left} complement {right})"
            case 13 | 14:
                return self.lasting("state", depth, scope)
            case 15 | 16 | 17:
                first, second = self.share_out(scope)
                one, other = self.pick(("event", "state")), self.pick(("event", "state"))
                if self.chance(0.5):
                    left, right = self.either(one, depth, first), self.write(other, depth, second)
                else:
                    left, right = self.write(one, depth, first), self.either(other, depth, second)
                return f"({left} then {right})"
            case 18 | 19 | 20 | 21 | 24 | 25 | 26:
                first, second = self.share_out(scope)
                depth = self.pick((0, depth))
                left, right = self.write("state", depth, first), self.write("state", depth, second)
                return f"({self.relate(left, right, f' as {self.pick(MODES)}')})"
            case 22:
                return self.filtered("state", depth, scope)
            case _:
                return self.atom("state", scope)

    def maximal_range(self, depth: int, scope: Scope) -> str:
        joining = self.new_variable() if self.chance(0.15) else {}
        start = self.either("event", depth, {**scope, **joining})
        stop = self.either("event", depth, {**self.choose_some(scope, 0.8), **joining})
        return f"({start} ~> {stop}{self.expires()})"

    def expires(self) -> str:
        return f" expires {self.duration(1)}" if self.chance(0.4) else ""

    def repeat(self, depth: int, scope: Scope) -> str:
        gap = f"gap {self.pick((*COMPARISONS, '<', '<='))} {self.duration()}"
        if self.chance(0.4):
            return f"(repeat {self.write('event', depth, scope)} while {gap})"
        local = self.new_variable(("int", "float", "int", "float", "str"))
        if self.chance(0.2):
            local |= self.new_variable(("int", "bool"))
        event = self.write("event", depth, {**scope, **local})
        return f"(repeat {event} while {gap} and {self.pair_condition({**scope, **local}, local)})"

    def pair_condition(self, scope: Scope, local: Scope) -> str:
        both = {**scope, **{f"prev({name})": found for name, found in local.items()}}
        parts = [self.compare(both)]
        if self.chance(0.3):
            parts.append(self.condition(1, scope))
        match self.random.randrange(6):
            case 0:
                return f"({' or '.join([*parts, self.compare(both)])})"
            case 1:
                return f"not ({' and '.join(parts)})"
            case _:
                return " and ".join(parts)

    def lasting(self, kind: Kind, depth: int, scope: Scope) -> str:
        inner = self.write(kind, depth, scope)
        more = f" lasting {self.pick(COMPARISONS)} {self.duration()}" if self.chance(0.15) else ""
        return f"(({inner}) lasting {self.pick(COMPARISONS)} {self.duration()}{more})"

    # Φ⁼

    def dynamic(self, depth: int, scope: Scope) -> str:
        match self.random.randrange(14):
            case 0:
                return self.lasting("dynamic", depth, scope)
            case 1:
                return self.filtered("dynamic", depth, scope)
            case 2:
                return self.atom("dynamic", scope)
            case _:
                return self.relation(depth, scope)

    def relation(self, depth: int, scope: Scope) -> str:
        depth = self.pick((0, depth))
        name = self.pick(("before", "after", *ALL_RELATIONS))
        left, right = SIDES[INVERSES.get(name, name)]
        if name in INVERSES:
            left, right = right, left
        first, second = self.share_out(scope)
        one, other = self.pick(left), self.pick(right)
        if self.chance(0.5):
            written = self.either(one, depth, first), self.write(other, depth, second)
        else:
            written = self.write(one, depth, first), self.either(other, depth, second)
        return f"({self.relate(*written, '', name)})"

    def relate(self, left: str, right: str, mode: str, name: str = "") -> str:
        name = name or self.pick(("before", "after", *ALL_RELATIONS))
        within = ""
        if name in ("before", "after") and self.chance(0.4):
            within = f" within {self.duration()}"
        return f"{left} {name} {right}{within}{mode}"
