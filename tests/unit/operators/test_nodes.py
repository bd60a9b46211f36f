"""Every operator has a node, of its name."""

from typing import Any, get_args

import pytest

from phenesthe.graph.every import AnyOperator
from phenesthe.graph.operator import Operator
from phenesthe.operators.node import Node
from phenesthe.operators.nodes import get_node


@pytest.mark.parametrize("kind", get_args(AnyOperator))
def test_every_operator_has_a_node(kind: Any) -> None:
    assert find_name(kind, is_whole=False) == f"{kind.__name__}Node"
    if kind.is_whole is not Operator.is_whole:
        assert find_name(kind, is_whole=True) == f"Whole{kind.__name__}Node"


def find_name(kind: Any, is_whole: bool) -> str:
    made = type(kind.__name__, (kind,), {"is_whole": is_whole})
    node = get_node(object.__new__(made))
    assert issubclass(node, Node)
    return node.__name__
