"""The odd site on loopback: several hosts, each request counted with its time, and those in flight."""

from __future__ import annotations

import contextlib
import datetime as dt
import gzip
import hashlib
import ipaddress
import socket
import ssl
import tempfile
import threading
import time
import zlib
from collections import Counter
from dataclasses import dataclass
from email.utils import format_datetime, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.support.declared_site import body
from tests.support.declared_site.page import Manner, Page, Validator, body_of
from tests.support.declared_site.site import Hosts, OddSite

_FIRST_DATE = dt.datetime(2026, 1, 5, 8, 0, tzinfo=dt.UTC)
_BOMB_MB = 30
_GIGABYTE = 1 << 30
_CHUNK = b"<p>The endless page goes on and on with gaskets and hoses.</p>" * 1000
ROBOTS = "User-agent: *\nAllow: /private/open/\nDisallow: /private/\n"


@dataclass(frozen=True, slots=True)
class Request:
    """One request that the site got. status: 0 where the answer was never finished."""

    at: float
    ended: float
    url: str
    status: int
    is_conditional: bool
    agent: str
    cookie: str


class DeclaredServer:
    """Serves the odd site until it is closed; also a context manager. Thread-safe.

    pause_s: time that every answer takes. is_calm: see OddSite. robots: text of robots.txt, which names the
    sitemap where has_sitemaps. never_misses: addresses without a page get 200 and a few words of welcome.
    """

    def __init__(
        self,
        *,
        robots: str = ROBOTS,
        has_sitemaps: bool = True,
        pause_s: float = 0.0,
        is_calm: bool = False,
        never_misses: bool = False,
    ) -> None:
        self._never_misses = never_misses
        self.pause_s = pause_s
        self.requests: list[Request] = []
        self._versions: dict[str, int] = {}
        self._busy: Counter[str] = Counter()
        self._flying: dict[int, str] = {}
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._folder = tempfile.TemporaryDirectory()
        main = self._listen("127.0.0.1")
        other = self._listen("127.0.0.2")
        private = self._listen("127.0.0.77")
        insecure = self._listen("127.0.0.4", _certificate(Path(self._folder.name)))
        self.site = OddSite(
            Hosts(
                main=f"http://localhost:{main.server_port}",
                other=f"http://127.0.0.2:{other.server_port}",
                private=f"http://127.0.0.77:{private.server_port}",
                closed=f"http://127.0.0.3:{_closed_port()}",
                insecure=f"https://127.0.0.4:{insecure.server_port}",
            ),
            is_calm=is_calm,
        )
        self.robots = robots + (f"\nSitemap: {self.site.sitemap}\n" if has_sitemaps else "")
        self._servers = (main, other, private, insecure)
        self._threads = [threading.Thread(target=one.serve_forever, args=(0.05,)) for one in self._servers]
        for thread in self._threads:
            thread.start()

    @property
    def allowed_hosts(self) -> list[str]:
        """Private hosts that a crawl of it must be allowed to reach."""
        hosts = self.site.hosts
        urls = (hosts.main, hosts.other, hosts.closed, hosts.insecure)
        return [url.partition("://")[2] for url in urls]

    def count(self) -> Counter[str]:
        """Number of requests by address, robots.txt among them."""
        with self._lock:
            return Counter(request.url for request in self.requests)

    def flying(self) -> list[str]:
        """Addresses whose answers are under way."""
        with self._lock:
            return sorted(self._flying.values())

    def clear(self) -> None:
        """Forget the requests so far."""
        with self._lock:
            self.requests.clear()
            self._busy.clear()

    def change(self, url: str) -> None:
        """Give a page another second paragraph, with a new ETag and date."""
        with self._lock:
            self._versions[url] = self._versions.get(url, 1) + 1

    def answer(self, handler: BaseHTTPRequestHandler, base: str) -> None:
        """Answer one request and note it."""
        url, begun = f"{base}{handler.path}", time.monotonic()
        key = threading.get_ident()
        with self._lock:
            self._flying[key] = url
        status = 0
        try:
            if self.pause_s:
                time.sleep(self.pause_s)
            status = self._send(handler, url)
        except OSError:
            handler.close_connection = True
        finally:
            conditional = any(handler.headers.get(name) for name in ("If-None-Match", "If-Modified-Since"))
            agent, cookie = (handler.headers.get(name, "") for name in ("User-Agent", "Cookie"))
            with self._lock:
                del self._flying[key]
                done = Request(begun, time.monotonic(), url, status, conditional, agent, cookie)
                self.requests.append(done)

    def close(self) -> None:
        """Stop serving; answers under way are cut."""
        self._ending.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join()
        self._folder.cleanup()

    def __enter__(self) -> DeclaredServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _listen(self, host: str, context: ssl.SSLContext | None = None) -> _Server:
        server = _Server((host, 0), _Handler)
        server.owner, server.scheme = self, "http"
        if context is not None:
            server.scheme = "https"
            server.socket = context.wrap_socket(
                server.socket, server_side=True, do_handshake_on_connect=False
            )
        return server

    def _send(self, handler: BaseHTTPRequestHandler, url: str) -> int:
        if handler.path == "/robots.txt":
            return _reply(handler, 200, self.robots.encode(), {"Content-Type": "text/plain"})
        page = self.site.find(url)
        if page is None and self._never_misses:
            return _reply(handler, 200, body.WELCOME, {"Content-Type": "text/html"})
        if page is None:
            return _reply(handler, 404, b"<title>404</title><h1>Not here</h1>", {"Content-Type": "text/html"})
        if page.manner in (Manner.BUSY, Manner.BUSY_ONCE):
            with self._lock:
                self._busy[url] += 1
                is_busy = page.manner is Manner.BUSY or self._busy[url] == 1
            if is_busy:
                return _reply(handler, 429, b"Slow down.", {"Retry-After": "1"})
        with self._lock:
            version = self._versions.get(url, 1)
        raw = body_of(page, self.site.navigation, version)
        return self._send_page(handler, page, raw, version)

    def _send_page(self, handler: BaseHTTPRequestHandler, page: Page, raw: bytes, version: int) -> int:
        headers = dict(page.headers) | ({"Content-Type": page.media_type} if page.media_type else {})
        headers |= _validators(page, raw, version)
        if page.status == 200 and _is_unmodified(handler, headers):
            handler.send_response(304)
            for name in ("ETag", "Last-Modified"):
                if name in headers:
                    handler.send_header(name, headers[name])
            handler.end_headers()
            return 304
        match page.manner:
            case Manner.GZIP:
                headers["Content-Encoding"], raw = "gzip", gzip.compress(raw, mtime=0)
            case Manner.DEFLATE:
                headers["Content-Encoding"], raw = "deflate", zlib.compress(raw)
            case Manner.BROKEN_GZIP:
                headers["Content-Encoding"], raw = "gzip", body.packed_badly(raw)
            case Manner.BOMB:
                headers["Content-Encoding"], raw = "gzip", body.bomb(_BOMB_MB)
            case Manner.ANNOUNCED | Manner.ENDLESS | Manner.DRIPPING | Manner.SILENT | Manner.CUT:
                return self._send_badly(handler, page, raw, headers)
        return _reply(handler, page.status, raw, headers)

    def _send_badly(
        self, handler: BaseHTTPRequestHandler, page: Page, raw: bytes, headers: dict[str, str]
    ) -> int:
        handler.close_connection = True
        if page.manner is Manner.SILENT:
            self._wait_for_end(handler)
            return 0
        length = {Manner.ANNOUNCED: _GIGABYTE, Manner.ENDLESS: None}.get(page.manner, len(raw))
        handler.send_response(200)
        for name, value in headers.items():
            handler.send_header(name, value)
        if length is not None:
            handler.send_header("Content-Length", str(length))
        handler.send_header("Connection", "close")
        handler.end_headers()
        if page.manner is Manner.CUT:
            handler.wfile.write(raw[: len(raw) // 2])
            return 0
        if page.manner is Manner.DRIPPING:
            for at in range(len(raw)):
                handler.wfile.write(raw[at : at + 1])
                if self._ending.wait(0.2):
                    break
            return 0
        while not self._ending.is_set():
            handler.wfile.write(_CHUNK)
        return 0

    def _wait_for_end(self, handler: BaseHTTPRequestHandler) -> None:
        """Until the client hangs up, or the server is closed."""
        handler.connection.settimeout(0.2)
        while not self._ending.is_set():
            with contextlib.suppress(TimeoutError):
                if not handler.connection.recv(1):
                    return


class _Server(ThreadingHTTPServer):
    owner: DeclaredServer
    scheme: str
    daemon_threads = True
    block_on_close = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are part of the site; nothing is printed."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 5.0
    server: _Server

    def do_GET(self) -> None:
        host = self.headers.get("Host", "").lower()
        self.server.owner.answer(self, f"{self.server.scheme}://{host}")

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing; requests are counted instead."""


def _reply(handler: BaseHTTPRequestHandler, status: int, raw: bytes, headers: dict[str, str]) -> int:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(raw)))
    handler.end_headers()
    handler.wfile.write(raw)
    handler.wfile.flush()
    return status


def _validators(page: Page, raw: bytes, version: int) -> dict[str, str]:
    if page.validator is Validator.ETAG:
        return {"ETag": f'"{hashlib.sha256(raw).hexdigest()[:16]}"'}
    if page.validator is Validator.DATE:
        return {"Last-Modified": format_datetime(_FIRST_DATE + dt.timedelta(days=version), usegmt=True)}
    return {}


def _is_unmodified(handler: BaseHTTPRequestHandler, headers: dict[str, str]) -> bool:
    known, since = handler.headers.get("If-None-Match"), handler.headers.get("If-Modified-Since")
    if known:
        return headers.get("ETag") == known
    if since and "Last-Modified" in headers:
        return parsedate_to_datetime(headers["Last-Modified"]) <= parsedate_to_datetime(since)
    return False


def _closed_port() -> int:
    """A port of 127.0.0.3 that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.3", 0))
        return int(held.getsockname()[1])


def _certificate(folder: Path) -> ssl.SSLContext:
    """A server's side of TLS with a certificate that nobody has reason to trust."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "oddpress.example")])
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.4"))
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(_FIRST_DATE)
        .not_valid_after(_FIRST_DATE + dt.timedelta(days=36_500))
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "certificate.pem"
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
