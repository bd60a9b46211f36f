"""A whole program on one partition: every operator once, over all rows."""

from collections.abc import Callable, Mapping

from phenesthe.graph.program import Graph
from phenesthe.operators.nodes import get_node
from phenesthe.operators.rows import Rows, name_rows
from phenesthe.operators.work import Work, World

#: Told the name and the number of each definition, and how many there are.
Watcher = Callable[[str, int, int], None]


def evaluate(
    graph: Graph, world: World, inputs: Mapping[str, Rows], on_definition: Watcher
) -> dict[str, Rows]:
    """The rows of every definition, by name; what nobody needs any more is let go."""
    known = {graph.sources[name].id: rows for name, rows in inputs.items()}
    world.selected, world.prepared = {}, {}
    named = {graph.phenomena[name].id for name in graph.definitions}
    last_user = {
        operand.producer: operator.id
        for operator in graph.operators.values()
        for operand in operator.operands
    }
    finished = _list_finished(graph)
    for id_, operator in graph.operators.items():
        for at, name in finished.get(id_, ()):
            on_definition(name, at, len(graph.definitions))
        operands = [name_rows(one, known[one.producer]) for one in operator.operands]
        known[id_] = Work(world, operator, get_node(operator).evaluate).run(operands)
        for operand in operator.operands:
            if last_user[operand.producer] == id_ and operand.producer not in named:
                known.pop(operand.producer, None)
                world.prepared.pop(operand.producer, None)
    world.selected = world.prepared = None
    return {name: known[graph.phenomena[name].id] for name in graph.definitions}


def _list_finished(graph: Graph) -> Mapping[str, list[tuple[int, str]]]:
    """By the first operator of each, the definitions in their order."""
    found: dict[str, list[tuple[int, str]]] = {}
    numbers = {name: at for at, name in enumerate(graph.definitions, 1)}
    begun: set[str] = set()
    for id_, operator in graph.operators.items():
        name = operator.origin.definition
        if name not in begun:
            begun.add(name)
            found.setdefault(id_, []).append((numbers[name], name))
    return found
