"""The encoding of a page: by a mark, the header, the page itself, or its bytes."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from w3lib.encoding import html_body_declared_encoding, http_content_type_encoding, read_bom, resolve_encoding

from core.ingest.parse.decode import decode, wide_encoding

_CONTRADICTED = ("cp1252", "latin-1", "iso8859-1", "ascii", "iso8859-15")
_HIGH = re.compile(rb"[\x80-\xff]")


@dataclass(frozen=True, slots=True)
class DecodedBody:
    """A body as text, and as the bytes that are kept: UTF-8, with a byte order mark where it was another."""

    text: str
    data: bytes
    encoding: str


def decode_body(body: bytes, content_type: str, *, is_html: bool) -> DecodedBody:
    """The text of a body.

    A byte order mark wins. An encoding that the header or the page declares holds as long as the bytes can be
    read in it; bytes beyond ASCII that are UTF-8 throughout are UTF-8 even where a single-byte encoding is
    declared, which can read anything. Else the encoding is guessed.
    """
    mark, bom = read_bom(body)
    if mark is not None and bom is not None:
        marked = body[len(bom) :].decode(mark, "replace")
        return DecodedBody(marked, body if mark == "utf-8" else _marked(marked), mark)
    header = http_content_type_encoding(content_type)
    inner = html_body_declared_encoding(body[:4_096]) if is_html else None
    if not _HIGH.search(body) and not wide_encoding(body[:4_096]) and not _is_stateful(header or inner):
        return DecodedBody(body.decode("ascii"), body, "ascii")
    for name in (header, inner):
        declared = _read(body, name)
        if declared is None or name is None:
            continue
        text, known = declared, codecs.lookup(name).name
        if known in _CONTRADICTED and (better := _read(body, "utf-8")) is not None:
            text, known = better, "utf-8"
        return _kept(body, text, known, inner)
    guessed = decode(body)
    is_utf8 = _read(body, "utf-8") is not None
    return _kept(body, guessed, "utf-8" if is_utf8 else "other", inner)


def _kept(body: bytes, text: str, encoding: str, declared: str | None) -> DecodedBody:
    is_plain = encoding == "utf-8" and declared in (None, "utf-8", "utf8")
    return DecodedBody(text, body if is_plain else _marked(text), encoding)


def _marked(text: str) -> bytes:
    return codecs.BOM_UTF8 + text.removeprefix("\ufeff").encode("utf-8", "replace")


def _is_stateful(name: str | None) -> bool:
    """True of encodings whose text is ASCII bytes too, such as those of mail in Japan."""
    return bool(name) and str(name).lower().replace("_", "-").startswith(
        ("iso-2022", "iso2022", "hz", "utf-7")
    )


def _read(body: bytes, name: str | None) -> str | None:
    resolved = resolve_encoding(name) if name else None
    if resolved is None:
        return None
    try:
        return body.decode(resolved)
    except (UnicodeDecodeError, LookupError):
        return None
