"""`phenesthe fmt`: canonical layout."""

import argparse
import os
import sys
import tempfile
from pathlib import Path

from phenesthe.cli.programs import show_diagnostics
from phenesthe.cli.terminal import complain


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="a .phe file; - for standard input to output"
    )
    parser.add_argument(
        "--check", action="store_true", help="change nothing, exit 1 if a file would change"
    )
    parser.add_argument("--unicode", action="store_true", help="write operators as ⊔ ⊓ ⤳ ∧ ∨ ≤ …")


def run(given: argparse.Namespace) -> int:
    failed = False
    for file in given.files:
        failed = _format(file, given) or failed
    return 1 if failed else 0


def _format(file: str, given: argparse.Namespace) -> bool:
    """Format one file; true if it could not be done or, with --check, would change."""
    from phenesthe.check.modules import read_file
    from phenesthe.files.special import name_special
    from phenesthe.syntax.format import format_source
    from phenesthe.syntax.parser import MAX_FILE_BYTES, parse_bytes

    if file == "-":
        data: bytes | None = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    else:
        data = read_file(Path(file))
    if data is None:
        special = name_special(file)
        complain(f"`{file}` is {special}, not a file" if special else f"there is no file `{file}`")
        return True
    parsed = parse_bytes("<stdin>" if file == "-" else file, data)
    if parsed.diagnostics:
        show_diagnostics(parsed.diagnostics)
        return True
    formatted = format_source(parsed.source, unicode=given.unicode).encode()
    if given.check:
        if formatted != data:
            print(f"would reformat {file}", file=sys.stderr)
        return formatted != data
    if file == "-":
        sys.stdout.buffer.write(formatted)
    elif formatted != data:
        _replace(Path(file), formatted)
        print(f"reformatted {file}", file=sys.stderr)
    return False


def _replace(file: Path, data: bytes) -> None:
    """Write beside and rename, so that a crash leaves the old file."""
    target = file.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as temporary:
            temporary.write(data)
        os.chmod(name, target.stat().st_mode & 0o7777)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
