"""Any bytes are a file: they end in diagnostics or in a program, soon, and never in a crash."""

import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phenesthe.check import check
from phenesthe.diagnostics.model import Diagnostic
from phenesthe.syntax.parser import MAX_DECLARATION, MAX_ERRORS, MAX_FILE_BYTES, parse_bytes
from phenesthe.syntax.printer import print_module
from phenesthe.syntax.tree import Declaration
from tests.soak.examine import (
    examine_bytes,
    examine_diagnostic,
    examine_module,
    examine_program,
    examine_renderings,
    examine_text,
)
from tests.strategies.corpus import corpus
from tests.strategies.programs import damaged_files, programs
from tests.strategies.trees import MODULES, scatter

SECONDS = 10.0
SAMPLE = settings(deadline=None, suppress_health_check=list(HealthCheck))
INPUT = "input event a();\ninput state s();\n"


def check_bytes(data: bytes) -> tuple[Diagnostic, ...]:
    """Check, within bounded time, and look at every diagnostic in every rendering."""
    began = time.process_time()
    program, diagnostics = check(Path("t.phe"), data, read=lambda _: None)
    assert time.process_time() - began < SECONDS
    for diagnostic in diagnostics:
        examine_diagnostic(diagnostic)
    examine_renderings(diagnostics)
    assert program is not None or diagnostics
    return diagnostics


def codes(text: str | bytes) -> list[str]:
    data = text.encode() if isinstance(text, str) else text
    return [diagnostic.code for diagnostic in check_bytes(data)]


@settings(SAMPLE, max_examples=250)
@given(damaged_files())
def test_damaged_files_crash_nothing(data: bytes) -> None:
    examine_bytes(data)


@settings(SAMPLE, max_examples=150)
@given(st.binary(max_size=200))
def test_random_bytes_crash_nothing(data: bytes) -> None:
    examine_bytes(data)


@settings(SAMPLE, max_examples=30)
@given(programs())
def test_programs_without_errors_are_accepted_and_printed(text: str) -> None:
    examine_program(text)


@settings(SAMPLE, max_examples=30)
@given(MODULES)
def test_a_printed_tree_reads_back(module: tuple[Declaration, ...]) -> None:
    examine_module(module)


@settings(SAMPLE, max_examples=30)
@given(MODULES.map(print_module).flatmap(scatter))
def test_layout_is_kept_apart_from_meaning(text: str) -> None:
    examine_text(text)


@pytest.mark.parametrize("step", [7])
def test_every_beginning_of_a_program_is_a_file(step: int) -> None:
    data = next(data for file, data in corpus().items() if file.name == "maritime.phe")
    for length in range(0, len(data), step):
        examine_bytes(data[:length])


@pytest.mark.parametrize(
    "data", [b"", b" ", b"\n\n\n", b"\r\n\t \x0b\x0c", b"\xef\xbb\xbf", b"// end", b"/* a */"]
)
def test_a_file_may_hold_nothing(data: bytes) -> None:
    assert check_bytes(data) == ()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(end: str) -> None:
    text = end.join(("// first", "input event a();", "event b() : c();"))
    (missing,) = [d for d in check_bytes(text.encode()) if d.code == "N001"]
    assert missing.span.first == (3, 13)


def test_a_byte_order_mark_takes_no_column() -> None:
    (missing,) = check_bytes(b"\xef\xbb\xbfevent b() : c();")
    assert missing.span.first == (1, 13)


@pytest.mark.parametrize(
    ("data", "position"),
    [
        (b"\xff", (1, 1)),
        (b"// fine\nevent \xe9v() : a();", (2, 7)),
        ("// é\n".encode() + b"\xc3", (2, 1)),
        (b"\xef\xbb\xbfab\xfe\xff", (1, 3)),
        ("event é".encode("utf-16-le"), (1, 13)),
        (b"\xed\xa0\x80", (1, 1)),
    ],
)
def test_what_is_not_utf8_is_shown_where_it_is(data: bytes, position: tuple[int, int]) -> None:
    (problem,) = check_bytes(data)
    assert problem.code == "S001"
    assert problem.span.first == position


@pytest.mark.parametrize("character", ["\0", "\x1b", "\u202e", "\xa0", "@", "é", "🚢", "٣"])
def test_a_character_without_meaning_is_named(character: str) -> None:
    found = check_bytes(f"{INPUT}event b() : a() {character};".encode())
    assert "S003" in [diagnostic.code for diagnostic in found]


