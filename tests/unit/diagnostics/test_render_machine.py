"""The formats that other programs read: concise, json and github."""

import json
from textwrap import dedent

import pytest

from phenesthe.diagnostics.model import Diagnostic, Edit, Label, Severity
from phenesthe.diagnostics.render import render
from phenesthe.syntax.source import Source, Span

SOURCE = Source("ports/a.phe", "event a;\nstate s : a ~> b;\n")
LIBRARY = Source("lib.phe", "event b;\n")

ERROR = Diagnostic(
    code="K012",
    severity=Severity.ERROR,
    message="`b` is a état",
    span=Span(SOURCE, 24, 25),
    label="here",
    related=(Label(span=Span(LIBRARY, 6, 7), message="defined here"),),
    hint="write `start(b)`",
    fix=(Edit(span=Span(SOURCE, 24, 25), text="start(b)"),),
)
WARNING = Diagnostic(
    code="W001", severity=Severity.WARNING, message="two\n lines", span=Span(SOURCE, 6, 15)
)


def make_error(message: str, source: Source = SOURCE, start: int = 0, end: int = 1) -> Diagnostic:
    return Diagnostic(
        code="K001", severity=Severity.ERROR, message=message, span=Span(source, start, end)
    )


def test_concise() -> None:
    assert "\n" + render([ERROR, WARNING], "concise") == dedent("""
        ports/a.phe:2:16: error[K012]: `b` is a état
        ports/a.phe:1:7: warning[W001]: two lines
        1 error, 1 warning
        """)


def test_concise_in_colour() -> None:
    assert render([ERROR], "concise", color=True) == (
        "\x1b[1mports/a.phe:2:16:\x1b[0m \x1b[1;31merror[K012]\x1b[0m: `b` is a état\n1 error\n"
    )


def test_concise_shows_controls_without_sending_them() -> None:
    diagnostic = make_error("bad \x1b[2J\x9b", Source("a\n.phe", "x"))
    assert render([diagnostic], "concise") == (
        "a\\u{0A}.phe:1:1: error[K001]: bad \\u{1B}[2J\\u{9B}\n1 error\n"
    )


def test_json() -> None:
    assert "\n" + render([ERROR, WARNING], "json", color=True) == dedent("""
        [
          {
            "code": "K012",
            "severity": "error",
            "message": "`b` is a état",
            "file": "ports/a.phe",
            "range": {
              "start": {
                "line": 2,
                "column": 16
              },
              "end": {
                "line": 2,
                "column": 17
              }
            },
            "related": [
              {
                "message": "defined here",
                "file": "lib.phe",
                "range": {
                  "start": {
                    "line": 1,
                    "column": 7
                  },
                  "end": {
                    "line": 1,
                    "column": 8
                  }
                }
              }
            ],
            "hint": "write `start(b)`",
            "fix": [
              {
                "range": {
                  "start": {
                    "line": 2,
                    "column": 16
                  },
                  "end": {
                    "line": 2,
                    "column": 17
                  }
                },
                "text": "start(b)"
              }
            ]
          },
          {
            "code": "W001",
            "severity": "warning",
            "message": "two\\n lines",
            "file": "ports/a.phe",
            "range": {
              "start": {
                "line": 1,
                "column": 7
              },
              "end": {
                "line": 2,
                "column": 7
              }
            },
            "related": [],
            "hint": null,
            "fix": null
          }
        ]
        """)


def test_json_escapes_what_a_terminal_would_obey_and_what_utf8_cannot_hold() -> None:
    message = "\x00\x1b\x7f\x9b\u2028\u202e\ud800 港 😀"
    text = render([make_error(message)], "json")
    assert '"\\u0000\\u001b\\u007f\\u009b\\u2028\\u202e\\ud800 港 😀"' in text
    assert json.loads(text)[0]["message"] == message


def test_github() -> None:
    assert "\n" + render([ERROR, WARNING], "github", color=True) == dedent("""
        ::error file=ports/a.phe,line=2,endLine=2,col=16,endColumn=17,title=K012::`b` is a état
        ::warning file=ports/a.phe,line=1,endLine=2,title=W001::two%0A lines
        """)


def test_github_escapes_its_own_signs() -> None:
    diagnostic = make_error("100%: a,b\r\nc\x1b", Source("c:\\a,b%.phe", "x"))
    assert render([diagnostic], "github") == (
        "::error file=c%3A\\a%2Cb%25.phe,line=1,endLine=1,col=1,endColumn=2,title=K001"
        "::100%25: a,b%0D%0Ac\\u{1B}\n"
    )


@pytest.mark.parametrize(
    ("start", "end", "place"),
    [
        (6, 6, "line=1,endLine=1,col=7,endColumn=7"),
        (6, 9, "line=1,endLine=1,col=7,endColumn=9"),
        (8, 9, "line=1,endLine=1,col=9,endColumn=9"),
        (6, 10, "line=1,endLine=2"),
        (27, 27, "line=3,endLine=3,col=1,endColumn=1"),
    ],
    ids=["no characters", "with line end", "line end only", "two lines", "end of file"],
)
def test_github_places(start: int, end: int, place: str) -> None:
    assert f",{place},title=" in render([make_error("wrong", SOURCE, start, end)], "github")


def test_github_between_the_two_characters_of_a_line_end() -> None:
    diagnostic = make_error("wrong", Source("a.phe", "a\r\nb"), 2, 2)
    assert ",line=1,endLine=1,col=3,endColumn=3,title=" in render([diagnostic], "github")


@pytest.mark.parametrize(("name", "text"), [("concise", ""), ("json", "[]\n"), ("github", "")])
def test_nothing_to_say(name: str, text: str) -> None:
    assert render([], name) == text
