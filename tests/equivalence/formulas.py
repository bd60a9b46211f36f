"""Writes formulas of a wanted kind that give a wanted set of variables a value."""

from random import Random

from phenesthe.syntax.tree import INVERSES, Kind
from tests.equivalence.calendars import list_clocks, write_calendar
from tests.equivalence.conditions import COMPARISONS
from tests.equivalence.lengths import Length, LengthWriter
from tests.equivalence.vocabulary import INPUTS, Named, Scope

MODES = ("source", "target", "union", "intersection", "complement", "inverse_complement")
RELATIONS = ("before", "meets", "overlaps", "starts", "finishes", "equals", "contains")
ALL_RELATIONS = (*RELATIONS, *INVERSES)
#: Those that take `within` for the same instant.
NEARLY = (
    "meets", "met_by", "starts", "started_by", "finishes", "finished_by", "equals",
)  # fmt: skip
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


class FormulaWriter(LengthWriter):
    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.known: dict[Kind, list[Named]] = {kind: list(INPUTS[kind]) for kind in INPUTS}
        #: The clock of the program's calendar states.
        self.clock = random.choice(list_clocks())

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

    # Φ⁻

    def state(self, depth: int, scope: Scope) -> str:
        match self.random.randrange(40):
            case 38 | 39:
                return self.computed("state", depth, scope)
            case 0 | 1 | 2 | 3:
                return self.maximal_range(depth, scope)
            case 30 | 31 | 32:
                return self.counting(depth, scope)
            case 4 | 5 | 6:
                return self.repeat(depth, scope)
            case 7 | 8:
                parts = [self.write("state", depth, one) for one in self.share_alternatives(scope)]
                return f"({' union '.join(parts)})"
            case 9 | 10 | 29:
                first, second = self.share_out(scope)
                parts = [*self.write_beside("state", first, "state", second, depth)]
                if self.chance(0.2):
                    with self.beside(scope):
                        parts.append(self.write("state", depth, self.choose_some(scope)))
                return f"({' intersection '.join(parts)})"
            case 11 | 12 | 28:
                joining = self.new_variable() if self.chance(0.15) else {}
                whole = self.write("state", depth, {**scope, **joining})
                with self.beside({**scope, **joining}):
                    taken = self.write("state", depth, {**self.choose_some(scope), **joining})
                return f"({whole} {self.pick(('complement', 'without'))} {taken})"
            case 13 | 14 | 27:
                return self.lasting("state", depth, scope)
            case 15 | 16 | 17:
                first, second = self.share_out(scope)
                kinds: tuple[Kind, ...] = ("event", "state")
                one, other = self.pick(kinds), self.pick(kinds)
                return f"({' then '.join(self.write_sides(one, first, other, second, depth))})"
            case 18 | 19 | 20 | 21 | 24 | 25 | 26:
                first, second = self.share_out(scope)
                depth = self.pick((0, depth))
                length = self.choose_length(scope)
                first, second = self.give_length(length, first, second)
                left, right = self.write_beside("state", first, "state", second, depth)
                mode = f" as {self.pick(MODES)}"
                name = self.pick(("before", "after")) if length.text else ""
                return f"({self.relate(left, right, mode, name, length)})"
            case 22:
                return self.filtered("state", depth, scope)
            case 23:
                return self.measured("state", depth, scope)
            case 33 | 34:
                return self.state_of_alternatives(depth, scope)
            case 35 | 36 | 37:
                return self.timed(depth, scope)
            case _:
                return self.atom("state", scope)

    def state_of_alternatives(self, depth: int, scope: Scope) -> str:
        """As `event_of_alternatives`; sometimes an operator stands between them and the context."""
        with self.beside(scope):
            some = self.lack([scope] * self.pick((2, 2, 3)))
            parts = [self.write("state", depth, one) for one in some]
        either = f"({' union '.join(parts)})"
        if self.chance(0.35):
            either = f"({either} lasting {self.pick(COMPARISONS)} {self.duration()})"
        beside = self.write("state", depth, scope)
        match self.random.randrange(9):
            case 0 | 1 | 2:
                return f"({either} intersection {beside})"
            case 3:
                return f"({beside} complement {either})"
            case 4:
                return f"({beside} without {either})"
            case 5:
                return f"({either} where {self.bind_by_facts(scope)})" if scope else either
            case 6:
                return f"({either} then {beside})"
            case 7:
                return f"({self.relate(either, beside, f' as {self.pick(MODES)}')})"
            case _:
                return f"({self.relate(beside, either, f' as {self.pick(MODES)}')})"

    def counting(self, depth: int, scope: Scope) -> str:
        """How many at once; as a number where the scope has one to give, and sometimes else."""
        counted = self.new_variable()
        if self.chance(0.2):
            counted |= self.new_variable()
        named = ", ".join(counted) if len(counted) == 1 else f"({', '.join(counted)})"
        numbers = [name for name, found in scope.items() if found == "int"]
        if self.chance(0.4 if numbers else 0.7):
            least = self.pick(("2", "2", "2", "3", "several"))
            state = self.write("state", depth, {**scope, **counted})
            return f"(at least {least} {named} of ({state}))"
        number = self.pick(numbers) if numbers else next(iter(self.new_variable(("int",))))
        rest = {name: found for name, found in scope.items() if name != number}
        state = self.write("state", depth, {**rest, **counted})
        written = f"(count {named} of ({state}) as {number})"
        if number in scope and self.chance(0.7):
            return written
        return f"({written} where {self.compare({number: 'int'})})"

    def calendar(self) -> str:
        return "always()" if self.chance(0.35) else write_calendar(self.clock, self.random)

    def timed(self, depth: int, scope: Scope) -> str:
        """What time alone makes has no variables: facts bring them, or another state does."""
        if scope and self.chance(0.3):
            return f"({self.calendar()} where {self.bind_by_facts(scope)})"
        state = self.write("state", depth, scope)
        match self.random.randrange(6):
            case 0 if not scope:
                return f"({self.calendar()} complement {state})"
            case 1 if not scope:
                return f"({self.calendar()} union {state})"
            case 2:
                return f"({state} {self.pick(('complement', 'without'))} {self.calendar()})"
            case 3:
                return f"({state} {self.pick(('overlaps', 'during'))} {self.calendar()} as union)"
            case _:
                return f"({self.calendar()} intersection {state})" if scope else self.calendar()

    def maximal_range(self, depth: int, scope: Scope) -> str:
        joining = self.new_variable() if self.chance(0.15) else {}
        length = self.choose_length(scope)
        start = self.either("event", depth, {**scope, **joining, **length.given})
        with self.beside({**scope, **joining}):
            stop = self.either("event", depth, {**self.choose_some(scope, 0.8), **joining})
        clauses = self.clauses(length)
        if clauses and not joining and self.chance(0.2):
            return f"({self.filter_by(length, f'{start}{clauses}')})"
        return f"({self.filter_by(length, f'{start} ~> {stop}{clauses}')})"

    def clauses(self, length: Length) -> str:
        words = [one for one in ("expires", "limit") if self.chance(0.3)]
        if length.text is not None:
            words = words or [self.pick(("expires", "limit"))]
        chosen = self.pick(words) if words else ""
        found: list[str] = []
        for word in words:
            varies = length.text is not None and (word == chosen or self.chance(0.2))
            found.append(f" {word} {length.text if varies else self.duration(1)}")
        self.random.shuffle(found)
        return "".join(found)

    def repeat(self, depth: int, scope: Scope) -> str:
        length = self.choose_length(scope)
        sign = self.pick((*COMPARISONS, "<", "<="))
        gap = f"gap {sign} {length.text or self.duration()}"
        if length.text is not None:
            whole = {**scope, **length.given}
            written = f"repeat {self.write('event', depth, whole)} while {gap}"
            if self.chance(0.3):
                local = self.new_variable(("int", "float", "int", "str"))
                event = self.write("event", depth, {**whole, **local})
                condition = self.pair_condition({**whole, **local}, local)
                written = f"repeat {event} while {gap} and {condition}"
            return f"({self.filter_by(length, written)})"
        if self.chance(0.4):
            return f"(repeat {self.write('event', depth, scope)} while {gap})"
        local = self.new_variable(("int", "float", "int", "float", "str"))
        if self.chance(0.2):
            local |= self.new_variable(("int", "bool"))
        event = self.write("event", depth, {**scope, **local})
        return f"(repeat {event} while {gap} and {self.pair_condition({**scope, **local}, local)})"

    def pair_condition(self, scope: Scope, local: Scope) -> str:
        both = {**scope, **{f"prev({name})": found for name, found in local.items()}}
        numbers = [name for name, found in local.items() if found in ("int", "float")]
        if numbers and self.chance(0.4):
            # What people ask: of conditions on anything few tell the two apart.
            one = self.pick(numbers)
            less = self.pick((f"{one} - prev({one})", f"abs({one} - prev({one}))"))
            asked = self.pick((f"{one} {{}} prev({one})", f"{less} {{}} {self.pick((1, 2, 5))}"))
            return asked.format(self.pick(COMPARISONS))
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
        length = self.choose_length(scope)
        inner = self.write(kind, depth, {**scope, **length.given})
        more = f" lasting {self.pick(COMPARISONS)} {self.duration()}" if self.chance(0.15) else ""
        ticks = length.text or self.duration()
        written = f"({inner}) lasting {self.pick(COMPARISONS)} {ticks}{more}"
        return f"({self.filter_by(length, written)})"

    # Φ⁼

    def dynamic(self, depth: int, scope: Scope) -> str:
        match self.random.randrange(17):
            case 16:
                return self.measured("dynamic", depth, scope)
            case 14 | 15:
                return self.computed("dynamic", depth, scope)
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
        length = Length()
        if name in ("before", "after", *NEARLY):
            length = self.choose_length(scope)
            first, second = self.give_length(length, first, second)
        sides = self.write_sides(one, first, other, second, depth)
        return f"({self.relate(*sides, '', name, length)})"

    def give_length(self, length: Length, first: Scope, second: Scope) -> tuple[Scope, Scope]:
        """To one side, or to both, which then share it."""
        given = self.pick(((True, False), (False, True), (True, True)))
        left = {**first, **length.given} if given[0] else first
        return left, {**second, **length.given} if given[1] else second

    def write_sides(
        self, one: Kind, first: Scope, other: Kind, second: Scope, depth: int
    ) -> tuple[str, str]:
        """Two operands of which at most one is unbounded."""
        is_left, is_given = self.chance(0.5), self.chance(0.5)
        with self.beside(second if is_given else {}):
            left = self.either(one, depth, first, 0.12 if is_left else 0)
        with self.beside({} if is_given else first):
            return left, self.either(other, depth, second, 0 if is_left else 0.12)

    def relate(
        self, left: str, right: str, mode: str, name: str = "", length: Length | None = None
    ) -> str:
        name = name or self.pick(("before", "after", *ALL_RELATIONS))
        varying = length.text if length is not None else None
        words: list[str] = []
        if name in NEARLY and not mode and (varying or self.chance(0.4)):
            words = ["within"]
        if name in ("before", "after"):
            if not mode and self.chance(0.35):
                words.append("from")
            if self.chance(0.4) or (varying and not words):
                words.append("within")
        chosen = self.pick(words) if words else ""
        limits = ""
        for word in words:
            varies = varying and (word == chosen or self.chance(0.15))
            least = 1 if word == "from" else 0
            limits += f" {word} {varying if varies else self.duration(least)}"
        where = "" if length is None else length.where
        return f"{left} {name} {right}{limits}{mode}{where}"
