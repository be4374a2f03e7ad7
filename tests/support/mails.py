"""Messages for tests of mails, as programs write them."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

from core.domain.document import ParsedDocument, PartState
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file


def mail(text: str = "", **headers: str) -> EmailMessage:
    """A message from Ada on the silo, with these headers and that text."""
    message = EmailMessage()
    for name, value in {"From": "Ada <ada@mill.example>", "Subject": "Silo", **headers}.items():
        message[name] = value
    if text:
        message.set_content(text)
    return message


def parsed(tmp_path: Path, message: EmailMessage | bytes, name: str = "mail.eml") -> ParsedDocument:
    """The document of a message."""
    path = tmp_path / name
    path.write_bytes(message if isinstance(message, bytes) else message.as_bytes())
    return parse_file(path, name, ParseLimits())


def body_of(document: ParsedDocument) -> str:
    """What stands below the head."""
    return document.pages[0].text.split("\n\n", 1)[1]


def unread(document: ParsedDocument) -> dict[str, str]:
    """Reasons of the parts that were not read."""
    return {part.kind: part.reason for part in document.parts if part.state is PartState.UNREAD}
