"""Rows that Spark has read, brought to the driver: there the memory is that outlives a run."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from phenesthe.arrow import to_bools, to_ints, wrap
from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.engines.spark.failures import explained
from phenesthe.engines.spark.progress import step
from phenesthe.engines.spark.reading.streaming import KNOWN, ORDER, RETRACT, StreamInputs
from phenesthe.io.columns import Numbers, Reason, make_schema, make_table
from phenesthe.io.rejects import Rejects
from phenesthe.io.stream import Feed, Stream

_DOING = "bringing the rows together"


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought(Feed):
    """`rows` are those of the frame, in their order, with where they stand."""

    inputs: StreamInputs
    rows: pa.Table

    def set_aside(self, rows: Numbers, reasons: Sequence[Reason], rejects: Rejects) -> None:
        assert rejects is self.inputs.rejects
        shown = self.rows.take(wrap(self.order[rows]))
        self.inputs.set_aside(self.signature.name, shown, reasons)


def bring_to_driver(program: CheckedProgram, inputs: StreamInputs) -> Stream:
    """What `phenesthe.io.stream.read_stream` gives for the same places."""
    return Stream(
        feeds={one.name: _gather_feed(one, inputs) for one in program.inputs},
        facts={one.name: _gather_fact(one, inputs) for one in program.facts},
        rejects=inputs.rejects,
        warnings=inputs.warnings,
        account=inputs.account,
        begin=inputs.begin,
        first=inputs.first,
        last=inputs.last,
    )


def _gather_feed(signature: Signature, inputs: StreamInputs) -> Brought:
    rows = _bring(inputs.frames[signature.name])
    rows = rows.sort_by([(name, "ascending") for name in ORDER]).combine_chunks()
    retract = to_bools(rows[RETRACT])
    schema = make_schema(signature)
    return Brought(
        signature=signature,
        table=rows.select(schema.names).cast(schema),
        known=to_ints(rows[KNOWN]),
        retract=retract if retract.any() else None,
        order=np.arange(rows.num_rows),
        batches=(),
        inputs=inputs,
        rows=rows,
    )


def _gather_fact(signature: Signature, inputs: StreamInputs) -> pa.Table:
    schema = make_schema(signature)
    if not signature.arguments:
        # On its way a table without columns would lose its rows.
        return make_table(schema, [], inputs.counts[signature.name])
    return _bring(inputs.facts[signature.name]).select(schema.names).cast(schema)


def _bring(frame: DataFrame) -> pa.Table:
    with step(frame.sparkSession, _DOING), explained(_DOING):
        return frame.toArrow()
