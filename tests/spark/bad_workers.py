"""Functions that end a worker's task in every way that a task can end badly.

They are in a module of their own because workers import it.
"""

import os
import signal
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from phenesthe.engines.spark.worker_errors import pack_error
from phenesthe.io.errors import DataError

Batches = Iterator[pa.RecordBatch]


def fail(batches: Batches) -> Batches:
    yield next(batches)
    raise ValueError("the first line\nand a second")


def send_message(batches: Batches) -> Batches:
    yield next(batches)
    try:
        raise KeyError("what led to it")
    except KeyError as problem:
        raise pack_error(DataError('naïve "words"\nin two lines {}', "a remedy")) from problem


def send_without_hint(batches: Batches) -> Batches:
    yield next(batches)
    raise pack_error(DataError("no remedy"))


def run_out_of_memory(batches: Batches) -> Batches:
    yield next(batches)
    np.empty(1 << 50)


def leave(batches: Batches) -> Batches:
    yield next(batches)
    os._exit(1)


def be_killed(batches: Batches) -> Batches:
    yield next(batches)
    os.kill(os.getpid(), signal.SIGKILL)


def crash(batches: Batches) -> Batches:
    yield next(batches)
    os.kill(os.getpid(), signal.SIGSEGV)


def import_missing(batches: Batches) -> Batches:
    yield next(batches)
    __import__("a_package_nobody_has")


def fill_disk(batches: Batches) -> Batches:
    yield next(batches)
    with open("/dev/full", "wb", buffering=0) as file:
        file.write(b"something")
