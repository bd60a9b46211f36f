"""A sample of `python -m tests.soak --only damage`."""

from tests.damage.examine import Tally, examine
from tests.damage.scenes import SCENES


def test_damaged_files_are_read_or_refused_in_words() -> None:
    tally = Tally()
    wrong = [found for number in range(200) if (found := examine(number, tally)) is not None]
    assert not wrong, wrong[0]
    assert set(tally.files) == {one.name for one in SCENES}
    assert sum(tally.judged.values()) > 10
