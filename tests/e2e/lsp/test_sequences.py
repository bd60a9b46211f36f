"""A sample of the soak: whatever is edited, the server says what a fresh check says."""

from collections import Counter

from tests.benchmarks.edits import time_edits
from tests.soak.editor import examine
from tests.soak.sequences import make_sequence


def test_random_sequences_leave_the_handlers_in_step() -> None:
    counts: Counter[str] = Counter()
    for number in range(25):
        failure = examine(make_sequence(number), counts, wired=False)
        assert failure is None, f"sequence {number}: {failure.text}"
    # It would show little if all texts were broken, or none, or if nothing were ever found.
    assert min(counts["valid"], counts["broken"]) > 5
    assert counts["textDocument/hover"] > 5
    assert counts["textDocument/definition"] > 5


def test_random_sequences_leave_the_real_server_in_step() -> None:
    counts: Counter[str] = Counter()
    for number in range(0, 12, 3):
        failure = examine(make_sequence(number), counts, wired=True)
        assert failure is None, f"sequence {number}: {failure.text}"
    assert counts["through the real command"] == 4


def test_typing_in_a_large_file_stays_in_step() -> None:
    """Few edits; how long they take is measured elsewhere."""
    assert len(time_edits(30, every=5)) == 30
