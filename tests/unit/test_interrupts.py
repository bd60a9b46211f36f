"""After a Ctrl-C whatever fails is the interrupt, and the command ends with 130."""

import argparse
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from phenesthe.cli import check
from phenesthe.cli.main import main
from phenesthe.engines.spark.failures import explained
from phenesthe.interrupts import noting_interrupts, was_interrupted
from phenesthe.io.errors import DataError


@pytest.fixture(autouse=True)
def heed_interrupts() -> Iterator[None]:
    """What a shell starts in the background ignores them, tests too."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


class FromBridge(Exception):
    """Looks like an exception of Py4J."""


FromBridge.__module__ = "py4j.protocol"


def interrupt() -> None:
    """As a terminal does it."""
    os.kill(os.getpid(), signal.SIGINT)


def swallow_interrupt() -> None:
    """As the code of others does that catches everything, or runs where nothing can be raised."""
    with suppress(KeyboardInterrupt):
        interrupt()
        for _ in range(1_000):
            pass  # until the interpreter heeds it


def interrupt_and_wait() -> None:
    interrupt()
    threading.Event().wait(60)


def fail() -> None:
    raise FromBridge("Answer from Java side is empty")


def fail_while_closing() -> None:
    try:
        interrupt_and_wait()
    finally:
        fail()


FAILURES = (
    FromBridge("Answer from Java side is empty"),
    ConnectionRefusedError(111, "refused"),
    BrokenPipeError(32, "Broken pipe"),
    EOFError(),
    OSError(9, "Bad file descriptor"),
    DataError("stage 1 ran out of memory", "give it more"),
    ValueError("half of an Arrow stream"),
)


def name(problem: object) -> str:
    return type(problem).__name__


@pytest.mark.parametrize("failure", FAILURES, ids=name)
def test_failures_after_an_interrupt_are_the_interrupt(failure: Exception) -> None:
    with noting_interrupts():
        swallow_interrupt()
        for _ in range(2):
            with pytest.raises(KeyboardInterrupt), explained("evaluating"):
                raise failure


def test_a_failure_that_takes_the_place_of_an_interrupt() -> None:
    """Also where nobody notes signals, as in Python."""
    with pytest.raises(KeyboardInterrupt), explained("evaluating"):
        fail_while_closing()
    with pytest.raises(KeyboardInterrupt), explained("evaluating"), explained("stage 1"):
        fail_while_closing()


def test_an_interrupt_that_is_over_explains_nothing() -> None:
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt:
        with pytest.raises(DataError, match="evaluating failed"), explained("evaluating"):
            fail()
    with noting_interrupts():
        swallow_interrupt()
        assert was_interrupted()
    assert not was_interrupted()
    with noting_interrupts():
        assert not was_interrupted()


def test_handlers_of_others_do_not_hide_it() -> None:
    """PySpark has its own, which asks the JVM something and may fail at it."""

    def ask(*_: object) -> None:
        raise FromBridge("An error occurred while calling cancelAllJobs")

    handler = signal.signal(signal.SIGINT, ask)
    try:
        with noting_interrupts(), pytest.raises(KeyboardInterrupt), explained("starting Spark"):
            interrupt_and_wait()
    finally:
        signal.signal(signal.SIGINT, handler)


@pytest.mark.parametrize("failure", [*FAILURES, KeyboardInterrupt()], ids=name)
def test_the_command_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], failure: BaseException
) -> None:
    def run(_: argparse.Namespace) -> int:
        swallow_interrupt()
        raise failure

    monkeypatch.setattr(check, "run", run)
    assert main(["check", "x.phe"]) == 130
    assert capsys.readouterr() == ("", "")


def test_without_an_interrupt_failures_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(problem: Exception) -> Callable[[Any], int]:
        def run(_: argparse.Namespace) -> int:
            raise problem

        return run

    monkeypatch.setattr(check, "run", fail(OSError(28, "No space left on device", "x")))
    assert main(["check", "x.phe"]) == 1
    assert capsys.readouterr().err == "error: x: No space left on device\n"
    monkeypatch.setattr(check, "run", fail(ValueError("a mistake in the engine")))
    with pytest.raises(ValueError, match="a mistake"):
        main(["check", "x.phe"])
