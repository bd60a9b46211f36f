"""What a server loads before anybody asks for anything."""

from tests.unit.test_imports import HEAVY, loaded_after


def test_a_server_starts_without_arrays_and_tables() -> None:
    loaded = loaded_after("import phenesthe.lsp.start")
    assert "pygls" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_no_other_command_loads_it() -> None:
    loaded = loaded_after("from phenesthe.cli.main import build_parser; build_parser()")
    assert loaded.isdisjoint({"pygls", "lsprotocol"})
