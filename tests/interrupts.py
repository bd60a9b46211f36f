"""Processes that a test interrupts."""

import signal


def heed_interrupts() -> None:
    """For `preexec_fn`. What a shell starts in the background ignores Ctrl-C, its children too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
