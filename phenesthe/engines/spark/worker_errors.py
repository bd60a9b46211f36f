"""A message for the user on its way from a worker to the driver.

Spark brings an exception of a worker back as the text of its traceback, with what it was long gone.
The message and its remedy therefore travel as one marked line of JSON, which survives any wrapping.
Workers import this, so it needs nothing but `phenesthe.io.errors`.
"""

import json

from phenesthe.io.errors import DataError

_MARK = "phenesthe-carries "


class WorkerError(Exception):
    """What a worker raises in place of a `DataError`."""


def pack_error(problem: DataError) -> WorkerError:
    """The exception for a worker to raise, so that the driver can tell the user the same."""
    content = json.dumps({"message": problem.message, "hint": problem.hint})
    return WorkerError(_MARK + content)


def find_packed_error(text: str) -> DataError | None:
    """The message that a worker sent, if the text of a failure has one."""
    at = text.find(_MARK)
    while at >= 0:
        try:
            content, _ = json.JSONDecoder().raw_decode(text, at + len(_MARK))
            return DataError(content["message"], content["hint"])
        except (ValueError, TypeError, KeyError):
            # A line of source code in a traceback, or a message cut short by Spark.
            at = text.find(_MARK, at + 1)
    return None
