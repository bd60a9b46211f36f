"""Break the engine on purpose: do the random cases notice? `python -m tests.equivalence.mutants`.

Each mutant runs in a process of its own, in which one module is read with a line changed. Nothing
at the top of this file may import what is changed: the change has to come first.
"""

import argparse
import itertools
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

from tests.equivalence.faults import FAULTS, IN_WINDOWS, Fault

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


@dataclass(frozen=True, slots=True)
class Kind:
    """Where faults are, and which random cases have to show them."""

    name: str
    title: str
    folder: str
    faults: Sequence[Fault]


KERNELS = Kind("kernels", "kernel", "kernels", FAULTS)
OPERATORS = Kind("operators", "operator", "operators", IN_WINDOWS)
KINDS = {kind.name: kind for kind in (KERNELS, OPERATORS)}


class FaultyFinder(PathFinder):
    fault: Fault
    folder: str

    @classmethod
    def find_spec(
        cls,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        spec = super().find_spec(fullname, path, target)
        if spec is None or fullname != f"phenesthe.{cls.folder}.{cls.fault.module}":
            return None
        assert spec.origin is not None
        spec.loader = FaultyLoader(fullname, spec.origin, cls.fault)
        return spec


def count_caught(kind: Kind, fault: Fault, samples: Path) -> tuple[int, int]:
    """Of the cases in a file, how many show the fault, and how many there are."""
    command = [sys.executable, "-m", "tests.equivalence.mutants", "--kind", kind.name]
    command += ["--fault", str(kind.faults.index(fault)), "--samples", str(samples)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    caught, of = done.stdout.split()
    return int(caught), int(of)


def run_with_fault(kind: Kind, fault: Fault, samples: Path) -> None:
    """In the process of a mutant: compare, and print how often there was a difference."""
    FaultyFinder.fault, FaultyFinder.folder = fault, kind.folder
    sys.meta_path.insert(0, FaultyFinder)
    from tests.equivalence.compare import compare_results
    from tests.equivalence.windowed import examine_all

    compare = compare_results if kind is KERNELS else examine_all
    cases = pickle.loads(samples.read_bytes())
    caught = sum(compare(*case) is not None for case in cases)
    # What is loaded depends on the operators of the cases.
    assert f"phenesthe.{kind.folder}.{fault.module}" in sys.modules
    print(caught, len(cases))


def write_samples(kind: Kind, file: Path, count: int, among: str = "") -> None:
    """What the reference says does not depend on the engine, so it is found only once."""
    from tests.equivalence.cases import Sample
    from tests.equivalence.windowed import list_expected, make_case

    cases: list[tuple[object, ...]] = []
    for number in itertools.count():
        if len(cases) == count:
            break
        if kind is KERNELS:
            sample = Sample(number)
            if among in sample.case.text:
                cases.append((sample.program, sample.case.stream, sample.expected))
        else:
            case, program = make_case(number)
            if among in case.text:
                cases.append((case, program, list_expected(case, program)))
    file.write_bytes(pickle.dumps(cases))


def count_all(kind: Kind, cases: int) -> list[tuple[Fault, int]]:
    """Each fault with the number of cases that show it."""
    found: list[tuple[Fault, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        written: dict[str, Path] = {}
        for fault in kind.faults:
            if fault.among not in written:
                written[fault.among] = Path(folder) / str(len(written))
                write_samples(kind, written[fault.among], cases, fault.among)
            samples = written[fault.among]
            caught, _ = count_caught(kind, fault, samples)
            found.append((fault, caught))
            print(f"{caught:>4} of {cases}  {fault.module}: {fault.text}", flush=True)
    return found


def write_table(kind: Kind, found: list[tuple[Fault, int]]) -> str:
    rows = [
        f"| `{fault.module}` | {fault.text} | `{shorten(fault.right)}` | `{shorten(fault.wrong)}` "
        f"| {caught}{f' with `{fault.among.strip()}`' if fault.among else ''} |"
        for fault, caught in found
    ]
    heading = f"| {kind.title} | mistake | right | wrong | cases |\n|---|---|---|---|---|\n"
    return heading + "\n".join(rows) + "\n"


def write_page(found: dict[str, list[tuple[Fault, int]]], cases: int) -> str:
    return (
        "# Mutants\n\n"
        "The engine is tested on random programs against a slow evaluator. That is worth\n"
        "something only if it notices mistakes. Here each kernel has one made on purpose, and the\n"
        f"last column says how many of {cases} cases show it: those that the tests run, or, where\n"
        "it says so, the first that have what few programs have.\n"
        "`python -m tests.equivalence.mutants --write` makes this page.\n\n"
        + write_table(KERNELS, found[KERNELS.name])
        + "\n## In windows\n\n"
        "What an operator remembers from query to query is compared with the same evaluator in\n"
        "random replays. These mistakes were made in it, and as many replays of "
        f"{cases} show them.\n\n"
        + write_table(OPERATORS, found[OPERATORS.name])
        + "\n## Seen without a case\n\n"
        "An operator that one of the engine's tables forgets is a type error (`AnyOperator`,\n"
        "`assert_never`), and a field that is no part of an operator's id is found by\n"
        "`tests/unit/operators/test_identity.py`, which changes every field of every operator and\n"
        "asks for another id; one of its tests makes ids that forget a field, to see that found.\n"
        "`tests/unit/test_forgotten_cases.py` takes cases out of these tables and runs the type\n"
        "checker.\n"
    )


def shorten(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split()) or " "


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.equivalence.mutants")
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--write", action="store_true", help="write docs/mutants.md")
    parser.add_argument("--kind", choices=KINDS, default=KERNELS.name, help=argparse.SUPPRESS)
    parser.add_argument("--fault", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--samples", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    kind = KINDS[given.kind]
    if given.fault is not None:
        run_with_fault(kind, kind.faults[given.fault], given.samples)
        return 0
    found = {kind.name: count_all(kind, given.cases) for kind in KINDS.values()}
    everything = [one for some in found.values() for one in some]
    missed = [fault for fault, caught in everything if not caught]
    print(f"{len(everything) - len(missed)} of {len(everything)} mutants are caught")
    if given.write:
        _PAGE.write_text(write_page(found, given.cases), encoding="utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
