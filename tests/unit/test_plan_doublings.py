"""What is known of a program before it runs does not double with what its definitions share."""

from unittest.mock import patch

import pytest

import phenesthe
from phenesthe.explain import explain
from phenesthe.ide.hover import hover
from phenesthe.plan import routes
from phenesthe.plan.drivers import find_drivers
from phenesthe.plan.routes import Route, cut_program, find_routes
from phenesthe.plan.stages import find_stages
from phenesthe.plan.warn_memory import warn_memory
from tests.equivalence.shapes import SHAPES, Shape
from tests.unit.ide.marked import MAIN, analyse_marked

DEPTH = 40
#: One of each kind; how they are planned does not depend on the operator.
CHOSEN = ("and", "then", "union", "exclusive", "contains", "before", "before as source")


def write_pairs(depth: int) -> str:
    """Keys of two vessels, which only the pairs at the bottom have."""
    lines = [
        "input state near(v: int, w: int);",
        "input state stopped(v: int);",
        "state s0(V, W) : near(V, W) intersection stopped(V) intersection stopped(W);",
    ]
    lines += [
        f"state s{at}(V, W) : s{at - 1}(V, W) union s{at - 1}(V, W);" for at in range(1, depth + 1)
    ]
    last = f"s{depth}(V, W) intersection stopped(V) intersection stopped(W)"
    lines.append(f"state found(V, W) : {last};")
    return "\n".join(lines)


def count_looks(depth: int) -> tuple[int, tuple[Route, ...]]:
    """How often a definition is looked at to find where its rows go, and where that is."""
    program = phenesthe.compile(text=write_pairs(depth)).checked
    (stage,) = find_stages(program)
    with patch.object(routes, "find_drivers", wraps=find_drivers) as looks:
        found = find_routes(cut_program(program, stage), stage)
    return looks.call_count, found.rows


def test_routes_through_what_is_shared() -> None:
    few, expected = count_looks(5)
    more, found = count_looks(10)
    assert more <= 3 * few
    assert found == expected
    most, found = count_looks(DEPTH)
    assert most <= 10 * few
    assert found == expected


@pytest.mark.parametrize(
    "shape", [shape for shape in SHAPES if shape.name in CHOSEN], ids=lambda shape: shape.name
)
def test_what_is_told_grows_with_the_program(shape: Shape) -> None:
    sizes = []
    for depth in (DEPTH // 2, DEPTH):
        program = phenesthe.compile(text=shape.write(depth)).checked
        texts = [explain(program, name) for name in ("text", "json", "dot")]
        sizes.append(sum(map(len, texts)))
        assert len(warn_memory(program)) <= depth + 1
    assert sizes[1] <= 2.5 * sizes[0]


def test_hover_over_the_last_of_many() -> None:
    (shape,) = (shape for shape in SHAPES if shape.name == "contains")
    marked = shape.write(DEPTH).replace(f"dynamic s{DEPTH}(", f"dynamic s|{DEPTH}(")
    analysis, offset = analyse_marked(marked)
    found = hover(analysis, MAIN, offset)
    assert found is not None
    assert f"level {DEPTH + 1}" in found.text
    assert len(found.text) < 1000
