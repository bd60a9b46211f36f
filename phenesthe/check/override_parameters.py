"""The values of the parameters: their defaults, or what a run says instead."""

import math
import re
from collections.abc import Mapping

from phenesthe.check.check_parameters import describe_least, list_limits, ticks
from phenesthe.check.work import Work
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.suggest import closest
from phenesthe.syntax.literals import read_number
from phenesthe.syntax.source import Source, Span
from phenesthe.syntax.tree import (
    DurationLiteral,
    Literal_,
    Parameter,
    ParameterRef,
    TypeName,
    Unit,
)  # fmt: skip
from phenesthe.vocabulary import FLOAT_MAX, INT_MAX, INT_MIN

Constant = int | float | str | bool
#: Python refuses numbers of thousands of digits in its own words.
_WHOLE = re.compile(r"-?[0-9]{1,1000}")


def override_parameters(work: Work, given: Mapping[str, object]) -> dict[str, Constant]:
    """Values by name. Texts, as a command line gives them, are read by the declared type."""
    declared = {
        name: symbol.declaration
        for name, symbol in work.symbols.items()
        if isinstance(symbol.declaration, Parameter)
    }
    for name in given:
        if name not in declared:
            suggestion = closest(name, declared)
            names = ", ".join(f"`{other}`" for other in sorted(declared)) or "none"
            work.report(
                _problem(
                    name,
                    given[name],
                    f"there is no parameter `{name}`",
                    f"did you mean `{suggestion}`?" if suggestion else f"the parameters: {names}",
                )
            )
    values: dict[str, Constant] = {}
    for name, declaration in declared.items():
        if name in given:
            read = _read(declaration.type, given[name], work.modules.unit)
            if read is None:
                wrong, remedy = _refuse(declaration.type, given[name], work.modules.unit)
                text = f"`{name}` is of type `{declaration.type}`, but `{given[name]}` is {wrong}"
                work.report(_problem(name, given[name], text, f"give {remedy}"))
            else:
                values[name] = read
                _check_use(work, name, read)
        else:
            values[name] = _default(declaration.default, declaration.type, work.modules.unit)
    return values


def _check_use(work: Work, name: str, value: Constant) -> None:
    """What is given must suit the places of the parameter, as its default does."""
    for draft in work.drafts.values():
        for clause, duration in list_limits(work, draft):
            if (
                isinstance(duration, ParameterRef)
                and duration.name == name
                and isinstance(value, int)
                and value < clause.least
            ):
                rule = describe_least(clause.least)
                what = "number" if clause.is_count else "duration"
                message = f"`{name}` is the {what} of `{clause.word}`, which must be {rule}"
                work.report(_problem(name, value, message, f"give {rule}"))
                return


_NOUNS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a string",
    "bool": "`true` or `false`",
    "duration": "a duration in whole ticks",
}
_EXAMPLES = {
    "int": "a whole number, such as 7",
    "float": "a number, such as 0.5",
    "str": "a string",
    "bool": "true or false",
    "duration": "a duration such as 90s, 10m or 2h",
}


def _refuse(type_name: TypeName, value: object, unit: Unit) -> tuple[str, str]:
    """What is wrong with a value that is not taken, and what to give instead."""
    if type_name == "float" and _is_beyond_floats(value):
        return "too large", f"a number from -{FLOAT_MAX} to {FLOAT_MAX}"
    if type_name in ("int", "duration"):
        amount = _count(value, unit if type_name == "duration" else None)
        if amount is not None:
            what = f"whole number of {unit}s" if type_name == "duration" else "whole number"
            return (
                "too large" if amount > 0 else "too small",
                f"a {what} from {INT_MIN} to {INT_MAX}",
            )
    return f"not {_NOUNS[type_name]}", _EXAMPLES[type_name]


def _problem(name: str, value: object, message: str, hint: str) -> Diagnostic:
    text = f"{name}={value}"
    source = Source("parameters", text)
    return error("P004", message, Span(source, 0, len(text)), label="given here", hint=hint)


def _default(literal: Literal_, type_name: TypeName, unit: Unit) -> Constant:
    if isinstance(literal, DurationLiteral):
        return int(ticks(literal, unit))
    value = literal.value
    # A default of another type was reported, and no run will use it.
    return float(value) if type_name == "float" and isinstance(value, int) else value


def _read(type_name: TypeName, value: object, unit: Unit) -> Constant | None:
    match type_name:
        case "str":
            return value if isinstance(value, str) else None
        case "bool":
            if isinstance(value, str):
                return {"true": True, "false": False}.get(value)
            return value if isinstance(value, bool) else None
        case "float":
            return _read_float(value)
        case "int" | "duration":
            return _read_int(value, unit if type_name == "duration" else None)


def _read_float(value: object) -> float | None:
    """NaN and the infinities too, which rows can have as well."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if _is_beyond_floats(value):
        return None
    try:
        return float(value) + 0.0  # -0.0 is 0.0
    except ValueError:
        return None


def _is_beyond_floats(value: object) -> bool:
    """Whether it is a number that only an infinity could stand for."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return False
    try:
        return math.isinf(float(value)) and "inf" not in str(value).lower()
    except OverflowError:
        return True
    except ValueError:
        return False


def read_duration(value: object, unit: Unit) -> int | None:
    """Ticks, however many, from their number or a text such as `8h`; None for no duration."""
    return _count(value, unit)


def _read_int(value: object, unit: Unit | None) -> int | None:
    amount = _count(value, unit)
    return amount if amount is not None and INT_MIN <= amount <= INT_MAX else None


def _count(value: object, unit: Unit | None) -> int | None:
    """A whole number, also one that does not fit into 64 bits."""
    if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, str):
        source = Source("parameters", value)
        literal = read_number(value.strip(), Span(source, 0, len(value)))
        if isinstance(literal, DurationLiteral) and unit is not None:
            amount = ticks(literal, unit)
            value = int(amount) if amount.denominator == 1 else None
        else:
            value = getattr(literal, "value", None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
