"""From the lines of a `.test.jsonl` file to its tests. Needs no program."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from phenesthe.diagnostics.suggest import closest
from phenesthe.files.long_lines import LIMIT, is_too_long
from phenesthe.testing.model import Line, Misfit, Problem, Test

_HEAD = ("test", "until", "start", "params")
_EXPECT = ("expect", "kind", "args", "t", "ts", "te", "none")


def read_tests(file: Path, lines: Iterable[bytes]) -> tuple[list[Test], list[Problem]]:
    """The tests, and what is wrong with lines that belong to none of them."""
    tests: list[Test] = []
    strays: list[Problem] = []
    for number, text in enumerate(lines, 1):
        if not is_too_long(text) and not text.strip():
            continue
        try:
            line = Line(number, _read_object(text))
            if "test" in line.data:
                tests.append(Test(file=file, head=line, name=str(line.data["test"])))
                _check_head(line.data)
            elif tests:
                _add(line, tests[-1])
            else:
                raise Misfit(
                    "this line comes before the first test",
                    'begin a test with a line such as {"test": "two stops"}',
                )
        except Misfit as problem:
            problems = tests[-1].problems if tests else strays
            problems.append(Problem(file, number, problem.reason, problem.remedy))
    for test in tests:
        if not test.expects and not test.problems:
            test.problems.append(
                Problem(
                    file,
                    test.head.number,
                    f"the test `{test.name}` expects nothing, so it cannot fail",
                    'add a line such as {"expect": "moored", "none": true}',
                )
            )
    return tests, strays


def _read_object(text: bytes) -> Mapping[str, Any]:
    if is_too_long(text):
        raise Misfit(f"this line is longer than {LIMIT}", "write one object a line")
    try:
        data = json.loads(text.removesuffix(b"\n").decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Misfit("this line is not UTF-8", "save the file as UTF-8") from None
    except json.JSONDecodeError as problem:
        # Some of these messages end with the `at` that we write ourselves.
        what = problem.msg.removesuffix(" at")
        raise Misfit(
            f"this line is not JSON: {what} at column {problem.colno}",
            "write one object a line",
        ) from None
    except (ValueError, RecursionError):
        raise Misfit("this line is not JSON that can be read", "write one object a line") from None
    if not isinstance(data, dict):
        raise Misfit("this line is not an object", "write one object a line, between { and }")
    return data


def _check_head(data: Mapping[str, Any]) -> None:
    if not isinstance(data["test"], str):
        raise Misfit("the name of a test is a text", 'write {"test": "two stops"}')
    _refuse_unknown(data, _HEAD, "a test")
    params = data.get("params", {})
    if not isinstance(params, dict):
        raise Misfit("`params` is an object", 'write "params": {"stop_speed": 0.3}')


def _add(line: Line, test: Test) -> None:
    if "expect" in line.data:
        _refuse_unknown(line.data, _EXPECT, "an expectation")
        test.expects.append(line)
    elif "fact" in line.data:
        test.facts.append(line)
    elif "name" in line.data:
        test.inputs.append(line)
    else:
        raise Misfit(
            "this line is no test, no input, no fact and no expectation",
            "it needs one of the keys `test`, `name`, `fact` and `expect`",
        )


def _refuse_unknown(data: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    """A misspelt key would make a test say less than it seems to."""
    for key in data:
        if key not in known:
            suggestion = closest(key, known)
            keys = ", ".join(f"`{each}`" for each in known)
            raise Misfit(
                f"{what} has no key `{key}`",
                f"did you mean `{suggestion}`?" if suggestion else f"the keys: {keys}",
            )
