"""Edits as the protocol has them."""

from collections.abc import Iterable

from lsprotocol import types

from phenesthe.diagnostics.model import Edit
from phenesthe.lsp.session import Session


def convert_edits(session: Session, edits: Iterable[Edit]) -> list[types.TextEdit]:
    return [types.TextEdit(session.find_range(edit.span), edit.text) for edit in edits]
