"""Every row that is remembered has a reason."""

import numpy as np
import pytest

from phenesthe.memory import Memory
from phenesthe.memory.remembered import HOLDS, INSIDE, MAY_CHANGE, list_remembered
from tests.equivalence.compare import build_facts
from tests.equivalence.windowed import build_operations, list_expected, make_case


@pytest.mark.parametrize("number", range(20))
def test_no_row_is_there_without_a_reason(number: int) -> None:
    case, program = make_case(number)
    facts = {one.name: build_facts(one, case.facts.get(one.name, [])) for one in program.facts}
    memory = Memory(program, facts, window=case.window, start=case.start)
    for expected in list_expected(case, program):
        query = expected.query
        advance = memory.advance(query.time, build_operations(program, query))
        counts: dict[str, int] = {}
        for one in list_remembered(memory):
            count = one.table.num_rows
            counts[one.name] = counts.get(one.name, 0) + count
            masks = np.array([why.rows for why in one.reasons])
            assert masks.shape == (len(one.reasons), count)
            assert masks.any(axis=0).all(), one.formula
            # What is there for itself is there for no other reason.
            own = [why.rows for why in one.reasons if why.text in (HOLDS, INSIDE, MAY_CHANGE)]
            assert (masks[:, np.any(own, axis=0)].sum(axis=0) == 1).all() if own else True
            assert one.table.column_names[: len(one.variables)] == list(one.variables)
        assert counts == {name: size for name, size in advance.rows.items() if size}
