"""Mails: calendar parts, quotations, wrappers, stand-ins, and what is said of the rest."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

from core.domain.document import FilePart, ParsedDocument, PartState
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.ingest.parse.email import attachments
from core.ingest.parse.quoted_mail import with_quotations

MEETING = (
    "BEGIN:VCALENDAR\r\nMETHOD:{method}\r\nBEGIN:VEVENT\r\nUID:7\r\nSUMMARY:Silo inspection\r\n{when}"
    "LOCATION:Quay 2\\, Turku\r\nORGANIZER;CN=Ada Berg:mailto:ada@mill.example\r\n"
    "ATTENDEE;CN=Ben Falk:mailto:ben@mill.example\r\nDESCRIPTION:Bring\r\n  boots.\r\n"
    "END:VEVENT\r\nEND:VCALENDAR\r\n"
)
AT_NINE = "DTSTART;TZID=Europe/Helsinki:20250304T090000\r\nDTEND;TZID=Europe/Helsinki:20250304T113000\r\n"


def mail(text: str = "", **headers: str) -> EmailMessage:
    message = EmailMessage()
    for name, value in {"From": "Ada <ada@mill.example>", "Subject": "Silo", **headers}.items():
        message[name] = value
    if text:
        message.set_content(text)
    return message


def parsed(tmp_path: Path, message: EmailMessage | bytes, name: str = "mail.eml") -> ParsedDocument:
    path = tmp_path / name
    path.write_bytes(message if isinstance(message, bytes) else message.as_bytes())
    return parse_file(path, name, ParseLimits())


def body_of(document: ParsedDocument) -> str:
    return document.pages[0].text.split("\n\n", 1)[1]


def unread(document: ParsedDocument) -> dict[str, str]:
    return {part.kind: part.reason for part in document.parts if part.state is PartState.UNREAD}


def signed(message: bytes, *options: pkcs7.PKCS7Options) -> bytes:
    key = rsa.generate_private_key(65537, 2048)
    name, now = x509.Name([]), datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
    return (
        pkcs7.PKCS7SignatureBuilder()
        .set_data(message)
        .add_signer(builder.sign(key, SHA256()), key, SHA256())
        .sign(Encoding.DER, list(options))
    )


def in_pieces(der: bytes, content: bytes) -> bytes:
    """The same with its content as an octet string of two pieces and lengths that are not told."""
    half = len(content) // 2
    pieces = b"".join(
        b"\x04\x82" + struct.pack(">H", len(each)) + each for each in (content[:half], content[half:])
    )
    at = der.index(content)
    inner = b"\x30\x80" + bytes.fromhex("06092a864886f70d010701") + b"\xa0\x80\x24\x80" + pieces + b"\0" * 6
    algorithms = b"\x02\x01\x01\x31\x00"
    assert at > 0
    signed_data = b"\x30\x80" + algorithms + inner + b"\0\0"
    return b"\x30\x80" + bytes.fromhex("06092a864886f70d010702") + b"\xa0\x80" + signed_data + b"\0" * 4


def tnef(body: str, name: str, data: bytes) -> bytes:
    """A container with a body and one file. Source: MS-OXTNEF, 2.1."""

    def attribute(level: int, id: int, kind: int, value: bytes) -> bytes:
        return (
            struct.pack("<BHHI", level, id, kind, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)
        )

    return (
        struct.pack("<IH", 0x223E9F78, 1)
        + attribute(1, 0x9006, 8, struct.pack("<I", 0x10000))
        + attribute(1, 0x9007, 6, struct.pack("<II", 1252, 0))
        + attribute(1, 0x800C, 2, body.encode() + b"\0")
        + attribute(2, 0x9002, 6, bytes(14))
        + attribute(2, 0x8010, 1, name.encode() + b"\0")
        + attribute(2, 0x800F, 6, data)
    )


@pytest.mark.parametrize(
    ("method", "when", "line"),
    [
        (
            "REQUEST",
            AT_NINE,
            "Invitation: Silo inspection | When: 4 March 2025, 09:00 to 11:30 (Europe/Helsinki)",
        ),
        (
            "CANCEL",
            "DTSTART:20250304T090000Z\r\n",
            "Cancelled: Silo inspection | When: 4 March 2025, 09:00 (UTC)",
        ),
        (
            "PUBLISH",
            "DTSTART;VALUE=DATE:20250304\r\nDTEND;VALUE=DATE:20250307\r\n",
            "Event: Silo inspection | When: 4 March 2025 to 6 March 2025",
        ),
        ("PUBLISH", "DTSTART:20250304T090000\r\nDURATION:PT45M\r\n", "When: 4 March 2025, 09:00 to 09:45 |"),
    ],
)
def test_a_calendar_part_says_what_when_where_and_who(
    tmp_path: Path, method: str, when: str, line: str
) -> None:
    message = mail("See below.")
    message.add_alternative(MEETING.format(method=method, when=when), subtype="calendar")
    found = parsed(tmp_path, message)
    people = "Organizer: Ada Berg <ada@mill.example> | Invited: Ben Falk <ben@mill.example>"
    assert line in body_of(found)
    assert body_of(found).endswith(f"| Where: Quay 2, Turku | {people}\nBring boots.")
    assert FilePart("calendar events") in found.parts
    assert line in parsed(tmp_path, MEETING.format(method=method, when=when).encode(), "a.ics").pages[0].text


def test_a_damaged_calendar_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    message = mail("See below.")
    message.add_alternative("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:x\r\n", subtype="calendar")
    found = parsed(tmp_path, message)
    assert body_of(found) == "See below."
    assert set(unread(found)) == {"calendar parts"}


HEAD = "From: Ben\nSent: Monday, 3 March 2025\nTo: Ada\nSubject: Silo\n\nIt is 4 March."


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (f"It is 9 March.\n\n-----Original Message-----\n{HEAD}", ["It is 9 March."]),
        (f"It is 9 March.\n\n{HEAD}", ["It is 9 March."]),
        (f"FYI\n\n---------- Forwarded message ---------\n{HEAD}", ["FYI"]),
        ("Ja.\n\nVon: Ben\nGesendet: 3. März 2025\nAn: Ada\nBetreff: Silo\n\nIst es der 4.?", ["Ja."]),
        ("Yes.\n\nOn Mon, 3 Mar 2025 at 10:00, Ben <ben@mill.example>\nwrote:\n\n> Is it the 4th?", ["Yes."]),
        ("Yes.\n\nOn 3 March 2025 Ben wrote:\nIs it the 4th?", ["Yes."]),
        ("> First?\nOne.\n> Second?\nTwo.", ["One.", "Two."]),
        ("From: the port\nWe sail at 4.\nAs Ada wrote in the plan:\nstay calm.", 4),
    ],
)
def test_what_an_older_mail_said_stands_behind_a_bar(text: str, own: list[str] | int) -> None:
    found = with_quotations(text)
    plain = [line for line in found.splitlines() if line.strip() and not line.startswith(">")]
    assert plain == (text.splitlines() if isinstance(own, int) else own)
    assert found.replace(">", "").split() == text.replace(">", "").split()


def test_quotations_of_html_mails_stand_behind_a_bar(tmp_path: Path) -> None:
    message = mail()
    quote = (
        '<div class="gmail_quote"><p>On 3 March Ben wrote:</p><blockquote>It is 4 March.</blockquote></div>'
    )
    message.set_content(
        f"<p>It is 9 March.</p>{quote}<div class='footer'>Ada, Mill Ltd</div>", subtype="html"
    )
    assert body_of(parsed(tmp_path, message)).splitlines()[::2] == [
        "It is 9 March.",
        "> On 3 March Ben wrote:",
        "> It is 4 March.",
        "Ada, Mill Ltd",
    ]


def test_a_plain_text_that_only_stands_in_for_html_is_not_the_message(tmp_path: Path) -> None:
    message = mail("Your program cannot show this mail.")
    message.add_alternative(
        "<p>" + "The rate of the silo falls by three crowns in May. " * 3 + "</p>", subtype="html"
    )
    assert "three crowns" in body_of(parsed(tmp_path, message))
    message = mail("The rate falls.")
    message.add_alternative("<p>The rate <b>falls</b>.</p>", subtype="html")
    assert body_of(parsed(tmp_path, message)) == "The rate falls."


@pytest.mark.parametrize("is_streamed", [False, True])
def test_what_was_signed_is_read_with_its_attachments(tmp_path: Path, is_streamed: bool) -> None:
    inner = mail("The notice takes effect on 2 May 2025.")
    inner.add_attachment("Clause 4.", filename="clause.txt")
    content = inner.as_bytes().replace(b"\n", b"\r\n")
    der = signed(content, pkcs7.PKCS7Options.Binary)
    outer = mail(Date="Tue, 4 Mar 2025 09:00:00 +0200")
    data = in_pieces(der, content) if is_streamed else der
    outer.set_content(data, maintype="application", subtype="pkcs7-mime", filename="smime.p7m")
    found = parsed(tmp_path, outer)
    assert "Date: Tue, 04 Mar 2025 09:00:00 +0200" in found.pages[0].text
    assert "The notice takes effect on 2 May 2025." in found.pages[0].text
    assert [(each.name, each.data.strip()) for each in attachments(tmp_path / "mail.eml")] == [
        ("clause.txt", b"Clause 4.")
    ]
    assert not found.gaps


def test_a_signature_beside_the_message_is_no_attachment(tmp_path: Path) -> None:
    message = mail("The fee is nine crowns.")
    message.add_attachment(
        b"\x30\x80", maintype="application", subtype="pkcs7-signature", filename="smime.p7s"
    )
    assert body_of(parsed(tmp_path, message)) == "The fee is nine crowns."
    assert not list(attachments(tmp_path / "mail.eml"))


@pytest.mark.parametrize(
    "data", [bytes.fromhex("300f06092a864886f70d010703a0020500"), b"0\x80\x06", b"", b"MIIx"]
)
def test_what_cannot_be_opened_is_said_and_is_no_document_of_its_own(tmp_path: Path, data: bytes) -> None:
    message = mail()
    message.set_content(data, maintype="application", subtype="pkcs7-mime", filename="smime.p7m")
    found = parsed(tmp_path, message)
    assert "Subject: Silo" in found.pages[0].text
    assert set(unread(found)) == {"encrypted messages" if len(data) > 9 else "signed messages"}
    assert not list(attachments(tmp_path / "mail.eml"))


def test_winmail_dat_gives_its_body_and_its_files(tmp_path: Path) -> None:
    message = mail()
    data = tnef("The silo is empty.", "plan.txt", b"Fill it in May.")
    message.set_content(data, maintype="application", subtype="ms-tnef", filename="winmail.dat")
    found = parsed(tmp_path, message)
    assert "The silo is empty." in found.pages[0].text
    assert [(each.name, each.data) for each in attachments(tmp_path / "mail.eml")] == [
        ("plan.txt", b"Fill it in May.")
    ]
    bomb = data[:6] + struct.pack("<BHHI", 1, 0x8004, 1, 0) * 400_000
    message.set_content(bomb, maintype="application", subtype="ms-tnef", filename="winmail.dat")
    assert set(unread(parsed(tmp_path, message))) == {"TNEF containers"}


def test_images_of_the_text_are_said_and_parts_without_a_name_are_files(tmp_path: Path) -> None:
    message = mail("See the plan.")
    for size in (900, 90_000):
        message.add_related(bytes(size), maintype="image", subtype="png", cid="<x>", disposition="inline")
    message.make_mixed()
    message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf")
    found = parsed(tmp_path, message)
    assert {(part.kind, part.state.value) for part in found.parts} == {
        ("images in the text", "unread"),
        ("small images", "left out"),
        ("attachments", "read"),
    }
    assert [each.name for each in attachments(tmp_path / "mail.eml")] == ["attachment-1.pdf"]


def test_a_file_that_is_no_outlook_message_is_refused(tmp_path: Path) -> None:
    from core.errors import InputError

    with pytest.raises(InputError):
        parsed(tmp_path, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2_000), "a.msg")
