"""What the maritime library cannot recognise in the tables that were made for it."""

from collections.abc import Collection, Iterator, Mapping

from phenesthe.diagnostics.shorten import list_names
from phenesthe.diagnostics.suggest import closest

_LIBRARY = "maritime.all"
_AREA_TYPE = ("area_type", "type")


def list_unrecognised(types: Collection[str], rows: Mapping[str, int]) -> Iterator[str]:
    """What is missing, and which definitions of the library hold nowhere without it.

    `types` are those of the areas, `rows` the number of rows of each table.
    """
    from phenesthe.plan.constants import find_constants
    from phenesthe.plan.emptiness import Lacking, find_empty
    from phenesthe.program import compile

    program = compile(_LIBRARY).checked
    asked = {str(one.value): None for one in find_constants(program) if _AREA_TYPE in one.columns}
    other = sorted(set(types) - set(asked))
    absent = [one for one in asked if one not in types]
    needed = {one.name for one in (*program.inputs, *program.facts)}
    empty = [name for name, count in rows.items() if not count and name in needed]
    reported = set(program.reported)
    without_types = Lacking(values={_AREA_TYPE: absent})
    everything = Lacking(names=empty, values={_AREA_TYPE: absent})
    told: set[str] = set()
    # One line for each sort of thing: on a small sample nearly everything is missing.
    for text, names, lacking in (
        ("there is no area of type", sorted(absent), without_types),
        ("there are no rows in", sorted(empty), everything),
    ):
        if not names:
            continue
        found = [one for one in find_empty(program, lacking) if one in reported - told]
        told.update(found)
        lost = f": nothing of {list_names(found)} can be recognised" if found else ""
        yield f"{text} {list_names(names)}{lost}"
    if other and absent:
        yield (
            f"areas of type {list_names(other)} are there, which the library does not ask for; it "
            f"asks for {list_names(sorted(asked))}"
            + "".join(
                f"\n  help: if `{one}` is what the library calls `{likely}`, make that their type"
                for one in other
                if (likely := _find_likely(one, absent)) is not None
            )
        )


def _find_likely(word: str, absent: Collection[str]) -> str | None:
    """The type that is meant: spelt nearly so, or with all the words of the one given."""
    folded = word.strip().casefold()
    parts = set(folded.replace("-", "_").replace(" ", "_").split("_"))
    whole = [one for one in absent if parts <= set(one.split("_"))]
    return whole[0] if len(whole) == 1 else closest(folded, absent)
