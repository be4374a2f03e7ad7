"""E-mail: headers and body; attachments become documents of their own at intake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_binary_file, policy
from email.message import EmailMessage, Message, MIMEPart
from pathlib import Path, PurePosixPath

from core.domain.document import Heading, Link, Page, ParsedDocument
from core.ingest.clean import detect_language, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, ParseLimits, title_from_source
from core.ingest.parse.decode import decode
from core.ingest.parse.html import document_from_html
from core.ingest.parse.text import is_pdf
from core.text.headings import clean_title

_SHOWN_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MAX_HEADER_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message; its name holds no folder."""

    name: str
    data: bytes


def parse_email(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """One page: the headers that a reader sees, the body, and the names of the attachments."""
    message = _read(path)
    headers = [(name, _header(message, name)) for name in _SHOWN_HEADERS]
    subject = clean_title(dict(headers)["Subject"])
    attached = [name for name, _ in _attached_parts(message)]
    body = _body(message, source, limits).strip()
    blocks = ["\n".join(f"{name}: {value}" for name, value in headers if value), body]
    if attached:
        blocks.append("Attachments: " + ", ".join(attached))
    text = normalise("\n\n".join(block for block in blocks if block))
    Budget(source, limits).spend(len(text), pages=1)
    start = text.find(f"Subject: {subject}") if subject else -1
    headings = (Heading(1, start, start + len(subject) + 9, subject),) if start >= 0 else ()
    return ParsedDocument(
        title=subject or title_from_source(source),
        media_type=formats.EMAIL.media_type,
        pages=(Page(1, text, headings),),
        language=detect_language(body),
        links=tuple(Link("pdf", name, 1) for name in attached if is_pdf(name)),
        doc_type="email",
        metadata={name.lower(): value for name, value in headers if value},
        unreadable_reason="" if text.strip() else "The message has neither headers nor a body.",
    )


def attachments(path: Path) -> Iterator[Attachment]:
    """The files attached to the message in `path`, in order; names are made distinct."""
    message = _read(path)
    for name, part in _attached_parts(message):
        data = part.get_payload(decode=True)
        if data is None and part.get_content_maintype() == "message":
            inner = part.get_payload()
            first = inner[0] if isinstance(inner, list) and inner else None
            data = first.as_bytes() if isinstance(first, Message) else b""
        if isinstance(data, bytes) and data:
            yield Attachment(name, data)


def _read(path: Path) -> EmailMessage:
    with path.open("rb") as file:
        message = message_from_binary_file(file, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def _header(message: EmailMessage, name: str) -> str:
    try:
        value = str(message.get(name, ""))
    except Exception:  # the standard library's header parser fails on some malformed addresses
        value = str(dict(message.raw_items()).get(name, ""))
    return " ".join(normalise(value).split())[:_MAX_HEADER_CHARS]


def _body(part: MIMEPart, source: str, limits: ParseLimits) -> str:
    """All inline text in reading order; of alternatives the first that says something, plain before HTML."""
    if part.get_filename() or part.get_content_disposition() == "attachment":
        return ""
    kind = part.get_content_type()
    if part.get_content_maintype() != "multipart":
        if kind == "text/html":
            return document_from_html(_part_text(part), source, limits).pages[0].text
        return _part_text(part) if kind == "text/plain" else ""
    inner = part.get_payload()
    parts = [one for one in inner if isinstance(one, MIMEPart)] if isinstance(inner, list) else []
    if kind == "multipart/alternative":
        parts.sort(key=lambda one: one.get_content_type() != "text/plain")
        return next((text for one in parts if (text := _body(one, source, limits)).strip()), "")
    texts = (_body(one, source, limits).strip() for one in parts)
    return "\n\n".join(text for text in texts if text)


def _part_text(part: MIMEPart) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return str(data or "")
    charset = part.get_content_charset()
    try:
        return data.decode(charset) if charset else decode(data)
    except (LookupError, UnicodeDecodeError):
        return decode(data)


def _attached_parts(message: EmailMessage) -> Iterator[tuple[str, EmailMessage]]:
    body = message.get_body(preferencelist=("plain", "html"))
    taken: set[str] = set()
    for part in _leaves(message):
        given = part.get_filename()
        if part is body or (not given and part.get_content_disposition() != "attachment"):
            continue
        name = _safe_name(given or "", part, len(taken) + 1)
        stem, dot, extension = name.rpartition(".")
        number = 2
        while name in taken:
            name = f"{stem or name} ({number}){dot}{extension}"
            number += 1
        taken.add(name)
        yield name, part


def _leaves(message: EmailMessage) -> Iterator[EmailMessage]:
    stack: list[EmailMessage] = [message]
    while stack:
        part = stack.pop()
        if part.get_content_maintype() == "multipart":
            inner = part.get_payload()
            stack.extend(p for p in reversed(inner) if isinstance(p, EmailMessage)) if isinstance(
                inner, list
            ) else None
        else:
            yield part


def _safe_name(given: str, part: EmailMessage, number: int) -> str:
    name = PurePosixPath(normalise(given).replace("\\", "/")).name.strip(" .")[:150]
    if name:
        return name
    return f"attachment-{number}.eml" if part.get_content_maintype() == "message" else f"attachment-{number}"
