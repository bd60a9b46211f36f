"""What each diagnostic means, for someone who has never seen the language.

A code is stable and never used for anything else. The pages under `docs/diagnostics` are written
from these texts and from the programs in `language/conformance/diagnostics`.
"""

from phenesthe.diagnostics.codes.dates import DATES
from phenesthe.diagnostics.codes.kinds import KINDS
from phenesthe.diagnostics.codes.memory import MEMORY
from phenesthe.diagnostics.codes.model import Code
from phenesthe.diagnostics.codes.names import NAMES
from phenesthe.diagnostics.codes.syntax import SYNTAX
from phenesthe.diagnostics.codes.variables import VARIABLES

CODES: dict[str, Code] = {
    code.code: code for code in (*SYNTAX, *NAMES, *KINDS, *DATES, *VARIABLES, *MEMORY)
}

#: What the letter of a code stands for, in the order in which a program is checked.
GROUPS: dict[str, str] = {
    "S": "Reading a file",
    "N": "Names and modules",
    "A": "Numbers of arguments",
    "K": "Kinds of phenomena",
    "D": "Dates and times of day",
    "C": "Circular definitions",
    "V": "Variables",
    "T": "Types of values",
    "P": "Parameters and durations",
    "W": "Warnings: allowed, but probably not meant",
    "M": "Memory: warnings for runs in windows and for streams",
}

__all__ = ["CODES", "GROUPS", "Code"]
