"""A run and a replay send the rows of a stage in the same way."""

import ast
from pathlib import Path

import phenesthe

FOLDER = Path(phenesthe.__file__).parent / "engines" / "spark"


def test_only_one_file_sends_rows_to_stages() -> None:
    for name in ("shuffle", "find_routes", "find_scans", "pack_facts"):
        callers = {
            file.name
            for file in FOLDER.glob("*.py")
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == name
        }
        # Which rows are refused is decided before there are stages.
        assert callers - {"admission.py"} == {"build.py"}, name
