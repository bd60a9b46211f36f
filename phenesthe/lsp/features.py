"""Every request the server answers: what it is called, what the client must know, who answers."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from lsprotocol import types

from phenesthe.lsp import colouring, editing, moving, offering, outline, reading, trying
from phenesthe.lsp.session import Session


@dataclass(frozen=True, slots=True)
class Feature:
    method: str
    answer: Callable[[Session, Any], Any]
    options: Any = None


FEATURES = (
    Feature(types.CODE_LENS_RESOLVE, trying.resolve_lens),
    Feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        editing.list_actions,
        types.CodeActionOptions(code_action_kinds=list(editing.KINDS)),
    ),
    Feature(types.TEXT_DOCUMENT_CODE_LENS, trying.list_code_lenses),
    Feature(
        types.TEXT_DOCUMENT_COMPLETION,
        offering.offer,
        types.CompletionOptions(trigger_characters=[".", "(", ","]),
    ),
    Feature(types.TEXT_DOCUMENT_DEFINITION, moving.define),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, moving.mark),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, outline.outline),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, outline.fold),
    Feature(types.TEXT_DOCUMENT_FORMATTING, editing.format_document),
    Feature(types.TEXT_DOCUMENT_HOVER, reading.describe),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, reading.hint),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, moving.prepare),
    Feature(types.TEXT_DOCUMENT_REFERENCES, moving.refer),
    Feature(types.TEXT_DOCUMENT_RENAME, moving.change_name),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, colouring.colour, colouring.LEGEND),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, colouring.colour_range, colouring.LEGEND),
    Feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        reading.help_arguments,
        types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[","]),
    ),
    Feature(types.WORKSPACE_SYMBOL, outline.search),
)

#: Commands take the session and what the client gives them.
COMMANDS: dict[str, Callable[..., Awaitable[Any]]] = {trying.PREVIEW: trying.run_preview}
