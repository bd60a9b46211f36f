"""Imports: which file is meant, what becomes visible, and one unit for all."""

from pathlib import Path

import pytest

from phenesthe.check import check
from phenesthe.check.modules import MAX_FILES
from tests.unit.check.programs import accept, check_files, reject

PORTS = "input state in_port(vessel: int);\nevent arrives(V) : start(in_port(V));\n"


def test_an_import_makes_names_visible_and_reports_only_the_root() -> None:
    program = accept("import ports;\nevent e(V) : arrives(V);", {"ports.phe": PORTS})
    assert [d.signature.name for d in program.definitions] == ["arrives", "e"]
    assert program.reported == ("e",)


def test_imports_are_transitive() -> None:
    files = {"lib/ports.phe": PORTS, "lib/calls.phe": "import ports;\nevent c(V) : arrives(V);"}
    assert accept("import lib.calls;\nevent e(V) : c(V) and arrives(V);", files)


def test_an_imported_file_does_not_see_its_importer() -> None:
    main = "import lib;\ninput event mine(v: int);\nevent e(V) : theirs(V);"
    assert reject(main, {"lib.phe": "event theirs(V) : mine(V);"}) == ["N004"]


def test_siblings_do_not_see_each_other() -> None:
    files = {"a.phe": PORTS, "b.phe": "event b(V) : arrives(V);"}
    assert reject("import a;\nimport b;\nevent e(V) : b(V);", files) == ["N004"]


def test_a_parameter_of_the_importer_does_not_change_a_word_of_the_library() -> None:
    lib = "input event e(kind: str);\nevent ferry_seen() : e(ferry);"
    main = "import lib;\nparam ferry: str = tug;\nevent seen() : e(ferry) and ferry_seen();"
    assert accept(main, {"lib.phe": lib})
    assert not [d for d in check_files(main, {"lib.phe": lib})[1] if d.code == "W003"]


def test_files_may_import_each_other() -> None:
    files = {"other.phe": "import main;\nevent o(V) : ping(V);", "main.phe": "unused"}
    program = accept("import other;\ninput event ping(v: int);\nevent e(V) : o(V);", files)
    assert [d.signature.name for d in program.definitions] == ["o", "e"]


def test_a_file_may_import_itself_and_import_twice() -> None:
    main = "import main;\nimport p;\nimport p;\nevent e(V) : arrives(V);"
    assert accept(main, {"main.phe": "", "p.phe": PORTS})


def test_a_cycle_of_definitions_through_files_is_found() -> None:
    files = {"other.phe": "import main;\nevent o() : e();", "main.phe": ""}
    assert reject("import other;\nevent e() : o();", files) == ["C001"]


def test_beside_the_file_comes_before_the_path_and_the_library() -> None:
    near, far = "input event near();", "input event far();"
    main = "import m;\nevent e() : near();"
    assert accept(main, {"m.phe": near, "extra/m.phe": far}, path=("extra",))
    assert accept("import m;\nevent e() : far();", {"extra/m.phe": far}, path=("extra",))
    main = "import maritime.core;\nevent e() : near();"
    assert accept(main, {"maritime/core.phe": near})


def test_paths_are_searched_in_their_order() -> None:
    files = {"one/m.phe": "input event a();", "two/m.phe": "input event b();"}
    assert accept("import m;\nevent e() : a();", files, path=("one", "two"))
    assert accept("import m;\nevent e() : b();", files, path=("two", "one"))


def test_a_name_defined_in_two_files_is_an_error() -> None:
    program, found = check_files("import p;\nevent arrives(V) : in_port(V);", {"p.phe": PORTS})
    assert program is None
    (twice,) = [d for d in found if d.code == "N002"]
    assert {twice.span.source.path, twice.related[0].span.source.path} == {"main.phe", "p.phe"}


def test_errors_of_an_imported_file_name_that_file() -> None:
    _, found = check_files("import lib.p;", {"lib/p.phe": "event e() : nothing();"})
    assert [(d.code, d.span.source.path) for d in found] == [("N001", "lib/p.phe")]


@pytest.mark.parametrize(
    ("main", "other", "unit"),
    [
        ("", "", "second"),
        ("unit millisecond;", "", "millisecond"),
        ("", "unit microsecond;", "microsecond"),
        ("unit second;", "unit second;", "second"),
    ],
)
def test_files_share_the_unit_that_any_of_them_names(main: str, other: str, unit: str) -> None:
    assert accept(f"import other;\n{main}", {"other.phe": other}).unit == unit


def test_two_units_are_an_error() -> None:
    files = {"other.phe": "unit millisecond;"}
    assert reject("import other;\nunit second;", files) == ["N006"]
    assert reject("unit second;\nunit second;") == ["N007"]


def test_a_duration_is_counted_in_the_unit_of_the_program() -> None:
    lib = "param pause: duration = 1.5s;\ninput event a();\nstate s() : a() ~> a() expires pause;"
    program = accept("import lib;\nunit millisecond;", {"lib.phe": lib})
    assert program.parameters[0].value == 1500
    assert reject("import lib;", {"lib.phe": lib}) == ["P001"]


def test_a_missing_module_suggests_one(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "harbours.phe").write_text("")
    _, (problem,) = check(tmp_path / "main.phe", b"import lib.harbors;")
    assert problem.code == "N003"
    assert problem.fix is not None
    assert problem.fix[0].text == "import lib.harbours;"


def test_one_file_reached_by_two_paths_is_one_file(tmp_path: Path) -> None:
    for folder in ("lib", "sub"):
        (tmp_path / folder).mkdir()
    (tmp_path / "lib" / "common.phe").write_text("input event a();")
    (tmp_path / "lib" / "main.phe").write_text("import common;\nimport x;\nevent e() : a();")
    (tmp_path / "sub" / "x.phe").write_text("import common;\nevent x() : a();")
    root = tmp_path / "lib" / "main.phe"
    path = (tmp_path / "sub", tmp_path / "sub" / ".." / "lib")
    program, found = check(root, root.read_bytes(), path=path)
    assert program is not None, [d.message for d in found]


def test_a_folder_named_like_a_module_is_no_module(tmp_path: Path) -> None:
    (tmp_path / "m.phe").mkdir()
    _, (problem,) = check(tmp_path / "main.phe", b"import m;")
    assert problem.code == "N003"


def test_the_number_of_files_is_limited() -> None:
    files = {f"m{n}.phe": f"import m{n + 1};" for n in range(MAX_FILES + 1)}
    assert reject("import m0;", files) == ["N005"]


def test_a_link_to_itself_is_no_folder_of_modules(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    for text in (b"import nothing;", b"import nothing.at.all;", b"import circle.of_links;"):
        (problem,) = check(tmp_path / "main.phe", text)[1]
        assert problem.code == "N003"


def test_a_folder_of_modules_is_no_module() -> None:
    _, (found,) = check_files("import maritime;", {})
    assert found.code == "N003"
    assert found.hint is not None
    assert found.hint.startswith("`maritime` is a folder of modules: write, for example, `import ")
