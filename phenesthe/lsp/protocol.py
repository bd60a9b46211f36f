"""What is said before and after everything else, and messages that make no sense."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol, lsp_method

from phenesthe.lsp.bounds import MAX_MESSAGE, REFUSED

if TYPE_CHECKING:
    from phenesthe.lsp.server import Server


class Protocol(LanguageServerProtocol):
    """The texts are ours, not those of pygls (see `documents`)."""

    _server: "Server"
    _is_begun = False

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self._server.take_in("opening", lambda session: session.open(params.text_document))

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._server.take_in("an edit", lambda session: session.change(params))

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.take_in("closing", lambda session: session.close(params.text_document.uri))

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]  # a generator in pygls
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """As a task of its own. What pygls makes of it outlives being cancelled: whoever asked is
        told that it is, and the next command waits until it has finished all the same.
        """
        return await self._server.run_command(params.command, params.arguments or ())

    def handle_message(self, message: Any) -> None:
        """What comes before `initialize` or after `shutdown` is refused, as the protocol says."""
        method = getattr(message, "method", None)
        refusal = self._refuse(method)
        if refusal is None:
            self._is_begun = self._is_begun or method == types.INITIALIZE
            super().handle_message(message)
        elif hasattr(message, "id"):
            self._send_response(message.id, error=refusal)

    def _refuse(self, method: str | None) -> types.ResponseError | None:
        """Why a request or a notification is not taken; answers to our own questions always are."""
        if method in (None, types.EXIT):
            return None
        if self._shutdown:
            code, reason = types.ErrorCodes.InvalidRequest, "the server was told to shut down"
        elif not self._is_begun and method != types.INITIALIZE:
            code = types.ErrorCodes.ServerNotInitialized
            reason = "the server waits for `initialize`"
        elif self._is_begun and method == types.INITIALIZE:
            code, reason = types.ErrorCodes.InvalidRequest, "`initialize` was sent before"
        else:
            return None
        return types.ResponseError(code.value, reason)

    @lsp_method(REFUSED)
    def refuse_message(self, params: Any) -> None:
        """Nobody knows whose answer this is: it was in what is not read."""
        reason = f"a message of {params.size:,} bytes; at most {MAX_MESSAGE:,} are read"
        code = types.ErrorCodes.InvalidRequest.value
        self._send_data(
            types.ResponseErrorMessage(id=None, error=types.ResponseError(code, reason))
        )

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A senseless question has an answer too; pygls would leave the client waiting."""
        try:
            return super().structure_message(data)
        except JsonRpcException as problem:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=problem.to_response_error())
            raise

    def _send_data(self, data: Any) -> None:
        """A client that is gone is told nothing; the end of its messages ends the server."""
        with suppress(BrokenPipeError):
            super()._send_data(data)
