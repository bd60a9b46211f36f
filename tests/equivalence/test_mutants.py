"""The random cases notice mistakes; `docs/mutants.md` lists many more of them."""

from pathlib import Path

import pytest

from tests.equivalence.faults import FAULTS
from tests.equivalence.mutants import KERNELS, KINDS, OPERATORS, count_caught, write_samples

_CASES = 30


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("mutants") / "samples"
    write_samples(KERNELS, file, _CASES)
    return file


@pytest.mark.parametrize(
    "text", ["a stop at an instant of φ", "touching intervals stay two", "another left may end"]
)
def test_faults_are_caught(text: str, samples: Path) -> None:
    (fault,) = [one for one in FAULTS if text in one.text]
    caught, of = count_caught(KERNELS, fault, samples)
    assert 0 < caught <= of == _CASES


def test_a_fault_of_what_is_remembered_is_caught(tmp_path: Path) -> None:
    fault = OPERATORS.faults[-1]
    write_samples(OPERATORS, tmp_path / "samples", _CASES)
    caught, of = count_caught(OPERATORS, fault, tmp_path / "samples")
    assert 0 < caught <= of == _CASES


def test_every_fault_can_be_made() -> None:
    package = Path(__file__).parents[2] / "phenesthe"
    for kind in KINDS.values():
        for fault in kind.faults:
            file = package / kind.folder / f"{fault.module}.py"
            source = file.read_text(encoding="utf-8")
            assert source.count(fault.right) == 1, fault.text
            compile(source.replace(fault.right, fault.wrong), fault.module, "exec")


def test_the_page_lists_every_fault() -> None:
    page = (Path(__file__).parents[2] / "docs" / "mutants.md").read_text(encoding="utf-8")
    for fault in (fault for kind in KINDS.values() for fault in kind.faults):
        (row,) = [line for line in page.splitlines() if fault.text in line]
        assert int(row.split("|")[-2].split()[0]) > 0
