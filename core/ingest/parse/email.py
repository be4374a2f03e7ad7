"""E-mail: headers, body and calendar parts; attachments become documents of their own at intake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from mimetypes import guess_extension
from pathlib import Path

from core.domain.document import FilePart, Link, Page, ParsedDocument, PartState
from core.errors import GroundworkError, InputError
from core.ingest.clean import detect_language, distinct_name, file_name, normalise
from core.ingest.parse import formats
from core.ingest.parse.base import Budget, ParseLimits, PartTally, first_of, title_from_source
from core.ingest.parse.decode import decode
from core.ingest.parse.html.document import document_from_html
from core.ingest.parse.invitation import Calendar, read_calendar
from core.ingest.parse.mail_wrappers import MOST_OF_A_HEADER, is_wrapper, open_mail
from core.ingest.parse.quoted_mail import with_quotations
from core.ingest.parse.text import is_pdf
from core.text.headings import clean_title
from core.text.marks import plain

_SHOWN_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_MAX_HEADER_CHARS = 2_000
_MOST_PARTS = 5_000
_MOST_NAMED = 5
_ENCRYPTED = "It is encrypted; only who holds the key can read it."
_LEFT_EVENTS = "There are more than are read of one calendar."
_DAMAGED_EVENTS = "They are damaged in part, or say something twice; the rest of them is read."
_POOR = 0.5  # of the words of its HTML: a plain text with fewer is a stand-in, as "open this in a browser"
_ENOUGH_WORDS = 300  # of a plain text that is no stand-in, whatever its HTML holds
_SMALL_IMAGE = 8_000  # bytes: a logo, a line, a pixel


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a message; its name holds no folder."""

    name: str
    data: bytes


