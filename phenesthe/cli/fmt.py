"""`phenesthe fmt`: canonical layout."""

import argparse
import sys
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
    from phenesthe.disk.replace import replacing_file
    from phenesthe.syntax.format import format_source
    from phenesthe.syntax.parser import MAX_FILE_BYTES, parse_bytes

    if file == "-":
        data: bytes | None = sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    else:
        data = read_file(Path(file))
    if data is None:
        complain(_describe_missing(file))
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
        try:
            with replacing_file(Path(file), overwrite=True, keeps_mode=True) as written:
                written.write(formatted)
        except OSError as problem:
            complain(f"{file}: {problem.strerror or problem}")
            return True
        print(f"reformatted {file}", file=sys.stderr)
    return False


def _describe_missing(file: str) -> str:
    from phenesthe.files.missing import describe_folder, describe_missing
    from phenesthe.files.special import name_special

    if Path(file).is_dir():
        return describe_folder(Path(file))
    special = name_special(file)
    return f"`{file}` is {special}, not a file" if special else describe_missing(Path(file))
