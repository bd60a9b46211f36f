"""A slow evaluator written straight from the section "Meaning" of the language specification.

It exists to be read next to that text and to be compared with the engines: plain sets, dicts and
tuples, no cleverness shared with the kernels. Docstrings quote the words they implement.
"""

from tests.reference.known import Row
from tests.reference.program import evaluate
from tests.reference.values import Scalar

__all__ = ["Row", "Scalar", "evaluate"]
