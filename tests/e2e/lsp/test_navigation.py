"""Definition, references, highlight, renaming."""

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from phenesthe.lsp.uris import make_uri
from phenesthe.resources import LIBRARY
from tests.e2e.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="session")

BASE = """\
input event ais(vessel: int, speed: float);
event slow(V) : ais(V, S) and S <= 0.5;
event fast(V) : ais(V, S) and S > 0.5;
state stopped(V) : slow(V) ~> fast(V);
"""
BROKEN = "event broken(V : ;\n"


async def find_definition(
    editor: Editor, at: types.TextDocumentPositionParams
) -> list[types.Location]:
    params = types.DefinitionParams(at.text_document, at.position)
    found = await editor.client.text_document_definition_async(params)
    assert isinstance(found, list | tuple)
    return [one for one in found if isinstance(one, types.Location)]


async def find_references(
    editor: Editor, at: types.TextDocumentPositionParams, *, declaration: bool = True
) -> set[tuple[str, int]]:
    context = types.ReferenceContext(declaration)
    params = types.ReferenceParams(context, at.text_document, at.position)
    found = await editor.client.text_document_references_async(params)
    return {(one.uri.rsplit("/", 1)[1], one.range.start.line) for one in found or ()}


async def rename(editor: Editor, at: types.TextDocumentPositionParams, new: str) -> dict[str, str]:
    """The texts of the open files after a renaming."""
    params = types.RenameParams(at.text_document, at.position, new)
    edit = await editor.client.text_document_rename_async(params)
    assert edit is not None
    texts: dict[str, str] = {}
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        name = change.text_document.uri.rsplit("/", 1)[1]
        if name in editor.versions:
            assert change.text_document.version == editor.versions[name]
        edits = [one for one in change.edits if isinstance(one, types.TextEdit)]
        texts[name] = editor.apply(name, edits)
    return texts


@pytest.mark.parametrize("rest", ["", BROKEN])
async def test_from_a_use_to_the_definition(editor: Editor, rest: str) -> None:
    at = editor.open("a.phe", rest + BASE.replace("slow(V) ~>", "sl‸ow(V) ~>"))
    (found,) = await find_definition(editor, at)
    assert found.uri == editor.find_uri("a.phe")
    assert found.range == editor.range_of("a.phe", "slow")


async def test_to_another_file_that_is_not_saved(editor: Editor) -> None:
    editor.open("base.phe", "// one line more ∧ \U0001f600\n" + BASE)
    at = editor.open("main.phe", "import base;\nevent stop(V) : start(sto‸pped(V));\n")
    (found,) = await find_definition(editor, at)
    assert found.uri == editor.find_uri("base.phe")
    assert editor.read("base.phe", found.range) == "stopped"


async def test_into_the_library(editor: Editor) -> None:
    at = editor.open("main.phe", "import mari‸time.core;\n")
    (found,) = await find_definition(editor, at)
    assert found.uri == make_uri(LIBRARY / "maritime" / "core.phe")


async def test_nowhere_from_a_blank(editor: Editor) -> None:
    at = editor.open("a.phe", BASE + "\n ‸ \n")
    params = types.DefinitionParams(at.text_document, at.position)
    assert await editor.client.text_document_definition_async(params) is None


async def test_references_in_files_open_and_not(editor: Editor) -> None:
    editor.save("other.phe", "import base;\nstate s(V) : stopped(V) union stopped(V);\n")
    editor.save("base.phe", BASE)
    editor.open("main.phe", "import base;\n" + BROKEN + "event stop(V) : start(stopped(V));\n")
    at = editor.open("base.phe", BASE.replace("stopped", "sto‸pped"))
    found = await find_references(editor, at)
    assert found == {("base.phe", 3), ("main.phe", 2), ("other.phe", 1)}
    assert ("base.phe", 3) not in await find_references(editor, at, declaration=False)


async def test_highlight_tells_where_a_name_is_given(editor: Editor) -> None:
    at = editor.open("a.phe", BASE.replace("event slow", "event sl‸ow"))
    params = types.DocumentHighlightParams(at.text_document, at.position)
    found = await editor.client.text_document_document_highlight_async(params)
    kinds = {(one.range.start.line, one.kind) for one in found or ()}
    write, read = types.DocumentHighlightKind.Write, types.DocumentHighlightKind.Read
    assert kinds == {(1, write), (3, read)}


async def test_rename_everywhere(editor: Editor) -> None:
    editor.open("main.phe", "import base;\nevent stop(V) : start(stopped(V));\n")
    at = editor.open("base.phe", BASE.replace("state stopped", "state sto‸pped"))
    texts = await rename(editor, at, "halted")
    assert texts == {
        "base.phe": BASE.replace("stopped", "halted"),
        "main.phe": "import base;\nevent stop(V) : start(halted(V));\n",
    }


async def test_rename_a_variable_after_wide_characters(editor: Editor) -> None:
    text = BASE + "event odd(V) : /* \U0001f600 ⤳ */ ais(‸V, S) ∧ S ≤ 0.5 ∧ slow(V);\n"
    at = editor.open("a.phe", text)
    texts = await rename(editor, at, "Ship")
    last = texts["a.phe"].splitlines()[-1]
    assert last == "event odd(Ship) : /* \U0001f600 ⤳ */ ais(Ship, S) ∧ S ≤ 0.5 ∧ slow(Ship);"


@pytest.mark.parametrize(
    ("new", "reason"),
    [("fast", "already declared"), ("event", "a word of the language"), ("No", "is no name")],
)
async def test_a_renaming_is_refused_with_its_reason(editor: Editor, new: str, reason: str) -> None:
    at = editor.open("a.phe", BASE.replace("event slow", "event sl‸ow"))
    with pytest.raises(JsonRpcException, match=reason):
        await rename(editor, at, new)


async def test_what_can_be_renamed_is_said_before(editor: Editor) -> None:
    at = editor.open("a.phe", BASE.replace("event slow", "event sl‸ow"))
    params = types.PrepareRenameParams(at.text_document, at.position)
    found = await editor.client.text_document_prepare_rename_async(params)
    assert found == editor.range_of("a.phe", "slow")
    library = editor.open("b.phe", "import mari‸time.core;\n")
    params = types.PrepareRenameParams(library.text_document, library.position)
    with pytest.raises(JsonRpcException, match="rename the file"):
        await editor.client.text_document_prepare_rename_async(params)
