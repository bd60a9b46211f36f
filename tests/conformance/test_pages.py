"""The pages made from the code say what the code says."""

from pathlib import Path

import pytest

from tests.tools import write_pages
from tests.tools.pages import build_pages


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return build_pages()


def test_pages_are_up_to_date(pages: dict[str, str]) -> None:
    assert write_pages.find_stale(pages) == [], "run: make docs"


def test_pages_are_the_same_every_time(pages: dict[str, str]) -> None:
    assert build_pages() == pages


def test_check_notices_a_stale_page(
    pages: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_pages, "DOCS", tmp_path)
    monkeypatch.setattr(write_pages, "build_pages", lambda: pages)
    assert write_pages.main(["--check"]) == 1
    assert not list(tmp_path.iterdir())
    assert write_pages.main([]) == 0
    assert write_pages.main(["--check"]) == 0
    leftover = tmp_path / "diagnostics" / "X999.md"
    leftover.write_text("of a code that is gone")
    assert write_pages.main(["--check"]) == 1
    write_pages.main([])
    assert not leftover.exists()
