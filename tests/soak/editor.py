"""Many thousand sequences of edits, after which a server must say what a fresh check says."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from phenesthe.lsp.features import FEATURES
from phenesthe.lsp.positions import Counting
from phenesthe.lsp.session import Session
from tests.equivalence.shrink import drop_parts, shrink_by
from tests.soak.pool import examine_in_pool
from tests.soak.sequences import Link, Player, Refused, Sequence, make_sequence
from tests.tools.told import CONVERTER
from tests.tools.wire import Wire

_CHUNK = 20
#: One in so many sequences goes through the real command; the others through the same handlers.
_WIRED = 10
_BESIDE = "untitled:beside"
_ENCODINGS = ("utf-8", "utf-16", "utf-32")


class Handlers:
    """The server's handlers without the server: the same messages, the same answers."""

    def __init__(self, folder: Path, encoding: str) -> None:
        self.told: dict[str, tuple[int | None, list[dict[str, Any]]]] = {}
        self._session = Session()
        folders = [types.WorkspaceFolder(folder.as_uri(), "folder")]
        begin = types.InitializeParams(types.ClientCapabilities(), workspace_folders=folders)
        self._session.begin(begin, encoding)
        self._features = {feature.method: feature for feature in FEATURES}

    def open(self, uri: str, text: str, version: int = 0) -> None:
        self._session.open(types.TextDocumentItem(uri, "phenesthe", version, text))
        self._take_news()

    def change(self, uri: str, version: int, changes: list[dict[str, object]]) -> None:
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}
        self._session.change(CONVERTER.structure(params, types.DidChangeTextDocumentParams))
        # Now and then edits come faster than they are looked at.
        if version % 3:
            self._take_news()

    def close(self, uri: str) -> None:
        self._session.close(uri)
        self._take_news()

    def tell(self, method: str, params: Mapping[str, object] | None) -> None:
        assert method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        changes = CONVERTER.structure(params, types.DidChangeWatchedFilesParams).changes
        self._session.notice_files(changes)
        self._take_news()

    def ask(self, method: str, params: Mapping[str, object] | None) -> Any:
        kind: Any = types.METHOD_TO_TYPES[method][2]
        wanted: Any = CONVERTER.structure(params, kind)
        try:
            answer = self._features[method].answer(self._session, wanted)
        except JsonRpcException as refusal:
            raise Refused(refusal.message) from refusal
        return CONVERTER.unstructure(answer)

    def settle(self) -> None:
        self._take_news()

    def _take_news(self) -> None:
        for one in self._session.take_news():
            told = [CONVERTER.unstructure(diagnostic) for diagnostic in one.diagnostics]
            self.told[one.uri] = one.version, told


class Wired(Wire):
    """The real command; it ends with the process that started it."""

    def __init__(self, folder: Path, capabilities: Mapping[str, object] | None = None) -> None:
        super().__init__(folder, capabilities)
        self.folders = [{"uri": folder.as_uri(), "name": "folder"}]
        self._settled = 0
        self.open(_BESIDE, "")

    def ask(self, method: str, params: Mapping[str, object] | None) -> Any:
        try:
            return super().ask(method, params)
        except RuntimeError as problem:
            if str(types.LSPErrorCodes.RequestFailed.value) in str(problem):
                raise Refused(str(problem)) from problem
            raise

    def settle(self) -> None:
        """A file that no other has to do with changes; when that is told, so is all before it."""
        self._settled += 1
        self.change(_BESIDE, self._settled, [])
        self.wait(_BESIDE, self._settled)
        # What is told at one time is told before a later question is answered.
        self.ask("workspace/symbol", {"query": "nothing has such a name"})
        assert not self.errors, self.errors[0]


#: One server of each encoding for each process of the soak.
_WIRES: dict[str, Wired] = {}


@dataclass(frozen=True, slots=True)
class Failure:
    sort: str
    text: str


@dataclass(slots=True)
class Outcome:
    done: int = 0
    failing: list[int] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def merge(self, other: "Outcome") -> None:
        self.done += other.done
        self.failing += other.failing
        self.counts.update(other.counts)


def run_editor(cases: int, seed: int, failures: Path) -> bool:
    """Whether no server was out of step. The first sequence after which one is, is made small."""
    total = Outcome()
    seconds = examine_in_pool(examine_sequences, total, cases=cases, seed=seed, chunk=_CHUNK)
    if total.failing:
        report_failure(total.failing[0], failures)
        return False
    for what, count in sorted(total.counts.items()):
        print(f"  {what:60} {count:>9,}")
    print(f"{total.done:,} sequences agree, {total.done / seconds:.1f} a second", flush=True)
    return True


def examine_sequences(numbers: Iterable[int]) -> Outcome:
    outcome = Outcome()
    for number in numbers:
        sequence = make_sequence(number)
        failure = examine(sequence, outcome.counts, wired=number % _WIRED == 0)
        outcome.done += 1
        if failure is not None:
            outcome.failing.append(number)
    return outcome


def examine(sequence: Sequence, counts: Counter[str], *, wired: bool) -> Failure | None:
    """What went wrong, if anything did."""
    encoding = _ENCODINGS[sequence.number % len(_ENCODINGS)]
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        try:
            link = _connect(folder, encoding) if wired else Handlers(folder, encoding)
            _examine(link, folder, sequence, encoding, counts)
            counts["through the real command"] += wired
        except Exception as problem:
            _WIRES.pop(encoding, None)
            return Failure(type(problem).__name__, f"{type(problem).__name__}: {problem}")
    return None


def _connect(folder: Path, encoding: str) -> "Wired":
    """A server that has seen all earlier sequences, and goes on with a folder of its own."""
    if encoding not in _WIRES:
        _WIRES[encoding] = Wired(folder, {"general": {"positionEncodings": [encoding]}})
    wire = _WIRES[encoding]
    added = [{"uri": folder.as_uri(), "name": "folder"}]
    event = {"added": added, "removed": wire.folders}
    wire.tell(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, {"event": event})
    wire.folders = added
    return wire


def _examine(
    link: Link, folder: Path, sequence: Sequence, encoding: str, counts: Counter[str]
) -> None:
    player = Player(link, folder, sequence.number, Counting(encoding))
    half = len(sequence.steps) // 2
    player.play(sequence.steps[:half])
    player.compare()
    player.play(sequence.steps[half:])
    player.compare()
    told = dict(link.told)
    player.question(Random(sequence.number))
    assert link.told == told, "a question changed what is told"
    player.finish()
    counts.update(player.counts)


def report_failure(number: int, failures: Path) -> None:
    """Made small with the handlers, which are faster; if they do not fail, shown as it was."""

    def find(sequence: Sequence) -> Failure | None:
        return examine(sequence, Counter(), wired=False)

    sequence = make_sequence(number)
    failure = find(sequence)
    if failure is not None:
        sequence = shrink_by(sequence, find, _list_smaller, 500)
        failure = find(sequence)
    text = f"sequence {number}: {failure.text if failure else 'fails with the real command only'}\n"
    text += "".join(f"{step}\n" for step in sequence.steps)
    failures.mkdir(parents=True, exist_ok=True)
    file = failures / "soak_editor.txt"
    file.write_text(text, encoding="utf-8", errors="backslashreplace")
    print(text, file=sys.stderr)
    print(f"it is in {file}", file=sys.stderr)


def _list_smaller(sequence: Sequence) -> Iterator[Sequence]:
    first, *others = sequence.steps
    for fewer in drop_parts(others):
        yield replace(sequence, steps=(first, *fewer))
