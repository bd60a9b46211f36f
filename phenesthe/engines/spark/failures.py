"""One clear message for whatever goes wrong inside Spark: what was done, why it failed, the remedy.

A failure of Spark is a chain of Java exceptions with stacks in their messages, a Python traceback
inside a Java exception, or a broken connection. `read_causes` makes plain text of all of them, and
the table of reasons says what it means.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from phenesthe.engines.spark.reasons import LOG_REASONS, find_reason, summarise
from phenesthe.engines.spark.worker_errors import find_packed_error
from phenesthe.interrupts import was_interrupted
from phenesthe.io.errors import DataError

#: A log is read from its end; what ended a process is not far from there.
_TAIL = 200_000
_CHAIN = 20

#: Where the JVM of the open session prints, for who is not told.
PRESENT_LOG: ContextVar[Path | None] = ContextVar("PRESENT_LOG", default=None)


class EngineError(DataError):
    """What stops Spark, for the user; with the log where that can tell more."""

    def __init__(self, message: str, hint: str | None = None, log: Path | None = None) -> None:
        super().__init__(message, hint)
        self.log = log

    def __str__(self) -> str:
        return super().__str__() if self.log is None else f"{super().__str__()}\n  log: {self.log}"


@contextmanager
def explained(doing: str, *, log: Path | None = None) -> Iterator[None]:
    """A context whose failures, as far as they are Spark's, become messages for the user.

    `doing` is what is done in it, such as `evaluating stage 1 of 2`. What fails after a Ctrl-C is
    not explained, for it fails because of that.
    """
    before = sys.exception()
    try:
        yield
    except Exception as problem:
        if was_interrupted(problem, before=before):
            raise KeyboardInterrupt from None
        if not is_sparks(problem):
            raise
        raise explain(problem, doing=doing, log=log) from None


def is_sparks(problem: BaseException) -> bool:
    """Whether Spark, its bridge or its connection failed, rather than our own code."""
    package = type(problem).__module__.split(".")[0]
    if package in ("py4j", "pyspark", "grpc") or isinstance(problem, ConnectionError | EOFError):
        return True
    return isinstance(problem, TypeError) and "JavaPackage" in str(problem)


def explain(problem: BaseException, *, doing: str, log: Path | None = None) -> DataError:
    """The message for the user. A message that a worker sent comes through as it was."""
    if isinstance(problem, DataError):
        return problem
    log = log or PRESENT_LOG.get()
    text = read_causes(problem)
    if (packed := find_packed_error(text)) is not None:
        return packed
    if _has_lost_jvm(problem):
        reason = find_reason(_read_tail(log), LOG_REASONS)
    else:
        reason = find_reason(text)
    if reason is None:
        return EngineError(f"{doing} failed: {summarise(text)}", log=log)
    return EngineError(
        f"{doing} failed: {reason.text}", reason.hint, log if reason.see_log else None
    )


def read_causes(problem: BaseException) -> str:
    """The messages of a failure and of its causes, the outermost first, without Java's stacks."""
    java = getattr(problem, "java_exception", None) or getattr(problem, "_origin", None)
    lines: list[str] = []
    try:
        while java is not None and len(lines) < _CHAIN:
            lines.append(f"{java.getClass().getName()}: {java.getMessage() or ''}")
            java = java.getCause()
    except Exception:
        # The JVM went away with the rest of the chain.
        java = None
    if not lines:
        lines = [f"{type(problem).__name__}: {problem}", _read_remote_stack(problem)]
    kept = [line for text in lines for line in text.splitlines() if not _is_frame(line)]
    return "\n".join(kept)


def _read_remote_stack(problem: BaseException) -> str:
    """What a Connect server says of the causes, which are not part of its message."""
    get_stack = getattr(problem, "getStackTrace", None)
    return str(get_stack() or "") if get_stack is not None else ""


def _is_frame(line: str) -> bool:
    return re.match(r"\s+at \S+\(.*\)|\s+\.\.\. \d+ more|Driver stacktrace:", line) is not None


def _has_lost_jvm(problem: BaseException) -> bool:
    if isinstance(problem, ConnectionError | EOFError):
        return True
    if type(problem).__module__.startswith("py4j"):
        return type(problem).__name__ in ("Py4JNetworkError", "Py4JError")
    get_condition = getattr(problem, "getCondition", None)
    return get_condition is not None and get_condition() == "JAVA_GATEWAY_EXITED"


def _read_tail(log: Path | None) -> str:
    try:
        text = log.read_text(errors="replace") if log is not None else ""
    except OSError:
        return ""
    kept = [line for line in text[-_TAIL:].splitlines() if not _is_frame(line)]
    return "\n".join(kept)
