"""The protocol's rules: which message gets which answer, whatever it is and whatever goes wrong.

pygls gives the table of features, the capabilities that follow from it, and requests to the client; its own loop,
documents and error boxes are not used (`atl_lsp.transport`, `atl_lsp.documents`, `Server.failed`).
"""

from __future__ import annotations

import sys
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator
from types import GeneratorType
from typing import Any, BinaryIO

from lsprotocol import types as t
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter

import atl
from atl_lsp.transport import END, Broken, Call, Inbox, Writer
from atl_lsp.uris import key_of

__all__ = ["Job", "Refused", "Server"]

Job = Generator[None, None, Any]
"""A long answer, worked on in steps between which other messages are handled."""

_OVERTAKEN = frozenset(
    (
        t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        t.TEXT_DOCUMENT_INLAY_HINT,
        t.TEXT_DOCUMENT_CODE_LENS,
        t.TEXT_DOCUMENT_FOLDING_RANGE,
        t.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
    )
)
"""What only paints a text, and is asked again for the newer one that has arrived already."""

_NEVER_WAITS = 0.0
_FRAMES = 25
"""Of a traceback, the last; an endless recursion's has a thousand."""


class Refused(Exception):
    """An answer that is an error, and no mistake of the server's."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class _Protocol(LanguageServerProtocol):
    """pygls' protocol without its handlers of documents and of the connection's life, which are ours."""

    out: Writer

    def _register_builtin_features(self) -> None:
        pass

    def _send_data(self, data: Any) -> None:
        self.out.send(self._converter.unstructure(data))

    def answer(self, message: dict[str, Any]) -> None:
        """The client's answer to a request of ours."""
        future = self._request_futures.pop(message["id"], None)
        self._result_types.pop(message["id"], None)
        if future is not None and not future.done():
            future.set_result(None if "error" in message else message.get("result"))

    def structure(self, params: Any, kind: Any) -> Any:
        return self._converter.structure(params, kind)

    def unstructure(self, result: Any) -> Any:
        return self._converter.unstructure(result)


