"""Finding what a program must remember: formula by formula, operands before what uses them."""

from collections.abc import Sequence
from typing import assert_never

from phenesthe.check.bound_negation import is_dense
from phenesthe.check.check_parameters import ticks
from phenesthe.check.program import Checked, CheckedDefinition, CheckedProgram
from phenesthe.check.scopes import Scopes
from phenesthe.plan import memory_rules as rules
from phenesthe.plan.late import (
    ENDLESS,
    NEVER,
    PENDING,
    SETTLED,
    WAITING,
    Late,
    both,
    find_reaching_sides,
    find_worst,
)
from phenesthe.plan.memory import Limit, MemoryPlan, Need, Remembered
from phenesthe.syntax.printer import print_value
from phenesthe.syntax.tree import (
    And,
    Atom,
    Comparison,
    Complement,
    Duration,
    DurationLiteral,
    End,
    Exists,
    Formula,
    In,
    Intersection,
    IntLiteral,
    Lasting,
    MaximalRange,
    Not,
    Or,
    ParameterRef,
    Relation,
    Repeat,
    Start,
    Then,
    Union,
    Where,
    Wildcard,
)  # fmt: skip


def find_memory(program: CheckedProgram) -> MemoryPlan:
    finder = _Finder(program)
    for definition in program.definitions:
        finder.define(definition)
    return MemoryPlan(tuple(map(rules.remember_input, program.inputs)), tuple(finder.found))


