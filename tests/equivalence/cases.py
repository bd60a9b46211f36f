"""Cases by number: the same number is always the same program and the same stream."""

from dataclasses import replace
from random import Random

import phenesthe
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import ProgramError
from tests.equivalence.compare import Case, Difference, Results, compare_results, run_reference
from tests.equivalence.overrides import choose_overrides, compile_with
from tests.equivalence.programs import write_program
from tests.equivalence.streams import make_stream
from tests.equivalence.tune import tune
from tests.reference.formulas import Formulas


class Sample:
    """A case with what the reference makes of it."""

    def __init__(self, number: int) -> None:
        random = Random(number)
        self.rejected = 0
        text, program = self.write(random)
        stream = replace(make_stream(random, text), params=choose_overrides(text, random))
        program = compile_with(text, stream.params).checked
        text = tune(text, program, stream, random)
        self.case = Case(text, stream)
        self.program = compile_with(text, stream.params).checked
        self.expected: Results
        self.formulas: Formulas | None
        self.expected, self.formulas = run_reference(self.program, stream)

    def write(self, random: Random) -> tuple[str, CheckedProgram]:
        while True:
            text = write_program(random)
            try:
                return text, phenesthe.compile(text=text).checked
            except ProgramError:
                self.rejected += 1

    def compare(self) -> Difference | None:
        return compare_results(self.program, self.case.stream, self.expected)
