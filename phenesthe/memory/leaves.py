"""What a formula over instants looks at: phenomena, and states that are formulas themselves."""

from collections.abc import Callable

from phenesthe.syntax.tree import And, Atom, End, Exists, Formula, In, Not, Or, Start, Where


def list_leaves(
    is_condition: Callable[[Formula], bool], formula: Formula
) -> tuple[list[Atom], list[Formula]]:
    """The atoms, and the states on the right of `in` or inside `start` and `end`."""
    atoms: list[Atom] = []
    states: list[Formula] = []

    def visit_state(node: Formula) -> None:
        if isinstance(node, Atom):
            atoms.append(node)
        else:
            states.append(node)

    def visit(node: Formula) -> None:
        if is_condition(node):
            return
        match node:
            case Atom():
                atoms.append(node)
            case And() | Or():
                for part in node.operands:
                    visit(part)
            case Not() | Exists() | Where():
                visit(node.operand)
            case In():
                visit(node.event)
                visit_state(node.state)
            case Start() | End():
                visit_state(node.operand)
            case _:
                raise AssertionError(f"no event: {type(node).__name__}")

    visit(formula)
    return atoms, states
