"""The random cases notice mistakes; `docs/mutants.md` lists many more of them."""

from pathlib import Path

import pytest

from tests.equivalence.faults import FAULTS
from tests.equivalence.mutants import count_caught, write_samples

_CASES = 30


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("mutants") / "samples"
    write_samples(file, _CASES)
    return file


@pytest.mark.parametrize(
    "text", ["a stop at an instant of φ", "touching intervals stay two", "another left may end"]
)
def test_faults_are_caught(text: str, samples: Path) -> None:
    (fault,) = [one for one in FAULTS if text in one.text]
    caught, of = count_caught(fault, samples)
    assert 0 < caught <= of == _CASES


def test_every_fault_can_be_made() -> None:
    kernels = Path(__file__).parents[2] / "phenesthe" / "kernels"
    for fault in FAULTS:
        source = (kernels / f"{fault.module}.py").read_text(encoding="utf-8")
        assert source.count(fault.right) == 1, fault.text
        compile(source.replace(fault.right, fault.wrong), fault.module, "exec")


def test_the_page_lists_every_fault() -> None:
    page = (Path(__file__).parents[2] / "docs" / "mutants.md").read_text(encoding="utf-8")
    for fault in FAULTS:
        (row,) = [line for line in page.splitlines() if fault.text in line]
        assert int(row.split("|")[-2]) > 0
