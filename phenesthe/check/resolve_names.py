"""Pass 2: every name used is declared where it can be seen; words become parameters or strings."""

from typing import assert_never, cast

from phenesthe.check.library import (
    choose_module,
    find_forgotten,
    find_wanted,
    list_imported,
    module_of,
    place_for_import,
)  # fmt: skip
from phenesthe.check.machines import list_values
from phenesthe.check.modules import Module
from phenesthe.check.work import Draft, View, Work
from phenesthe.diagnostics.model import Diagnostic, Edit, Label
from phenesthe.diagnostics.report import error
from phenesthe.diagnostics.shorten import list_names
from phenesthe.syntax.clauses import replace_durations
from phenesthe.syntax.foreign_names import find_foreign
from phenesthe.syntax.mistakes import no_value
from phenesthe.syntax.source import Span
from phenesthe.syntax.tree import (
    After,
    Atom,
    BoolLiteral,
    Calendar,
    Call,
    Comparison,
    Counting,
    Defining,
    Definition,
    Duration,
    ExclusiveState,
    FloatLiteral,
    Formula,
    Machine,
    Name,
    ParameterRef,
    StrLiteral,
    Term,
    TypeName,
    Wildcard,
    Word,
)  # fmt: skip
from phenesthe.syntax.tree.walk import Expression, children, with_children
from phenesthe.syntax.values import as_condition
from phenesthe.vocabulary import BUILT_IN, FUNCTIONS, PREDICATES, CalendarName, Function


def resolve_names(work: Work, draft: Draft) -> None:
    around = work.look_from(draft.symbol.file)
    resolver = _Resolver(work, draft, around)
    draft.bodies = [resolver.formula(body) for body in draft.bodies]
    if isinstance(draft.declaration, Machine):
        for one in draft.declaration.transitions:
            if isinstance(one.when, After):
                resolver.duration(one.when.duration)
    draft.uses = tuple(resolver.uses)
    draft.parameters = tuple(resolver.parameters)
    draft.calendars = frozenset(resolver.calendars)
    _check_labels(work, draft, around)


def _check_labels(work: Work, draft: Draft, around: View) -> None:
    for label in _list_texts(draft.declaration):
        symbol = around.find(label.value)
        if symbol is not None and symbol.is_parameter and not label.span.text.startswith('"'):
            work.report(
                error(
                    "N010",
                    f"the value `{label.value}` has the name of a parameter",
                    label.span,
                    label="a value is written out",
                    related=(Label(span=symbol.span, message="the parameter"),),
                    hint=f'write `"{label.value}"` if the word itself is meant',
                    fix=(Edit(span=label.span, text=f'"{label.value}"'),),
                ),
                draft,
            )


def _list_texts(declaration: Defining) -> list[StrLiteral]:
    match declaration:
        case Definition():
            return []
        case ExclusiveState(branches=branches):
            labels = [branch.label for branch in branches]
            return [label for label in labels if isinstance(label, StrLiteral)]
        case Machine():
            return [*list_values(declaration)]
        case _:
            assert_never(declaration)


