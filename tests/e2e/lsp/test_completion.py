"""What is offered while a line is being written."""

from pathlib import Path

import pytest
from lsprotocol import types

from phenesthe.lsp.positions import Counting
from tests.e2e.lsp.editor import CURSOR, Editor, end_client, start_client

pytestmark = pytest.mark.asyncio(loop_scope="session")

BASE = """\
input event ais(vessel: int, speed: float);
fact kind(vessel: int, name: str);
event slow(V) : ais(V, S) and S <= 0.5;
event tug(V) : slow(V) and kind(V, "tug boat");
state stopped(V) : slow(V) ~> tug(V);
"""


async def offer(
    editor: Editor, at: types.TextDocumentPositionParams
) -> dict[str, types.CompletionItem]:
    params = types.CompletionParams(at.text_document, at.position)
    found = await editor.client.text_document_completion_async(params)
    items = found.items if isinstance(found, types.CompletionList) else found
    return {one.label: one for one in items or ()}


def accept(editor: Editor, name: str, item: types.CompletionItem) -> str:
    """The last line after an item was chosen."""
    assert isinstance(item.text_edit, types.TextEdit)
    return editor.apply(name, [item.text_edit]).splitlines()[-1]


async def test_phenomena_come_with_their_arguments(editor: Editor) -> None:
    at = editor.open("a.phe", BASE + "state s(V) : /* \U0001f600 */ slo‸")
    item = (await offer(editor, at))["slow"]
    assert item.kind == types.CompletionItemKind.Event
    assert item.insert_text_format == types.InsertTextFormat.Snippet
    assert accept(editor, "a.phe", item) == "state s(V) : /* \U0001f600 */ slow(${1:V})$0"


async def test_without_snippets_the_text_is_plain(tmp_path: Path) -> None:
    client, _ = await start_client(types.ClientCapabilities(), tmp_path)
    editor = Editor(client, tmp_path, Counting())
    at = editor.open("a.phe", BASE + "state s(V) : slo‸")
    item = (await offer(editor, at))["slow"]
    assert accept(editor, "a.phe", item) == "state s(V) : slow(V)"
    await end_client(client)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("‸", "exclusive"),
        ("import mari‸", "maritime.core"),
        ("unit ‸", "millisecond"),
        ("event fast(Ship) : ais(‸", "Ship"),
        ("event fast(V) : slow(V) and kind(V, ‸", '"tug boat"'),
        ("state s(V) : stopped(V) ‸", "union"),
        ("event broken(V : ;\nevent e(V) : ‸", "tug"),
    ],
)
async def test_what_fits_is_offered(editor: Editor, line: str, wanted: str) -> None:
    found = await offer(editor, editor.open("a.phe", BASE + line))
    assert wanted in found, sorted(found)


async def test_modules_beside_the_file(editor: Editor) -> None:
    editor.save("harbour.phe", BASE)
    at = editor.open("main.phe", "import har‸")
    assert "harbour" in await offer(editor, at)


async def test_definitions_of_an_unsaved_module(editor: Editor) -> None:
    editor.save("base.phe", "// nothing yet\n")
    editor.open("base.phe", BASE)
    at = editor.open("main.phe", f"import base;\nevent e(V) : {CURSOR}")
    assert {"slow", "tug", "ais"} <= (await offer(editor, at)).keys()


async def test_nothing_in_a_comment(editor: Editor) -> None:
    assert await offer(editor, editor.open("a.phe", BASE + "// slo‸")) == {}
