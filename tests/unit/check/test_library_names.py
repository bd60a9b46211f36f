"""Names of the library in programs that do not import it, or declare them again."""

import pytest

from phenesthe.check import check
from phenesthe.check.library import find_in_library, list_imported
from phenesthe.check.modules import read_file
from phenesthe.diagnostics.fixes import apply_fixes
from phenesthe.diagnostics.model import Diagnostic, Severity
from phenesthe.resources import LIBRARY
from tests.unit.check.programs import FOLDER


def _errors(text: str) -> list[Diagnostic]:
    _, diagnostics = check(FOLDER / "main.phe", text.encode(), name="main.phe", read=read_file)
    return [d for d in diagnostics if d.severity is Severity.ERROR]


def test_an_unknown_name_of_the_library_names_its_module() -> None:
    (found,) = _errors("state stay(V, P) : moored(V, P) lasting > 2h;\n")
    assert found.code == "N001"
    assert "`import maritime.core;`" in found.hint


@pytest.mark.parametrize(
    "begin",
    [
        "",
        "// What this is about.\n// In two lines.\n",
        "/// About the state.\n",
        "import maritime.pairs;\n",
        "import maritime.pairs; import maritime.inputs;",
        "unit second;\n",
    ],
)
def test_the_fix_imports_it(begin: str) -> None:
    text = begin + "state stay(V, P) : moored(V, P) lasting > 2h;\n"
    (found,) = _errors(text)
    assert found.fix is not None
    fixed = apply_fixes(text, found.fix)
    assert _errors(fixed) == []
    assert fixed.startswith(begin.partition("\n")[0] if begin.startswith("// ") else "")


def test_a_doc_comment_stays_with_its_definition() -> None:
    text = "/// About the state.\nstate stay(V, P) : moored(V, P) lasting > 2h;\n"
    (found,) = _errors(text)
    assert found.fix is not None
    assert apply_fixes(text, found.fix) == "import maritime.core;\n" + text


def test_another_number_of_arguments_is_another_thing() -> None:
    (found,) = _errors("event fast(V) : ais(V, S) and S > 5;\n")
    assert "import" not in found.hint


def test_no_fix_where_the_import_would_clash() -> None:
    text = "input event ais(vessel: int);\nstate stay(V, P) : moored(V, P) lasting > 2h;\n"
    found = next(d for d in _errors(text) if d.code == "N001")
    assert found.fix is None
    assert "`ais`" in found.hint


@pytest.mark.parametrize("module", ["maritime.all", "maritime.core", "maritime.fishing"])
@pytest.mark.parametrize(
    "again",
    [
        "input event ais(vessel: int, speed: float);",
        "input state ais(vessel: int, speed: float, course: float, heading: float);",
        "fact vessel_type(vessel: int);",
        "input event ais(vessel: int, speed: float, course: float, heading: float);",
    ],
)
def test_declaring_an_input_of_the_library_again_is_one_error(module: str, again: str) -> None:
    (found,) = _errors(f"import {module};\n{again}\nevent seen(V) : gap_end(V);\n")
    assert found.code == "N002"
    assert found.span.source.path == "main.phe"
    assert "library" in found.message


def test_the_same_declaration_again_is_removed_by_the_fix() -> None:
    text = (
        "import maritime.core;\nfact vessel_type(vessel: int, type: str);\nevent e(V) : gap_end(V);"
    )
    (found,) = _errors(text)
    assert found.fix is not None
    assert _errors(apply_fixes(text, found.fix)) == []


def test_every_module_of_the_library_is_known() -> None:
    for file in LIBRARY.rglob("*.phe"):
        module = ".".join(file.relative_to(LIBRARY).with_suffix("").parts)
        list_imported(module)
    found = find_in_library("moored")
    assert found is not None
    assert found.module == "maritime.core"
    assert find_in_library("no_such_thing") is None
