"""The server itself: messages come in, the session answers, what is wrong is pushed."""

import asyncio
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import (
    FeatureRequestError,
    JsonRpcException,
    JsonRpcInvalidParams,
    PyglsError,
)
from pygls.lsp.server import LanguageServer

from phenesthe import __version__
from phenesthe.diagnostics.render.cells import make_printable
from phenesthe.ide.preview import SAMPLE
from phenesthe.lsp.features import COMMANDS, FEATURES, Feature
from phenesthe.lsp.protocol import Protocol
from phenesthe.lsp.session import Session
from phenesthe.lsp.settings import SECTION
from phenesthe.lsp.uris import find_path
from phenesthe.testing.find_tests import SUFFIX as TESTS

#: So long more edits may come before what is wrong is looked at: as long as a burst of them takes
#: to be read, and too short to be seen.
SETTLE_SECONDS = 0.01
#: Programs, and what previews run them on.
_WATCHED = ("**/*.phe", f"**/*{SAMPLE}", f"**/*{TESTS}")


class Server(LanguageServer):
    def __init__(self) -> None:
        super().__init__("phenesthe", __version__, protocol_cls=Protocol)
        self.session = Session()
        #: The client said goodbye, so that its going away is no accident.
        self.is_dismissed = False
        self._timer: asyncio.TimerHandle | None = None
        for feature in FEATURES:
            self.feature(feature.method, feature.options)(_guard(feature))
        #: Commands may take long: one after another, beside everything else.
        self._turn = asyncio.Lock()
        for name in COMMANDS:
            # So that clients are told of it; see `Protocol` for who runs it.
            self.command(name)(partial(self.run_command, name))
        self.feature(types.INITIALIZE)(_begin)
        self.feature(types.INITIALIZED)(_set_up)
        self.feature(types.SHUTDOWN)(_dismiss)
        self.feature(types.TEXT_DOCUMENT_DID_SAVE)(_notice_saved)
        self.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(_set_settings)
        self.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_notice_files)
        self.feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_set_folders)

    def take_in(self, what: str, change: Callable[[Session], None]) -> None:
        """Something changed: note it now, and soon tell what follows from it."""
        try:
            change(self.session)
        except Exception as problem:
            self.report(what, problem)
        self._tell_soon()

    async def run_command(self, name: str, arguments: Sequence[Any]) -> Any:
        if name not in COMMANDS:
            raise JsonRpcInvalidParams(message=f"there is no command `{make_printable(name)}`")
        try:
            async with self._turn:
                return await COMMANDS[name](self.session, *arguments)
        except JsonRpcException:
            raise
        except Exception as problem:
            self.report(name, problem)
            return None

    def report(self, what: str, problem: BaseException) -> None:
        """One line in the client's log; the server goes on."""
        place = traceback.extract_tb(problem.__traceback__)[-1:]
        where = "".join(f" ({Path(frame.filename).name}:{frame.lineno})" for frame in place)
        message = f"{what} failed: {type(problem).__name__}: {problem}{where}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, message))

    def report_server_error(
        self, error: Exception, source: type[PyglsError] | type[JsonRpcException]
    ) -> None:
        """What pygls could not make sense of; an answer carries its error itself."""
        if source is not FeatureRequestError:
            self.report(source.__name__, error)

    def _tell_soon(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SETTLE_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        told: list[str] = []
        try:
            for one in self.session.take_news():
                self.text_document_publish_diagnostics(one)
                told.append(one.uri)
        except Exception as problem:
            self.report("checking", problem)
            if self.session.has_news:
                self._tell_soon()
        if len(told) > 1:
            self.refresh()

    def refresh(self) -> None:
        """What is shown of other files than the one being edited may be out of date."""
        supports = self.session.supports
        if supports("workspace.inlay_hint.refresh_support", False):
            self.workspace_inlay_hint_refresh(None)
        if supports("workspace.semantic_tokens.refresh_support", False):
            self.workspace_semantic_tokens_refresh(None)
        if supports("workspace.code_lens.refresh_support", False):
            self.workspace_code_lens_refresh(None)


def _guard(feature: Feature) -> Callable[[Server, Any], Any]:
    """A refusal is an answer; anything else that is raised is a mistake of ours."""

    def handle(ls: Server, params: Any) -> Any:
        try:
            return feature.answer(ls.session, params)
        except JsonRpcException:
            raise
        except Exception as problem:
            ls.report(feature.method, problem)
            return None

    return handle


def _begin(ls: Server, params: types.InitializeParams) -> None:
    encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
    name = encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding
    ls.session.begin(params, name)


async def _set_up(ls: Server, _params: types.InitializedParams) -> None:
    """Ask to be told what happens to files and settings, where the client lets itself be asked."""
    wanted: list[types.Registration] = []
    if ls.session.supports("workspace.did_change_watched_files.dynamic_registration", False):
        watched = types.DidChangeWatchedFilesRegistrationOptions(
            [types.FileSystemWatcher(pattern) for pattern in _WATCHED]
        )
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        wanted.append(types.Registration("phenesthe-files", method, watched))
    if ls.session.supports("workspace.did_change_configuration.dynamic_registration", False):
        section = types.DidChangeConfigurationRegistrationOptions(SECTION)
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        wanted.append(types.Registration("phenesthe-settings", method, section))
    try:
        if wanted:
            await ls.client_register_capability_async(types.RegistrationParams(wanted))
        await _ask_settings(ls)
    except Exception as problem:
        ls.report("setting up", problem)


async def _ask_settings(ls: Server) -> None:
    if not ls.session.supports("workspace.configuration", False):
        return
    items = [types.ConfigurationItem(section=SECTION)]
    given: Sequence[object] = await ls.workspace_configuration_async(
        types.ConfigurationParams(items)
    )
    if given and given[0] is not None:
        ls.take_in("settings", lambda session: session.set_settings(given[0]))


async def _set_settings(ls: Server, params: types.DidChangeConfigurationParams) -> None:
    """Some clients send the settings, others only say that there are new ones."""
    given = params.settings.get(SECTION) if isinstance(params.settings, dict) else None
    try:
        if given is not None:
            ls.take_in("settings", lambda session: session.set_settings(given))
        else:
            await _ask_settings(ls)
        ls.refresh()
    except Exception as problem:
        ls.report("settings", problem)


def _dismiss(ls: Server, _params: None) -> None:
    ls.is_dismissed = True


def _notice_saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    saved = types.FileEvent(params.text_document.uri, types.FileChangeType.Changed)
    ls.take_in("saving", lambda session: session.notice_files([saved]))


def _notice_files(ls: Server, params: types.DidChangeWatchedFilesParams) -> None:
    data = [change for change in params.changes if change.uri.endswith((SAMPLE, TESTS))]
    others = [change for change in params.changes if change not in data]
    if others:
        ls.take_in("changed files", lambda session: session.notice_files(others))
    if any(change.type != types.FileChangeType.Changed for change in data):
        ls.refresh()  # there are previews now, or none any more


def _set_folders(ls: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    gone = {find_path(folder.uri, Path.cwd()) for folder in params.event.removed}
    new = [find_path(folder.uri, Path.cwd()) for folder in params.event.added]
    kept = [folder for folder in ls.session.folders if folder not in gone]
    folders = tuple(dict.fromkeys((*kept, *new)))
    ls.take_in("folders", lambda session: session.set_folders(folders))
