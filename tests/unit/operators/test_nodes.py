"""Every operator has a node, of its name."""

from typing import Any, get_args

import pytest

from phenesthe.graph.every import AnyOperator
from phenesthe.operators.node import Node
from phenesthe.operators.nodes import get_node


@pytest.mark.parametrize("kind", get_args(AnyOperator))
def test_every_operator_has_a_node(kind: Any) -> None:
    node = get_node(object.__new__(kind))
    assert issubclass(node, Node)
    assert node.__name__ == f"{kind.__name__}Node"
