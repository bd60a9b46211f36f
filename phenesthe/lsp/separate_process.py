"""Work in a process of its own: whatever it takes, the server lives on and can end it."""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

_Answer = TypeVar("_Answer")

#: Of addresses, of which libraries reserve more than they use.
_MAX_BYTES = 8 * 1024**3
#: Ends a process that nobody waits for any more, whose threads may use several cores.
_MAX_CPU_SECONDS = 300


class GivenUp(Exception):
    """Why there is no answer, for the one who asked."""


async def run_in_process(work: Callable[[], _Answer], seconds: float) -> _Answer:
    """Work and answer are pickled. Raises GivenUp if that takes longer, or breaks off."""
    process = await asyncio.create_subprocess_exec(
        # Not from the folder the server was started in, which may be anybody's.
        *(sys.executable, "-P", "-m", __name__),
        stdin=PIPE,
        stdout=PIPE,
        env={**os.environ, "PYTHONPATH": _find_modules()},
    )
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate(pickle.dumps(work))
    except TimeoutError:
        raise GivenUp(f"stopped after {seconds:g} seconds") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise GivenUp("broken off, most likely because there is not enough memory")
    answer: _Answer = pickle.loads(output)
    return answer


def _find_modules() -> str:
    """Where this package is, however the server found it."""
    here = str(Path(__file__).parents[2])
    return os.pathsep.join((here, *filter(None, (os.environ.get("PYTHONPATH"),))))


def _limit() -> None:
    """As far as the system lets itself be asked."""
    try:
        import resource
    except ImportError:
        return
    limits = ((resource.RLIMIT_AS, _MAX_BYTES), (resource.RLIMIT_CPU, _MAX_CPU_SECONDS))
    for which, most in limits:
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(which)
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (allowed, hard))


def _work() -> None:
    """What is asked for comes from the standard input; the answer has the output for itself."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _limit()
    work = pickle.load(sys.stdin.buffer)
    with output:
        pickle.dump(work(), output)


if __name__ == "__main__":
    _work()
