"""A site on loopback whose pages are functions, for answers that a folder of files cannot give."""

from __future__ import annotations

import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

HTML = "text/html; charset=utf-8"


class OddHandler(BaseHTTPRequestHandler):
    """Answers with the page of the path."""

    protocol_version = "HTTP/1.1"
    server: OddServer

    def do_GET(self) -> None:
        path = self.path
        with self.server.lock:
            self.server.requests[path] += 1
            self.server.headers_of[path] = dict(self.headers.items())
        page = self.server.pages.get(path) or self.server.pages.get("*")
        if page is None:
            self.give(b"<p>No.</p>", status=404)
            return
        try:
            page(self)
        except OSError:
            self.close_connection = True

    def give(self, body: bytes | str, kind: str = HTML, status: int = 200, **headers: str) -> None:
        """Send a whole answer."""
        data = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


Page = Callable[[OddHandler], None]


class OddServer(ThreadingHTTPServer):
    """Serves pages by path, and counts the requests for each."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, pages: Mapping[str, Page], tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), OddHandler)
        self._scheme = "http"
        if tls is not None:
            self._scheme, self.socket = "https", tls.wrap_socket(self.socket, server_side=True)
        self.pages = dict(pages)
        self.requests: Counter[str] = Counter()
        self.headers_of: dict[str, dict[str, str]] = {}
        self.lock = threading.Lock()
        self.ending = threading.Event()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05})
        self._sockets: set[socket.socket] = set()
        self._serving: set[threading.Thread] = set()

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self.server_port}"

    def __enter__(self) -> OddServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ending.set()
        self.shutdown()
        for each in list(self._sockets):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self.server_close()
        self._thread.join()
        for thread in list(self._serving):  # those of other servers may wait for what nobody sends
            thread.join(0.5)

    def process_request(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        self._sockets.add(request)
        super().process_request(request, client_address)  # type: ignore[arg-type]

    def process_request_thread(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        self._serving.add(threading.current_thread())
        super().process_request_thread(request, client_address)  # type: ignore[arg-type]

    def shutdown_request(self, request: socket.socket) -> None:  # type: ignore[override]
        self._sockets.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: object, client_address: object) -> None:
        pass


def page(text: str, head: str = "", links: tuple[str, ...] = ()) -> Page:
    """A page of HTML with a title, a paragraph and links."""
    anchors = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    markup = f"<html><head>{head}</head><body><main><p>{text}</p>{anchors}</main></body></html>"
    return lambda handler: handler.give(markup)


def words(subject: str, number: int = 150) -> str:
    """A text about a subject that is like no other."""
    return " ".join(f"{subject}{position}" for position in range(number))
