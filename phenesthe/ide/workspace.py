"""The files an editor works on: open texts before the disk's, programs kept up to date."""

import os
from dataclasses import dataclass, field
from pathlib import Path

from phenesthe.check.modules import read_file
from phenesthe.ide.analysis import Analysis, Known, analyse
from phenesthe.ide.files import find_files
from phenesthe.syntax.parser import Parsed
from phenesthe.syntax.reparse import Reparser


@dataclass(frozen=True, slots=True)
class Effort:
    """What an analysis had to do: how many declarations were read, which definitions checked."""

    parsed: int = 0
    checked: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Program:
    """A root that was asked about, and what makes asking again cheap."""

    root: Path
    known: Known = field(default_factory=Known)
    analysis: Analysis | None = None
    #: Every file that was looked for, found or not: the analysis follows from their contents.
    asked: set[str] = field(default_factory=set)
    #: A module is missing, and the message names what lies in the folders instead.
    lists_folders: bool = False


class Workspace:
    """Texts of open files, and the programs that begin with them.

    A file is known by its real path, so that one reached by two spellings has one text. Nothing
    here fails for what a file contains, nor for one that cannot be read.
    """

    def __init__(self, folders: tuple[Path, ...] = (), path: tuple[Path, ...] = ()) -> None:
        self.folders = folders
        self._path = path
        self._texts: dict[str, bytes] = {}
        #: The spellings under which a file is open, by its real path.
        self._spellings: dict[str, list[Path]] = {}
        self._programs: dict[Path, _Program] = {}
        self._reparsers: dict[str, Reparser] = {}
        self.last = Effort()

    @property
    def path(self) -> tuple[Path, ...]:
        """Where modules are looked for, as with `--path`."""
        return self._path

    @path.setter
    def path(self, places: tuple[Path, ...]) -> None:
        self._path = places
        for program in self._programs.values():
            program.analysis = None

    def open(self, file: Path, text: str) -> None:
        spellings = self._spellings.setdefault(os.path.realpath(file), [])
        if file not in spellings:
            spellings.append(file)
        self.change(file, text)

    def change(self, file: Path, text: str) -> None:
        # Half of a surrogate pair is no character; one character in its place keeps offsets right.
        self._texts[os.path.realpath(file)] = text.encode(errors="replace")
        self._expire(file)

    def close(self, file: Path) -> None:
        identity = os.path.realpath(file)
        spellings = self._spellings.get(identity, [])
        if file in spellings:
            spellings.remove(file)
        if not spellings:
            self._spellings.pop(identity, None)
            self._texts.pop(identity, None)
        self._programs.pop(file, None)
        self._expire(file)
        self._forget()

    def changed_on_disk(self, file: Path) -> None:
        """It was written, came or went; so may have what a missing module is compared with."""
        for program in self._programs.values():
            if program.lists_folders:
                program.analysis = None
        self._expire(file)

    def list_open(self) -> list[Path]:
        return [file for spellings in self._spellings.values() for file in spellings]

    def find_open(self, file: Path) -> Path | None:
        """How an open file was spelt when it was opened."""
        return next(iter(self._spellings.get(os.path.realpath(file), ())), None)

    def list_files(self) -> list[Path]:
        """The `.phe` files of the workspace's folders, as many as a program may have."""
        return find_files(self.folders)

    def list_dependents(self, file: Path) -> list[Path]:
        """The open files whose programs depend on another one, by an import of an import too."""
        identity = os.path.realpath(file)
        found: list[Path] = []
        for other in self.list_open():
            if other not in self._programs:
                self.analyse(other)
            if os.path.realpath(other) != identity and identity in self._programs[other].asked:
                found.append(other)
        return found

    def analyse(self, file: Path) -> Analysis:
        """The program that begins with a file; one that cannot be read is an empty one."""
        program = self._programs.get(file)
        if program is None:
            program = _Program(file)
            if file in self._spellings.get(os.path.realpath(file), ()):
                self._programs[file] = program
        if program.analysis is None:
            return self._analyse(program)
        self.last = Effort()
        return program.analysis

    def _analyse(self, program: _Program) -> Analysis:
        parsed = 0
        asked = {os.path.realpath(program.root)}

        def read(file: Path) -> bytes | None:
            asked.add(os.path.realpath(file))
            return self.read(file)

        def parse(shown: str, data: bytes) -> Parsed:
            nonlocal parsed
            found, count = self._reparsers.setdefault(shown, Reparser()).parse(shown, data)
            parsed += count
            return found

        try:
            data = self.read(program.root) or b""
        except OSError:
            data = b""
        analysis = analyse(
            program.root, data, path=self._path, read=read, parse=parse, known=program.known
        )
        program.analysis = analysis
        program.asked = asked
        program.lists_folders = any(found.code == "N003" for found in analysis.diagnostics)
        self.last = Effort(parsed, frozenset(program.known.earlier.checked))
        return analysis

    def read(self, file: Path) -> bytes | None:
        """What a file contains now, saved or not. Raises `OSError` as `read_file` does."""
        text = self._texts.get(os.path.realpath(file))
        return read_file(file) if text is None else text

    def _expire(self, file: Path) -> None:
        identity = os.path.realpath(file)
        for program in self._programs.values():
            if identity in program.asked:
                program.analysis = None

    def _forget(self) -> None:
        """Drop what is remembered of files that no program of an open file has."""
        shown = {
            module.parsed.source.path
            for program in self._programs.values()
            if program.analysis is not None
            for module in program.analysis.modules.files
        }
        stale = any(program.analysis is None for program in self._programs.values())
        if not stale:
            self._reparsers = {n: one for n, one in self._reparsers.items() if n in shown}
