"""What a state is of. A run that asks something else must not go on from it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np
import pyarrow as pa

from phenesthe.arrow import to_floats, to_ints, wrap
from phenesthe.check.program import CheckedProgram
from phenesthe.io.codes import code_rows
from phenesthe.io.columns import make_schema
from phenesthe.memory.shape import (
    by_name,
    is_bool,
    is_int,
    is_positive,
    is_text,
    is_words,
    list_of,
    or_none,
    record,
    require,
)  # fmt: skip
from phenesthe.options import name_option
from phenesthe.plan.needed import prune
from phenesthe.plan.print_program import find_fingerprint, print_program


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Queries are at `start`, and every `step` after it; `last` was the last one.

    `program` has the text of every declaration that plays a part, by name, in the order of
    evaluation; `facts` the hash of the rows of each fact that has any.
    """

    program: dict[str, str]
    only: tuple[str, ...]
    window: int
    step: int
    facts: dict[str, str]
    start: int | None
    last: int | None
    #: Whether results that are settled are kept, for runs that report all of them.
    keeps_settled: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def fingerprint(self) -> str:
        return find_fingerprint(self.program)


_IS_HEADER = record(
    program=by_name(is_words),
    only=list_of(is_text),
    window=is_positive,
    step=is_positive,
    facts=by_name(is_text),
    start=or_none(is_int),
    last=or_none(is_int),
    keeps_settled=is_bool,
)


def read_header(content: Mapping[str, Any]) -> Header:
    """Raises `Damage`."""
    require(_IS_HEADER(content) and "unit" in content["program"])
    # The first query is after the start, and there is no query without one.
    start, last = content["start"], content["last"]
    require(last is None or (start is not None and start <= last))
    return Header(**{**content, "only": tuple(content["only"])})


def make_header(
    program: CheckedProgram,
    only: Sequence[str],
    facts: Mapping[str, pa.Table],
    *,
    window: int,
    step: int,
    start: int | None,
    keeps_settled: bool,
) -> Header:
    """The header of a run that begins."""
    needed = prune(program, only)
    hashes = {
        one.name: hash_rows(facts[one.name].cast(make_schema(one)))
        for one in needed.facts
        if one.name in facts and facts[one.name].num_rows
    }
    return Header(
        program=print_program(needed),
        only=tuple(sorted(only)),
        window=window,
        step=step,
        facts=hashes,
        start=start,
        last=None,
        keeps_settled=keeps_settled,
    )


def list_differences(before: Header, now: Header) -> Iterator[str]:
    """In what a run differs from the state, in a user's words.

    Facts that are not given, and a start that is not, are those of the state.
    """
    if before.only != now.only:
        names = (", ".join(f"`{name}`" for name in one.only) for one in (before, now))
        yield "the definitions to report were {}, and are {}".format(*names)
    for name in sorted({**before.program, **now.program}):
        one, other = before.program.get(name), now.program.get(name)
        # With other definitions to report others are needed, which is no news.
        if one != other and (before.only == now.only or (one and other)):
            yield _describe_change(name, one, other)
    for sort in ("window", "step"):
        ticks = getattr(before, sort), getattr(now, sort)
        if ticks[0] != ticks[1]:
            yield "the {} was {} ticks, and is {}".format(sort, *ticks)
    if now.start is not None and before.start is not None and now.start != before.start:
        yield f"{name_option('start')} was {before.start}, and is {now.start}"
    for name, hashed in now.facts.items():
        if before.facts.get(name) != hashed and name in before.program:
            yield f"the rows of the fact `{name}` are others"


def can_carry(before: Header, now: Header) -> bool:
    """Whether what is asked differs in nothing but the program and its facts."""
    return (
        before.program["unit"] == now.program["unit"]
        and (before.window, before.step) == (now.window, now.step)
        and (now.start is None or now.start == before.start)
        and before.last is not None
    )


def carry_header(before: Header, now: Header) -> Header:
    """Of a run that goes on from a state with another program."""
    kept = {name: found for name, found in before.facts.items() if name in now.program}
    return replace(
        now,
        facts={**kept, **now.facts},
        start=before.start,
        last=before.last,
        keeps_settled=before.keeps_settled,
    )


def _describe_change(name: str, before: str | None, now: str | None) -> str:
    text = now or before or ""
    word = text.split()[0]
    if name == "unit":
        return (
            f"the unit was {(before or '').split()[-1][:-1]}, and is {(now or '').split()[-1][:-1]}"
        )
    if word == "param" and before and now:
        return "the parameter `{}` was {}, and is {}".format(
            name, *(one.rstrip(";").split(" = ", 1)[1] for one in (before, now))
        )
    sort = {"param": "parameter", "input": "input", "fact": "fact"}.get(word, "definition")
    verb = "changed" if before and now else "is new" if now else "is gone"
    return f"the {sort} `{name}` {verb}"


def hash_rows(table: pa.Table) -> str:
    """The same for the same rows, in whatever order and however often."""
    _, first = np.unique(code_rows(table.columns, table.num_rows), return_index=True)
    rows = table.take(wrap(first))
    digest = sha256(str(len(first)).encode())
    for column in rows.columns:
        digest.update(str(column.type).encode())
        if pa.types.is_string(column.type):
            texts = [text.encode() for text in column.to_pylist()]
            digest.update(np.array([len(text) for text in texts], dtype=np.int64).tobytes())
            digest.update(b"".join(texts))
        elif pa.types.is_floating(column.type):
            values = to_floats(column) + 0.0
            digest.update(np.where(np.isnan(values), np.nan, values).tobytes())
        else:
            digest.update(to_ints(column).tobytes())
    return digest.hexdigest()
