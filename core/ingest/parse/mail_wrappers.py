"""Wrappers of mails: S/MIME, TNEF (winmail.dat) and Outlook's MSG, opened into plain MIME messages."""

from __future__ import annotations

import base64
import binascii
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime
from mimetypes import guess_type
from typing import Any

from core.domain.document import FilePart, PartState
from core.ingest.clean import file_name
from core.ingest.parse.formats import OLE

_PKCS7 = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
_MOST_NESTED = 5
_MOST_TNEF_OBJECTS = 5_000
_MOST_ATTACHMENTS = 1_000
_MOST_TNEF_VALUES = 100_000
MOST_OF_A_HEADER = 4_000
"""Characters of a header that are read, as it stands in the file."""
_SIGNED = bytes.fromhex("2a864886f70d010702")
_ENVELOPED = (bytes.fromhex("2a864886f70d010703"), bytes.fromhex("2a864886f70d0109100117"))
_OUTER = ("From", "To", "Cc", "Date", "Subject")
_ENCRYPTED = "It is encrypted; only who holds the key can read it. Save it decrypted and add that."


@dataclass(frozen=True, slots=True)
class OpenedMail:
    """A message with what its wrappers held in their place, and what is to be said of them."""

    message: EmailMessage
    parts: tuple[FilePart, ...] = ()


class _Bounded(policy.EmailPolicy):
    """Headers as the standard library reads them, cut before it does: long hostile ones take it minutes."""

    def header_fetch_parse(self, name: str, value: Any) -> Any:
        try:
            return super().header_fetch_parse(name, value[:MOST_OF_A_HEADER])
        except Exception:  # what it raises on malformed addresses and brackets in brackets
            return " ".join(value[:MOST_OF_A_HEADER].split())


def open_mail(data: bytes) -> OpenedMail:
    """The message in `data`, MIME or MSG. Raises ValueError where an MSG file is no message."""
    parts: list[FilePart] = []
    message = _of_msg(data, parts) if data.startswith(OLE) else _parsed(data)
    return OpenedMail(_opened(message, parts, _MOST_NESTED), tuple(parts))


def _parsed(data: bytes) -> EmailMessage:
    message = message_from_bytes(data, policy=_POLICY)
    assert isinstance(message, EmailMessage)
    return message


def _opened(message: EmailMessage, parts: list[FilePart], depth: int) -> EmailMessage:
    """The message itself, or what it wraps with its head; its parts are opened in place."""
    if message.get_content_maintype() == "multipart":
        inner = message.get_payload()
        if isinstance(inner, list):
            inner[:] = [_opened(each, parts, depth) for each in inner if isinstance(each, EmailMessage)]
        return message
    name, kind = (message.get_filename() or "").lower(), message.get_content_type()
    is_tnef = kind in _TNEF or name == "winmail.dat"
    if not is_tnef and kind not in _PKCS7 and not name.endswith(".p7m"):
        return message
    what, data = "TNEF containers" if is_tnef else "signed messages", message.get_payload(decode=True)
    reason = "It is damaged." if depth else "Too many wrappers stand in each other."
    try:
        wrapped = None
        if depth and isinstance(data, bytes):
            wrapped = _of_tnef(data, parts) if is_tnef else _of_smime(data, message)
    except PermissionError:
        what, reason, wrapped = "encrypted messages", _ENCRYPTED, None
    except Exception:  # a parser of others on hostile bytes; the rest of the mail is still read
        logging.getLogger(__name__).debug("A wrapper cannot be opened", exc_info=True)
        wrapped = None
    if wrapped is None:
        parts.append(FilePart(what, PartState.UNREAD, place=name, reason=reason))
        return message
    parts.append(FilePart(what, place=name))
    for header in _OUTER:
        if header in message and header not in wrapped:
            _set_header(wrapped, header, str(message[header]))
    return _opened(wrapped, parts, depth - 1)


