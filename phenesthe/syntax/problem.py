"""How the parser gives up on one declaration."""

from phenesthe.diagnostics.model import Diagnostic


class SyntaxProblem(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
