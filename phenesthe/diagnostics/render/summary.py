"""The last line of what people read: how many of each severity."""

from collections import Counter
from collections.abc import Sequence

from phenesthe.diagnostics.model import Diagnostic, Severity


def summarize(diagnostics: Sequence[Diagnostic]) -> str:
    """As `2 errors, 1 warning`; a severity that does not occur is left out."""
    counts = Counter(diagnostic.severity for diagnostic in diagnostics)
    return ", ".join(
        f"{counts[severity]} {severity.value}{'' if counts[severity] == 1 else 's'}"
        for severity in Severity
        if counts[severity]
    )
