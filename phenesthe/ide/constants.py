"""The constants that a program writes for an argument, wherever it does."""

from phenesthe.ide.analysis import Analysis
from phenesthe.ide.calls import list_calls
from phenesthe.ide.machines import list_written_values
from phenesthe.ide.words import Sentence, read_words
from phenesthe.syntax.source import Span
from phenesthe.syntax.tokens import RESERVED, Token, TokenKind


def list_constants(analysis: Analysis, name: str, at: int, *, except_at: Span) -> list[str]:
    """As they are written for argument `at` of a phenomenon; not the one that is being typed."""
    found: set[str] = set()
    for module in analysis.modules.files:
        source = module.parsed.source
        for sentence in read_words(source).sentences:
            written = [*_list_arguments(sentence, name, at), *_list_labels(sentence, name, at)]
            found.update(
                token.text for token in written if Span(source, token.start, token.end) != except_at
            )
    symbols = analysis.work.symbols
    return sorted(text for text in found if text not in symbols or not symbols[text].is_parameter)


def _list_arguments(sentence: Sentence, name: str, at: int) -> list[Token]:
    return [
        call.arguments[at][0]
        for call in list_calls(sentence.tokens)
        if call.name is not None
        and call.name.text == name
        and len(call.arguments) > at
        and len(call.arguments[at]) == 1
        and _is_constant(call.arguments[at][0])
    ]


def _list_labels(sentence: Sentence, name: str, at: int) -> list[Token]:
    """The values of an exclusive state or a machine are constants of its last argument."""
    tokens = sentence.tokens
    is_ours = sentence.opening in ("exclusive", "machine")
    if not is_ours or all(token.text != name for token in tokens[:3]):
        return []
    brace = next((i for i, token in enumerate(tokens) if token.text == "{"), len(tokens))
    if sum(token.text == "," for token in tokens[:brace]) != at:
        return []
    if sentence.opening == "machine":
        return list_written_values(tokens)
    return [
        token for before, token in zip(tokens[brace:], tokens[brace + 1 :], strict=False)
        if before.text in ("{", ";") and _is_constant(token)
    ]  # fmt: skip


def _is_constant(token: Token) -> bool:
    if token.kind is TokenKind.STRING:
        return len(token.text) > 1 and token.text.endswith('"')
    return token.kind is TokenKind.WORD and token.text not in RESERVED