def is_wrapper(part: EmailMessage) -> bool:
    """True of a wrapper, which is no file for people, and of a signature."""
    kind, name = part.get_content_type(), (part.get_filename() or "").lower()
    is_signature = kind.endswith(("pkcs7-signature", "pgp-signature", "pgp-encrypted"))
    return is_signature or kind in _PKCS7 or kind in _TNEF or name == "winmail.dat" or name.endswith(".p7m")


def _of_smime(data: bytes, part: EmailMessage) -> EmailMessage | None:
    """What was signed; None where it cannot be told. Raises PermissionError for what is encrypted."""
    if data[:2] in (b"MI", b"--"):
        lines = [line for line in data.split() if not line.startswith(b"-----")]
        try:
            data = base64.b64decode(b"".join(lines))
        except binascii.Error:
            return None
    content = list(_children(data, 0, len(data)))[:1]
    info = list(_children(data, content[0].start, content[0].end)) if content else []
    oid = data[info[0].start : info[0].end] if info else b""
    if oid in _ENVELOPED or str(part.get_param("smime-type", "")).endswith("enveloped-data"):
        raise PermissionError
    if oid != _SIGNED or len(info) < 2:
        return None
    signed = next(_children(data, info[1].start, info[1].end))
    wrapped = list(_children(data, signed.start, signed.end))[2]
    inner = list(_children(data, wrapped.start, wrapped.end))
    return _parsed(b"".join(_octets(data, inner[1]))) if len(inner) > 1 else None


_POLICY = _Bounded(refold_source="none")


@dataclass(frozen=True, slots=True)
class _Element:
    """An element of BER: its tag, and where its contents stand. next: where the one behind it begins."""

    tag: int
    start: int
    end: int
    next: int


def _children(data: bytes, at: int, end: int, depth: int = 0) -> Iterator[_Element]:
    """The elements in [at, end), up to a mark of the end of contents. Raises ValueError for damage.

    Source: ITU-T X.690, 8.1: tags of one byte, lengths of both forms.
    """
    while at < end:
        element = _element(data, at, end, depth)
        if element.tag == 0:
            return
        yield element
        at = element.next


def _element(data: bytes, at: int, end: int, depth: int) -> _Element:
    if at + 2 > end or depth > 30:
        raise ValueError("BER ends early")
    tag, length, at = data[at], data[at + 1], at + 2
    if length == 0x80:
        last, inner = at, None
        for inner in _children(data, at, end, depth + 1):
            last = inner.next
        return _Element(tag, at, last, last + 2)
    if length > 0x80:
        size = length & 0x7F
        length, at = int.from_bytes(data[at : at + size]), at + size
    if at + length > end:
        raise ValueError("BER ends early")
    return _Element(tag, at, at + length, at + length)


def _octets(data: bytes, element: _Element, depth: int = 0) -> Iterator[bytes]:
    """The bytes of an octet string, which may come in pieces, and in a tag of its own."""
    if element.tag == 0x04:
        yield data[element.start : element.end]
    elif element.tag & 0x20 and depth < 30:
        for piece in _children(data, element.start, element.end):
            yield from _octets(data, piece, depth + 1)


