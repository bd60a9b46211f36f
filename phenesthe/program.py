"""The Python interface: compile a program once, then ask it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phenesthe.check import check
from phenesthe.check.modules import describe_missing_program, find_library_module, read_file
from phenesthe.check.program import CheckedProgram
from phenesthe.diagnostics.model import Diagnostic, ProgramError, Severity
from phenesthe.files.missing import describe_folder
from phenesthe.files.special import name_special

if TYPE_CHECKING:
    from phenesthe.engines.spark.results import SparkResults
    from phenesthe.memory.session import Session
    from phenesthe.results import Results
    from phenesthe.runs.request import Emit, OnChange


@dataclass(frozen=True, slots=True)
class Program:
    """A checked program. `diagnostics` are its warnings."""

    checked: CheckedProgram
    diagnostics: tuple[Diagnostic, ...]

    def explain(self, format: str = "text") -> str:
        """What the program becomes, as `phenesthe compile` prints it: text, json, dot or spark."""
        if format == "spark":
            from phenesthe.engines.spark.explain import explain_on_spark

            return explain_on_spark(self.checked)
        from phenesthe.explain import explain

        return explain(self.checked, format)

    def memory(
        self,
        window: int | str,
        *,
        facts: Mapping[str, Any] | None = None,
        only: Iterable[str] | None = None,
        start: int | str | None = None,
        mapping: Mapping[str, str] | None = None,
        strict: bool = False,
        time_format: str | None = None,
    ) -> "Session":
        """A working memory to give rows to as they come; see `Session.advance`.

        What is known later than `window` (`"8h"`, or ticks) is too late. What lies at or before
        `start` is too late as well, and `start` is the first instant of the timeline (default: the
        least time accepted so far). Facts are tables, frames or paths, by name. Columns and times
        are read as by `run`.
        """
        from phenesthe.memory.session import Session

        return Session(
            self.checked, facts or {},
            window=window, only=only, start=start, mapping=mapping, strict=strict,
            time_format=time_format,
        )  # fmt: skip

    def run(
        self,
        inputs: Mapping[str, Any],
        *,
        until: int | str | None = None,
        start: int | str | None = None,
        only: Iterable[str] | None = None,
        mapping: Mapping[str, str] | None = None,
        strict: bool = False,
        time_format: str | None = None,
        partitions: int | None = None,
        allow_empty: bool | Iterable[str] = False,
        window: int | str | None = None,
        step: int | str | None = None,
        emit: "Emit | None" = None,
        state: str | PathLike[str] | None = None,
        on_change: "OnChange | None" = None,
    ) -> "Results | SparkResults":
        """Recognise in tables or paths, given by the names of inputs and facts.

        Results are of the same family. With a Spark frame among the tables everything runs on its
        session and the results are Spark frames, computed when they are used; `partitions` then
        says into how many parts the rows of a stage are cut. Otherwise it runs in this process,
        and results are pandas frames if one was given, else Arrow tables.

        `mapping` names columns (`{"ais.speed": "SOG"}`), `time_format` is a form of `strptime` that
        times may have as text (`"%d/%m/%Y %H:%M"`) besides ISO 8601; with `strict` the first row
        that does not fit is an error.

        With a `window` (`"8h"`, or ticks) the rows are replayed as they became known, with a query
        every `step`; `emit` is what is given back: `"final"`, the latest versions, or for each
        query its `"changes"` or `"snapshots"`, with the columns that `phenesthe run` writes. With
        `state`, a folder, what is remembered is kept there, and the next run goes on from it, be it
        one of the command; `on_change` says what to do if it is of another program. Then all of it
        is done at once, on Spark too, and the same run made again gives the same results again.

        Raises `DataError` when no input has a table, or one has rows and none can be used, unless
        `allow_empty` is true or names it.
        """
        from phenesthe.runs.ask import ask
        from phenesthe.runs.engine import engine_of

        request = ask(
            self.checked, inputs,
            only=only, until=until, start=start, window=window, step=step, emit=emit, state=state,
            on_change=on_change, mapping=mapping, strict=strict, time_format=time_format,
            allow=allow_empty, partitions=partitions,
        )  # fmt: skip
        return engine_of(inputs, partitions).find(request)


def compile(
    file: str | PathLike[str] | None = None,
    *,
    text: str | None = None,
    path: Iterable[str | PathLike[str]] = (),
    params: Mapping[str, object] | None = None,
) -> Program:
    """Compile a `.phe` file, a library module by its name, or a text.

    `path` adds folders to look for modules, `params` overrides parameters. Raises `ProgramError`
    with every diagnostic when the program has errors, `FileNotFoundError` when there is no file.
    """
    if (file is None) == (text is None):
        raise TypeError("give either a file or a text")
    if text is not None:
        root, data, name = (
            Path("program.phe").absolute(),
            text.encode(errors="replace"),
            "program.phe",
        )
    else:
        assert file is not None
        root, data, name = open_program(file)
    checked, diagnostics = check(
        root, data, name=name, path=tuple(Path(place) for place in path), parameters=params
    )
    if checked is None:
        raise ProgramError(diagnostics)
    assert all(diagnostic.severity is Severity.WARNING for diagnostic in diagnostics)
    return Program(checked, diagnostics)


def open_program(file: str | PathLike[str]) -> tuple[Path, bytes, str]:
    """The absolute path, the bytes and the shown name of a file or library module."""
    given = Path(file)
    data = read_file(given)
    if data is not None:
        return given.absolute(), data, str(given)
    module = find_library_module(str(file))
    found = read_file(module) if module is not None else None
    if module is None or found is None:
        if given.is_dir():
            raise IsADirectoryError(describe_folder(given))
        special = name_special(given)
        if special is not None:
            raise FileNotFoundError(f"`{given}` is {special}, not a file; give a `.phe` file")
        raise FileNotFoundError(describe_missing_program(given))
    return module, found, str(module)
