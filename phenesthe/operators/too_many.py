"""A result that cannot fit into memory, in the words of the program."""

from phenesthe.graph.origin import Origin
from phenesthe.kernels.space import BYTES, NoSpace


class TooManyRows(MemoryError):
    """Refused before memory is gone; `message` and `hint` are for the user."""

    def __init__(self, origin: Origin, problem: NoSpace) -> None:
        self.message = (
            f"`{origin.text}` in `{origin.definition}` would make {problem.rows:,} rows or more, "
            f"which need {_write_size(problem.rows * BYTES)} of memory; "
            f"{_write_size(problem.room)} are free"
        )
        self.hint = (
            "give its parts a variable that they share, filter them first, or say with `within` "
            "how near they must be; or give less data"
        )
        super().__init__(f"{self.message}\n  help: {self.hint}")


def _write_size(size: int) -> str:
    for unit, bytes_ in (("TB", 10**12), ("GB", 10**9)):
        if size >= bytes_:
            return f"{size / bytes_:,.1f} {unit}"
    return f"{size / 10**6:,.0f} MB"