def parse_email(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """One page: the headers that a reader sees, the body, and the names of the attachments."""
    data = path.read_bytes()
    if _is_bomb(data):
        raise InputError(
            f"It has more than {_MOST_PARTS:,} parts.", source=source, next_step="Split the message."
        )
    mail = open_mail(data)
    message = mail.message
    headers = [(name, _header(message, name)) for name in _SHOWN_HEADERS]
    subject = clean_title(dict(headers)["Subject"])
    attached = [name for name, _ in _attached_parts(message)]
    reading = _Reading(source, limits)
    body = reading.body(message).strip()
    blocks = ["\n".join(f"{name}: {value}" for name, value in headers if value), body]
    if attached:
        blocks.append("Attachments: " + ", ".join(attached))
    text = normalise("\n\n".join(block for block in blocks if block))
    Budget(source, limits).spend(len(text), pages=1)
    raw = {name.lower(): value for name, value in message.raw_items()}
    cut = [
        name
        for name, value in headers
        if len(value) == _MAX_HEADER_CHARS or len(str(raw.get(name.lower(), ""))) > MOST_OF_A_HEADER
    ]
    reason = "Only its beginning is read."
    heads = (FilePart("long headers", PartState.UNREAD, len(cut), ", ".join(cut), reason),)
    files = (FilePart("attachments", count=len(attached), place=first_of(attached, _MOST_NAMED)),)
    return ParsedDocument(
        title=subject or title_from_source(source),
        media_type=formats.EMAIL.media_type,
        pages=(Page(1, text),),
        language=detect_language(body),
        links=tuple(Link("pdf", name, 1) for name in attached if is_pdf(name)),
        doc_type="email",
        metadata={name.lower(): value for name, value in headers if value},
        unreadable_reason="" if text.strip() else "The message has neither headers nor a body.",
        parts=(
            *mail.parts,
            *(heads if cut else ()),
            *(files if attached else ()),
            *reading.parts(message, body),
        ),
    )


def parse_calendar(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """A calendar file: a line of cells for each event, and what it says of it."""
    calendar = read_calendar(decode(path.read_bytes()))
    text = normalise(calendar.text)
    tally = PartTally()
    _tally_gaps(tally, calendar)
    Budget(source, limits).spend(len(text), pages=1)
    return ParsedDocument(
        title=title_from_source(source),
        media_type=formats.CALENDAR.media_type,
        pages=(Page(1, text),),
        language=detect_language(text),
        doc_type="calendar",
        unreadable_reason="" if text.strip() else "The calendar holds no event.",
        parts=tally.parts(),
    )


def _tally_gaps(tally: PartTally, calendar: Calendar) -> None:
    tally.add("events", PartState.UNREAD, _LEFT_EVENTS, calendar.left)
    tally.add("events", PartState.UNREAD, _DAMAGED_EVENTS, calendar.damaged)


def attachments(path: Path) -> Iterator[Attachment]:
    """The files attached to the message in `path`, in order; names are made distinct."""
    data = path.read_bytes()
    if _is_bomb(data):
        return
    message = open_mail(data).message
    for name, part in _attached_parts(message):
        content = part.get_payload(decode=True)
        if content is None and part.get_content_maintype() == "message":
            inner = part.get_payload()
            first = inner[0] if isinstance(inner, list) and inner else None
            content = first.as_bytes() if isinstance(first, Message) else b""
        if isinstance(content, bytes) and content:
            yield Attachment(name, content)


def _is_bomb(data: bytes) -> bool:
    """True of a message of so many parts that dividing it takes minutes: 20,000 took one."""
    return data.lower().count(b"\ncontent-type:") > _MOST_PARTS


def _header(message: EmailMessage, name: str) -> str:
    try:
        value = str(message.get(name, ""))
    except Exception:  # the standard library's header parser fails on some malformed addresses
        value = str(dict(message.raw_items()).get(name, ""))
    return " ".join(normalise(value).split())[:_MAX_HEADER_CHARS]


@dataclass(slots=True)
class _Reading:
    """The body of one message as it is read, with what is to be said of its parts."""

    source: str
    limits: ParseLimits
    tally: PartTally = field(default_factory=PartTally)
    html_parts: list[FilePart] = field(default_factory=list)

    def body(self, part: EmailMessage) -> str:
        """All inline text in reading order; of alternatives the one that says most, plain before HTML."""
        kind = part.get_content_type()
        if kind == "text/calendar":
            return self._calendar(part)
        if _is_attached(part):
            return ""
        if part.get_content_maintype() != "multipart":
            return self._leaf(part, kind)
        inner = part.get_payload()
        parts = [each for each in inner if isinstance(each, EmailMessage)] if isinstance(inner, list) else []
        if kind == "multipart/alternative":
            return self._alternative(parts)
        if kind == "multipart/encrypted":
            self.tally.unread("encrypted messages", _ENCRYPTED)
            return ""
        texts = (self.body(each).strip() for each in parts)
        return "\n\n".join(text for text in texts if text)

    def parts(self, message: EmailMessage, body: str) -> tuple[FilePart, ...]:
        """What became of the parts of the message, beside its text and its attachments; asked once."""
        self.tally.read(
            "quoted lines of older mails", sum(each.startswith(">") for each in body.splitlines())
        )
        images = [each for each in _leaves(message) if _is_inline_image(each)]
        shown = [each for each in images if len(_payload(each)) > _SMALL_IMAGE]
        reason = "Words in images of a mail are not read. Save an image as PDF and add that."
        self.tally.add("images in the text", PartState.UNREAD, reason, len(shown))
        self.tally.left_out("small images", "", len(images) - len(shown))
        if "-----BEGIN PGP MESSAGE-----" in body:
            self.tally.unread("encrypted messages", _ENCRYPTED)
        return (*self.tally.parts(), *self.html_parts)

    def _leaf(self, part: EmailMessage, kind: str) -> str:
        if kind == "text/html":
            try:
                return with_quotations(self._html(part))
            except GroundworkError:
                raise
            except Exception as error:
                self.tally.unread("HTML texts", f"It is damaged ({type(error).__name__}).")
                return ""
        if kind == "text/plain":
            return with_quotations(plain(_part_text(part)))
        if kind == "message/delivery-status":
            inner = part.get_payload()
            return "\n".join(str(each) for each in inner).strip() if isinstance(inner, list) else ""
        return ""

    def _html(self, part: EmailMessage) -> str:
        found = document_from_html(_part_text(part), self.source, self.limits, is_mail=True)
        self.html_parts += [each for each in found.parts if each not in self.html_parts]
        if found.unreadable_reason and _payload(part).strip():
            self.tally.unread("HTML texts", "No text was found in it.")
        return found.pages[0].text

    def _alternative(self, parts: list[EmailMessage]) -> str:
        """Of the same in several forms the plain one, unless it is a stand-in; calendars beside it."""
        plain = next((text for each in parts if _is_plain(each) and (text := self.body(each)).strip()), "")
        others = [
            each for each in parts if not _is_plain(each) and each.get_content_type() != "text/calendar"
        ]
        text, words = plain, len(plain.split())
        if words < _ENOUGH_WORDS:
            rich = next((text for each in others if (text := self.body(each)).strip()), "")
            text = rich if words < _POOR * len(rich.split()) else plain
        events = [self.body(each) for each in parts if each.get_content_type() == "text/calendar"]
        return "\n\n".join(each for each in (text.strip(), *events) if each)

    def _calendar(self, part: EmailMessage) -> str:
        raw = _part_text(part)
        try:
            calendar = read_calendar(raw)
        except Exception as error:  # the library raises what its parts raise on damage
            self.tally.unread("calendar parts", f"It is damaged ({type(error).__name__}).")
            return ""
        self.tally.read("calendar events", calendar.events)
        _tally_gaps(self.tally, calendar)
        return calendar.text


def _is_plain(part: EmailMessage) -> bool:
    return part.get_content_type() == "text/plain"


def _payload(part: EmailMessage) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _part_text(part: EmailMessage) -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return str(data or "")
    charset = part.get_content_charset()
    try:
        return data.decode(charset) if charset else decode(data)
    except (LookupError, UnicodeDecodeError):
        return decode(data)


def _is_attached(part: EmailMessage) -> bool:
    """True of a part that is no text of the message: a file, named or not."""
    if part.get_filename() or part.get_content_disposition() == "attachment":
        return True
    kind, main = part.get_content_type(), part.get_content_maintype()
    return main != "multipart" and main != "text" and kind != "message/delivery-status"


def _is_inline_image(part: EmailMessage) -> bool:
    is_shown = part.get_content_disposition() != "attachment" and "Content-ID" in part
    return part.get_content_maintype() == "image" and is_shown


def _attached_parts(message: EmailMessage) -> Iterator[tuple[str, EmailMessage]]:
    taken: set[str] = set()
    for part in _leaves(message):
        is_shown = part.get_content_type() == "text/calendar" or _is_inline_image(part)
        if not _is_attached(part) or is_shown or is_wrapper(part):
            continue
        yield distinct_name(_safe_name(part, len(taken) + 1), taken), part


def _leaves(message: EmailMessage) -> Iterator[EmailMessage]:
    stack, count = [message], 0
    while stack and count < _MOST_PARTS:
        part, count = stack.pop(), count + 1
        inner = part.get_payload()
        if part.get_content_maintype() != "multipart":
            yield part
        elif isinstance(inner, list) and part.get_content_type() != "multipart/encrypted":
            stack.extend(each for each in reversed(inner) if isinstance(each, EmailMessage))


def _safe_name(part: EmailMessage, number: int) -> str:
    if name := file_name(part.get_filename() or ""):
        return name
    ending = ".eml" if part.get_content_maintype() == "message" else guess_extension(part.get_content_type())
    return f"attachment-{number}{ending or ''}"
