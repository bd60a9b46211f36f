"""Every line that cannot be used is named with the reason and the remedy."""

from pathlib import Path
from typing import Any

import pytest

from tests.unit.testing.samples import event, expect, run, write

NOWHERE = {"expect": "lying", "none": True}
NUMBER = 'give an integer that counts seconds, or a date such as "2022-01-03T10:00:00"'
ENDS = 'give both ends, such as "ts": 12, "te": 40; "te": null is still holding'
INPUTS = "the inputs: `drop`, `open_at`, `pick_up`, `weigh`"


def find_problem(tmp_path: Path, *lines: Any) -> tuple[int, str, str]:
    (outcome,) = run(write(tmp_path, *lines))
    (problem,) = outcome.problems
    assert problem.file == tmp_path / "things.test.jsonl"
    assert outcome.not_run == 1
    return problem.line, problem.reason, problem.remedy


@pytest.mark.parametrize(
    ("line", "reason", "remedy"),
    [
        ("[1]", "this line is not an object", "write one object a line, between { and }"),
        ("[" * 100_000, "this line is not JSON that can be read", "write one object a line"),
        (
            "{nope",
            "this line is not JSON: Expecting property name enclosed in double quotes at column 2",
            "write one object a line",
        ),
        (
            '{"nope',
            "this line is not JSON: Unterminated string starting at column 2",
            "write one object a line",
        ),
        (
            {"args": [1]},
            "this line is no test, no input, no fact and no expectation",
            "it needs one of the keys `test`, `name`, `fact` and `expect`",
        ),
        (
            NOWHERE | {"nnoe": True},
            "an expectation has no key `nnoe`",
            "did you mean `none`?",
        ),
        (event("dorp", 4, "a", "b"), "the program has no input `dorp`", "did you mean `drop`?"),
        (event("xyz", 4, "a", "b"), "the program has no input `xyz`", INPUTS),
        ({"name": 7, "args": [], "t": 1}, "the program has no input `7`", INPUTS),
        (event("lying", 4, "b"), "`lying` is a definition, not an input", INPUTS),
        (
            {"fact": "deer", "args": ["x"]},
            "the program has no fact `deer`",
            "did you mean `dear`?",
        ),
        ({"fact": "drop", "args": ["x"]}, "`drop` is an input, not a fact",
         "the facts: `dear`, `sunday`"),
        (
            event("drop", 4, "a"),
            "`drop` has 2 arguments, here there are 1",
            "give the arguments of `drop(person, thing)`",
        ),
        (
            {"name": "drop", "t": 4},
            "`args` is not a list",
            "give the arguments of `drop(person, thing)` between [ and ]",
        ),
        (
            event("drop", 4, "a", 7),
            "`thing` is `str`, but 7 is not",
            'give a text, such as "brest"',
        ),
        (
            event("drop", 4, "a", None),
            "`thing` is `str`, but null is not",
            'give a text, such as "brest"',
        ),
        (
            event("drop", 4, "a", ["b"]),
            "`thing` is `str`, but a list is not",
            'give a text, such as "brest"',
        ),
        (
            event("weigh", 4, "a", "heavy", 1, True),
            "`grams` is `float`, but heavy is not",
            "give a number, such as 0.5",
        ),
        (
            event("weigh", 4, "a", True, 1, True),
            "`grams` is `float`, but true is not",
            "give a number, such as 0.5",
        ),
        (
            event("weigh", 4, "a", 10**400, 1, True),
            "`grams` is `float`, but 1" + "0" * 58 + "… is not",
            "give a number, such as 0.5",
        ),
        (
            event("weigh", 4, "a", 1.5, 1.0, True),
            "`times` is `int`, but 1.0 is not",
            "give a whole number, such as 7",
        ),
        (
            event("weigh", 4, "a", 1.5, 2**63, True),
            f"`times` is `int`, but {2**63} is not",
            "give a whole number, such as 7",
        ),
        (
            event("weigh", 4, "a", 1.5, 1, 1),
            "`fragile` is `bool`, but 1 is not",
            "give true or false",
        ),
        (
            {"name": "drop", "args": ["a", "b"], "ts": 4, "te": 5},
            "`drop` is an event, and there is no `t`",
            'give its instant, such as "t": 12',
        ),
        (event("drop", 4.5, "a", "b"), "`t` is no time: 4.5", NUMBER),
        (event("drop", None, "a", "b"), "`t` is no time: null", NUMBER),
        (event("drop", True, "a", "b"), "`t` is no time: true", NUMBER),
        (event("drop", "noon", "a", "b"), "`t` is no time: noon", NUMBER),
        (event("drop", {}, "a", "b"), "`t` is no time: an object", NUMBER),
        (event("drop", 2**62, "a", "b"), f"`t` is no time: {2**62}", NUMBER),
        (event("drop", 4, "a", "b", arrival="x"), "`arrival` is no time: x", NUMBER),
        (
            event("drop", 4, "a", "b", op="delete"),
            "`op` is `delete`",
            "write `insert`, the default, or `retract`",
        ),
        (
            event("drop", 4, "a", "b", op="retract"),
            "this retracts a row that is not there",
            "insert the same row before, with an `arrival` no later than this one's",
        ),
        (
            {"name": "open_at", "args": ["a"], "ts": 4},
            "`open_at` is a state, and there is no `te`",
            ENDS,
        ),
        (
            {"name": "open_at", "args": ["a"], "ts": 4, "te": 4},
            "the interval ends at 4, not after its start at 4",
            "let `te` be later",
        ),
        (expect("lyng", "a", ts=1, te=2), "the program has no definition `lyng`",
         "did you mean `lying`?"),
        (
            expect("drop", "a", "b", t=1),
            "`drop` is an input, not a definition",
            "the definitions: `closed`, `light`, `loss`, `lying`, `rest`, `search`",
        ),
        (expect("search", "a", t=1), "`search` is a dynamic, and there is no `ts`", ENDS),
        (
            expect("search", "a", ts=1, te=2, kind="state"),
            "`search` is a dynamic, but `kind` says otherwise",
            "leave `kind` out",
        ),
        (
            expect("search", "a", none=True),
            "`none` does not go with arguments or times",
            'write {"expect": "search", "none": true}: nowhere, for any arguments',
        ),
    ],
)  # fmt: skip
def test_a_line_that_does_not_fit(tmp_path: Path, line: Any, reason: str, remedy: str) -> None:
    assert find_problem(tmp_path, {"test": "a"}, "", line, NOWHERE) == (3, reason, remedy)