def test_only_zeros() -> None:
    assert codes(b"\0" * 1000) == ["S003"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("event b() : " + "(" * 10_000 + "a()" + ")" * 10_000 + ";", "S010"),
        ("event b() : " + "(" * 10_000, "S010"),
        ("event b() : a()" + ")" * 10_000 + ";", "S009"),
        ("event b() : " + "not " * 10_000 + "a();", "S010"),
        ("event b() : " + "start(" * 9_000 + "s()" + ")" * 9_000 + ";", "S010"),
        ("event b() : a() and " + "1 + " * 10_000 + "1 > 2;", "S010"),
        ("event b() : a() and " + "-" * 10_000 + "1 > 2;", "S010"),
        ("state b() : " + "s() then " * 9_000 + "s();", "S010"),
        ("dynamic b() : " + "s() meets " * 7_000 + "s();", "S010"),
        ("event b() : a()" + " in s()" * 10_000 + ";", "S010"),
        ("state b() : s()" + " lasting > 1" * 5_000 + ";", "S010"),
    ],
    ids=lambda value: value[:24] if isinstance(value, str) else None,
)
def test_nesting_is_limited(text: str, code: str) -> None:
    assert code in codes(INPUT + text)


@pytest.mark.parametrize(
    "text",
    [
        "event b() : " + "a() or " * 10_000 + "a();",
        "event b() : " + "a() and " * 10_000 + "a();",
        "state b() : " + "s() union " * 7_000 + "s();",
        "state b() : " + "s() ⊓ " * 10_000 + "s();",
    ],
    ids=lambda text: text[:24],
)
def test_chains_are_flat(text: str) -> None:
    assert "W003" in codes(INPUT + text)
    assert {code for code in codes(INPUT + text) if code != "W003"} == set()


def test_one_hundred_thousand_semicolons() -> None:
    assert codes(";" * 100_000) == ["S007"] * MAX_ERRORS + ["S018"]


def test_one_hundred_thousand_open_texts() -> None:
    assert codes('"\n' * 100_000) == ["S004"] * MAX_ERRORS + ["S018"]


def test_a_file_has_a_largest_size() -> None:
    comment = b"//" + b"x" * (MAX_FILE_BYTES - 2)
    assert check_bytes(comment) == ()
    assert codes(comment + b"x") == ["S002"]


def test_a_declaration_has_a_largest_size() -> None:
    fits = "a" * (MAX_DECLARATION - len("inputevent();"))
    assert codes(f"input event {fits}();") == []
    assert codes(f"input event {fits}x();") == ["S018"]
    # Space does not count: formatting could add some.
    assert codes(f"input event{' ' * 100_000}{fits}();") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('event b() : a("x;\nevent c() : a();', ["S004"]),
        ('event b() : a("x\\', ["S004"]),
        ("event c() : a(); /* never", ["S005"]),
        ("event c() : a() /* never ; */", ["S006"]),
        ("event c() : a()", ["S006"]),
        ("event c() : a() // ;", ["S006"]),
        ("input event x(", ["S006", "S007"]),
        ("param p: int =", ["S006", "S007"]),
        ("import", ["S006", "S007"]),
        ("unit second", ["S006"]),
        ("exclusive state x(V) { on : a() ~> a();", ["S006"]),
        ("exclusive state x(V) { on : a() ~> a()", ["S006", "S007"]),
        ("event c() : (a();", ["S009"]),
        ("event c() : start(s() ;", ["S009"]),
        ("event c", ["S006", "S007"]),
        ("event", ["S006", "S007"]),
        ("e", ["S007"]),
    ],
)
def test_what_is_not_closed_is_said(text: str, expected: list[str]) -> None:
    found = sorted(d.code for d in parse_bytes("t.phe", (INPUT + text).encode()).diagnostics)
    assert found == expected
    check_bytes((INPUT + text).encode())


def test_an_error_stays_in_its_declaration() -> None:
    text = f"{INPUT}event b() : a( ;\nevent c() : a();\nevent d() : or;\nevent e() : b();"
    parsed = parse_bytes("t.phe", text.encode())
    assert len(parsed.diagnostics) == 2
    assert [d.span.first.line for d in parsed.declarations] == [1, 2, 4, 6]


DEFINED = 2_000


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("event e{i}() : ais{i}();", "N001"),
        ("state e{i}() : a() ~> a() expires p{i};", "N001"),
        ("event e{i}(V) : a();", "V001"),
        ("event e{i}() : a() and X > 3;", "V002"),
        ("event e{i}() : a() and 3 < 2;", "W004"),
        ("event same() : a();", "N002"),
        ("event e{i}() : e{j}();", "C001"),
        ("import m{i};", "N003"),
    ],
)
def test_thousands_of_mistakes_take_bounded_time(line: str, code: str) -> None:
    lines = [line.format(i=i, j=(i + 1) % DEFINED) for i in range(DEFINED)]
    assert code in codes(INPUT + "\n".join(lines))


def test_a_module_name_may_be_absurd() -> None:
    assert codes("import " + "a." * 20_000 + "a;") == ["N003"]
    assert codes("import " + "a" * 60_000 + ";") == ["N003"]
