"""A site on loopback for benches of the crawl, in a process of its own so that its work is not the crawler's.

    python -m bench.crawl_server --tree DIR | --pages N

Prints its port and serves until its input is closed. A tree is served as it lies there, a folder by its
`index.html`. Generated pages are small: page N links to the ten below it in a tree of tens, and is text of
which no two pages share a paragraph.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import mimetypes
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.parse import unquote

ROOT = Path(__file__).parents[1]
_FAN = 10
_WORDS = (
    "anchor basin cable damper engine flange gasket hinge inlet joint kettle lever motor nozzle outlet "
    "piston quarry rotor sensor turbine"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to a request. location: of a redirect."""

    status: int
    media_type: str = "text/html"
    body: bytes = b""
    location: str = ""
    etag: str = ""


Site = Callable[[str], Reply]


class SiteProcess:
    """A site served by a process of its own until `close`; also a context manager."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.crawl_server", *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def __enter__(self) -> SiteProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def tree_site(root: Path) -> Site:
    """Answers of a folder of files; nothing outside of it is served."""
    root = root.resolve()

    def answer(target: str) -> Reply:
        path = unquote(target.partition("?")[0])
        place = (root / path.lstrip("/")).resolve()
        if not place.is_relative_to(root) or not place.exists():
            return Reply(404, body=b"<title>404 Not Found</title><h1>Not Found</h1>")
        if place.is_dir():
            if not path.endswith("/"):
                return Reply(301, location=f"{target.partition('?')[0]}/")
            place = place / "index.html"
            if not place.exists():
                return Reply(404, body=b"<title>404 Not Found</title><h1>Not Found</h1>")
        kind = mimetypes.guess_type(place.name)[0] or "application/octet-stream"
        if place.suffix == ".gz":
            kind = "application/gzip"
        body = place.read_bytes()
        return Reply(200, kind, body, etag=f'"{place.stat().st_mtime_ns:x}-{len(body):x}"')

    return answer


def generated_site(pages: int) -> Site:
    """Answers of a site of so many small pages: `/` is page 0, the others are `/page/N.html`."""

    def answer(target: str) -> Reply:
        name = target.removeprefix("/page/").removesuffix(".html")
        if target == "/":
            name = "0"
        if not name.isdigit() or int(name) >= pages:
            return Reply(404, body=b"<title>404 Not Found</title><h1>Not Found</h1>")
        return Reply(200, body=_generated(int(name), pages), etag=f'"{name}"')

    return answer


def _generated(number: int, pages: int) -> bytes:
    below = range(number * _FAN + 1, min(pages, number * _FAN + _FAN + 1))
    links = "".join(f'<li><a href="/page/{one}.html">page {one}</a></li>' for one in below)
    words = _WORDS.split()
    text = ""
    for paragraph in range(4):
        digest = hashlib.sha256(f"{number} {paragraph}".encode()).digest()
        chosen = [words[byte % len(words)] for byte in digest]
        text += f"<p>Part {number}.{paragraph}: the {' '.join(chosen)} weighs {digest[0]} grams.</p>"
    return (
        f"<!doctype html><html><head><title>Part {number}</title></head><body><main><h1>Part {number}</h1>"
        f"{text}<ul>{links}</ul></main></body></html>"
    ).encode()


async def serve(site: Site) -> None:
    """Print the port, and serve until the input of this process is closed."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await _exchange(site, reader, writer):
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=128)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    server.close()


async def _exchange(site: Site, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Answer one request; False where the connection ends."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    target = head[0].split(" ")[1]
    headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
    reply = site(target)
    lines = [f"HTTP/1.1 {reply.status} As it is"]
    body = reply.body
    if reply.etag and headers.get("if-none-match") == reply.etag.lower():
        lines, body = ["HTTP/1.1 304 Not Modified"], b""
    elif reply.status == 200:
        lines.append(f"Content-Type: {reply.media_type}")
    if reply.etag:
        lines.append(f"ETag: {reply.etag}")
    if reply.location:
        lines.append(f"Location: {reply.location}")
    lines.append(f"Content-Length: {len(body)}")
    writer.write("\r\n".join((*lines, "", "")).encode("latin-1") + body)
    return headers.get("connection") != "close"


def main() -> None:
    """Serve what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    given = parser.add_mutually_exclusive_group(required=True)
    given.add_argument("--tree", type=Path, help="folder to serve")
    given.add_argument("--pages", type=int, help="number of pages to make")
    options = parser.parse_args()
    site = tree_site(options.tree) if options.tree else generated_site(options.pages)
    asyncio.run(serve(site))


if __name__ == "__main__":
    main()
