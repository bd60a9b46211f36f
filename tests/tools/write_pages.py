"""Writes the pages of `docs` that are made from the code: python -m tests.tools.write_pages

--check writes nothing and exits 1 if a page is not up to date. --expected also writes anew what
each conformance program is expected to be told; look at the difference before you keep it.
"""

import argparse
import sys
from collections.abc import Sequence

from tests.conformance.expected import describe
from tests.conformance.programs import ROOT, all_programs
from tests.tools.pages import build_pages

DOCS = ROOT / "docs"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit 1 if a page is stale")
    parser.add_argument("--expected", action="store_true", help="also rewrite .expected files")
    given = parser.parse_args(arguments)
    if given.expected and not given.check:
        _write_expected()
    pages = build_pages()
    stale = find_stale(pages)
    if given.check:
        for name in stale:
            print(f"stale: docs/{name}", file=sys.stderr)
        return 1 if stale else 0
    for name in stale:
        file = DOCS / name
        if name in pages:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(pages[name], "utf-8")
        else:
            file.unlink()
        print(f"wrote docs/{name}")
    return 0


def find_stale(pages: dict[str, str]) -> list[str]:
    """Pages that differ from their files, and files of what no longer exists."""
    changed = [
        name
        for name, text in pages.items()
        if not (DOCS / name).exists() or (DOCS / name).read_text("utf-8") != text
    ]
    made = [path for folder in ("diagnostics", "library") for path in (DOCS / folder).rglob("*.md")]
    written = (path.relative_to(DOCS).as_posix() for path in made)
    return sorted({*changed, *(name for name in written if name not in pages)})


def _write_expected() -> None:
    for program in all_programs():
        if not program.is_clean:
            program.expected.write_text(describe(program), "utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
