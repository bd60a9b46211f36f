"""Places as clients count them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from phenesthe.lsp.documents import change_document, open_document
from phenesthe.lsp.positions import Counting, mend_characters
from phenesthe.lsp.uris import find_path, make_uri
from phenesthe.syntax.source import Source
from tests.strategies.corpus import PROJECT

ENCODINGS = ("utf-8", "utf-16", "utf-32")
#: Line ends of the protocol, what Python takes for one too, and characters of all lengths.
TEXTS = st.text(st.sampled_from("ab\n\r\x0b\x0c\x85\u2028é⤳∧\U0001f600\U00010348"), max_size=12)


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 9), ("utf-16", 5), ("utf-32", 4)])
def test_columns_are_counted_in_the_units_agreed_on(encoding: str, column: int) -> None:
    source = Source("a.phe", "x\na∧\U0001f600 b")
    position = Counting(encoding).find_position(source, source.text.index("b"))
    assert position == types.Position(1, column)
    assert Counting(encoding).find_offset(source, position) == source.text.index("b")


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(TEXTS)
def test_places_there_and_back(encoding: str, text: str) -> None:
    counting = Counting(encoding)
    source = Source("a.phe", text)
    for offset in range(len(text) + 1):
        found = counting.find_offset(source, counting.find_position(source, offset))
        # Between the two characters of a line end there is no place.
        assert found == offset or text[offset - 1 : offset + 1] == "\r\n"


def test_places_outside_are_the_nearest_inside() -> None:
    source = Source("a.phe", "ab\r\ncd")
    counting = Counting()
    assert counting.find_offset(source, types.Position(0, 99)) == 2
    assert counting.find_offset(source, types.Position(1, 99)) == 6
    assert counting.find_offset(source, types.Position(9, 0)) == 6
    assert counting.find_position(source, 99) == types.Position(1, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_inside_a_character_is_its_start(encoding: str) -> None:
    source = Source("a.phe", "a\U0001f600b")
    assert Counting(encoding).find_offset(source, types.Position(0, 2)) == 1


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(TEXTS, st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), TEXTS), max_size=5))
def test_edits_are_followed(encoding: str, text: str, edits: list[tuple[int, int, str]]) -> None:
    """Whatever line ends come and go."""
    counting = Counting(encoding)
    document = open_document(types.TextDocumentItem("a:a", "", 0, text), PROJECT)
    changes: list[types.TextDocumentContentChangeEvent] = []
    for first, second, new in edits:
        start, end = sorted((min(first, len(text)), min(second, len(text))))
        source = Source("a.phe", text)
        wanted = counting.range_between(source, start, end)
        start, end = counting.find_offsets(source, wanted)
        changes.append(types.TextDocumentContentChangePartial(wanted, new))
        text = text[:start] + new + text[end:]
    changed = change_document(document, 7, changes, counting)
    assert changed.source.text == text
    assert changed.version == 7


def test_a_whole_text_replaces_all() -> None:
    document = open_document(types.TextDocumentItem("a:a", "", 0, "old"), PROJECT)
    whole = types.TextDocumentContentChangeWholeDocument("new")
    assert change_document(document, 1, [whole], Counting()).source.text == "new"


def test_half_a_character_keeps_its_place() -> None:
    assert mend_characters("a\ud83db") == "a\ufffdb"
    assert mend_characters("a\U0001f600b") == "a\U0001f600b"


def test_a_byte_order_mark_is_counted_by_the_client_only() -> None:
    item = types.TextDocumentItem("a:a", "", 0, "\ufeff\ufeffabc")
    assert open_document(item, PROJECT).mark == 1
    assert open_document(types.TextDocumentItem("a:a", "", 0, "abc"), PROJECT).mark == 0


@pytest.mark.parametrize("name", ["a.phe", "ä ö/ü#%?.phe", "c:/x y.phe"])
def test_files_have_addresses(name: str) -> None:
    path = PROJECT / name
    assert find_path(make_uri(path), PROJECT) == path


def test_what_is_no_file_has_a_place_of_its_own() -> None:
    path = find_path("untitled:/some/where.phe", PROJECT)
    assert path.parent == PROJECT
    assert not path.exists()
    assert path != find_path("untitled:/some/else.phe", PROJECT)
