"""How often the folders of a workspace are looked through."""

from pathlib import Path

from phenesthe.lsp.workspace_files import WorkspaceFiles


class Disk:
    """One that takes its time."""

    def __init__(self, seconds: float) -> None:
        self.now = 100.0
        self.looks = 0
        self._seconds = seconds

    def look(self) -> list[Path]:
        self.now += self._seconds
        self.looks += 1
        return [Path(f"{self.looks}.phe")]

    def find(self) -> WorkspaceFiles:
        return WorkspaceFiles(self.look, lambda: self.now)


def test_a_large_workspace_is_not_looked_through_at_every_key() -> None:
    disk = Disk(0.5)
    found = disk.find()
    for _ in range(50):
        assert found.list_all(fresh=False) == [Path("1.phe")]
        disk.now += 0.1
    disk.now += 10
    assert found.list_all(fresh=False) == [Path("2.phe")]


def test_a_small_one_is() -> None:
    disk = Disk(0.001)
    found = disk.find()
    for _ in range(3):
        found.list_all(fresh=False)
    assert disk.looks == 3


def test_what_must_be_right_is_looked_for() -> None:
    disk = Disk(0.5)
    found = disk.find()
    assert found.list_all(fresh=True) == [Path("1.phe")]
    assert found.list_all(fresh=True) == [Path("2.phe")]
    assert found.list_all(fresh=False) == [Path("2.phe")]
    found.forget()
    assert found.list_all(fresh=False) == [Path("3.phe")]