@pytest.mark.parametrize(
    ("head", "reason", "remedy"),
    [
        ({"test": "a", "untl": 3}, "a test has no key `untl`", "did you mean `until`?"),
        ({"test": 7}, "the name of a test is a text", 'write {"test": "two stops"}'),
        ({"test": "a", "until": 1.5}, "`until` is no time: 1.5", NUMBER),
        ({"test": "a", "start": "x"}, "`start` is no time: x", NUMBER),
        (
            {"test": "a", "params": [1]},
            "`params` is an object",
            'write "params": {"stop_speed": 0.3}',
        ),
        (
            {"test": "a", "params": {"limit": {}}},
            "`limit` is of type `float`, but `{}` is not a number",
            "give a number, such as 0.5",
        ),
    ],
)
def test_a_head_that_does_not_fit(tmp_path: Path, head: Any, reason: str, remedy: str) -> None:
    assert find_problem(tmp_path, head, NOWHERE) == (1, reason, remedy)


def test_a_test_that_cannot_fail(tmp_path: Path) -> None:
    assert find_problem(tmp_path, {"test": "a"}) == (
        1,
        "the test `a` expects nothing, so it cannot fail",
        'add a line such as {"expect": "moored", "none": true}',
    )


def test_a_row_is_not_known_before_its_time(tmp_path: Path) -> None:
    drop = event("drop", 4, "a", "b")
    early = drop | {"op": "retract", "arrival": 3}
    line, reason, _ = find_problem(tmp_path, {"test": "a"}, drop, early, NOWHERE)
    assert (line, reason) == (3, "this retracts a row that is not there")


def test_nowhere_and_somewhere(tmp_path: Path) -> None:
    somewhere = expect("lying", "wallet", ts=1, te=2)
    assert find_problem(tmp_path, {"test": "a"}, somewhere, NOWHERE) == (
        3,
        "this expects `lying` nowhere, but another line expects it",
        "remove one of the two",
    )


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    file = write(tmp_path, {"test": "a"})
    file.write_bytes(file.read_bytes() + b'{"test": "\xff"}\r\n')
    (outcome,) = run(file)
    assert [(problem.line, problem.reason) for problem in outcome.problems] == [
        (2, "this line is not UTF-8")
    ]


def test_all_problems_of_a_test_are_told_in_order(tmp_path: Path) -> None:
    (outcome,) = run(
        write(tmp_path, {"test": "a", "until": "x"}, expect("lyng"), event("dorp", 1), NOWHERE)
    )
    assert [problem.line for problem in outcome.problems] == [1, 2, 3]
