"""What a server loads before anybody asks for anything."""

from phenesthe.cli.main import COMMANDS
from tests.unit.test_imports import HEAVY, loaded_after


def test_a_server_starts_without_arrays_and_tables() -> None:
    loaded = loaded_after("import phenesthe.lsp.start")
    assert "pygls" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_no_other_command_loads_it() -> None:
    modules = [module for name, module, _ in COMMANDS if name != "lsp"]
    assert len(modules) == len(COMMANDS) - 1
    loaded = loaded_after(f"import {', '.join(modules)}")
    assert loaded.isdisjoint({"pygls", "lsprotocol"})
