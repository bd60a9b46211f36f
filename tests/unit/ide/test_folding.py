"""What can be folded away."""

from hypothesis import given, settings

from phenesthe.ide.analysis import analyse
from phenesthe.ide.folding import list_folds
from tests.strategies.programs import damaged_files
from tests.unit.ide.projects import MAIN, open_project

TEXT = """\
// One comment,
// on two lines.
import maritime.core;

import maritime.core;
/* a block
   of its own */
/// Documents,
/// on two lines,
/// and one more.
state visit(V) :
    stopped(V)  // not a line of its own
      ⊓ in_port(V, _);  // nor this one
exclusive state gap(V, Where) {
    near :
        stop_start(V) ~> stop_end(V);
    far : stop_start(V) ~> stop_end(V);
}
event short(V) : stop_start(V);
// alone
"""


def list_lines(text: str) -> list[tuple[int, int, str]]:
    folds = list_folds(open_project(text), MAIN)
    return [(fold.span.first.line, fold.span.last.line, fold.kind.value) for fold in folds]


def test_declarations_comments_and_imports_fold() -> None:
    assert list_lines(TEXT) == [
        (1, 2, "comment"),
        (3, 5, "imports"),
        (6, 7, "comment"),
        (8, 10, "comment"),
        (11, 13, "declaration"),
        (14, 18, "declaration"),
        (15, 16, "declaration"),
    ]


def test_a_broken_declaration_folds_too() -> None:
    assert list_lines("state a(V) :\n    ((b(V);\nevent c(V) :\n    d(V);\n") == [
        (1, 2, "declaration"),
        (3, 4, "declaration"),
    ]


def test_comments_of_different_sorts_do_not_join() -> None:
    assert list_lines("// a\n/// b\n\n// c\n") == []


def test_a_file_of_another_program_has_none() -> None:
    assert list_folds(open_project(TEXT), MAIN.with_name("other.phe")) == []


@settings(max_examples=100, deadline=None)
@given(damaged_files())
def test_folds_of_any_text_lie_in_it_and_nest(data: bytes) -> None:
    analysis = analyse(MAIN, data, read=lambda _: None)
    folds = list_folds(analysis, MAIN)
    assert all(fold.span.first.line < fold.span.last.line for fold in folds)
    for one in folds:
        for other in folds:
            if one.span.start < other.span.start < one.span.end and one.kind is other.kind:
                assert other.span.end <= one.span.end
