"""Small files of this machine are read by the driver: a job of Spark takes longer than that."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from phenesthe.check.program import CheckedProgram
from phenesthe.engines.spark.reading.lines import Everything
from phenesthe.engines.spark.reading.sources import Source
from phenesthe.io.fit import Batch
from phenesthe.io.read_lines import read_lines
from phenesthe.io.read_tables import Reader

#: Together, in bytes.
SMALL = 8 * 2**20


def are_small(sources: Iterable[Source]) -> bool:
    found = list(sources)
    return sum(one.size for one in found) <= SMALL and all(one.here is not None for one in found)


def read_sources(
    program: CheckedProgram, reader: Reader, sources: Iterable[Source]
) -> tuple[dict[str, list[Batch]], set[str]]:
    """The rows of each input and fact, and the names of those all of whose rows fit as they are.

    What is to be said of the columns has been said already.
    """
    quiet = replace(reader, warnings=[])
    gathered: dict[str, list[Batch]] = {}
    imperfect: set[str] = set()
    done: set[tuple[str, Path]] = set()
    for source in sources:
        assert source.here is not None
        signature = source.feeds[0][0]
        if (signature.name, source.here) in done:
            continue  # of some files of a folder, which is read at once
        done.add((signature.name, source.here))
        before = len(reader.rejects)
        if isinstance(source.way, Everything):
            only_facts = source.way.only_facts
            found = read_lines(
                program,
                source.here,
                reader.rejects,
                only_facts=only_facts,
                form=reader.clock.form,
            )
        else:
            found = {signature.name: quiet.read(signature, source.here)}
        for name, batches in found.items():
            gathered.setdefault(name, []).extend(batches)
            if len(reader.rejects) > before or any(one.retract is not None for one in batches):
                imperfect.add(name)
    return gathered, set(gathered) - imperfect
