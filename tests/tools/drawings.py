"""The drawn results in the examples' READMEs: made by the real commands, checked by a test."""

import io
import re
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from phenesthe.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/*.sample.jsonl"))
_BLOCK = re.compile(
    r"(recognises, as known at [^\n]*:\n\n)(?:`phenesthe run[^\n]*\n\n)?```.*?```\n", re.S
)


def draw(sample: Path) -> str:
    """What `phenesthe show` prints of an example's results."""
    program = sample.with_name(sample.name.replace(".sample.jsonl", ".phe"))
    with tempfile.TemporaryDirectory() as folder:
        results = str(Path(folder) / "results.jsonl")
        command = ["run", str(program), "--engine", "local", "--input", str(sample)]
        assert main([*command, "--output", results]) == 0
        printed = io.BytesIO()
        with redirect_stdout(io.TextIOWrapper(printed, encoding="utf-8")) as stream:
            assert main(["show", results, "--width", "90"]) == 0
            stream.flush()
    return "\n".join(line.rstrip() for line in printed.getvalue().decode().splitlines()) + "\n"


def with_drawing(readme: str, drawing: str) -> str:
    """The README with its block of results replaced."""
    found = _BLOCK.search(readme)
    assert found is not None, "the README has no block of results"
    return readme[: found.start()] + found[1] + f"```\n{drawing}```\n" + readme[found.end() :]


def write_drawings() -> None:
    for sample in EXAMPLES:
        readme = sample.with_name("README.md")
        text = readme.read_text(encoding="utf-8")
        readme.write_text(with_drawing(text, draw(sample)), encoding="utf-8")


if __name__ == "__main__":
    write_drawings()
