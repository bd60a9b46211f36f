"""Codes about what is remembered between the queries of a windowed run."""

from phenesthe.diagnostics.codes.model import Code

MEMORY = (
    Code(
        "M001",
        "unbounded memory in windowed runs",
        "A run in windows, and a stream, forget what can no longer matter. Here something may "
        "matter for ever: a first part that waits for a second one, however long that takes, or "
        "an occurrence after which any gap will do. What waits adds up, with each vessel that "
        "never comes back and each person who never calls again. Say how long it may take, with "
        "`within` or an upper bound on the gap; of an alternative that holds for values which come "
        "at any time, say with a fact right beside it which there are. Over stored data, "
        "all at once, nothing is remembered and this does not matter.",
    ),
)
