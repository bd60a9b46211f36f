"""Who types or gives something wrong is told what it is, and what to do instead."""

import pytest

from tests.mistakes.tries import Try, load_tries

SORTS = {sort: load_tries(sort) for sort in ("commands", "data")}
TRIES = {f"{sort}-{one.name}": one for sort, tries in SORTS.items() for one in tries}


@pytest.mark.parametrize("one", TRIES.values(), ids=TRIES)
def test_the_mistake_and_the_remedy_are_named(one: Try) -> None:
    told = one.run()
    spoken = "\n".join(told.list_spoken())
    assert (told.code, [words for words in one.says if words not in spoken]) == (one.code, []), (
        told.err
    )
    assert "Traceback" not in told.err


@pytest.mark.parametrize("sort", SORTS)
def test_there_are_enough_of_them(sort: str) -> None:
    names = [one.name for one in SORTS[sort]]
    assert len(names) >= 40
    assert len(set(names)) == len(names)