def _of_tnef(data: bytes, parts: list[FilePart]) -> EmailMessage | None:
    """Body and files of a TNEF container; None where nothing is in it.

    Raises ValueError for one that is damaged or a bomb. parts: is told what of it cannot be read.
    """
    from tnefparse import TNEF, mapi, tnef

    lies: list[int] = []

    def bounded(count: int) -> range:
        if count > _MOST_TNEF_VALUES:
            lies.append(count)
            raise ValueError("too many values")
        return range(count)

    # The library believes every count that a file states, and hides that the file ends before it.
    vars(mapi)["range"] = vars(tnef)["range"] = bounded
    at, count = 6, 0
    while at + 11 <= len(data):  # the library copies the rest of the data for each
        at, count = at + 11 + int.from_bytes(data[at + 5 : at + 9], "little"), count + 1
        if count > _MOST_TNEF_OBJECTS:
            raise ValueError("too many objects")
    found = TNEF(data, do_checksum=False)
    message = EmailMessage(policy=_POLICY)
    plain, rich = _words(found.body), _words(found.htmlbody)
    if plain.strip() or not rich:
        message.set_content(plain)
    else:
        message.set_content(rich, subtype="html")
    for each in found.attachments[:_MOST_ATTACHMENTS]:
        _attach(message, _tnef_name(each), bytes(each.data or b""))
    left = _left_files(len(found.attachments))
    if lies or at > len(data) or data[at:].strip(b"\0\r\n "):
        reason = "It is cut off or damaged within."
        left.append(FilePart("TNEF containers", PartState.UNREAD, reason=reason))
    if not (plain.strip() or rich.strip()):
        if not found.attachments:
            return None
        if found.has_body():
            left.append(FilePart("texts in RTF", PartState.UNREAD, reason="RTF in mails is not read."))
    parts += left
    return message


def _tnef_name(attachment: Any) -> str:
    try:
        name = attachment.long_filename()
    except UnicodeDecodeError:
        name = attachment._name
    return _words(name).strip("\0 ") or "attachment"


def _left_files(count: int) -> list[FilePart]:
    reason = f"There are more than the {_MOST_ATTACHMENTS:,} that are read of one message."
    left = count - _MOST_ATTACHMENTS
    return [FilePart("attachments", PartState.UNREAD, left, reason=reason)] if left > 0 else []


def _of_msg(data: bytes, parts: list[FilePart]) -> EmailMessage:
    """A message as Outlook saves it. Raises ValueError where the file is none.

    parts: is told of files that are left out.
    """
    from oxmsg import Message

    try:
        found = Message.load(data)
        message = EmailMessage(policy=_POLICY)
        headers = {name.lower(): value for name, value in found.message_headers.items()}
        by_kind: dict[int, list[str]] = {}
        for each in found.recipients:
            kind = each.properties.int_prop_value(0x0C15) or 1
            by_kind.setdefault(kind, []).append(f"{each.name} <{each.email_address}>")
        sent = found.sent_date
        stated = {
            "From": headers.get("from") or found.sender or "",
            "To": headers.get("to") or ", ".join(by_kind.get(1, [])),
            "Cc": headers.get("cc") or ", ".join(by_kind.get(2, [])),
            "Date": headers.get("date") or (format_datetime(sent) if sent is not None else ""),
            "Subject": found.subject,
        }
        plain = found.body or ""
        message.set_content(plain)
        if not plain.strip() and found.html_body:
            message.set_content(found.html_body, subtype="html")
        for name, value in stated.items():
            if value:
                _set_header(message, name, value)
        parts += _left_files(len(found.attachments))
        for attached in found.attachments[:_MOST_ATTACHMENTS]:
            _attach(message, attached.file_name or "attachment", attached.file_bytes or b"")
    except Exception as error:
        raise ValueError(f"{type(error).__name__}: {error}") from error
    return message


def _set_header(message: EmailMessage, name: str, value: str) -> None:
    value = " ".join(value[:MOST_OF_A_HEADER].split())
    message._headers.append((name, value))  # type: ignore[attr-defined]  # read on use, as those of a file


def _attach(message: EmailMessage, name: str, data: bytes) -> None:
    main, _, sub = (guess_type(name)[0] or "application/octet-stream").partition("/")
    if main in ("multipart", "message"):
        main, sub = "application", "octet-stream"
    message.add_attachment(data, maintype=main, subtype=sub, filename=file_name(name) or "attachment")


def _words(text: object) -> str:
    if isinstance(text, bytes):
        from core.ingest.parse.decode import decode

        text = decode(text)
    return str(text or "").replace("\0", "")
