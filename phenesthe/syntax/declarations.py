"""From the tokens of one declaration, whose shape the grammar has confirmed, to its node."""

from dataclasses import replace
from typing import assert_never, cast

from phenesthe.diagnostics.model import Diagnostic, Edit
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.suggest import closest
from phenesthe.syntax.cursor import Cursor, Item
from phenesthe.syntax.formulas import FormulaParser
from phenesthe.syntax.groups import open_formula
from phenesthe.syntax.literals import read_number, read_string
from phenesthe.syntax.mistakes import reserved_text
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Span
from phenesthe.syntax.spelling import TYPE_NAMES
from phenesthe.syntax.tokens import RESERVED, TYPES, UNITS, Token, TokenKind
from phenesthe.syntax.tree import (
    Argument,
    BoolLiteral,
    Branch,
    Declaration,
    Definition,
    DurationLiteral,
    ExclusiveState,
    Fact,
    FloatLiteral,
    Head,
    Import,
    Input,
    IntLiteral,
    Kind,
    Literal_,
    MaximalRange,
    Name,
    Parameter,
    Report,
    StrLiteral,
    TypeName,
    Unit,
    UnitDeclaration,
    Variable,
    Word,
)  # fmt: skip


def read_declaration(cursor: Cursor, doc: str | None) -> Declaration:
    first = cursor.token
    span = Span(cursor.source, first.start, cursor.tokens[-1].end)
    match first.text:
        case "import":
            return _read_import(cursor, span, doc)
        case "unit":
            return _read_unit(cursor, span, doc)
        case "report":
            return _read_report(cursor, span, doc)
        case "param":
            return _read_parameter(cursor, span, doc)
        case "input":
            cursor.take()
            kind = cast(Kind, cursor.take().text)
            name = _read_name(cursor)
            return Input(
                span=span, kind=kind, name=name, arguments=_read_arguments(cursor), doc=doc
            )
        case "fact":
            cursor.take()
            name = _read_name(cursor)
            return Fact(span=span, name=name, arguments=_read_arguments(cursor), doc=doc)
        case "exclusive":
            return _read_exclusive(cursor, span, doc)
        case "machine":
            # Few programs have one.
            from phenesthe.syntax.machines import read_machine

            return read_machine(
                cursor,
                span,
                doc,
                read_head=_read_head,
                read_label=_read_label,
                open_formula=_formula,
            )
        case _:
            kind = cast(Kind, cursor.take().text)
            head = _read_head(cursor)
            cursor.take()
            return Definition(
                span=span, kind=kind, head=head, body=_formula(cursor).body(), doc=doc
            )


def _formula(cursor: Cursor) -> FormulaParser:
    """A parser for the tokens up to the next `;`, which the cursor is moved behind."""
    end = cursor.at
    while cursor.tokens[end].text != ";":
        end += 1
    tokens = tuple(token for token in cursor.tokens[cursor.at : end] if isinstance(token, Token))
    cursor.move(end + 1)
    return open_formula(cursor.source, tokens)


def _read_import(cursor: Cursor, span: Span, doc: str | None) -> Import:
    cursor.take()
    module: list[str] = []
    for token in cursor.tokens[1:-1]:
        module.extend(part for part in token.text.split(".") if part)
    return Import(span=span, module=tuple(module), doc=doc)


def _read_unit(cursor: Cursor, span: Span, doc: str | None) -> UnitDeclaration:
    cursor.take()
    token = cursor.take()
    if token.text in UNITS:
        return UnitDeclaration(span=span, unit=cast(Unit, token.text), doc=doc)
    raise SyntaxProblem(_not_one_of(cursor, token, "unit", UNITS))


def _read_report(cursor: Cursor, span: Span, doc: str | None) -> Report:
    cursor.take()
    names = [_read_name(cursor)]
    while cursor.accept(","):
        names.append(_read_name(cursor))
    return Report(span=span, names=tuple(names), doc=doc)


#: What the types and units are called elsewhere.
_OTHER_NAMES = {
    **TYPE_NAMES,
    "s": "second", "sec": "second", "ms": "millisecond", "us": "microsecond",
}  # fmt: skip


def _not_one_of(cursor: Cursor, token: Item, what: str, choices: tuple[str, ...]) -> Diagnostic:
    place = cursor.span(token)
    suggestion = _OTHER_NAMES.get(token.text.lower()) or closest(token.text, choices)
    suggestion = suggestion if suggestion in choices else None
    listed = ", ".join(f"`{choice}`" for choice in choices)
    if token.text == "duration":
        return error(
            "S019",
            "only a parameter can be a `duration`",
            place,
            label="not a type of arguments",
            hint="write `int`: in data a duration is a number of seconds, or of the program's unit",
            fix=(Edit(span=place, text="int"),),
        )
    return error(
        "S019",
        f"`{token.text}` is not a {what}",
        place,
        label=f"not a {what}",
        hint=f"did you mean `{suggestion}`?" if suggestion else f"the {what}s are {listed}",
        fix=(Edit(span=place, text=suggestion),) if suggestion else None,
    )


