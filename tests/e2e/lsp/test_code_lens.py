"""Code lenses and what they lead to."""

import shutil

import pytest
from lsprotocol import types

from phenesthe.lsp.uris import make_uri
from tests.e2e.lsp.editor import Editor, count_refreshes
from tests.strategies.corpus import PROJECT

pytestmark = pytest.mark.asyncio(loop_scope="session")

EXAMPLE = PROJECT / "examples" / "port_calls"
BASE = """\
input event ais(vessel: int, speed: float);
event slow(V) : ais(V, S) and S <= 0.5;
event fast(V) : ais(V, S) and S > 0.5;
state stopped(V) : slow(V) ~> fast(V);
"""


async def list_lenses(editor: Editor, name: str) -> list[types.CodeLens]:
    """All of them, with their commands."""
    params = types.CodeLensParams(editor.name(name))
    found = await editor.client.text_document_code_lens_async(params)
    return [
        lens if lens.command else await editor.client.code_lens_resolve_async(lens)
        for lens in found or ()
    ]


async def preview(editor: Editor, *arguments: object) -> dict[str, str]:
    params = types.ExecuteCommandParams("phenesthe.preview", list(arguments))
    found = await editor.client.workspace_execute_command_async(params)
    assert isinstance(found, dict)
    return found


def copy_example(editor: Editor) -> str:
    for file in EXAMPLE.iterdir():
        shutil.copy(file, editor.folder)
    return (EXAMPLE / "port_calls.phe").read_text(encoding="utf-8")


@pytest.mark.parametrize("rest", ["", "event broken(V : ;\n"])
async def test_references_are_counted_and_shown(editor: Editor, rest: str) -> None:
    editor.save("other.phe", "import base;\nevent stop(V) : start(stopped(V)) and slow(V);\n")
    editor.open("base.phe", BASE + rest)
    shown = {}
    for lens in await list_lenses(editor, "base.phe"):
        assert lens.command is not None
        shown[editor.read("base.phe", lens.range)] = lens.command
    assert {name: command.title for name, command in shown.items() if name != "broken"} == {
        "slow": "2 references",
        "fast": "1 reference",
        "stopped": "1 reference",
    }
    assert shown["slow"].command == "phenesthe.showReferences"
    uri, position, places = shown["slow"].arguments or ()
    assert uri == editor.find_uri("base.phe")
    where = editor.range_of("base.phe", "slow").start
    assert position == {"line": where.line, "character": where.character}
    names = {one["uri"].rsplit("/", 1)[1] for one in places or ()}
    assert names == {"base.phe", "other.phe"}


@pytest.mark.parametrize("rest", ["", "event broken(V : ;\n", "event odd(V) : missing(V);\n"])
async def test_a_definition_is_tried_on_the_sample(editor: Editor, rest: str) -> None:
    editor.open("port_calls.phe", copy_example(editor) + rest)
    lenses = [one.command for one in await list_lenses(editor, "port_calls.phe") if one.command]
    commands = [one for one in lenses if one.command == "phenesthe.preview"]
    assert {one.title for one in commands} >= {"preview sample"}
    (chosen, *_) = [one for one in commands if one.title == "preview sample"]
    found = await preview(editor, *(chosen.arguments or ()))
    assert found.keys() == {"title", "text", "html"}
    assert "port_calls.sample.jsonl" in found["title"]
    assert "<" in found["html"]
    assert " state\n" in found["text"]
    assert ("was left out" in found["text"]) == bool(rest)


async def test_a_preview_uses_what_is_not_saved(editor: Editor) -> None:
    text = copy_example(editor)
    editor.open("port_calls.phe", text + "event brand_new(V) : not_there(V);\n")
    found = await preview(editor, editor.find_uri("port_calls.phe"), "brand_new")
    assert "not_there" in found["text"]


@pytest.mark.parametrize("arguments", [(), ("file:///nowhere.phe", "x"), (1, 2, 3, 4)])
async def test_a_preview_of_nothing(editor: Editor, arguments: tuple[object, ...]) -> None:
    params = types.ExecuteCommandParams("phenesthe.preview", list(arguments))
    assert await editor.client.workspace_execute_command_async(params) is None


async def test_a_preview_without_data_says_so(editor: Editor) -> None:
    editor.open("a.phe", BASE)
    found = await preview(editor, editor.find_uri("a.phe"), "slow")
    assert "a.sample.jsonl" in found["text"]


async def test_lenses_follow_the_data_beside_the_file(editor: Editor) -> None:
    editor.open("a.phe", BASE)
    await editor.read_diagnostics("a.phe")
    before = count_refreshes(editor.client)
    sample = editor.save("a.sample.jsonl", "")
    created = types.FileEvent(make_uri(sample), types.FileChangeType.Created)
    params = types.DidChangeWatchedFilesParams([created])
    editor.client.workspace_did_change_watched_files(params)
    titles = [one.command.title for one in await list_lenses(editor, "a.phe") if one.command]
    assert "preview sample" in titles
    assert count_refreshes(editor.client) > before
