"""A command in this process: what it says, and that it ends as documented."""

import contextlib
import io
from dataclasses import dataclass
from pathlib import Path

from phenesthe.cli.main import main


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str


def run_here(*arguments: str | Path) -> Done:
    """Both streams are UTF-8, and take nothing that is not."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([str(one) for one in arguments])
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
        out.flush()
        err.flush()
    assert code in (0, 1, 2)
    said = [one.buffer.getvalue().decode() for one in (out, err)]
    return Done(code, *said)
