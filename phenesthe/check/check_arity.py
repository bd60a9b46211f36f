"""Pass 3: as many arguments as were declared."""

from phenesthe.check.work import Draft, Work
from phenesthe.diagnostics.model import Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.tokens import FUNCTIONS
from phenesthe.syntax.tree import Atom, Call
from phenesthe.vocabulary import MOMENTS, PREDICATES


def check_arity(work: Work, draft: Draft) -> None:
    for atom in draft.list_nodes(Atom):
        _check_atom(work, draft, atom)
    for call in draft.list_nodes(Call):
        _check_call(work, draft, call)


def _check_atom(work: Work, draft: Draft, atom: Atom) -> None:
    symbol = work.symbols.get(atom.name.text)
    if symbol is None or symbol.is_parameter or len(atom.arguments) == len(symbol.arguments):
        return
    if symbol.name in work.contested:
        return
    wanted = len(symbol.arguments)
    given = len(atom.arguments)
    shape = f"{symbol.name}({', '.join(symbol.arguments)})"
    work.report(
        error(
            "A001",
            f"`{symbol.name}` has {_count(wanted)}, but {_given(given)}",
            atom.span,
            label=f"{given or 'none'} here",
            related=(Label(span=symbol.span, message=f"declared as `{shape}`"),),
            hint=(
                "write `_` for an argument that does not matter"
                if given < wanted
                else f"write `{shape}`"
            ),
        ),
        draft,
    )


def _check_call(work: Work, draft: Draft, call: Call) -> None:
    shape = FUNCTIONS[call.function]
    wanted, given = shape.least, len(call.arguments)
    if given == wanted or (shape.takes_more and given > wanted):
        return
    what = f"`{call.function}` takes {_count(wanted)}, but {_given(given)}"
    if shape.takes_more:
        what = (
            f"`{call.function}` takes two or more values of one row, but {_given(given)}; over "
            "several rows it says of which event they are"
        )
    work.report(
        error(
            "A002",
            what,
            call.span,
            label=f"{given or 'none'} here",
            hint=_suggest(work, draft, call),
        ),
        draft,
    )


def _count(number: int) -> str:
    return "1 argument" if number == 1 else f"{number or 'no'} arguments"


def _given(number: int) -> str:
    return "1 is given" if number == 1 else f"{number or 'none'} are given"


_USES: dict[str, str] = {
    "abs": "write `abs(X)`",
    "min": "the lesser of two values is `min(X, Y)`",
    "max": "the greater of two values is `max(X, Y)`",
    "angle_diff": "write `angle_diff(A, B)`, both in degrees",
    "distance": "write `distance(Lon1, Lat1, Lon2, Lat2)`, in degrees",
    **{name: f"write `{name}(X)`" for name in ("sqrt", "floor", "round")},
    **{name: f"write `{name}(Name)`, of a text" for name in ("length", "lower", "upper")},
    **{name: f'write `{name}(Name, "…")`, both texts' for name in PREDICATES},
    **{name: f"write `{name}()`" for name in MOMENTS},
}


def _suggest(work: Work, draft: Draft, call: Call) -> str:
    if call.function in ("min", "max") and len(call.arguments) == 1:
        # What explains a mistake is loaded when there is one.
        from phenesthe.check.suggest_rows import suggest_rows

        return suggest_rows(work, draft, call.span) or _USES[call.function]
    return _USES[call.function]
