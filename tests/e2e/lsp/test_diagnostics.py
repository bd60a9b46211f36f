"""What is wrong with a file, pushed as it is edited."""

import pytest
from lsprotocol import types

from tests.e2e.lsp.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="session")

GOOD = """\
input event ais(vessel: int, speed: float);

event slow(V) : ais(V, S) and S <= 0.5;
event fast(V) : ais(V, S) and S > 0.5;
state stopped(V) : slow(V) ~> fast(V);
"""


async def test_a_good_file_has_none(editor: Editor) -> None:
    editor.open("good.phe", GOOD)
    assert await editor.read_diagnostics("good.phe") == []


async def test_an_edit_breaks_a_definition_and_another_mends_it(editor: Editor) -> None:
    editor.open("a.phe", GOOD)
    editor.replace("a.phe", "slow(V) ~>", "slaw(V) ~>")
    (found,) = await editor.read_diagnostics("a.phe")
    assert found.code == "N001"
    assert found.source == "phenesthe"
    assert found.severity is types.DiagnosticSeverity.Error
    assert editor.read("a.phe", found.range) == "slaw"
    assert "did you mean `slow`?" in found.message
    editor.replace("a.phe", "slaw", "slow")
    assert await editor.read_diagnostics("a.phe") == []


async def test_a_code_is_explained_by_its_page(editor: Editor) -> None:
    editor.open("a.phe", GOOD + "event odd(V) : missing(V);\n")
    (found,) = await editor.read_diagnostics("a.phe")
    assert found.code_description is not None
    assert found.code_description.href.endswith("/docs/diagnostics/N001.md")


async def test_related_places_are_told(editor: Editor) -> None:
    editor.open("a.phe", GOOD + "event slow(V) : fast(V);\n")
    (found,) = await editor.read_diagnostics("a.phe")
    (related,) = found.related_information or ()
    assert related.location.uri == editor.find_uri("a.phe")
    places = {editor.read("a.phe", one) for one in (found.range, related.location.range)}
    assert places == {"slow"}
    assert found.range != related.location.range


async def test_what_is_never_used_is_faded(editor: Editor) -> None:
    editor.open("a.phe", "input state port(vessel: int);\n" + GOOD)
    (found,) = await editor.read_diagnostics("a.phe")
    assert found.code == "W003"
    assert found.severity is types.DiagnosticSeverity.Warning
    assert list(found.tags or ()) == [types.DiagnosticTag.Unnecessary]


async def test_syntax_errors_do_not_hide_the_rest(editor: Editor) -> None:
    editor.open("a.phe", GOOD + "event broken(V : ;\nstate odd(V) : missing(V) ~> fast(V);\n")
    codes = await editor.read_codes("a.phe")
    assert "N001" in codes
    assert any(code.startswith("S") for code in codes)


async def test_a_burst_of_edits_ends_with_the_last_text(editor: Editor) -> None:
    editor.open("a.phe", GOOD)
    for letter in "event odd(V) : missing(V);":
        end = len(editor.texts["a.phe"])
        editor.edit("a.phe", end, end, letter)
    assert await editor.read_codes("a.phe") == ["N001"]


async def test_an_importing_file_follows_what_it_imports_before_it_is_saved(
    editor: Editor,
) -> None:
    editor.save("base.phe", GOOD)
    editor.open("main.phe", "import base;\nevent stop(V) : start(stopped(V));\n")
    assert await editor.read_diagnostics("main.phe") == []
    editor.open("base.phe", GOOD)
    editor.replace("base.phe", "state stopped", "state halted")
    told = await editor.wait_for("main.phe", lambda told: bool(told.diagnostics))
    assert [one.code for one in told.diagnostics] == ["N001"]
    assert await editor.read_diagnostics("base.phe") == []
    # Closed without saving, the file on the disk counts again.
    editor.close("base.phe")
    await editor.wait_for("main.phe", lambda told: not told.diagnostics)


