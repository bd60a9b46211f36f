"""The drawn results in the examples' READMEs: made by the real commands, checked by a test."""

import io
import json
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

# A program in a README, and what its last definition finds.
_OF_ONE = re.compile(r"(^```phe\n((?:(?!```).*\n)+)```\n)\n```\n(?:(?!```).*\n)*```\n", re.M)
_DEFINED = re.compile(r"^(?:event|(?:exclusive )?state|dynamic) (\w+)\(", re.M)


def draw(sample: Path, *options: str) -> str:
    """What `phenesthe show` prints of an example's results."""
    program = sample.with_name(sample.name.replace(".sample.jsonl", ".phe"))
    with tempfile.TemporaryDirectory() as folder:
        results = str(Path(folder) / "results.jsonl")
        command = ["run", str(program), "--engine", "local", "--input", str(sample)]
        assert main([*command, "--output", results]) == 0
        printed = io.BytesIO()
        with redirect_stdout(io.TextIOWrapper(printed, encoding="utf-8")) as stream:
            assert main(["show", results, "--width", "90", *options]) == 0
            stream.flush()
    return "\n".join(line.rstrip() for line in printed.getvalue().decode().splitlines()) + "\n"


def redraw(sample: Path) -> str:
    """The example's README with its results drawn anew."""
    text = sample.with_name("README.md").read_text(encoding="utf-8")
    drawn, count = _OF_ONE.subn(lambda found: found[1] + _draw_last(sample, found[2]), text)
    return drawn if count else with_drawing(text, draw(sample))


def _draw_last(sample: Path, program: str) -> str:
    """What the last definition of a block finds, on the time axis of all of the data."""
    rows = map(json.loads, sample.read_text(encoding="utf-8").splitlines())
    times = sorted(row.get("t") or row["ts"] for row in rows if "name" in row)
    name = _DEFINED.findall(program)[-1]
    drawing = draw(sample, "--only", name, "--from", times[0], "--to", times[-1])
    return f"\n```\n{drawing}```\n"


def with_drawing(readme: str, drawing: str) -> str:
    """The README with its block of results replaced."""
    found = _BLOCK.search(readme)
    assert found is not None, "the README has no block of results"
    return readme[: found.start()] + found[1] + f"```\n{drawing}```\n" + readme[found.end() :]


def write_drawings() -> None:
    for sample in EXAMPLES:
        sample.with_name("README.md").write_text(redraw(sample), encoding="utf-8")


if __name__ == "__main__":
    write_drawings()
