"""Files and tables in, results out. Everything here is Arrow; nothing knows an engine."""

from phenesthe.io.errors import DataError
from phenesthe.io.load import Loaded, fit_table, read_given, read_input
from phenesthe.io.rejects import Reject, Rejects
from phenesthe.io.target import check_target
from phenesthe.io.times import format_time, read_time
from phenesthe.io.write import write_results

__all__ = [
    "DataError", "Loaded", "Reject", "Rejects", "check_target", "fit_table", "format_time",
    "read_given", "read_input", "read_time", "write_results",
]  # fmt: skip