async def test_errors_of_an_imported_file_show_without_opening_it(editor: Editor) -> None:
    broken = GOOD.replace("S > 0.5", "and")
    base = editor.save("base.phe", broken)
    for name in ("main.phe", "other.phe"):
        editor.open(name, "import base;\nevent stop(V) : start(stopped(V));\n")
        assert await editor.read_diagnostics(name) == []
    told = await editor.wait_for("base.phe", lambda told: bool(told.diagnostics))
    assert [(one.code, told.version) for one in told.diagnostics] == [("S008", None)]
    # Open, it speaks for itself; closed, it is still broken, until it is not on the disk.
    editor.open("base.phe", broken + "event more(V) : missing(V);\n")
    assert await editor.read_codes("base.phe") == ["S008", "N001"]
    editor.close("base.phe")
    await editor.wait_for("base.phe", lambda told: len(told.diagnostics) == 1)
    base.write_text(GOOD, encoding="utf-8")
    changed = types.FileEvent(editor.find_uri("base.phe"), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    await editor.wait_for("base.phe", lambda told: not told.diagnostics)


async def test_errors_of_an_imported_file_go_with_the_last_that_imports_it(editor: Editor) -> None:
    editor.save("base.phe", "event odd(V) : missing(V);\n")
    editor.open("main.phe", "import base;\n")
    await editor.wait_for("base.phe", lambda told: bool(told.diagnostics))
    editor.replace("main.phe", "import base;", "// nothing")
    await editor.wait_for("base.phe", lambda told: not told.diagnostics)


async def test_a_file_imported_by_an_imported_one_counts_too(editor: Editor) -> None:
    editor.open("base.phe", GOOD)
    editor.open("middle.phe", "import base;\nevent stop(V) : start(stopped(V));\n")
    editor.open("top.phe", "import middle;\nstate s(V) : stop(V) ~> fast(V);\n")
    assert await editor.read_diagnostics("top.phe") == []
    editor.replace("base.phe", "event fast(V)", "event fast(V, S)")
    told = await editor.wait_for("top.phe", lambda told: bool(told.diagnostics))
    assert [one.code for one in told.diagnostics] == ["A001"]


async def test_a_missing_module_is_found_once_it_is_opened(editor: Editor) -> None:
    editor.open("main.phe", "import new_one;\nevent stop(V) : start(stopped(V));\n")
    assert "N003" in await editor.read_codes("main.phe")
    editor.open("new_one.phe", GOOD)
    await editor.wait_for("main.phe", lambda told: not told.diagnostics)


async def test_files_that_change_on_the_disk_are_read_again(editor: Editor) -> None:
    base = editor.save("base.phe", GOOD)
    editor.open("main.phe", "import base;\nevent stop(V) : start(stopped(V));\n")
    assert await editor.read_diagnostics("main.phe") == []
    base.write_text(GOOD.replace("stopped", "halted"), encoding="utf-8")
    changed = types.FileEvent(editor.find_uri("base.phe"), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([changed]))
    await editor.wait_for("main.phe", lambda told: bool(told.diagnostics))
    base.unlink()
    gone = types.FileEvent(editor.find_uri("base.phe"), types.FileChangeType.Deleted)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([gone]))
    await editor.wait_for(
        "main.phe", lambda told: [one.code for one in told.diagnostics] == ["N003"]
    )


async def test_closing_a_file_takes_back_what_was_said_of_it(editor: Editor) -> None:
    editor.open("a.phe", "event odd(V) : missing(V);\n")
    assert await editor.read_codes("a.phe") == ["N001"]
    editor.close("a.phe")
    told = await editor.wait_for("a.phe", lambda told: not told.diagnostics)
    assert told.version is None


async def test_a_text_nobody_saved_is_checked(editor: Editor) -> None:
    editor.open("untitled:Untitled-1", "event odd(V) : no(V);")
    assert await editor.read_codes("untitled:Untitled-1") == ["N001"]
    editor.replace("untitled:Untitled-1", "event odd(V) : no(V);", "// nothing")
    assert await editor.read_codes("untitled:Untitled-1") == []


async def test_a_file_of_any_size_and_kind_is_taken(editor: Editor) -> None:
    editor.open("large.phe", "// much\n" * 300_000)
    assert await editor.read_codes("large.phe") == ["S002"]
    editor.open("noise.phe", "\x00\x1b\u2028\ufffe{{{{ ((( /* \U0001f600")
    assert await editor.read_codes("noise.phe") != []
    editor.open("empty.phe", "")
    assert await editor.read_codes("empty.phe") == []


async def test_a_file_may_be_open_under_two_spellings_of_its_address(editor: Editor) -> None:
    editor.open("a b.phe", GOOD)
    assert await editor.read_codes("a b.phe") == []
    other = editor.find_uri("a b.phe").replace("%20", " ")
    item = types.TextDocumentItem(other, "phenesthe", 1, "event odd(V) : missing(V);\n")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await editor.wait_for_address(other, lambda told: len(told.diagnostics) == 1)
    # Whichever goes first, the other stays.
    editor.close("a b.phe")
    identity = types.VersionedTextDocumentIdentifier(2, other)
    change = types.TextDocumentContentChangeWholeDocument("event odd(V) : no(V) and lost(V);\n")
    params = types.DidChangeTextDocumentParams(identity, [change])
    editor.client.text_document_did_change(params)
    await editor.wait_for_address(other, lambda told: len(told.diagnostics) == 2)
    closed = types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(other))
    editor.client.text_document_did_close(closed)
    await editor.wait_for_address(other, lambda told: not told.diagnostics)


@pytest.mark.parametrize(
    "address",
    ["nonsense", "http://[::1/x", "git:/x.phe?1", "file:///a%00b", f"file:///{'long' * 100}.phe"],
)
async def test_any_address_names_a_text(editor: Editor, address: str) -> None:
    editor.client.log_messages.clear()
    item = types.TextDocumentItem(address, "phenesthe", 1, "event odd(V) : missing(V);\n")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await editor.wait_for_address(address, lambda told: len(told.diagnostics) == 1)
    identity = types.TextDocumentIdentifier(address)
    lenses = await editor.client.text_document_code_lens_async(types.CodeLensParams(identity))
    assert lenses is not None
    assert len(lenses) == 1
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(identity))
    await editor.wait_for_address(address, lambda told: not told.diagnostics)
    assert editor.client.log_messages == []
