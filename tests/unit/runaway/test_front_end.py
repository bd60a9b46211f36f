"""Checking, compiling and formatting cost what a program is long, however it is long."""

from collections.abc import Callable
from pathlib import Path

import pytest

import phenesthe
from phenesthe.check import check
from phenesthe.diagnostics.render import render
from phenesthe.plan.warn_memory import warn_memory
from phenesthe.syntax.format import format_source
from phenesthe.syntax.parser import parse_bytes
from tests.unit.runaway.counting import count_calls, measure_growth
from tests.unit.runaway.shapes import RIGHT, WRONG, write

#: Twice as long is twice the work, and a little more where something is sorted.
MOST = 2.5
SIZE = 150


def check_text(text: str) -> Callable[[], object]:
    def work() -> None:
        program, found = check(Path("program.phe"), text.encode())
        if program is not None:
            found = (*found, *warn_memory(program))
        render(found, "full")

    return work


@pytest.mark.parametrize("name", [*RIGHT, *WRONG])
def test_checking_is_linear(name: str) -> None:
    shapes = RIGHT if name in RIGHT else WRONG
    assert measure_growth(lambda size: check_text(write(shapes, name, size)), SIZE) < MOST


@pytest.mark.parametrize("name", RIGHT)
def test_compiling_is_linear(name: str) -> None:
    def explain(size: int) -> Callable[[], object]:
        text = write(RIGHT, name, size)
        return lambda: phenesthe.compile(text=text).explain("json")

    assert measure_growth(explain, SIZE) < MOST


@pytest.mark.parametrize("name", RIGHT)
def test_formatting_is_linear(name: str) -> None:
    def format_text(size: int) -> Callable[[], object]:
        parsed = parse_bytes("program.phe", write(RIGHT, name, size).encode())
        assert not parsed.diagnostics
        return lambda: format_source(parsed.source)

    assert measure_growth(format_text, SIZE) < MOST


def test_what_compile_prints_does_not_grow_with_the_square_of_a_formula() -> None:
    text = write(RIGHT, "joined in a chain", 800)
    assert len(phenesthe.compile(text=text).explain("text")) < 40 * len(text)


def make_modules(folder: Path, count: int) -> Path:
    """Files each of which imports all others."""
    folder.mkdir(exist_ok=True)
    for at in range(count):
        imports = "".join(f"import m{other};\n" for other in range(count) if other != at)
        own = f"input event e{at}(x: int);\nevent d{at}(X) : e{(at + 1) % count}(X);\n"
        (folder / f"m{at}.phe").write_text(imports + own)
    return folder / "m0.phe"


def test_modules_that_import_each_other_cost_what_their_imports_are_many(tmp_path: Path) -> None:
    def work(count: int) -> Callable[[], object]:
        root = make_modules(tmp_path / str(count), count)

        def load() -> None:
            program, found = check(root, root.read_bytes())
            assert program is not None, found

        return load

    # Twice as many files have four times as many imports.
    assert measure_growth(work, 30) < 2 * MOST


def test_each_module_is_read_once_however_often_it_is_imported(tmp_path: Path) -> None:
    root = make_modules(tmp_path / "modules", 20)
    asked: list[Path] = []

    def read(path: Path) -> bytes | None:
        asked.append(path)
        return path.read_bytes() if path.is_file() else None

    check(root, root.read_bytes(), read=read)
    assert len(asked) == 20


def test_modules_in_a_chain_see_what_comes_after_them(tmp_path: Path) -> None:
    """Longer than the stack would let a recursion go, were that many files allowed."""
    for at in range(400):
        below = f"import m{at + 1};\n" if at < 399 else ""
        (tmp_path / f"m{at}.phe").write_text(f"{below}input event e{at}(x: int);\n")
    (tmp_path / "root.phe").write_text("import m0;\nevent a(X) : e399(X);\n")
    program, found = check(tmp_path / "root.phe", (tmp_path / "root.phe").read_bytes())
    assert program is not None, found


def make_unknown(word: str) -> str:
    """Many unknown names beside as many that are like them."""
    known = "\n".join(f"input event {word}{at}x(x: int);" for at in range(200))
    return known + "\n" + "\n".join(f"event a{at}(X) : {word}{at}y(X);" for at in range(200))


def test_unknown_names_beside_long_ones_cost_no_more_than_beside_short_ones() -> None:
    check_text(make_unknown("a"))()
    short, long = (count_calls(check_text(make_unknown(one))) for one in ("wo", "long" * 40))
    assert long < 1.5 * short


def test_a_program_has_suggestions_for_the_first_hundred_unknown_names_only() -> None:
    _, found = check(Path("program.phe"), make_unknown("wo").encode())
    assert sum("did you mean" in one.hint for one in found) == 100
