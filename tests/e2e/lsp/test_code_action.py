"""Formatting, quick fixes, outline, search, folding."""

import pytest
from lsprotocol import types

from tests.e2e.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="session")

BASE = """\
input event ais(vessel: int, speed: float);
event slow(V) : ais(V, S) and S <= 0.5;
event fast(V) : ais(V, S) and S > 0.5;
state stopped(V) : slow(V) ~> fast(V);
"""
BROKEN = "event broken(V : ;\n"


async def list_actions(
    editor: Editor, name: str, where: types.Range, only: str | None = None
) -> list[types.CodeAction]:
    kinds = None if only is None else [types.CodeActionKind(only)]
    context = types.CodeActionContext(await editor.read_diagnostics(name), kinds)
    params = types.CodeActionParams(editor.name(name), where, context)
    found = await editor.client.text_document_code_action_async(params)
    return [one for one in found or () if isinstance(one, types.CodeAction)]


def apply(editor: Editor, name: str, action: types.CodeAction) -> str:
    assert action.edit is not None
    changes = action.edit.changes or {}
    return editor.apply(name, list(changes[editor.find_uri(name)]))


async def format_file(editor: Editor, name: str) -> str:
    options = types.FormattingOptions(tab_size=8, insert_spaces=False)
    params = types.DocumentFormattingParams(editor.name(name), options)
    return editor.apply(
        name, list(await editor.client.text_document_formatting_async(params) or ())
    )


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
async def test_formatting_gives_the_canonical_layout(editor: Editor, end: str) -> None:
    messy = BASE.replace(" : ", ":").replace("event slow", "// \U0001f600\nevent  \t slow")
    editor.open("a.phe", messy.replace("\n", end))
    formatted = await format_file(editor, "a.phe")
    assert "event slow(V) : ais(V, S) and S <= 0.5;" in formatted
    editor.edit("a.phe", 0, len(editor.texts["a.phe"]), formatted)
    assert await format_file(editor, "a.phe") == formatted


async def test_a_broken_file_keeps_its_layout(editor: Editor) -> None:
    editor.open("a.phe", BASE.replace(" : ", ":") + BROKEN)
    assert await format_file(editor, "a.phe") == editor.texts["a.phe"]


async def test_a_misspelt_name_is_corrected(editor: Editor) -> None:
    editor.open("a.phe", "// \U0001f600\n" + BASE.replace("slow(V) ~>", "slaw(V) ~>"))
    (action,) = await list_actions(editor, "a.phe", editor.range_of("a.phe", "slaw"))
    assert action.kind == types.CodeActionKind.QuickFix
    assert "slow" in action.title
    assert [one.code for one in action.diagnostics or ()] == ["N001"]
    assert apply(editor, "a.phe", action) == "// \U0001f600\n" + BASE


async def test_elsewhere_nothing_is_offered(editor: Editor) -> None:
    editor.open("a.phe", BASE.replace("slow(V) ~>", "slaw(V) ~>"))
    assert await list_actions(editor, "a.phe", editor.range_of("a.phe", "vessel")) == []


async def test_everything_is_fixed_at_once(editor: Editor) -> None:
    wrong = BASE.replace("slow(V) ~> fast(V)", "slaw(V) ~> fasst(V)")
    editor.open("a.phe", wrong)
    (action,) = await list_actions(
        editor, "a.phe", editor.find_range("a.phe", 0, 0), "source.fixAll"
    )
    assert apply(editor, "a.phe", action) == BASE
    here = editor.range_of("a.phe", "slaw")
    kinds = [one.kind for one in await list_actions(editor, "a.phe", here)]
    assert kinds == [types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll]
    kinds = [one.kind for one in await list_actions(editor, "a.phe", here, "quickfix")]
    assert kinds == [types.CodeActionKind.QuickFix]
    assert await list_actions(editor, "a.phe", here, "refactor") == []


async def test_outline_with_broken_declarations(editor: Editor) -> None:
    editor.open("a.phe", BASE + BROKEN)
    params = types.DocumentSymbolParams(editor.name("a.phe"))
    found = await editor.client.text_document_document_symbol_async(params)
    symbols = [one for one in found or () if isinstance(one, types.DocumentSymbol)]
    assert [one.name for one in symbols] == ["ais", "slow", "fast", "stopped", "broken"]
    for one in symbols:
        assert editor.read("a.phe", one.selection_range) == one.name
        assert editor.read("a.phe", one.range).endswith(";")


async def test_names_are_found_in_all_files(editor: Editor) -> None:
    editor.save("not_open.phe", BASE.replace("stopped", "anchored_firmly"))
    editor.open("a.phe", BASE.replace("stopped", "anchored_badly"))
    params = types.WorkspaceSymbolParams("anchrd")
    found = await editor.client.workspace_symbol_async(params)
    places = {one.name: one.location.uri for one in found or ()}
    assert places["anchored_firmly"] == editor.find_uri("not_open.phe")
    assert places["anchored_badly"] == editor.find_uri("a.phe")


async def test_long_declarations_and_comments_fold(editor: Editor) -> None:
    text = "// one\n// two\nimport a;\nimport b;\nevent slow(V) :\n    ais(V, S)\n    and S < 1;\n"
    editor.open("a.phe", text)
    params = types.FoldingRangeParams(editor.name("a.phe"))
    found = await editor.client.text_document_folding_range_async(params)
    folds = {(one.start_line, one.end_line, one.kind) for one in found or ()}
    kind = types.FoldingRangeKind
    assert folds == {(0, 1, kind.Comment), (2, 3, kind.Imports), (4, 6, kind.Region)}
