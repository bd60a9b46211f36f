"""What the server knows of its client: open texts, settings, how it counts, what it was told."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from lsprotocol import types
from pygls.capabilities import get_capability

from phenesthe.diagnostics.limit import limit
from phenesthe.diagnostics.model import Diagnostic, Severity
from phenesthe.ide.analysis import Analysis
from phenesthe.ide.files import is_file
from phenesthe.ide.workspace import Workspace
from phenesthe.lsp.closed_programs import ClosedPrograms, stamp_file
from phenesthe.lsp.diagnostics import convert_diagnostic
from phenesthe.lsp.documents import Document, change_document, open_document
from phenesthe.lsp.positions import Counting
from phenesthe.lsp.settings import Settings, read_settings
from phenesthe.lsp.uris import find_path, make_uri
from phenesthe.lsp.workspace_files import WorkspaceFiles
from phenesthe.syntax.source import Span

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request is about: a file in its program, and the document the client has of it."""

    analysis: Analysis
    document: Document

    @property
    def file(self) -> Path:
        return self.document.path


class Session:
    def __init__(self) -> None:
        self.capabilities = types.ClientCapabilities()
        self.counting = Counting()
        self.folders: tuple[Path, ...] = ()
        self.settings = Settings()
        #: As the client gave them; relative paths in them follow the folders.
        self._given: object = None
        self.workspace = Workspace()
        self._closed = ClosedPrograms(self.workspace.analyse)
        self._found = WorkspaceFiles(self.workspace.list_files)
        self.documents: dict[str, Document] = {}
        #: Addresses of open files by their paths: the client's spelling is the one it knows.
        self._uris: dict[Path, str] = {}
        #: Open files of which the client has not been told yet what is wrong with them now.
        self._stale: set[Path] = set()
        self._told: dict[Path, types.PublishDiagnosticsParams] = {}
        #: The same of files that are not open, by their addresses.
        self._told_of_closed: dict[str, types.PublishDiagnosticsParams] = {}

    # What the client says of itself.

    def begin(self, params: types.InitializeParams, encoding: str) -> None:
        self.capabilities = params.capabilities
        self.counting = Counting(encoding)
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [params.root_uri]
        self.set_folders(tuple(find_path(uri, Path.cwd()) for uri in folders))
        self.set_settings(params.initialization_options)

    def supports(self, capability: str, default: _Value) -> _Value:
        """What a client says of a dotted name; `default` where it says nothing."""
        value: _Value | None = get_capability(self.capabilities, capability, None)
        return default if value is None else value

    def write_markup(self, capability: str, text: str) -> types.MarkupContent:
        """Markdown, called plain text where the client shows nothing else."""
        plain, markdown = types.MarkupKind.PlainText, types.MarkupKind.Markdown
        formats: Sequence[types.MarkupKind] = self.supports(capability, [])
        return types.MarkupContent(markdown if markdown in formats or not formats else plain, text)

    def set_folders(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders
        self.workspace.folders = folders
        self._found.forget()
        self.set_settings(self._given)

    def set_settings(self, given: object) -> None:
        self._given = given
        self.settings = read_settings(given, self._home)
        self.workspace.path = self.settings.path
        self._closed.forget()
        self._stale = set(self._uris)

    @property
    def _home(self) -> Path:
        return self.folders[0] if self.folders else Path.cwd()

    # What happens to texts.

    def open(self, item: types.TextDocumentItem) -> None:
        document = open_document(item, find_path(item.uri, self._home))
        self.documents[item.uri] = document
        self._uris[document.path] = item.uri
        self.workspace.open(document.path, document.source.text)
        self._expect_change(document.path)

    def change(self, params: types.DidChangeTextDocumentParams) -> None:
        old = self.documents.get(params.text_document.uri)
        if old is None:
            return
        version = params.text_document.version
        document = change_document(old, version, params.content_changes, self.counting)
        self.documents[document.uri] = document
        self.workspace.change(document.path, document.source.text)
        self._stale.add(document.path)
        self._stale.update(self.workspace.list_dependents(document.path))

    def close(self, uri: str) -> None:
        document = self.documents.pop(uri, None)
        if document is None:
            return
        path = document.path
        # The same file may be open under another spelling of its address.
        left = next((one for one in self.documents.values() if one.path == path), None)
        if left is None:
            self._uris.pop(path, None)
            self.workspace.close(path)
        else:
            self._uris[path] = left.uri
            self.workspace.change(path, left.source.text)
        self._expect_change(path)

    def notice_files(self, changes: Sequence[types.FileEvent]) -> None:
        """Files changed on the disk, came or went."""
        for change in changes:
            self.workspace.changed_on_disk(find_path(change.uri, self._home))
            if change.type != types.FileChangeType.Changed:
                self._closed.forget()
                self._found.forget()
        self._stale = set(self._uris)

    def _expect_change(self, path: Path) -> None:
        """Of any open file; and if there is nothing on the disk, imports may mean other files."""
        self._stale = set(self._uris)
        if not is_file(path):
            self._closed.forget()

    # What the client is told.

    @property
    def has_news(self) -> bool:
        return bool(self._stale or self._list_gone())

    def take_news(self) -> Iterator[types.PublishDiagnosticsParams]:
        """What changed since the client was last told; a closed file has nothing wrong."""
        for path in self._list_gone():
            yield types.PublishDiagnosticsParams(self._told.pop(path).uri, [])
        while self._stale:
            path = min(self._stale)
            self._stale.remove(path)
            found = self.list_diagnostics(self.documents[self._uris[path]])
            if found != self._told.get(path):
                self._told[path] = found
                yield found
        yield from self._take_news_of_closed()

    def _take_news_of_closed(self) -> Iterator[types.PublishDiagnosticsParams]:
        wanted = self._list_errors_of_closed()
        for uri in [uri for uri in self._told_of_closed if uri not in wanted]:
            del self._told_of_closed[uri]
            # What is open now has been told of by itself.
            if uri not in self.documents:
                yield types.PublishDiagnosticsParams(uri, [])
        for uri, errors in wanted.items():
            found = types.PublishDiagnosticsParams(uri, errors)
            if found != self._told_of_closed.get(uri):
                self._told_of_closed[uri] = found
                yield found

    def _list_errors_of_closed(self) -> dict[str, list[types.Diagnostic]]:
        """Errors of imported files, for which alone a program may be no good."""
        found: dict[str, list[types.Diagnostic]] = {}
        for file in sorted(self._uris):
            analysis = self.workspace.analyse(file)
            root = analysis.modules.files[0].parsed.source
            errors_elsewhere = (
                one
                for one in analysis.diagnostics
                if one.span.source is not root and one.severity is Severity.ERROR
            )
            for one in limit(errors_elsewhere):
                path = Path(one.span.source.path)
                if self.find_document(path) is None:
                    errors = found.setdefault(make_uri(path), [])
                    converted = self.convert(one)
                    # Several open files may import it.
                    if converted not in errors:
                        errors.append(converted)
        return found

    def _list_gone(self) -> list[Path]:
        """Files of which the client was told something under an address it has no more."""
        return [path for path, told in self._told.items() if self._uris.get(path) != told.uri]

    def list_diagnostics(self, document: Document) -> types.PublishDiagnosticsParams:
        analysis = self.workspace.analyse(document.path)
        found = [self.convert(one) for one in limit(analysis.list_diagnostics(document.path))]
        return types.PublishDiagnosticsParams(document.uri, found, document.version)

    def convert(self, diagnostic: Diagnostic) -> types.Diagnostic:
        related = "text_document.publish_diagnostics.related_information"
        return convert_diagnostic(
            diagnostic, self.locate, with_related=self.supports(related, False)
        )

    # Places.

    def find(self, uri: str) -> Asked | None:
        """The program of an open file; None for one that is not open."""
        document = self.documents.get(uri)
        if document is None:
            return None
        return Asked(self.workspace.analyse(document.path), document)

    def list_programs(self, *, fresh: bool = True) -> list[Analysis]:
        """The programs of all files of the workspace, those that are open first.

        If not `fresh`, those of closed files may see open ones as they were some edits ago, and
        new files may be missing: good enough to count, and much less work while somebody types.
        """

        def stamp(path: Path) -> Hashable:
            document = self.find_document(path)
            return stamp_file(path) if document is None else document.version

        files = self._found.list_all(fresh=fresh)
        closed = [file for file in files if self.workspace.find_open(file) is None]
        return [
            *(self.workspace.analyse(file) for file in self._uris),
            *(self._closed.find(file, stamp, () if fresh else self._uris) for file in closed),
        ]

    def find_offset(self, document: Document, position: types.Position) -> int:
        """The character of what is read of a document."""
        return max(0, self.counting.find_offset(document.source, position) - document.mark)

    def find_document(self, path: Path) -> Document | None:
        """The open text of a file, however its path is spelt."""
        known = path if path in self._uris else self.workspace.find_open(path)
        return None if known is None else self.documents[self._uris[known]]

    def find_uri(self, path: Path) -> str:
        document = self.find_document(path)
        return make_uri(path) if document is None else document.uri

    def locate(self, span: Span) -> types.Location:
        return types.Location(self.find_uri(Path(span.source.path)), self.find_range(span))

    def find_range(self, span: Span) -> types.Range:
        found = self.counting.find_range(span)
        document = self.find_document(Path(span.source.path))
        if document is not None and document.mark:
            for position in (found.start, found.end):
                position.character += document.mark if position.line == 0 else 0
        return found
