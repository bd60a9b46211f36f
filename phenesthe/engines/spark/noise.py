"""What Spark, its JVM and the bridge to it would print, kept from the person's terminal."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

#: They print a JSON document with a stack for every failing query.
_QUERY_LOGGERS = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
_NEVER = logging.CRITICAL + 1


@contextmanager
def silence_python_side() -> Iterator[None]:
    """No word from PySpark's and Py4J's loggers, nor from PySpark's warnings about its future.

    Py4J logs failures with a stack before it raises them: through the root logger, where a filter
    drops its records and no others, and through loggers of its own, when Ctrl-C breaks a call off.
    """
    from pyspark.logger import PySparkLogger

    root = logging.getLogger()
    handlers = list(root.handlers)
    loggers: list[logging.Logger] = [PySparkLogger.getLogger(name) for name in _QUERY_LOGGERS]
    loggers.append(logging.getLogger("py4j"))
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(_NEVER)
    root.addFilter(_is_not_py4j)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", category=FutureWarning, module=r"pyspark\.")
            warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"pyspark\.")
            # Stopping a context whose JVM is gone.
            warnings.filterwarnings("ignore", message="Unable to cleanly shutdown Spark JVM")
            # Asks for an option which has a price and no use for Arrow functions.
            warnings.filterwarnings("ignore", category=UserWarning, module=r"pyspark\.sql\.pandas")
            yield
    finally:
        root.removeFilter(_is_not_py4j)
        for handler in set(root.handlers) - set(handlers):
            # `logging.exception` gave the root logger a handler, for a record that was dropped.
            root.removeHandler(handler)
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _is_not_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in record.pathname
