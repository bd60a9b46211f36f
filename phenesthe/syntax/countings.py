"""`at least N X of σ` and `count X of σ as K`, whose words are names anywhere else."""

from abc import abstractmethod

from phenesthe.diagnostics.model import Edit
from phenesthe.diagnostics.report import error
from phenesthe.syntax.connectives import ConnectiveParser
from phenesthe.syntax.cursor import Group, Item, needs_parentheses
from phenesthe.syntax.problem import SyntaxProblem
from phenesthe.syntax.source import Span
from phenesthe.syntax.spelling import variable_name
from phenesthe.syntax.tokens import RESERVED, TokenKind
from phenesthe.syntax.tree import Counting, Duration, Formula, IntLiteral, Value, Variable, Word

_EXAMPLES = {
    "at least": "at least 3 V of in_area(V, A)",
    "at most": "(count V of in_area(V, A) as K) where K <= 3",
    "count": "count V of in_area(V, A) as K",
}
#: What binds the words of an operand together that would need parentheses.
_TIGHTER = ("~>", "and", "or", "in", "not in", "expires", "limit")


class CountingParser(ConnectiveParser):
    @abstractmethod
    def _range(self) -> Formula | Value:
        """Level 5."""

    def begins_counting(self) -> bool:
        """No two operands stand side by side, so these are no names."""
        word = self.cursor.word
        if word not in ("at", "count"):
            return False
        after = self._look_ahead(1)
        if word == "at":
            return after is not None and after.text in ("least", "most")
        if after is None:
            return False
        if isinstance(after, Group):
            behind = self._look_ahead(2)
            return behind is not None and behind.text == "of"
        is_name = after.kind is TokenKind.WORD and after.text not in RESERVED
        behind = self._look_ahead(2)
        return after.kind is TokenKind.VARIABLE or (is_name and isinstance(behind, Group))

    def _look_ahead(self, distance: int) -> Item | None:
        at = self.cursor.at + distance
        return self.cursor.tokens[at] if at < len(self.cursor.tokens) else None

    def counting(self) -> Formula:
        start = self.cursor.take().start
        least: Duration | None = None
        word = "count"
        if self.cursor.word in ("least", "most"):
            word = f"at {self.cursor.take().text}"
            self._refuse_most(word, start)
            least = self._least(word)
        counted = self._counted(word)
        self._expect("of", f"after what `{word}` counts", word)
        operand = self._operand(word)
        number: Variable | None = None
        if least is None:
            self._expect("as", "and a variable for the number", word)
            number = self._number()
        elif self.cursor.word == "as" and self._names_number():
            raise SyntaxProblem(
                error(
                    "S007",
                    "`at least` holds or does not; it gives no number",
                    self.cursor.here(),
                    label="no number to name here",
                    hint=f"leave `as` out, or count: `{_EXAMPLES['count']}`",
                )
            )
        return self._node(
            Counting(
                span=self.cursor.since(start),
                counted=counted,
                operand=operand,
                least=least,
                number=number,
            )
        )

    def _names_number(self) -> bool:
        """After the right side of a relation a mode may follow."""
        after = self._look_ahead(1)
        return after is not None and after.kind is TokenKind.VARIABLE

    def _refuse_most(self, word: str, start: int) -> None:
        if word == "at most":
            raise SyntaxProblem(
                error(
                    "S007",
                    "there is no `at most`: where nothing holds there is nothing to count",
                    self.cursor.since(start),
                    label="not a word of the language",
                    hint=f"count, and compare the number: `{_EXAMPLES[word]}`",
                )
            )

    def _expect(self, wanted: str, context: str, word: str) -> None:
        if not self.cursor.accept(wanted):
            raise SyntaxProblem(
                error(
                    "S007",
                    f"expected `{wanted}` {context}, found {self.cursor.describe()}",
                    self.cursor.here(),
                    label=f"`{wanted}` is expected here",
                    hint=f"write `{_EXAMPLES[word]}`",
                )
            )

    def _least(self, word: str) -> Duration:
        token, span = self.cursor.token, self.cursor.here()
        found: Formula | Value | None = None
        if token.kind is TokenKind.WORD and token.text not in RESERVED:
            # A parameter, also where what is counted follows in parentheses.
            self.cursor.take()
            return Word(span=span, name=token.text)
        if token.kind is TokenKind.NUMBER or token.text == "-":
            found = self.unary()
            span = found.span
            if isinstance(found, IntLiteral):
                return found
        raise SyntaxProblem(
            error(
                "S016",
                f"`{word}` takes a whole number or a parameter, not `{span.text}`",
                span,
                label="not a whole number",
                hint=f"say how many: `{_EXAMPLES[word]}`",
            )
        )

    def _counted(self, word: str) -> tuple[Variable, ...]:
        token = self.cursor.token
        found: tuple[Formula | Value, ...] = ()
        if isinstance(token, Group):
            found = token.elements
        elif token.kind is TokenKind.VARIABLE and token.text != "_":
            found = (Variable(span=self.cursor.here(), name=token.text),)
        variables = tuple([one for one in found if isinstance(one, Variable)])
        if not variables or len(variables) < len(found):
            raise SyntaxProblem(
                error(
                    "S007",
                    f"expected the variable that `{word}` counts, found {self.cursor.describe()}"
                    if not isinstance(token, Group)
                    else f"`{word}` counts variables, and here is something else",
                    self.cursor.here(),
                    label="a variable, or several in parentheses, is expected here",
                    hint=f"write `{_EXAMPLES[word]}`, or `(V, W)` to count pairs",
                )
            )
        self.cursor.take()
        return variables

    def _operand(self, word: str) -> Formula:
        """An atom, or anything in parentheses."""
        at, start = self.cursor.at, self.cursor.token.start
        operand = self.as_formula(self.primary())
        if self.cursor.word in _TIGHTER:
            place = self.cursor.here()
            self.cursor.move(at)
            self._range()
            raise needs_parentheses(
                f"`{word}` counts over one phenomenon, or what stands in parentheses",
                place,
                self.cursor.since(start),
                hint="put all of what is counted over in parentheses",
            )
        return operand

    def _number(self) -> Variable:
        token, span = self.cursor.token, self.cursor.here()
        if token.kind is TokenKind.VARIABLE and token.text != "_":
            self.cursor.take()
            return Variable(span=span, name=token.text)
        is_word = token.kind is TokenKind.WORD and token.text not in RESERVED
        written = variable_name(token.text) if is_word else "K"
        raise SyntaxProblem(
            error(
                "S017" if is_word else "S007",
                f"`{token.text}` is not a variable: variables begin with an upper-case letter"
                if is_word
                else f"expected a variable for the number, found {self.cursor.describe()}",
                span,
                label="a variable is expected here",
                hint=f"write `{written}`",
                fix=(Edit(span=Span(span.source, span.start, span.end), text=written),)
                if is_word
                else None,
            )
        )
