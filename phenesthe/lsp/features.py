"""Every request the server answers: what it is called, what the client must know, who answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from phenesthe.lsp import (
    code_action,
    code_lens,
    completion,
    folding_range,
    formatting,
    hover,
    inlay_hint,
    navigation,
    rename,
    semantic_tokens,
    signature_help,
    symbols,
)
from phenesthe.lsp.session import Session


@dataclass(frozen=True, slots=True)
class Feature:
    method: str
    answer: Callable[[Session, Any], Any]
    options: Any = None


FEATURES = (
    Feature(types.CODE_LENS_RESOLVE, code_lens.resolve_lens),
    Feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        code_action.list_actions,
        types.CodeActionOptions(code_action_kinds=list(code_action.KINDS)),
    ),
    Feature(types.TEXT_DOCUMENT_CODE_LENS, code_lens.list_code_lenses),
    Feature(
        types.TEXT_DOCUMENT_COMPLETION,
        completion.offer,
        types.CompletionOptions(trigger_characters=[".", "(", ","]),
    ),
    Feature(types.TEXT_DOCUMENT_DEFINITION, navigation.define),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, navigation.mark),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, symbols.outline),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, folding_range.fold),
    Feature(types.TEXT_DOCUMENT_FORMATTING, formatting.format_document),
    Feature(types.TEXT_DOCUMENT_HOVER, hover.describe),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, inlay_hint.hint),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, rename.prepare),
    Feature(types.TEXT_DOCUMENT_REFERENCES, navigation.refer),
    Feature(types.TEXT_DOCUMENT_RENAME, rename.change_name),
    Feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, semantic_tokens.colour, semantic_tokens.LEGEND
    ),
    Feature(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        semantic_tokens.colour_range,
        semantic_tokens.LEGEND,
    ),
    Feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        signature_help.help_arguments,
        types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[","]),
    ),
    Feature(types.WORKSPACE_SYMBOL, symbols.search),
)

#: Commands take the session and what the client gives them.
COMMANDS: dict[str, Callable[..., Awaitable[Any]]] = {code_lens.PREVIEW: code_lens.run_preview}
