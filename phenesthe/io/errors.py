"""What stops a run because of its data, its files or its target."""


class DataError(Exception):
    """A message for the user, and the remedy where there is one."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message if hint is None else f"{message}\n  help: {hint}")
        self.message = message
        self.hint = hint


def describe_failure(problem: Exception) -> str:
    """The reason in a few words: what the system or Arrow said, without its location prefixes."""
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror.lower()
    text = str(problem).splitlines()
    return text[0].rstrip(".") if text else type(problem).__name__
