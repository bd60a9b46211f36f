"""Every operator has a node, where its name says."""

from typing import Any, get_args

import pytest

from phenesthe.graph.every import AnyOperator
from phenesthe.graph.operator import Operator
from phenesthe.operators.node import Node
from phenesthe.operators.nodes import find_node


@pytest.mark.parametrize("kind", get_args(AnyOperator))
def test_every_operator_has_a_node(kind: Any) -> None:
    assert issubclass(find_node(kind, False), Node)
    if kind.is_whole is not Operator.is_whole:
        assert issubclass(find_node(kind, True), Node)
