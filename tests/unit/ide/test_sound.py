"""What of a program with errors can be run all the same."""

from pathlib import Path
from random import Random

import pytest

from phenesthe.ide.analysis import analyse
from phenesthe.ide.sound import select_sound
from tests.strategies.corpus import PROJECT
from tests.unit.ide.test_preview import SAMPLE, TESTS, TEXT, run


@pytest.mark.parametrize(
    "rest",
    [
        "event odd(V : ;",
        "event odd(V) : nobody(V);",
        "event odd(V) : stopped(V);\nstate more(V) : odd(V) ~> slow(V);",
        "event odd(V) : other(V);\nevent other(V) : odd(V);",
        "event odd(V) : slow(V);\nevent odd(V) : fast(V);",
        "param odd: int = fast;",
        "input odd;\nfact odder(odd: int);",
        "event odd(V) : slow(V) and",
    ],
)
def test_errors_elsewhere_take_nothing_away(tmp_path: Path, rest: str) -> None:
    found = run(tmp_path, "stopped", SAMPLE, text=f"{TEXT}{rest}\n", file="main.sample")
    assert not found.failed
    assert "- the program has errors; what has them" in found.text
    assert "- main.phe:" in found.text
    drawn = run(tmp_path, "stopped", SAMPLE, file="main.sample").text.partition("\n\n")[2]
    assert found.text.endswith(f"\n\n{drawn}")


@pytest.mark.parametrize(
    "change",
    [
        ("float = 0.5", "float = "),
        ("float = 0.5", 'float = "much"'),
        ("event slow(V)", "event slow V"),
        ("state tied", "state slow"),
        ("fact tug", "import nothing;\nfact tug"),
        ("param", "unit week;\nparam"),
        ("fact tug", "/* fact tug"),
    ],
)
def test_what_errors_may_change_is_not_run(tmp_path: Path, change: tuple[str, str]) -> None:
    found = run(tmp_path, "stopped", SAMPLE, text=TEXT.replace(*change))
    assert found.failed
    assert "- the program has errors\n- main.phe:" in found.text


def test_a_lost_parameter_is_no_text(tmp_path: Path) -> None:
    """As long as nobody knows what `far` is, it is not the text `"far"`."""
    text = TEXT + "event gone(V) : ais(V, _) and V == far;\nparam far str = tug;\n"
    assert run(tmp_path, "gone", SAMPLE, text=text).failed
    assert not run(tmp_path, "stopped", SAMPLE, text=text).failed


def test_tests_with_parameters_run_without_what_has_errors(tmp_path: Path) -> None:
    found = run(
        tmp_path, "stopped", TESTS, text=TEXT + "event odd(V) : nobody(V);\n", file="main.test"
    )
    sound = run(tmp_path, "stopped", TESTS, file="main.test").text.partition("\n\n")[2]
    assert found.text.endswith(f"\n\n{sound}")


def test_what_is_left_of_any_text_is_a_program() -> None:
    random = Random(4)
    file = PROJECT / "examples" / "port_calls" / "port_calls.phe"
    text = file.read_text(encoding="utf-8")
    whole = analyse(file, text.encode()).program
    assert whole is not None
    meant = {one.signature.name: one for one in whole.definitions}
    left = 0
    for _ in range(60):
        at = random.randrange(len(text))
        damaged = text[:at] + random.choice(("", "(", ";", "x", " event ")) + text[at + 1 :]
        analysis = analyse(file, damaged.encode())
        found = None if analysis.program is not None else select_sound(analysis)
        for one in () if found is None else found[1].definitions:
            left += one == meant.get(one.signature.name)
    assert left > 100