class _Finder:
    def __init__(self, program: CheckedProgram) -> None:
        facts = frozenset(signature.name for signature in program.facts)
        self.found: list[Remembered] = []
        self._unit = program.unit
        self._parameters = {one.name: one.value for one in program.parameters}
        self._scopes = Scopes(facts.__contains__)
        self._kinds = {s.name: s.kind for s in program.inputs}
        self._kinds |= {d.signature.name: d.signature.kind for d in program.definitions}
        self._late: dict[str, Late] = {signature.name: NEVER for signature in program.inputs}
        self._definition = ""

    def define(self, definition: Checked) -> None:
        self._definition = definition.signature.name
        if isinstance(definition, CheckedDefinition):
            late = self._look(definition.body)
        else:
            late = find_worst([self._range(b.body, is_exclusive=True) for b in definition.branches])
        self._late[self._definition] = late

    def _look(self, node: Formula) -> Late:
        match node:
            case Atom():
                return self._atom(node)
            case Where():
                late = self._look(node.operand)
                self._add(node, "where", rules.ROW_BY_ROW)
                return late
            case Start() | End():
                late = self._look(node.operand)
                is_start = isinstance(node, Start)
                self._add(node, "start" if is_start else "end", rules.ROW_BY_ROW)
                return both(late.starts if is_start else late.ends)
            case And():
                return self._connect(node, "and", node.operands)
            case Or():
                return self._connect(node, "or", node.operands)
            case Not():
                return self._connect(node, "not", (node.operand,))
            case In():
                operator = "not in" if node.negated else "in"
                return self._connect(node, operator, (node.event, node.state))
            case Exists():
                late = self._look(node.operand)
                return self._close(node, node.operand, late)
            case MaximalRange():
                return self._range(node, is_exclusive=False)
            case Repeat():
                return self._repeat(node)
            case Union():
                return self._combine(node, "union", node.operands, rules.HOLDING)
            case Intersection():
                late = self._combine(node, "intersection", node.operands, rules.INTERSECTION)
                # Whether a first common instant is more than one is seen an instant later.
                return Late(max(PENDING, late.starts), late.ends)
            case Complement():
                parts = (node.left, node.right)
                late = self._combine(node, "complement", parts, rules.COMPLEMENT)
                # Here also whether a last one is the last: the right side begins after it.
                return both(max(PENDING, late.worst))
            case Lasting():
                late = self._look(node.operand)
                limit = self._limit("lasting", node.duration)
                self._add(node, "lasting", rules.need_of_lasting(node.operator, limit))
                return Late(max(PENDING, late.worst), late.ends)
            case Then():
                return self._then(node)
            case Relation():
                return self._relation(node)
            case Comparison():
                raise AssertionError("a condition has no time")
            case _:
                assert_never(node)

    # Events

    def _atom(self, node: Atom) -> Late:
        late = self._late[node.name.text]
        if any(isinstance(argument, Wildcard) for argument in node.arguments):
            return self._close(node, node, late)
        return late

    def _connect(self, node: Formula, operator: str, operands: Sequence[Formula]) -> Late:
        timed = [part for part in operands if not self._scopes.is_condition(part)]
        lates = [self._look(part) for part in timed]
        late = both(find_worst(lates).worst)
        if len(timed) == 1 and not isinstance(node, Not):
            self._add(node, operator, rules.ROW_BY_ROW)
        else:
            self._add(node, operator, rules.ONE_INSTANT, timed, lates)
        return late

    # States

    def _close(self, node: Formula, operand: Formula, late: Late) -> Late:
        """A variable ends here. The intervals of a state then grow together, as in a union."""
        if self._kind(operand) != "state":
            self._add(node, "exists", rules.ROW_BY_ROW)
            return late
        self._add(node, "exists", rules.HOLDING, [operand], [late])
        return both(late.worst)

    def _range(self, node: MaximalRange, *, is_exclusive: bool) -> Late:
        operands = [node.start, node.stop]
        lates = [self._look(part) for part in operands]
        expires = None if node.expires is None else self._limit("expires", node.expires)
        need = rules.need_of_range(expires, is_exclusive=is_exclusive)
        self._add(node, "~>", need, operands, lates)
        return both(max(find_worst(lates).worst, _endless(need)))

    def _repeat(self, node: Repeat) -> Late:
        late = self._look(node.event)
        limit = self._limit("gap", node.gap)
        need = rules.need_of_repeat(node.operator, limit, self._scopes.free(node))
        self._add(node, "repeat", need, [node.event], [late])
        # Whether the last occurrence ends the run is seen when the gap has run out, if it does.
        own = PENDING if need.limit is not None else WAITING
        return both(max(own, late.worst, _endless(need)))

    def _combine(
        self, node: Formula, operator: str, operands: Sequence[Formula], need: Need
    ) -> Late:
        lates = [self._look(part) for part in operands]
        self._add(node, operator, need, operands, lates)
        return both(find_worst(lates).worst)

    def _then(self, node: Then) -> Late:
        operands = [node.left, node.right]
        need = self._dense_need(operands)
        if need is None:
            need = rules.need_of_then(*[self._scopes.free(part) for part in operands])
        # What is found next may touch what was found before, and the end between them vanishes.
        return both(self._pair(node, "then", need, operands).worst)

    # Relations

    def _relation(self, node: Relation) -> Late:
        operands = [node.left, node.right]
        need = self._dense_need(operands) or self._need_of_relation(node)
        if node.mode is None:
            return self._pair(node, node.name, need, operands)
        lates = [self._look(part) for part in operands]
        # A single side is reported as it is; together they are combined like states.
        is_single = node.mode in ("source", "target")
        reaching = find_reaching_sides(node.name) if is_single else None
        self._add(node, node.name, need, operands, lates, reaching)
        worst = find_worst(lates).worst
        if rules.reports_later(node.name, node.mode):
            # It happens after the frontier, and what came before it is final.
            return both(worst)
        worst = max(worst, _endless(need))
        is_ended = is_single and node.name not in ("before", "after")
        return Late(max(WAITING, worst), worst if is_ended else max(WAITING, worst))

    def _need_of_relation(self, node: Relation) -> Need:
        if node.name in ("contains", "during"):
            return rules.CONTAINS
        if node.name not in ("before", "after"):
            return rules.RELATED
        within = None if node.within is None else self._limit("within", node.within)
        left, right = self._scopes.free(node.left), self._scopes.free(node.right)
        if node.mode is not None:
            return rules.need_of_before_as(node.name, node.mode, within, left | right)
        earlier, later = (right, left) if node.name == "after" else (left, right)
        return rules.need_of_before(node.name, within, earlier, later)

    def _pair(self, node: Formula, operator: str, need: Need, operands: Sequence[Formula]) -> Late:
        """What is found ends no earlier than any of its parts, but may begin long before."""
        lates = [self._look(part) for part in operands]
        self._add(node, operator, need, operands, lates, find_reaching_sides(operator))
        worst = find_worst(lates)
        return Late(max(WAITING, worst.worst, _endless(need)), worst.ends)

    # What the rules ask

    def _add(
        self,
        node: Formula,
        operator: str,
        need: Need,
        operands: Sequence[Formula] = (),
        lates: Sequence[Late] = (),
        reaching: Sequence[int] | None = None,
    ) -> None:
        """`reaching` are the operands whose late starts matter, by default all; late ends do."""
        levels = [
            late.worst if reaching is None or at in reaching else late.ends
            for at, late in enumerate(lates)
        ]
        found = list(zip(operands, levels, strict=True))
        self.found.append(
            Remembered(
                self._definition,
                operator,
                node,
                need,
                because=tuple(operand for operand, level in found if level == ENDLESS),
                since=tuple(operand for operand, level in found if PENDING <= level < ENDLESS),
                is_limited=WAITING not in levels,
            )
        )

    def _dense_need(self, operands: Sequence[Formula]) -> Need | None:
        for operand in operands:
            if is_dense(operand, self._scopes):
                return rules.need_of_dense(operand)
        return None

    def _limit(self, word: str, duration: Duration) -> Limit:
        match duration:
            case IntLiteral():
                amount = duration.value
            case DurationLiteral():
                amount = int(ticks(duration, self._unit))
            case ParameterRef():
                amount = int(self._parameters[duration.name])
            case _:
                raise AssertionError("a checked duration is no word")
        return Limit(word, print_value(duration), amount)

    def _kind(self, node: Formula) -> str | None:
        match node:
            case Atom():
                return self._kinds[node.name.text]
            case Relation():
                return "dynamic" if node.mode is None else "state"
            case Where() | Lasting() | Exists():
                return self._kind(node.operand)
            case And() | Or() | Not() | In() | Start() | End():
                return "event"
            case _:
                return "state"


def _endless(need: Need) -> int:
    return ENDLESS if need.bound == "unbounded" else SETTLED
