"""Whether what was read can be meant: a run that would find nothing for want of rows says why."""

import json
from collections.abc import Collection, Iterable, Iterator

from phenesthe.check.program import CheckedProgram, Signature
from phenesthe.diagnostics.shorten import list_names, shorten
from phenesthe.diagnostics.suggest import closest
from phenesthe.frozen import dataclass
from phenesthe.io.account import Account
from phenesthe.io.columns import Reason
from phenesthe.io.errors import DataError
from phenesthe.io.names import list_choices
from phenesthe.io.places import refuse_name
from phenesthe.io.rejects import Reject, Rejects, make_plain
from phenesthe.io.remarks import find_sample
from phenesthe.io.words import has_decimal_comma, suggest_type

#: Rows that fit, and are refused for what other rows say.
LATER = (Reason.TOO_LATE.text, Reason.RETRACTION_OF_NOTHING.text)
#: How a place of lines is told, not of tables.
_AMONG = "among"
_SAMPLE = 200


class NothingUsed(DataError):
    """An input without a row that is used, where that can hardly be meant.

    `names` are the inputs and facts that may be empty if it is.
    """

    def __init__(self, message: str, hint: str, names: Collection[str]) -> None:
        super().__init__(message, hint)
        self.names = tuple(names)


@dataclass(frozen=True, slots=True)
class Allowed:
    """The inputs and facts that may be empty; None: all."""

    names: frozenset[str] | None = frozenset()

    def has(self, name: str) -> bool:
        return self.names is None or name in self.names


NONE_ALLOWED = Allowed()


def allow_empty(program: CheckedProgram, names: Iterable[str] | None) -> Allowed:
    """Those named; all if no name is given. Raises `DataError` for names of nothing."""
    chosen = None if names is None else frozenset(names)
    if not chosen:
        return NONE_ALLOWED if chosen is None else Allowed(None)
    declared = {one.name for one in (*program.inputs, *program.facts)}
    for name in sorted(chosen - declared):
        raise refuse_name(name, list_choices(name, declared))
    return Allowed(chosen)


def judge_input(
    program: CheckedProgram,
    account: Account,
    rejects: Rejects,
    *,
    allowed: Allowed = NONE_ALLOWED,
    remembered: Collection[str] = (),
    goes_on: bool = False,
) -> list[str]:
    """What is to be said of empty inputs and facts of a program that has only what a run needs.

    Raises `NothingUsed`. `remembered` are facts that need not be given again. A run that goes on
    from another brings what is new, so that nothing is odd about names without lines.
    """
    absent = {
        one.name: (one, where)
        for one, where in account.find_absent((*program.inputs, *program.facts))
        if one.name not in remembered
    }
    meant = {name: one for name, one in absent.items() if not allowed.has(name)}
    _refuse_unusable(program, account, rejects, allowed)
    _refuse_lines(program, account, rejects, meant)
    _refuse_strangers(account, meant)
    _refuse_nothing(program, account, meant)
    return [
        describe_absence(one, where)
        for one, where in meant.values()
        if not (goes_on and where.startswith(_AMONG))
    ]


def describe_absence(signature: Signature, where: str) -> str:
    what = "line of" if where.startswith(_AMONG) else "table for"
    place = f" {where}" if where else ""
    return f"no {what} {name_kind(signature)} `{signature.name}`{place}: it is taken to be empty"


def name_kind(signature: Signature) -> str:
    return "fact" if signature.kind is None else "input"


def _refuse_unusable(
    program: CheckedProgram, account: Account, rejects: Rejects, allowed: Allowed
) -> None:
    """Tables that have rows, none of which fits."""
    found = [
        one
        for one in (*program.inputs, *program.facts)
        if one.name in account.there and not account.fitted[one.name] and not allowed.has(one.name)
    ]
    texts: dict[str, str] = {}
    hints: list[str] = []
    for one in found:
        counts = rejects.count_by_name(one.name)
        total = sum(count for reason, count in counts.items() if reason not in LATER)
        if total:
            reason = next(iter(counts))
            first = rejects.get_sample(one.name, reason)
            rows = "the only row" if total == 1 else f"none of the {total:,} rows"
            verb = "could not" if total == 1 else "could"
            texts[one.name] = (
                f"{rows} of {name_kind(one)} `{one.name}` {verb} be used: {_explain(first)}"
            )
            hints.append(_suggest(first, one))
    if texts:
        raise NothingUsed(
            "\n  ".join(texts.values()),
            "; ".join(dict.fromkeys(hints)),
            tuple(texts),
        )


def _refuse_lines(
    program: CheckedProgram,
    account: Account,
    rejects: Rejects,
    meant: dict[str, tuple[Signature, str]],
) -> None:
    """Lines that are of no input at all."""
    files = [file for file, only_facts in account.lines if not only_facts]
    counts = rejects.count_by_name(None)
    if not files or not counts or not program.inputs:
        return
    if not all(one.name in meant for one in program.inputs):
        return
    total = sum(counts.values())
    first = rejects.get_sample(None, next(iter(counts)))
    known = [one.name for one in program.inputs]
    name = first.row.get("name") if not isinstance(first.row, str) else None
    likely = closest(name, known) if isinstance(name, str) else None
    is_text = first.reason == Reason.UNREADABLE_LINE.text
    table = "; a table of columns is given as a .csv file" if is_text else ""
    lines = "the only line" if total == 1 else f"{total:,} lines"
    raise NothingUsed(
        f"no line of `{files[0]}` is of an input, and {lines} could not be used: {_explain(first)}",
        f"did you mean `{likely}`?" if likely else _show_line(program.inputs[0]) + table,
        tuple(meant),
    )


