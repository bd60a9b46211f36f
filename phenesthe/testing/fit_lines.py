"""One line of a test, checked against the declaration it speaks of."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from phenesthe.check.program import Signature
from phenesthe.diagnostics.suggest import closest
from phenesthe.io.times import LIMIT
from phenesthe.report.clock import read_time
from phenesthe.report.rows import Value, write_value
from phenesthe.syntax.tree import Unit
from phenesthe.testing.model import Entry, Misfit
from phenesthe.vocabulary import INT_MAX, INT_MIN, ValueType

_ARTICLES = {"event": "an event", "state": "a state", "dynamic": "a dynamic"}
_EXAMPLES: Mapping[ValueType, str] = {
    "int": "a whole number, such as 7",
    "float": "a number, such as 0.5",
    "str": 'a text, such as "brest"',
    "bool": "true or false",
}


def find_signature(
    name: object, wanted: Mapping[str, Signature], what: str, others: Mapping[str, str]
) -> Signature:
    """The declaration of that name; `others` says what names of another sort are."""
    if isinstance(name, str) and name in wanted:
        return wanted[name]
    if isinstance(name, str) and name in others:
        raise Misfit(f"`{name}` is {others[name]}, not {what}", _list_names(wanted, what))
    suggestion = closest(str(name), wanted)
    raise Misfit(
        f"the program has no {what.partition(' ')[2]} `{name}`",
        f"did you mean `{suggestion}`?" if suggestion else _list_names(wanted, what),
    )


def fit_entry(data: Mapping[str, Any], signature: Signature, unit: Unit) -> Entry:
    """The arguments and the time, as the declaration wants them."""
    args = fit_args(data, signature)
    assert signature.kind is not None
    a_kind = f"`{signature.name}` is {_ARTICLES[signature.kind]}"
    if data.get("kind", signature.kind) != signature.kind:
        raise Misfit(f"{a_kind}, but `kind` says otherwise", "leave `kind` out")
    if signature.kind == "event":
        if "t" not in data:
            raise Misfit(f"{a_kind}, and there is no `t`", 'give its instant, such as "t": 12')
        at = fit_time(data["t"], "t", unit)
        return Entry(args, at, at)
    for key in ("ts", "te"):
        if key not in data:
            raise Misfit(
                f"{a_kind}, and there is no `{key}`",
                'give both ends, such as "ts": 12, "te": 40; "te": null is still holding',
            )
    start = fit_time(data["ts"], "ts", unit)
    end = None if data["te"] is None else fit_time(data["te"], "te", unit)
    if end is not None and end <= start:
        raise Misfit(
            f"the interval ends at {end}, not after its start at {start}", "let `te` be later"
        )
    return Entry(args, start, end)


def fit_args(data: Mapping[str, Any], signature: Signature) -> tuple[Value, ...]:
    args = data.get("args")
    shown = f"{signature.name}({', '.join(signature.arguments)})"
    if not isinstance(args, list):
        raise Misfit("`args` is not a list", f"give the arguments of `{shown}` between [ and ]")
    if len(args) != len(signature.arguments):
        raise Misfit(
            f"`{signature.name}` has {_count(signature.arguments)}, here there are {len(args)}",
            f"give the arguments of `{shown}`",
        )
    return tuple(
        _fit_value(value, type_, argument)
        for value, type_, argument in zip(args, signature.types, signature.arguments, strict=True)
    )


def fit_time(value: object, key: str, unit: Unit) -> int:
    at: int | None = None
    if isinstance(value, int) and not isinstance(value, bool):
        at = value
    elif isinstance(value, str):
        at = read_time(value, unit)
    if at is None or abs(at) >= LIMIT:
        raise Misfit(
            f"`{key}` is no time: {_show(value)}",
            f'give an integer that counts {unit}s, or a date such as "2022-01-03T10:00:00"',
        )
    return at


def _fit_value(value: object, type_: ValueType, argument: str) -> Value:
    fits: Value = None
    match type_:
        case "bool":
            fits = value if isinstance(value, bool) else None
        case "str":
            fits = value if isinstance(value, str) else None
        case "int" | "float":
            if isinstance(value, int) and not isinstance(value, bool):
                fits = value if INT_MIN <= value <= INT_MAX else None
            if type_ == "float" and isinstance(value, int | float) and not isinstance(value, bool):
                fits = _widen(value)
    if fits is None:
        raise Misfit(
            f"`{argument}` is `{type_}`, but {_show(value)} is not", f"give {_EXAMPLES[type_]}"
        )
    return fits


def _widen(value: int | float) -> float | None:
    try:
        return float(value)
    except OverflowError:
        return None


def _show(value: object) -> str:
    if isinstance(value, str | int | float) or value is None:
        text = write_value(value)
        return text if len(text) <= 60 else text[:59] + "…"
    return "a list" if isinstance(value, list) else "an object"


def _count(arguments: Sequence[str]) -> str:
    return f"{len(arguments)} argument{'' if len(arguments) == 1 else 's'}"


def _list_names(wanted: Collection[str], what: str) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(wanted)) or "none"
    return f"the {what.partition(' ')[2]}s: {names}"
