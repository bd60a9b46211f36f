"""Write a tree as text that reads back as the same tree."""

from collections.abc import Iterable, Iterator
from typing import assert_never

from phenesthe.syntax.layout import Lexeme, lay_out, write_flat
from phenesthe.syntax.tokens import RESERVED, TokenKind
from phenesthe.syntax.tree import (
    After,
    Argument,
    Branch,
    Declaration,
    Definition,
    ExclusiveState,
    Fact,
    Formula,
    Head,
    Import,
    Input,
    Literal_,
    Machine,
    MaximalRange,
    Parameter,
    Report,
    StrLiteral,
    Transition,
    UnitDeclaration,
    Value,
)  # fmt: skip
from phenesthe.syntax.unparse import (
    FILTER,
    RANGE,
    SUM,
    listed,
    sign,
    unparse,
    unparse_literal,
    unparse_variable,
    word,
)

_COLON, _END = sign(":"), sign(";")


def print_formula(formula: Formula, *, unicode: bool = False) -> str:
    """A formula on one line."""
    return write_flat(unparse(formula, FILTER), unicode=unicode)


def print_value(value: Value, *, unicode: bool = False) -> str:
    return write_flat(unparse(value, SUM), unicode=unicode)


def print_declaration(declaration: Declaration, *, unicode: bool = False) -> str:
    """A declaration below its documentation, without a line end after the last line."""
    doc = declaration.doc
    lines = [] if doc is None else [f"/// {line}".rstrip() for line in doc.split("\n")]
    return "\n".join((*lines, lay_out(_declaration(declaration), unicode=unicode)))


def print_module(declarations: Iterable[Declaration], *, unicode: bool = False) -> str:
    """A file. A blank line parts what has documentation, several lines, or another purpose."""
    parts: list[str] = []
    previous: Declaration | None = None
    for declaration in declarations:
        text = print_declaration(declaration, unicode=unicode)
        is_alike = type(previous) is type(declaration) and "\n" not in text + parts[-1]
        parts += ["\n" if is_alike or previous is None else "\n\n", text]
        previous = declaration
    return "".join((*parts[1:], "\n")) if parts else ""


def _declaration(declaration: Declaration) -> Iterator[Lexeme]:
    match declaration:
        case Import(module=module):
            yield word("import")
            yield word(".".join(module))
            yield _END
        case UnitDeclaration(unit=unit):
            yield word("unit")
            yield word(unit)
            yield _END
        case Report(names=names):
            yield word("report")
            for at, name in enumerate(names):
                if at:
                    yield sign(",")
                yield word(name.text)
            yield _END
        case Parameter(name=name, type=type_name, default=default):
            yield word("param")
            yield word(name.text)
            yield _COLON
            yield word(type_name)
            yield sign("=")
            yield unparse_literal(default)
            yield _END
        case Input(kind=kind, name=name, arguments=arguments):
            yield word("input")
            yield word(kind)
            yield word(name.text)
            yield from listed(map(_argument, arguments))
            yield _END
        case Fact(name=name, arguments=arguments):
            yield word("fact")
            yield word(name.text)
            yield from listed(map(_argument, arguments))
            yield _END
        case Definition(kind=kind, head=head, body=body):
            if isinstance(body, MaximalRange) and body.value is not None:
                yield word("exclusive")
            yield word(kind)
            yield from _head(head)
            yield _COLON
            yield from unparse(body, FILTER)
            yield _END
        case ExclusiveState(head=head, branches=branches):
            yield word("exclusive")
            yield word("state")
            yield from _head(head)
            yield sign("{")
            for branch in branches:
                yield from _branch(branch)
            yield sign("}")
        case Machine(head=head, initially=initially, transitions=transitions):
            yield word("machine")
            yield from _head(head)
            yield word("initially")
            yield _label(initially)
            yield sign("{")
            for transition in transitions:
                yield from _transition(transition)
            yield sign("}")
        case _:
            assert_never(declaration)


def _argument(argument: Argument) -> Iterator[Lexeme]:
    return iter((word(argument.name.text), _COLON, word(argument.type)))


def _head(head: Head) -> Iterator[Lexeme]:
    yield word(head.name.text)
    yield from listed((unparse_variable(variable),) for variable in head.variables)


def _branch(branch: Branch) -> Iterator[Lexeme]:
    yield _label(branch.label)
    yield _COLON
    yield from unparse(branch.body, RANGE)
    yield _END


def _transition(transition: Transition) -> Iterator[Lexeme]:
    yield _place(transition.source)
    yield sign("->")
    yield _place(transition.target)
    yield _COLON
    match transition.when:
        case After(duration=duration):
            yield word("after")
            yield from unparse(duration, SUM)
        case event:
            yield from unparse(event, FILTER)
    yield _END


def _place(label: StrLiteral | None) -> Lexeme:
    return Lexeme(TokenKind.VARIABLE, "_") if label is None else _label(label)


def _label(label: Literal_) -> Lexeme:
    if isinstance(label, StrLiteral) and _is_name(label.value):
        return word(label.value)
    return unparse_literal(label)


def _is_name(text: str) -> bool:
    is_word = text.isascii() and text.replace("_", "a").isalnum() and text[0].islower()
    return is_word and text not in RESERVED
