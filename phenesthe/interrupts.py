"""Whether somebody has asked us to stop (Ctrl-C).

Python raises KeyboardInterrupt wherever the program happens to be. Inside the code of others that
may become another failure: something is closed that fails as well, because a JVM got the signal
too. What counts then is that the signal came, whatever is said afterwards.
"""

import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

#: Where the signals of the contexts that are open are noted, the innermost last.
_notes: list[socket.socket] = []


@contextmanager
def noting_interrupts() -> Iterator[None]:
    """A context in which `was_interrupted` knows of every Ctrl-C, whoever handles it.

    The interpreter itself writes the numbers of signals to a socket; what else they do, and which
    handlers PySpark puts in the place of others, is left alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours, interpreters = socket.socketpair()
    with ours, interpreters:
        ours.setblocking(False)
        interpreters.setblocking(False)
        before = signal.set_wakeup_fd(interpreters.fileno(), warn_on_full_buffer=False)
        _notes.append(ours)
        try:
            yield
        finally:
            _notes.pop()
            signal.set_wakeup_fd(before)


def was_interrupted(
    problem: BaseException | None = None, *, before: BaseException | None = None
) -> bool:
    """Whether there was a Ctrl-C, or the problem came up while one was being heeded.

    `before` was being handled already when the work began, and does not count.
    """
    while problem is not None and problem is not before:
        if isinstance(problem, KeyboardInterrupt):
            return True
        problem = problem.__cause__ or problem.__context__
    noted = b""
    with suppress(OSError):
        # Left there, for whoever asks next.
        noted = _notes[-1].recv(4096, socket.MSG_PEEK) if _notes else b""
    return signal.SIGINT in noted