def _read_type(cursor: Cursor, choices: tuple[str, ...]) -> TypeName:
    token = cursor.take()
    if token.text in choices:
        return cast(TypeName, token.text)
    raise SyntaxProblem(_not_one_of(cursor, token, "type", choices))


def _read_parameter(cursor: Cursor, span: Span, doc: str | None) -> Parameter:
    cursor.take()
    name = _read_name(cursor)
    cursor.take()
    type_name = _read_type(cursor, (*TYPES, "duration"))
    cursor.take()
    parser = _formula(cursor)
    value = parser.sum()
    if parser.cursor.word or not isinstance(
        value, IntLiteral | FloatLiteral | StrLiteral | BoolLiteral | DurationLiteral | Word
    ):
        raise SyntaxProblem(
            error(
                "S020",
                f"the default of `{name.text}` is not a constant",
                value.span.to(parser.cursor.here()),
                label="not a constant",
                hint="write a number, a string, `true`, `false` or a duration",
            )
        )
    if isinstance(value, Word):
        value = StrLiteral(span=value.span, value=value.name)
    return Parameter(span=span, name=name, type=type_name, default=value, doc=doc)


def _read_name(cursor: Cursor) -> Name:
    token = cursor.take()
    span = cursor.span(token)
    if token.text in RESERVED:
        raise SyntaxProblem(_reserved(token.text, span))
    return Name(span=span, text=token.text)


def _reserved(word: str, span: Span) -> Diagnostic:
    return error(
        "S013",
        f"`{word}` is a word of the language and cannot be a name",
        span,
        label="a reserved word",
        hint=f"choose another name, such as `{word}_`",
        fix=(Edit(span=span, text=word + "_"),),
    )


def _read_arguments(cursor: Cursor) -> tuple[Argument, ...]:
    cursor.take()
    found: list[Argument] = []
    while cursor.token.text != ")":
        start = cursor.token.start
        name = _read_name(cursor)
        cursor.take()
        type_name = _read_type(cursor, TYPES)
        found.append(Argument(span=cursor.since(start), name=name, type=type_name))
        cursor.accept(",")
    return tuple(found)


def _read_head(cursor: Cursor) -> Head:
    start = cursor.token.start
    name = _read_name(cursor)
    cursor.take()
    variables: list[Variable] = []
    while cursor.token.text != ")":
        token = cursor.take()
        variables.append(Variable(span=cursor.span(token), name=token.text))
        cursor.accept(",")
    cursor.take()
    return Head(span=cursor.since(start), name=name, variables=tuple(variables))


def _read_exclusive(cursor: Cursor, span: Span, doc: str | None) -> ExclusiveState | Definition:
    cursor.take()
    cursor.take()
    head = _read_head(cursor)
    if cursor.take().text == ":":
        body = _read_range(cursor, "mode(V, X) : begins(V, X) ~> ends(V);")
        value = head.variables[-1].name if head.variables else ""
        body = replace(body, value=value)
        return Definition(span=span, kind="state", head=head, body=body, doc=doc)
    branches: list[Branch] = []
    while cursor.token.text != "}":
        start = cursor.token.start
        label = _read_label(cursor)
        cursor.take()
        body = _read_range(cursor, "value : begins(V) ~> ends(V);")
        branches.append(Branch(span=cursor.since(start), label=label, body=body))
    return ExclusiveState(span=span, head=head, branches=tuple(branches), doc=doc)


def _read_range(cursor: Cursor, example: str) -> MaximalRange:
    body = _formula(cursor).body()
    if isinstance(body, MaximalRange):
        return body
    raise SyntaxProblem(
        error(
            "S021",
            "a value of an exclusive state holds from one event to another",
            body.span,
            label="not a range `… ~> …`",
            hint=f"write `{example}`; filter where the state is used",
        )
    )


def _read_label(cursor: Cursor) -> Literal_:
    token = cursor.take()
    span = cursor.span(token)
    match token.kind:
        case TokenKind.NUMBER:
            read: Literal_ | Diagnostic = read_number(token.text, span)
        case TokenKind.STRING:
            read = read_string(token.text, span)
        case TokenKind.WORD if token.text in ("true", "false"):
            read = BoolLiteral(span=span, value=token.text == "true")
        case TokenKind.WORD if token.text in RESERVED:
            raise SyntaxProblem(reserved_text(token.text, span))
        case TokenKind.WORD:
            read = StrLiteral(span=span, value=token.text)
        case TokenKind.VARIABLE | TokenKind.SYMBOL:
            raise AssertionError("the grammar lets no such label through")
        case _:
            assert_never(token.kind)
    if isinstance(read, Diagnostic):
        raise SyntaxProblem(read)
    return read
