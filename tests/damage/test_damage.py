"""A sample of `python -m tests.soak --only damage`."""

import json
from pathlib import Path

import pytest

from tests.damage.examine import Tally, examine
from tests.damage.judge import Wrong, judge_rows
from tests.damage.scenes import SCENES


def test_damaged_files_are_read_or_refused_in_words() -> None:
    tally = Tally()
    wrong = [found for number in range(200) if (found := examine(number, tally)) is not None]
    assert not wrong, wrong[0]
    assert set(tally.files) == {one.name for one in SCENES}
    assert sum(tally.judged.values()) > 10


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_rows_are_counted_in_whichever_encoding(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "e.jsonl"
    lines = "".join(f'{{"x": {n}, "y": "v", "t": {n}}}\n' for n in range(3)).encode(encoding)
    results = [json.dumps({"name": "a", "args": [n], "t": n}) for n in range(3)]
    (tmp_path / "out.jsonl").write_text("\n".join(results))
    assert judge_rows(file, lines, tmp_path)
    (tmp_path / "out.jsonl").write_text("\n".join(results[1:]))
    with pytest.raises(Wrong, match="of 3 rows 0 were set aside, and 2 used"):
        judge_rows(file, lines, tmp_path)
