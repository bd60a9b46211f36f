"""Pass 9: the type of every variable, from the inputs upwards."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from phenesthe.check.bare_words import (
    MISSING_WORDS,
    NO_MISSING,
    NOTHING_MISSING,
    begins_comment,
    find_variable_uses,
    is_bare,
)
from phenesthe.check.work import Draft, Symbol, Work
from phenesthe.diagnostics.model import Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.syntax.clauses import list_varying
from phenesthe.syntax.source import Span
from phenesthe.syntax.spelling import variable_name
from phenesthe.syntax.tree import (
    Aggregate,
    Arithmetic,
    Assignment,
    Atom,
    BoolLiteral,
    Call,
    Comparison,
    Counting,
    DurationLiteral,
    ExclusiveState,
    FloatLiteral,
    IntLiteral,
    Let,
    Literal_,
    Machine,
    Negate,
    Parameter,
    ParameterRef,
    Previous,
    StrLiteral,
    Term,
    TypeName,
    Value,
    Variable,
    Wildcard,
    Word,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, walk
from phenesthe.vocabulary import FUNCTIONS, ValueType


def infer_types(work: Work, draft: Draft) -> None:
    """Drafts come in evaluation order, so what a definition uses has its types already."""
    if not draft.broken:
        _Inference(work, draft).run()


def type_of_literal(literal: Literal_) -> ValueType:
    match literal:
        case IntLiteral() | DurationLiteral():
            return "int"
        case FloatLiteral():
            return "float"
        case StrLiteral():
            return "str"
        case BoolLiteral():
            return "bool"
        case _:
            assert_never(literal)


def value_type(name: TypeName) -> ValueType:
    """A duration counts ticks."""
    return "int" if name == "duration" else name


class _Inference:
    def __init__(self, work: Work, draft: Draft) -> None:
        self.work = work
        self.draft = draft
        self.types: dict[str, tuple[ValueType, Span, str]] = {}
        #: Bare words that are surely variables, and were reported.
        self.lower: set[str] = set()

    def run(self) -> None:
        for node in self._list_sources():
            match node:
                case Atom():
                    self._atom(node)
                case Counting(number=Variable() as number):
                    self._variable(number, "int", "`int`, as what `count` gives")
        # What is computed first is the innermost.
        for let in reversed(self.draft.list_nodes(Let)):
            for assignment in let.assignments:
                self._assignment(assignment)
        for node in self.draft.list_limited():
            for clause, variable in list_varying(node):
                self._duration(clause.word, variable)
        for comparison in self.draft.list_nodes(Comparison):
            self._comparison(comparison)
        symbol = self.draft.symbol
        for at, name in enumerate(symbol.arguments):
            known = self.types.get(name)
            symbol.types[at] = known[0] if known is not None else None
        match self.draft.declaration:
            case ExclusiveState():
                symbol.types[-1] = self._labels(self.draft.declaration)
            case Machine():
                symbol.types[-1] = "str"

    def _list_sources(self) -> Iterable[Expression]:
        """What gives variables their types, in its order: what disagrees is said of the second."""
        if not self.draft.list_nodes(Counting):
            return self.draft.list_nodes(Atom)
        return (node for body in self.draft.bodies for node in walk(body))

    def _labels(self, declaration: ExclusiveState) -> ValueType:
        first = declaration.branches[0].label
        wanted = type_of_literal(first)
        for branch in declaration.branches[1:]:
            found = type_of_literal(branch.label)
            if found != wanted:
                self.work.report(
                    error(
                        "T002",
                        f"the values of an exclusive state are of one type: "
                        f"`{wanted}` before, `{found}` here",
                        branch.label.span,
                        label=f"`{found}`",
                        related=(Label(span=first.span, message=f"`{wanted}`"),),
                        hint=f"write every value as `{wanted}`",
                    ),
                    self.draft,
                )
        return wanted

    def _atom(self, atom: Atom) -> None:
        symbol = self.work.symbols[atom.name.text]
        for at, (argument, wanted) in enumerate(zip(atom.arguments, symbol.types, strict=True)):
            if wanted is not None:
                self._argument(argument, wanted, symbol, at)

    def _assignment(self, assignment: Assignment) -> None:
        found = self._type(assignment.value)
        if found is not None:
            self._variable(assignment.variable, found, f"`{found}`, as it is computed")

    def _variable(self, variable: Variable, wanted: ValueType, role: str) -> None:
        known = self.types.setdefault(variable.name, (wanted, variable.span, role))
        if known[0] != wanted:
            self.work.report(
                error(
                    "T001",
                    f"`{variable.name}` cannot be both `{known[0]}` and `{wanted}`",
                    variable.span,
                    label=role,
                    related=(Label(span=known[1], message=known[2]),),
                    hint="use two variables and compare them: `and X == Y`"
                    if {known[0], wanted} == {"int", "float"}
                    else "use two different variables",
                ),
                self.draft,
            )

    def _duration(self, word: str, variable: Variable) -> None:
        known = self.types.setdefault(
            variable.name, ("int", variable.span, f"`int`, as what `{word}` takes")
        )
        if known[0] != "int":
            self.work.report(
                error(
                    "T001",
                    f"`{word}` takes a whole number of ticks, but `{variable.name}` is "
                    f"`{known[0]}`",
                    variable.span,
                    label="`int` is expected here",
                    related=(Label(span=known[1], message=known[2]),),
                    hint="compute one: `let Ticks = round(…)`"
                    if known[0] == "float"
                    else "use a variable of type `int`",
                ),
                self.draft,
            )

    def _argument(self, argument: Term, wanted: ValueType, symbol: Symbol, at: int) -> None:
        match argument:
            case Variable():
                role = f"`{wanted}`, as `{symbol.arguments[at]}` of `{symbol.name}`"
                self._variable(argument, wanted, role)
            case Wildcard() | Word():
                pass
            case _:
                found = self._type(argument)
                if found is not None and not _fits(found, wanted) and not self._told(argument):
                    self.work.report(
                        error(
                            "T002",
                            self._word_message(argument)
                            or f"`{symbol.arguments[at]}` of `{symbol.name}` is `{wanted}`, "
                            f"but `{argument.span.text}` is `{found}`",
                            argument.span,
                            label=f"`{found}`",
                            related=(Label(span=symbol.span, message="declared here"),),
                            hint=self._word_hint(argument) or _constant_hint(wanted),
                            fix=self._word_fix(argument),
                        ),
                        self.draft,
                    )

    def _comparison(self, node: Comparison) -> None:
        left, right = self._type(node.left), self._type(node.right)
        if left is None or right is None:
            return
        numbers = ("int", "float")
        if left == right or (left in numbers and right in numbers):
            if left == "bool" and node.operator not in ("==", "!="):
                self._report_order(node)
            return
        if self._told(node.left) or self._told(node.right):
            return
        self.work.report(
            error(
                "T003",
                self._word_message(node.right)
                or self._word_message(node.left)
                or f"`{node.operator}` cannot compare `{left}` with `{right}`",
                node.right.span,
                label=f"`{right}`",
                related=(Label(span=node.left.span, message=f"`{left}`"),),
                hint=self._word_hint(node.right)
                or self._word_hint(node.left)
                or "compare numbers with numbers and strings with strings",
                fix=self._word_fix(node.right) or self._word_fix(node.left),
            ),
            self.draft,
        )

    def _report_order(self, node: Comparison) -> None:
        self.work.report(
            error(
                "T003",
                f"`{node.operator}` cannot compare `bool` with `bool`",
                node.span,
                label="booleans have no order",
                hint="use `==` or `!=`",
            ),
            self.draft,
        )

    def _type(self, value: Value) -> ValueType | None:
        match value:
            case Variable():
                known = self.types.get(value.name)
                return known[0] if known is not None else None
            case Previous():
                return self._type(value.variable)
            case ParameterRef():
                declaration = self.work.symbols[value.name].declaration
                assert isinstance(declaration, Parameter)
                return value_type(declaration.type)
            case IntLiteral() | FloatLiteral() | StrLiteral() | BoolLiteral() | DurationLiteral():
                return type_of_literal(value)
            case Negate():
                return self._number(value.operand, "`-`")
            case Arithmetic():
                left = self._number(value.left, f"`{value.operator}`")
                right = self._number(value.right, f"`{value.operator}`")
                return "float" if value.operator == "/" else find_wider((left, right))
            case Call():
                shape, name = FUNCTIONS[value.function], f"`{value.function}`"
                if shape.takes == "text":
                    for part in value.arguments:
                        self._text(part, name)
                    return shape.gives
                types = [self._number(part, name) for part in value.arguments]
                return shape.gives or find_wider(types)
            case Aggregate():
                return self._aggregate(value)
            case Wildcard() | Word():
                return None
            case _:
                assert_never(value)

    def _aggregate(self, node: Aggregate) -> ValueType | None:
        match node.function:
            case "count" | "total":
                return "int"
            case "sum" | "avg":
                found = self._number(node.of[0], f"`{node.function}`")
                return "float" if node.function == "avg" else found
            case "min" | "max" | "first" | "last":
                return self._type(node.of[0])
            case _:
                assert_never(node.function)

    def _text(self, value: Value, operator: str) -> None:
        found = self._type(value)
        if found not in ("str", None) and not self._told(value):
            self.work.report(
                error(
                    "T004",
                    f"{operator} takes texts, but `{value.span.text}` is `{found}`",
                    value.span,
                    label=f"`{found}`",
                    hint="use a text here",
                ),
                self.draft,
            )

    def _number(self, value: Value, operator: str) -> ValueType | None:
        found = self._type(value)
        if found in ("int", "float", None) or self._told(value):
            return found if found in ("int", "float") else None
        self.work.report(
            error(
                "T004",
                self._word_message(value)
                or f"{operator} computes with numbers, but `{value.span.text}` is `{found}`",
                value.span,
                label=f"`{found}`",
                hint=self._word_hint(value) or "use a number here",
                fix=self._word_fix(value),
            ),
            self.draft,
        )
        return None

    def _word_message(self, value: Value) -> str:
        """What is wrong with a bare word that was not meant as a string; nothing if it was."""
        if not is_bare(value) or begins_comment(value.span):
            return ""
        word = value.value
        if word in MISSING_WORDS:
            return f"`{word}` is not a value: {NOTHING_MISSING}"
        if self._suggestion(value) is None and find_variable_uses(self.draft, word):
            return (
                f"`{word}` is not a variable: variables begin with an upper-case letter "
                f'(in lower case it is the string "{word}")'
            )
        return ""

    def _word_hint(self, value: Value) -> str:
        """A bare word is a string; often a parameter or a variable was meant."""
        if not is_bare(value):
            return ""
        if value.value in MISSING_WORDS:
            return NO_MISSING
        if begins_comment(value.span):
            return "a comment begins with `//`, not with `--`"
        known = f'`{value.value}` is no parameter, so it is the string "{value.value}"'
        suggestion = self._suggestion(value)
        if suggestion is not None:
            return f"{known}; did you mean `{suggestion}`?"
        variable = variable_name(value.value)
        if find_variable_uses(self.draft, value.value):
            return f"write `{variable}`"
        return f"{known}; declare it with `param`, or write a variable such as `{variable}`"

    def _word_fix(self, value: Value) -> tuple[Edit, ...] | None:
        if not is_bare(value) or value.value in MISSING_WORDS or begins_comment(value.span):
            return None
        suggestion = self._suggestion(value)
        if suggestion is not None:
            return (Edit(span=value.span, text=suggestion),)
        uses = find_variable_uses(self.draft, value.value)
        if uses:
            self.lower.add(value.value)
        variable = variable_name(value.value)
        return tuple(Edit(span=span, text=variable) for span in uses) or None

    def _told(self, value: Value) -> bool:
        return is_bare(value) and value.value in self.lower

    def _suggestion(self, word: StrLiteral) -> str | None:
        parameters = (name for name, s in self.work.symbols.items() if s.is_parameter)
        return self.work.suggest(word.value, parameters)


def _fits(found: ValueType, wanted: ValueType) -> bool:
    return found == wanted or (found == "int" and wanted == "float")


def find_wider(types: Sequence[ValueType | None]) -> ValueType | None:
    """Of numbers together."""
    if None in types:
        return None
    return "float" if "float" in types else "int"


def _constant_hint(wanted: ValueType) -> str:
    examples = {"int": "`7`", "float": "`0.5`", "str": '`"text"`', "bool": "`true` or `false`"}
    return f"write a constant of type `{wanted}`, such as {examples[wanted]}"
