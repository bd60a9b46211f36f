"""Break the kernels on purpose: do the random cases notice? `python -m tests.equivalence.mutants`.

Each mutant runs in a process of its own, in which one kernel module is read with a line changed.
Nothing at the top of this file may import a kernel: the change has to come first.
"""

import argparse
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

from tests.equivalence.faults import FAULTS, Fault

#: As many cases as the tests run.
CASES = 300
_PAGE = Path(__file__).parents[2] / "docs" / "mutants.md"


class FaultyLoader(SourceFileLoader):
    """Reads a module with a fault in it, past the compiled file beside it."""

    def __init__(self, name: str, path: str, fault: Fault) -> None:
        super().__init__(name, path)
        self.fault = fault

    def exec_module(self, module: ModuleType) -> None:
        source = Path(self.path).read_text(encoding="utf-8")
        assert source.count(self.fault.right) == 1, f"{self.fault.right!r} is not there once"
        faulty = source.replace(self.fault.right, self.fault.wrong)
        exec(compile(faulty, self.path, "exec"), module.__dict__)


class FaultyFinder(PathFinder):
    fault: Fault

    @classmethod
    def find_spec(
        cls,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        spec = super().find_spec(fullname, path, target)
        if spec is None or fullname != f"phenesthe.kernels.{cls.fault.module}":
            return None
        assert spec.origin is not None
        spec.loader = FaultyLoader(fullname, spec.origin, cls.fault)
        return spec


def count_caught(fault: Fault, samples: Path) -> tuple[int, int]:
    """Of the cases in a file, how many show the fault, and how many there are."""
    command = [sys.executable, "-m", "tests.equivalence.mutants"]
    command += ["--fault", str(FAULTS.index(fault)), "--samples", str(samples)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    caught, of = done.stdout.split()
    return int(caught), int(of)


def run_with_fault(fault: Fault, samples: Path) -> None:
    """In the process of a mutant: compare, and print how often there was a difference."""
    FaultyFinder.fault = fault
    sys.meta_path.insert(0, FaultyFinder)
    from tests.equivalence.compare import compare_results

    cases = pickle.loads(samples.read_bytes())
    assert f"phenesthe.kernels.{fault.module}" in sys.modules
    caught = sum(compare_results(*case) is not None for case in cases)
    print(caught, len(cases))


def write_samples(file: Path, count: int) -> None:
    """What the reference says does not depend on the kernels, so it is found only once."""
    from tests.equivalence.cases import Sample

    samples = (Sample(number) for number in range(count))
    cases = [(one.program, one.case.stream, one.expected) for one in samples]
    file.write_bytes(pickle.dumps(cases))


def count_all(faults: Sequence[Fault], cases: int) -> list[tuple[Fault, int]]:
    """Each fault with the number of cases that show it."""
    found: list[tuple[Fault, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        samples = Path(folder) / "samples"
        write_samples(samples, cases)
        for fault in faults:
            caught, _ = count_caught(fault, samples)
            found.append((fault, caught))
            print(f"{caught:>4} of {cases}  {fault.module}: {fault.text}", flush=True)
    return found


def write_page(found: list[tuple[Fault, int]], cases: int) -> str:
    rows = [
        f"| `{fault.module}` | {fault.text} | `{shorten(fault.right)}` | `{shorten(fault.wrong)}` "
        f"| {caught} |"
        for fault, caught in found
    ]
    return (
        "# Mutants\n\n"
        "The engine is tested on random programs against a slow evaluator. That is worth\n"
        "something only if it notices mistakes. Here each kernel has one made on purpose, and the\n"
        f"last column says how many of the {cases} cases that the tests run show it.\n"
        "`python -m tests.equivalence.mutants --write` makes this page.\n\n"
        "| kernel | mistake | right | wrong | cases |\n|---|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )


def shorten(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split()) or " "


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.equivalence.mutants")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--write", action="store_true", help="write docs/mutants.md")
    parser.add_argument("--fault", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--samples", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fault is not None:
        run_with_fault(FAULTS[given.fault], given.samples)
        return 0
    found = count_all(FAULTS, given.cases)
    missed = [fault for fault, caught in found if not caught]
    print(f"{len(found) - len(missed)} of {len(found)} mutants are caught")
    if given.write:
        _PAGE.write_text(write_page(found, given.cases), encoding="utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