class Server(LanguageServer):
    """One client's server. idle: called when nothing waits; returns the seconds after which it wants to be called
    again, None for never."""

    protocol: _Protocol

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        super().__init__(
            "atl",
            atl.__version__,
            t.TextDocumentSyncKind.Incremental,
            protocol_cls=_Protocol,
            converter_factory=default_converter,
        )
        self.out = self.protocol.out = Writer(writer)
        self._reader = reader
        self.inbox = Inbox(self.protocol.answer)
        self.idle: Callable[[], float | None] = lambda: None
        self.trace = t.TraceValue.Off
        self.initialized = False
        self.stopped = False
        self._jobs: deque[tuple[int | str, str, Job]] = deque()
        self._said: set[str] = set()

    # ------------------------------------------------------------ the loop

    def serve(self) -> int:
        """Handle messages until the client leaves; the exit code."""
        import threading

        threading.Thread(target=self.inbox.read, args=(self._reader,), name="reader", daemon=True).start()
        wait: float | None = _NEVER_WAITS
        while True:
            message = self.inbox.get(_NEVER_WAITS if self.working() else wait)
            if message is END:
                return 0 if self.stopped else 1
            if message is not None:
                if isinstance(message, dict) and message.get("method") == t.EXIT:
                    return 0 if self.stopped else 1
                self.handle(message)
                wait = _NEVER_WAITS
            elif self.working():
                self.step()
            else:
                wait = self._attempt_idle()

    def _attempt_idle(self) -> float | None:
        try:
            return self.idle()
        except Exception as error:
            self.failed("background work", error)
            return None

    def working(self) -> bool:
        """Whether a long answer is not finished yet."""
        return bool(self._jobs)

    def step(self) -> None:
        """Work on it for a moment."""
        id, method, job = self._jobs.popleft()
        try:
            if self.inbox.cancelled(id):
                job.close()
                raise _cancelled()
            next(job)
            self._jobs.append((id, method, job))
        except StopIteration as done:
            self._reply(id, method, done.value)
        except Exception as error:
            self._refuse(id, method, error)

    # ------------------------------------------------------------ one message

    def handle(self, message: Any) -> None:
        if isinstance(message, Call):
            try:
                message.function(message.argument)
            except Exception as error:
                self.failed("background work", error)
            return
        if not isinstance(message, dict):
            code = t.ErrorCodes.ParseError if isinstance(message, Broken) else t.ErrorCodes.InvalidRequest
            self._error(None, code, message.reason if isinstance(message, Broken) else "a message is an object")
            return
        id, method = message.get("id"), message.get("method")
        if not isinstance(method, str) or (id is not None and not isinstance(id, (int, str))):
            self._error(
                id if isinstance(id, (int, str)) else None, t.ErrorCodes.InvalidRequest, "no method, or no usable id"
            )
            return
        started = time.perf_counter()
        try:
            result = self._call(method, message.get("params"), id)
            if isinstance(result, GeneratorType):
                assert id is not None
                self._jobs.append((id, method, result))
            elif id is not None:
                self._reply(id, method, result)
        except Exception as error:
            if id is not None:
                self._refuse(id, method, error)
            elif not isinstance(error, Refused):
                self.failed(method, error)
            else:
                self.tell_trace(f"{method}: {error.message}")
        if self.trace is not t.TraceValue.Off and method != t.SET_TRACE:
            took = (time.perf_counter() - started) * 1000
            self.tell_trace(f"{method} took {took:.1f} ms", f"{message.get('params')!r:.2000}")

    def _call(self, method: str, params: Any, id: int | str | None) -> Any:
        if id is not None and self.inbox.cancelled(id):
            raise _cancelled()
        if not self.initialized and method != t.INITIALIZE:
            raise Refused(t.ErrorCodes.ServerNotInitialized, "`initialize` comes first")
        if self.stopped:
            raise Refused(t.ErrorCodes.InvalidRequest, "the server was shut down")
        if self.initialized and method == t.INITIALIZE:
            raise Refused(t.ErrorCodes.InvalidRequest, "initialized already")
        feature = self.protocol.fm.features.get(method)
        if feature is None:
            raise Refused(t.ErrorCodes.MethodNotFound, f"there is no `{method}` here")
        if id is not None and (uri := _document(params)) is not None and self.inbox.overtaken(key_of(uri)):
            if method == t.TEXT_DOCUMENT_DIAGNOSTIC:
                raise Refused(t.LSPErrorCodes.ServerCancelled, "the text has changed", {"retriggerRequest": True})
            if method in _OVERTAKEN:
                raise Refused(t.LSPErrorCodes.ContentModified, "the text has changed")
        kind = t.METHOD_TO_TYPES[method][2]
        if kind is None:
            return feature(None)
        try:
            structured = self.protocol.structure(params, kind)
        except Exception:
            if method != t.INITIALIZE:
                raise Refused(t.ErrorCodes.InvalidParams, f"the parameters are none of `{method}`") from None
            structured = self._initialize_params(params)
        return feature(structured)

    def _initialize_params(self, params: Any) -> t.InitializeParams:
        """Of a client that is newer than the protocol known here: without the capabilities that cannot be read."""
        try:
            capabilities = params.get("capabilities") or {}
            kept: dict[str, Any] = {}
            for area, names in capabilities.items():
                for name, value in names.items() if isinstance(names, dict) else ():
                    try:
                        self.protocol.structure({area: {name: value}}, t.ClientCapabilities)
                    except Exception:
                        continue
                    kept.setdefault(area, {})[name] = value
            result: t.InitializeParams = self.protocol.structure({**params, "capabilities": kept}, t.InitializeParams)
            return result
        except Exception:
            raise Refused(t.ErrorCodes.InvalidParams, "the parameters are none of `initialize`") from None

    # ------------------------------------------------------------ answers

    def _reply(self, id: int | str, method: str, result: Any) -> None:
        if self.inbox.cancelled(id):
            self._refuse(id, method, _cancelled())
            return
        self.inbox.answered(id)
        self.out.send({"jsonrpc": "2.0", "id": id, "result": self.protocol.unstructure(result)})

    def _refuse(self, id: int | str, method: str, error: Exception) -> None:
        self.inbox.answered(id)
        if isinstance(error, Refused):
            self._error(id, error.code, error.message, error.data)
        else:
            self.failed(method, error)
            self._error(id, t.ErrorCodes.InternalError, f"{method} failed: {type(error).__name__}")

    def _error(self, id: int | str | None, code: int, message: str, data: Any = None) -> None:
        error = {"code": int(code), "message": message}
        if data is not None:
            error["data"] = data
        self.out.send({"jsonrpc": "2.0", "id": id, "error": error})

    # ------------------------------------------------------------ what the client is told beside answers

    def failed(self, what: str, error: BaseException) -> None:
        """A mistake of the server's: logged the first time, with where it comes from."""
        trail = "".join(traceback.format_exception(type(error), error, error.__traceback__, limit=-_FRAMES))
        last = traceback.extract_tb(error.__traceback__)[-1:]
        where = f"{what} {type(error).__name__} {last[0].filename}:{last[0].lineno}" if last else what
        if where in self._said:
            return
        self._said.add(where)
        self.log(t.MessageType.Error, f"{what} failed; please report this:\n{trail}")
        print(trail, file=sys.stderr, end="")

    def log(self, type: t.MessageType, message: str) -> None:
        self.window_log_message(t.LogMessageParams(type, message))

    def tell_trace(self, message: str, verbose: str = "") -> None:
        if self.trace is t.TraceValue.Off:
            return
        self.protocol.notify(
            t.LOG_TRACE,
            t.LogTraceParams(message, verbose if verbose and self.trace is t.TraceValue.Verbose else None),
        )

    def report_server_error(self, error: Exception, source: Any) -> None:
        self.failed("the connection", error)


def _cancelled() -> Refused:
    return Refused(t.LSPErrorCodes.RequestCancelled, "cancelled")


def _document(params: Any) -> str | None:
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return uri if isinstance(uri, str) else None
