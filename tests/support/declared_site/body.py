"""Bodies of the odd site that are no page of its own making: files, walls, shells and damage."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Sequence


def pdf(sentence: str) -> bytes:
    """A PDF of one page that says `sentence`."""
    stream = f"BT /F1 12 Tf 72 720 Td ({sentence}) Tj ET".encode("latin-1")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, one in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)


def png() -> bytes:
    """A PNG of one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\x7f\x7f\x7f")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def archive() -> bytes:
    """A ZIP of one text file."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        packed.writestr(zipfile.ZipInfo("note.txt"), "A file within an archive.")
    return held.getvalue()


def bomb(size_mb: int) -> bytes:
    """A gzip that is `size_mb` megabytes of one HTML page once it is unpacked."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    packed = packer.compress(b"<!doctype html><title>Growing</title><p>")
    for _ in range(size_mb):
        packed += packer.compress(b"A" * 1_000_000)
    return packed + packer.flush()


def packed_badly(body: bytes) -> bytes:
    """A gzip of `body` whose middle was overwritten."""
    packed = bytearray(gzip.compress(body, mtime=0))
    middle = len(packed) // 2
    packed[middle : middle + 40] = b"\xff" * 40
    return bytes(packed[:-8])


def sitemap(urls: Sequence[str]) -> bytes:
    """A sitemap of pages."""
    held = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{held}</urlset>'
    ).encode()


def sitemap_index(urls: Sequence[str]) -> bytes:
    """A sitemap of sitemaps."""
    held = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{held}</sitemapindex>'
    ).encode()


SOFT_404 = (
    b"<!doctype html><html><head><title>Page not found</title></head><body><h1>Page not found</h1>"
    b"<p>Sorry, the page you are looking for does not exist or has been moved.</p>"
    b'<p><a href="/">Go to the home page</a></p></body></html>'
)
SOFT_404_GERMAN = (
    '<!doctype html><html lang="de"><head><meta charset="utf-8">'
    "<title>Seite nicht gefunden – Odd Press</title></head>"
    "<body><h1>Fehler 404</h1><p>Die angeforderte Seite wurde nicht gefunden.</p></body></html>"
).encode()
LOGIN = (
    b"<!doctype html><html><head><title>Sign in</title></head><body><h1>Sign in to continue</h1>"
    b"<p>You must be logged in to view this page.</p>"
    b'<form action="/session" method="post"><label>User name <input name="user"></label>'
    b'<label>Password <input type="password" name="password"></label>'
    b"<button>Log in</button></form></body></html>"
)
CONSENT = (
    b"<!doctype html><html><head><title>Before you continue</title></head><body>"
    b"<h1>Before you continue</h1><p>We and our partners use cookies and other technologies to store and "
    b"access information on your device. Please accept cookies to continue to the site.</p>"
    b'<form action="/consent" method="post"><button>Accept all cookies</button><button>Reject all</button>'
    b"</form></body></html>"
)
SHELL = (
    b'<!doctype html><html><head><title>App</title><script src="/static/main.js"></script></head><body>'
    b'<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>'
)
PARKED = (
    b"<!doctype html><html><head><title>oddpress.example is for sale</title></head><body>"
    b"<h1>oddpress.example</h1><p>This domain is for sale. Buy this domain from its owner today.</p>"
    b"<p>This domain is parked free, courtesy of its registrar. Related searches:</p></body></html>"
)
HOLLOW = b"<!doctype html><html><head><title></title></head><body>\n \n</body></html>"
INVALID = (
    b"<html><head><title>Cables & ducts</title><body><p>The open paragraph of a page <b>without <i>any</b>"
    b" order</i> speaks of cables, ducts and gaskets <table><tr><td>that were laid in 1987<td>and in 1991"
    b"</table> <p>and never closes what it opens <a href=/odd/invalid-target.html>the <div>next</a> one"
    b" <!-- a comment - > that ends--> <ul><li>one<li>two</ul> The kettle feeds the boiler through eleven"
    b" hoses of copper.</span></p></html>"
)
WELCOME = (
    b"<!doctype html><html><head><title>Odd Press</title></head><body><main><h1>A warm welcome</h1><p>Odd"
    b" Press has printed leaflets about machines since 1921. Choose one of our sections, or write to the"
    b" editor, who answers every letter within a week.</p></main></body></html>"
)
REFRESH = (
    b'<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/arrived/refreshed.html">'
    b"<title>Moved</title></head><body><p>This page has moved.</p></body></html>"
)
