"""Hover, signature help, inlay hints, semantic tokens."""

from collections.abc import Sequence

import pytest
from lsprotocol import types

from phenesthe.ide.tokens import TOKEN_TYPES
from tests.e2e.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="session")

BASE = """\
input event ais(vessel: int, speed: float);
/// Hardly moves; drifting counts.
event slow(V) : ais(V, S) and S <= 0.5;
event fast(V) : ais(V, S) and S > 0.5;
state stopped(V) : slow(V) ~> fast(V);
"""
BROKEN = "event broken(V : ;\n"


async def hover(editor: Editor, at: types.TextDocumentPositionParams) -> types.Hover | None:
    return await editor.client.text_document_hover_async(
        types.HoverParams(at.text_document, at.position)
    )


def read_markup(content: object) -> str:
    assert isinstance(content, types.MarkupContent)
    assert content.kind is types.MarkupKind.Markdown
    return content.value


@pytest.mark.parametrize("rest", ["", BROKEN, "event odd(V) : missing(V);\n"])
async def test_hover_of_a_definition(editor: Editor, rest: str) -> None:
    at = editor.open("a.phe", rest + BASE.replace("slow(V) ~>", "sl‸ow(V) ~>"))
    found = await hover(editor, at)
    assert found is not None
    text = read_markup(found.contents)
    assert "event slow(V: int)" in text
    assert "Hardly moves; drifting counts" in text.replace("\\", "")
    assert found.range == editor.range_of("a.phe", "slow", 1)


async def test_hover_after_wide_characters(editor: Editor) -> None:
    line = "event odd(V) : /* \U0001f600\U0001f600 */ slow(V) ‸∧ fast(V);\n"
    at = editor.open("a.phe", BASE + line)
    found = await hover(editor, at)
    assert found is not None
    assert found.range is not None
    assert editor.read("a.phe", found.range) == "∧"


async def test_hover_of_an_imported_definition_that_is_not_saved(editor: Editor) -> None:
    editor.save("base.phe", "// nothing yet\n")
    editor.open("base.phe", BASE)
    at = editor.open("main.phe", "import base;\nevent stop(V) : start(sto‸pped(V));\n")
    found = await hover(editor, at)
    assert found is not None
    assert "state stopped(V: int)" in read_markup(found.contents)


async def test_nothing_to_say_of_a_blank(editor: Editor) -> None:
    assert await hover(editor, editor.open("a.phe", BASE + "\n  ‸\n")) is None


async def test_signature_help_in_an_unfinished_line(editor: Editor) -> None:
    at = editor.open("a.phe", BASE + "event odd(V) : ais(V, ‸")
    found = await editor.client.text_document_signature_help_async(
        types.SignatureHelpParams(at.text_document, at.position)
    )
    assert found is not None
    (signature,) = found.signatures
    assert signature.label == "input event ais(vessel: int, speed: float)"
    assert found.active_parameter == 1
    assert signature.active_parameter == 1
    labels = [one.label for one in signature.parameters or ()]
    places = [one for one in labels if not isinstance(one, str)]
    assert [signature.label[slice(*place)] for place in places] == ["vessel: int", "speed: float"]


async def test_no_signature_outside_parentheses(editor: Editor) -> None:
    at = editor.open("a.phe", BASE + "event odd(V) : ‸")
    params = types.SignatureHelpParams(at.text_document, at.position)
    assert await editor.client.text_document_signature_help_async(params) is None


@pytest.mark.parametrize("rest", ["", BROKEN])
async def test_inferred_types_are_shown(editor: Editor, rest: str) -> None:
    editor.open("a.phe", rest + BASE)
    whole = editor.find_range("a.phe", 0, len(editor.texts["a.phe"]))
    found = await editor.client.text_document_inlay_hint_async(
        types.InlayHintParams(editor.name("a.phe"), whole)
    )
    shown = {(one.position.line - len(rest.splitlines()), one.label) for one in found or ()}
    assert shown == {(2, ": int"), (3, ": int"), (4, ": int")}
    third = editor.range_of("a.phe", "event fast(V)")
    found = await editor.client.text_document_inlay_hint_async(
        types.InlayHintParams(editor.name("a.phe"), third)
    )
    assert [one.position for one in found or ()] == [editor.range_of("a.phe", "fast(V").end]


def read_tokens(editor: Editor, name: str, data: Sequence[int]) -> list[tuple[str, str]]:
    """The words of a file with their types."""
    found: list[tuple[str, str]] = []
    line = column = 0
    for at in range(0, len(data), 5):
        lines, columns, length, type_, _ = data[at : at + 5]
        line, column = line + lines, columns if lines else column + columns
        start, end = types.Position(line, column), types.Position(line, column + length)
        found.append((editor.read(name, types.Range(start, end)), TOKEN_TYPES[type_]))
    return found


async def test_every_word_has_its_colour(editor: Editor) -> None:
    last = "event odd(V) : /* \U0001f600 */ slow(V) ∧ fast(V);"
    editor.open("a.phe", BROKEN + BASE + last)
    params = types.SemanticTokensParams(editor.name("a.phe"))
    found = await editor.client.text_document_semantic_tokens_full_async(params)
    assert found is not None
    tokens = read_tokens(editor, "a.phe", found.data)
    assert {("broken", "function"), ("input", "keyword"), ("0.5", "number")} <= set(tokens)
    wanted = [
        ("event", "keyword"),
        ("odd", "function"),
        ("V", "variable"),
        ("/* \U0001f600 */", "comment"),
        ("slow", "function"),
        ("V", "variable"),
        ("∧", "operator"),
        ("fast", "function"),
        ("V", "variable"),
    ]
    assert [one for one in tokens if one[0] != ":"][-len(wanted) :] == wanted
    part = types.SemanticTokensRangeParams(editor.name("a.phe"), editor.range_of("a.phe", last))
    shown = await editor.client.text_document_semantic_tokens_range_async(part)
    assert shown is not None
    assert read_tokens(editor, "a.phe", shown.data) == tokens[-len(shown.data) // 5 :]
    assert len(shown.data) < len(found.data)


async def test_colours_behind_a_byte_order_mark(editor: Editor) -> None:
    editor.open("a.phe", "\ufeffunit second;\nunit second;\n")
    params = types.SemanticTokensParams(editor.name("a.phe"))
    found = await editor.client.text_document_semantic_tokens_full_async(params)
    assert found is not None
    line = [("unit", "keyword"), ("second", "type")]
    assert read_tokens(editor, "a.phe", found.data) == line * 2
