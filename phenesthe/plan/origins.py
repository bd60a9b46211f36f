"""How a formula is written, as far as people are told about it."""

from typing import assert_never

from phenesthe.check.program import Checked
from phenesthe.graph.origin import Origin, Written
from phenesthe.plan.columns import bodies_of
from phenesthe.syntax import tree
from phenesthe.syntax.clauses import list_durations


class _Printed:
    """A formula as text, made when it is asked for; what travels is the text."""

    __slots__ = ("_node", "_text")

    def __init__(self, node: tree.Formula) -> None:
        self._node: tree.Formula | None = node
        self._text = ""

    def __str__(self) -> str:
        if self._node is not None:
            # A check loads no printer: what it tells has the text of the file beside it.
            from phenesthe.syntax.printer import print_formula

            self._text, self._node = print_formula(self._node), None
        return self._text

    def __repr__(self) -> str:
        return repr(str(self))

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)


def find_origin(definition: str, node: tree.Formula) -> Origin:
    mode = node.mode if isinstance(node, tree.Relation) else None
    durations = {
        clause.word: Written(_print_duration(duration), duration.span)
        for clause, duration in list_durations(node)
    }
    return Origin(definition, _Printed(node), node.span, find_word(node), mode, durations)


def _print_duration(duration: tree.Duration) -> str:
    # As above: what a check lowers rarely has a duration.
    from phenesthe.syntax.printer import print_value

    return print_value(duration)


def is_whole(definition: Checked, origin: Origin) -> bool:
    """Whether a formula is all that the definition says."""
    bodies = [(body.span, find_word(body)) for body in bodies_of(definition)]
    return bodies == [(origin.place, origin.word)]


def find_word(node: tree.Formula) -> str:
    """Of its operator, as written; where a variable ends there is none."""
    match node:
        case tree.Atom():
            is_less = any(isinstance(argument, tree.Wildcard) for argument in node.arguments)
            return "exists" if is_less else ""
        case tree.Calendar():
            return "calendar"
        case tree.Exists():
            return "exists"
        case tree.Where():
            return "where"
        case tree.Let():
            return "let"
        case tree.Start():
            return "start"
        case tree.End():
            return "end"
        case tree.And():
            return "and"
        case tree.Or():
            return "or"
        case tree.Not():
            return "not"
        case tree.In():
            return "not in" if node.negated else "in"
        case tree.MaximalRange():
            return "~>"
        case tree.Repeat():
            return "repeat"
        case tree.Union():
            return "union"
        case tree.Intersection():
            return "intersection"
        case tree.Complement():
            return node.name
        case tree.Lasting():
            return "lasting"
        case tree.Counting():
            return node.word
        case tree.Then():
            return "then"
        case tree.Relation():
            return node.name
        case tree.Comparison():
            return node.operator
        case _:
            assert_never(node)
