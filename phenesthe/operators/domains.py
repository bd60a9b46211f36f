"""Values as codes. Codes of one type are dense, and in the order of the values as they are loaded.

What an operator computes is added behind: nobody may ask the codes themselves which is the lesser.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from phenesthe.arrow import pack, to_floats, to_ints, wrap
from phenesthe.frozen import dataclass
from phenesthe.kernels.arrays import Array, number_rows
from phenesthe.vocabulary import ValueType

Scalar = int | float | str | bool
ARROW = {"int": pa.int64(), "float": pa.float64(), "str": pa.string(), "bool": pa.bool_()}


@dataclass(frozen=True, slots=True)
class Domain:
    """All values of one type that the partition joins on, each once: a code is a place among them.

    They are sorted, unless operators have added some that were computed.
    """

    type: ValueType
    values: pa.Array
    is_sorted: bool = True

    @property
    def size(self) -> int:
        return max(len(self.values), 1)

    def code(self, value: Scalar) -> int:
        """The code of a value, or -1 where no row has it."""
        spelled = _normalise(self.type, pack([value], ARROW[self.type]))
        index = pc.index_in(spelled, self.values)[0].as_py()
        return -1 if index is None else int(index)

    def encode(self, values: pa.ChunkedArray | pa.Array) -> Array:
        """Codes of values that are all in the domain; of words and places, too (`take_apart`)."""
        apart = take_apart(values)
        parts = []
        known: Array | None = None
        for chunk in apart.chunks:
            if known is None:
                # All chunks have the words of the last one.
                words = _normalise(self.type, chunk.dictionary)
                known = to_ints(pa.chunked_array([pc.index_in(words, self.values)]))
            parts.append(known.take(_read_places(chunk)))
        if not parts:
            return np.empty(0, dtype=np.int64)
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def look_up(self, values: pa.ChunkedArray) -> Array:
        """Codes of any values, -1 for those that are not in the domain."""
        found = pc.index_in(_normalise(self.type, values), self.values)
        return to_ints(found, null=-1)

    def rank(self, codes: Array) -> Array:
        """Numbers in the order of the values, -1 for what has no code."""
        if self.is_sorted:
            return codes
        ranks = np.full(len(self.values) + 1, -1, dtype=np.int64)
        ranks[to_ints(pa.chunked_array([pc.sort_indices(self.values)]))] = number_rows(
            len(self.values)
        )
        return ranks[codes]

    def add(self, values: pa.Array) -> "Domain":
        """With values that may be new, behind those that are there: no code becomes another."""
        found = _normalise(self.type, values).unique()
        new = found.filter(pc.is_null(pc.index_in(found, self.values)))
        if not len(new):
            return self
        return Domain(self.type, pa.concat_arrays([self.values, new]), is_sorted=False)

    def decode(self, codes: Array) -> pa.Array:
        return self.values.take(wrap(codes))

    def numbers(self, codes: Array) -> npt.NDArray[np.int64] | npt.NDArray[np.float64]:
        column = pa.chunked_array([self.values])
        values = to_floats(column) if self.type == "float" else to_ints(column)
        return values.take(codes) if len(values) else values[:0]


def build_domain(
    type_name: ValueType, columns: Iterable[pa.ChunkedArray | pa.Array], constants: Iterable[Scalar]
) -> Domain:
    """The values of all columns and constants of one type."""
    parts = [pack(list(constants), ARROW[type_name])]
    for column in columns:
        if pa.types.is_dictionary(column.type):
            chunks = take_apart(column).chunks
            parts.extend([_normalise(type_name, chunk.dictionary) for chunk in chunks[:1]])
            continue
        found = _normalise(type_name, column).unique()
        parts.append(found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found)
    values = _normalise(type_name, pa.concat_arrays(parts)).unique()
    return Domain(type_name, values.take(pc.sort_indices(values)))


def take_apart(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray:
    """A column as words and places; all chunks have the same words, and there are no nulls."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    if isinstance(column, pa.ChunkedArray):
        return column.unify_dictionaries() if column.num_chunks > 1 else column
    return pa.chunked_array([column])


def _read_places(chunk: pa.DictionaryArray) -> npt.NDArray[np.integer]:
    """Where they are numbers of 32 bits they are not copied."""
    places = chunk.indices
    if places.null_count or places.type != pa.int32() or not len(places):
        return to_ints(pa.chunked_array([places]))
    found = np.frombuffer(places.buffers()[1], dtype=np.int32)
    return found[places.offset : places.offset + len(places)]


def _normalise(
    type_name: ValueType, values: pa.ChunkedArray | pa.Array
) -> pa.ChunkedArray | pa.Array:
    """One spelling per value: -0.0 is 0.0, and there is one NaN.

    Rows, facts and constants all come by here before they are compared.
    """
    if type_name != "float" or len(values) == 0:
        return values
    zero, nan = wrap(np.array([0.0, np.nan]))
    values = pc.add(values, zero)
    return pc.if_else(pc.is_nan(values), nan, values)


class Domains:
    """The domain of each type."""

    def __init__(self, domains: dict[ValueType, Domain]) -> None:
        self.by_type = domains

    def __getitem__(self, type_name: ValueType) -> Domain:
        return self.by_type[type_name]

    def give_codes(self, type_name: ValueType, values: pa.Array) -> Array:
        """Codes of values that an operator has computed, those that are new among them."""
        apart = take_apart(values)
        if apart.num_chunks:
            words = apart.chunk(0).dictionary
            self.by_type[type_name] = self.by_type[type_name].add(words)
        return self.by_type[type_name].encode(apart)