def _refuse_strangers(account: Account, meant: dict[str, tuple[Signature, str]]) -> None:
    """Tables that are not there, where others are whose names nobody declared."""
    strangers = [file for _, file in account.strangers]
    if not strangers:
        return
    likely = {name: _find_likely(name, strangers) for name in meant}
    # A fact may well be without rows; an input whose table has another name is a mistake.
    found = [
        one
        for one, where in meant.values()
        if (one.kind is not None or likely[one.name]) and not where.startswith(_AMONG)
    ]
    if not found:
        return
    one = next((one for one in found if likely[one.name]), found[0])
    others = [other.name for other in found if other is not one]
    besides = f", nor for {list_names(others)}" if others else ""
    folder, _ = account.strangers[0]
    guess = likely[one.name]
    raise NothingUsed(
        f"there is no table for {name_kind(one)} `{one.name}`{besides}, while `{folder}` holds "
        f"{list_names(strangers)}, which no input or fact is named after",
        f"is `{guess}` the table of `{one.name}`? Then rename it"
        if guess
        else f"rename the table that is meant, for example to `{one.name}.csv`",
        [one.name for one in found],
    )


def _refuse_nothing(
    program: CheckedProgram, account: Account, meant: dict[str, tuple[Signature, str]]
) -> None:
    """No input has a table."""
    names = [one.name for one in program.inputs]
    if not names or not all(name in meant for name in names):
        return
    if any(not only_facts for _, only_facts in account.lines):
        return
    folders = dict.fromkeys(folder for name in names for folder in account.missing.get(name, ()))
    where = f" in {list_names(folders)}" if folders else ""
    raise NothingUsed(
        f"no input has a table{where}: there is none for {list_names(names)}",
        f"give a table for each, for example `{names[0]}.parquet`, `{names[0]}.csv` or "
        f"`{names[0]}.jsonl`"
        if folders
        else "give a table for each",
        names,
    )


def _suggest(first: Reject, signature: Signature) -> str:
    if first.reason == Reason.WRONG_NUMBER_OF_ARGUMENTS.text:
        count = len(signature.arguments)
        return f"give {count} arguments: {', '.join(signature.arguments)}"
    if first.reason == Reason.TE_NOT_AFTER_TS.text:
        return "an interval must end after it starts: correct `ts` or `te` of these rows"
    if first.reason == Reason.MISSING_COLUMN.text and first.column is not None:
        return f"rename the column that is meant to `{first.column}`, or add one"
    if first.reason == Reason.WRONG_TYPE.text and first.column in ("t", "ts", "te"):
        return "write the times as ISO 8601 or whole numbers, or say how they are written"
    types = dict(zip(signature.arguments, signature.types, strict=True))
    wanted = types.get(str(first.column))
    if first.reason != Reason.WRONG_TYPE.text or first.column is None or wanted is None:
        return "correct these rows"
    sample = find_sample(signature, first, first.column)
    if has_decimal_comma(wanted, sample):
        return "correct these rows: numbers have a decimal point"
    return f"correct these rows{suggest_type(first.column, wanted, sample)}"


def _explain(first: Reject) -> str:
    column = "" if first.column is None else f" in `{first.column}`"
    if first.reason == Reason.MISSING_COLUMN.text:
        column = column.removeprefix(" in")
    if first.reason == Reason.TE_NOT_AFTER_TS.text:
        column = ""
    if first.reason == Reason.UNREADABLE_LINE.text:
        column = " (not a JSON object)"
    row = first.row if isinstance(first.row, str) else json.dumps(make_plain(first.row))
    return f"{first.reason}{column}, for example {first.describe_place()}: {shorten(row, _SAMPLE)}"


def _show_line(signature: Signature) -> str:
    """A line as it should be."""
    samples = {"int": "1", "float": "2.5", "str": '"text"', "bool": "true"}
    values = ", ".join(samples.get(str(one), "1") for one in signature.types)
    times = '"t": 5' if signature.kind == "event" else '"ts": 5, "te": 9'
    return f'write each line like {{"name": "{signature.name}", "args": [{values}], {times}}}'


def _find_likely(name: str, files: Collection[str]) -> str | None:
    stems = {file.rpartition(".")[0] or file: file for file in files}
    folded = {stem.casefold(): file for stem, file in stems.items()}
    found = closest(name.casefold(), folded)
    if found is not None:
        return folded[found]
    # `ais_2022_11_01.csv` is of `ais`, and so is `my_ais.csv`.
    return next((file for stem, file in folded.items() if name.casefold() in _split(stem)), None)


def _split(stem: str) -> Iterator[str]:
    parts = stem.replace("-", "_").replace(".", "_").replace(" ", "_").split("_")
    for start in range(len(parts)):
        for stop in range(start + 1, len(parts) + 1):
            yield "_".join(parts[start:stop])
