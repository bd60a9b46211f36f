"""Pass 7: what `at least` and `count` count is a variable of their state, and of nothing else."""

from collections.abc import Iterator

from phenesthe.check.scopes import Names, Scopes
from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import Aggregate, Counting, Formula, Variable
from phenesthe.syntax.tree.walk import Expression, children, walk

_NONE: Names = frozenset()


def check_counted(work: Work, draft: Draft) -> None:
    counting = draft.list_nodes(Counting)
    if draft.broken or not counting:
        return
    scopes = work.scopes_of(draft)
    head = {variable.name: variable.span for variable in draft.declaration.head.variables}
    for body in draft.bodies:
        outside: dict[str, Span] = {}
        for variable in _list_outside(body, _NONE):
            outside.setdefault(variable.name, variable.span)
        outside |= head
        for node in walk(body):
            if isinstance(node, Counting):
                _check(work, draft, node, scopes, outside)


def _list_outside(node: Expression, counted: Names) -> Iterator[Variable]:
    """The variables that no counting around them counts."""
    if isinstance(node, Variable):
        if node.name not in counted:
            yield node
        return
    if isinstance(node, Counting):
        counted |= node.local
    elif isinstance(node, Aggregate):
        counted |= frozenset(node.local)
    for part in children(node):
        yield from _list_outside(part, counted)


def _check(
    work: Work, draft: Draft, node: Counting, scopes: Scopes, outside: dict[str, Span]
) -> None:
    number = None if node.number is None else node.number.name
    inside = scopes.bound(node.operand)
    named: dict[str, Span] = {}
    for variable in node.counted:
        name = variable.name
        if name in named:
            _report(work, draft, f"`{name}` is counted twice", variable.span, "again",
                    "leave it out here", named[name], "here already")  # fmt: skip
        elif name == number:
            assert node.number is not None
            _report(work, draft, f"`{name}` is counted and is the number, too", node.number.span,
                    "the number", "use another variable for the number", variable.span,
                    "counted")  # fmt: skip
        elif name not in inside:
            _report(work, draft, f"the state that is counted over does not have `{name}`",
                    variable.span, "nothing to count",
                    "count a variable to which this state gives a value", node.operand.span,
                    f"no value for `{name}` here")  # fmt: skip
        elif name in outside:
            _report(work, draft, f"`{name}` is counted, so it has no single value outside",
                    outside[name], "used outside", "use another variable here, or count another",
                    variable.span, f"counted by this `{node.word}`")  # fmt: skip
        named.setdefault(name, variable.span)
    if node.number is not None and number not in named and number in scopes.free(node.operand):
        _report(work, draft, f"`{number}` is the number, and the state that is counted has it, too",
                node.number.span, "the number",
                "use another variable for the number, and compare the two: `where K == N`",
                _find(node.operand, node.number.name), "used inside")  # fmt: skip


def _find(node: Formula, name: str) -> Span:
    places = (one.span for one in walk(node) if isinstance(one, Variable) and one.name == name)
    return next(places)


def _report(
    work: Work, draft: Draft, message: str, place: Span, label: str, hint: str, other: Span,
    beside: str,
) -> None:  # fmt: skip
    related = (Label(span=other, message=beside),)
    work.report(error("V008", message, place, label=label, related=related, hint=hint), draft)