class _Resolver:
    def __init__(self, work: Work, draft: Draft, around: View) -> None:
        self.work = work
        self.draft = draft
        self.around = around
        self.uses: dict[str, None] = {}
        self.parameters: dict[str, None] = {}
        self.calendars: set[CalendarName] = set()

    def formula(self, node: Formula) -> Formula:
        return self._resolve(node)  # type: ignore[return-value]  # a formula stays one

    def _resolve(self, node: Expression) -> Expression:
        match node:
            case Word():
                return self._word(node)
            case Atom():
                if self._is_built_in(node.name.text):
                    self._note_parameters(node)
                    return self._calendar(node)
                if node.name.text in PREDICATES and self._is_free(node.name.text):
                    return self._resolve(self._as_condition(node))
                self._atom(node)
            case _:
                counts = isinstance(node, Counting)
                node = replace_durations(node, self.count if counts else self.duration)
        parts = children(node)
        resolved = tuple([self._resolve(part) for part in parts])
        for part, new in zip(parts, resolved, strict=True):
            if part is not new:
                return with_children(node, resolved)
        return node

    def _is_built_in(self, name: str) -> bool:
        """A parameter of the name is no phenomenon, so that nothing else can be meant."""
        if name not in BUILT_IN:
            return False
        symbol = self.around.find(name)
        return (
            (symbol is None or symbol.is_parameter)
            and name not in self.around.lost
            and name not in self.work.twice
        )

    def _note_parameters(self, atom: Atom) -> None:
        """What cannot stand there is used all the same."""
        for term in atom.arguments:
            symbol = self.around.find(term.name) if isinstance(term, Word) else None
            if symbol is not None and symbol.is_parameter:
                self.parameters[symbol.name] = None

    def _calendar(self, atom: Atom) -> Calendar:
        # Few programs have one, and what knows time zones takes long to load.
        from phenesthe.check.resolve_calendars import resolve_calendar

        found = resolve_calendar(self.work, self.draft, self.around, atom)
        self.calendars.add(found.name)
        return found

    def _is_free(self, name: str) -> bool:
        return self.around.find(name) is None and name not in self.work.symbols

    def _as_condition(self, atom: Atom) -> Comparison:
        """A function that says yes or no has the form of a fact."""
        function = cast(Function, atom.name.text)
        for one in atom.arguments:
            if isinstance(one, Wildcard):
                self.work.report(no_value(f"`{function}`", one.span), self.draft)
        call = Call(span=atom.span, function=function, name=atom.name, arguments=atom.arguments)
        return as_condition(call)

    def _word(self, word: Word) -> ParameterRef | StrLiteral | Word:
        symbol = self.around.find(word.name)
        if symbol is not None and symbol.is_parameter:
            self.parameters[word.name] = None
            return ParameterRef(span=word.span, name=word.name)
        if self.around.may_declare(word.name):
            return word
        return StrLiteral(span=word.span, value=word.name)

    def count(self, word: Duration) -> Duration:
        return self.duration(word, "int = 3")

    def duration(self, word: Duration, example: str = "duration = 10m") -> Duration:
        if not isinstance(word, Word):
            return word
        symbol = self.around.find(word.name)
        if symbol is not None and symbol.is_parameter:
            self.parameters[word.name] = None
            return ParameterRef(span=word.span, name=word.name)
        if self.around.may_declare(word.name):
            return word
        parameters = self.around.list_names(parameters=True)
        self.work.report(
            _unknown(
                f"there is no parameter `{word.name}`",
                word.span,
                self.work.suggest(word.name, parameters),
                f"declare it: `param {word.name}: {example};`",
            ),
            self.draft,
        )
        return word

    def _atom(self, atom: Atom) -> None:
        name = atom.name
        symbol = self.around.find(name.text)
        if (
            symbol is None
            and name.text not in self.work.symbols
            and self.around.may_declare(name.text)
        ):
            self.draft.broken = True
        elif symbol is None and name.text in self.work.twice:
            # Its own declaration gave way to another one, which was said.
            self.draft.broken = True
        elif symbol is None:
            self.work.report(self._explain_unknown(name, atom.arguments), self.draft)
        elif symbol.is_parameter:
            self.parameters[name.text] = None
            self.work.report(
                error(
                    "N001",
                    f"`{name.text}` is a parameter, not a phenomenon",
                    name.span,
                    label="used with arguments",
                    related=(Label(span=symbol.span, message="declared here"),),
                    hint=f"write `{name.text}` without parentheses where a value stands",
                ),
                self.draft,
            )
        else:
            self.uses[name.text] = None
            # Which of two declarations is meant is open; that there are two was said.
            self.draft.broken = self.draft.broken or name.text in self.work.contested

    def _explain_unknown(self, name: Name, terms: tuple[Term, ...]) -> Diagnostic:
        elsewhere = self.work.symbols.get(name.text)
        if elsewhere is not None:
            path = elsewhere.span.source.path
            return error(
                "N004",
                f"`{name.text}` is defined in a file that this one does not import",
                name.span,
                label="not visible here",
                related=(Label(span=elsewhere.span, message="defined here"),),
                hint=f"import the module of `{path}`",
            )
        in_library = self._explain_import(name, len(terms))
        if in_library is not None:
            return in_library
        if name.text in FUNCTIONS:
            return error(
                "N001",
                f"`{name.text}` is no phenomenon, but a function: what it gives is a value",
                name.span,
                label="a value",
                hint=f"compare it with another value: `{name.text}(…) > 5`",
            )
        foreign = find_foreign(name.text)
        if foreign is not None:
            # What explains a mistake is loaded when there is one.
            from phenesthe.syntax.own_names import suggest_instead

            text = self.draft.declaration.span.text
            remedy = suggest_instead(foreign, name.text, text, name.span.source.text)
            hint = f"{foreign.lacks}: {remedy}"
            return _unknown(f"`{name.text}` is not defined", name.span, None, hint)
        candidates = self.around.list_names(parameters=False)
        arguments = ", ".join(f"a{i}: {_guess_type(term)}" for i, term in enumerate(terms, 1))
        return _unknown(
            f"`{name.text}` is not defined",
            name.span,
            self.work.suggest(name.text, (*candidates, *BUILT_IN)),
            f"define it, or declare it as an input: `input event {name.text}({arguments});`",
        )

    def _explain_import(self, name: Name, arity: int) -> Diagnostic | None:
        """For a name of the library with as many arguments."""
        if find_forgotten(name.text, arity) is None:
            return None
        # What is said depends on all names of the file.
        self.work.suggestions += 1
        module = self.work.modules.find(self.draft.symbol.file)
        chosen, brought = choose_module(name.text, self._list_wanted(module))
        statement = f"import {chosen};"
        other = min(filter(self._is_own, list_imported(chosen)), default=None)
        place, follows = place_for_import(module.parsed)
        hint = f"the library has it: add `{statement}`"
        if len(brought) > 1:
            hint += f", once for {list_names(brought)}"
        if other is not None:
            hint += f" and remove your own `{other}`, which the library declares too"
        return error(
            "N001",
            f"`{name.text}` is not defined",
            name.span,
            label="unknown name",
            hint=hint,
            fix=(Edit(span=place, text=f"\n{statement}" if follows else f"{statement}\n"),)
            if other is None
            else None,
        )

    def _list_wanted(self, module: Module) -> frozenset[str]:
        """What else of the library the file lacks: one import may bring all of it."""
        if module.path not in self.work.wanted:
            around = self.around
            self.work.wanted[module.path] = find_wanted(
                module.parsed.source.text,
                lambda name: around.find(name) is not None or around.may_declare(name),
            )
        return self.work.wanted[module.path]

    def _is_own(self, name: str) -> bool:
        """Whether the program declares it, not the library."""
        symbol = self.around.find(name)
        return symbol is not None and module_of(symbol.file) is None


def _guess_type(term: Term) -> TypeName:
    """What an unknown phenomenon would be declared to take where this is written."""
    match term:
        case FloatLiteral():
            return "float"
        case StrLiteral() | Word():
            return "str"
        case BoolLiteral():
            return "bool"
        case _:
            return "int"


def _unknown(message: str, span: Span, suggestion: str | None, otherwise: str) -> Diagnostic:
    return error(
        "N001",
        message,
        span,
        label="unknown name",
        hint=f"did you mean `{suggestion}`?" if suggestion else otherwise,
        fix=(Edit(span=span, text=suggestion),) if suggestion else None,
    )
