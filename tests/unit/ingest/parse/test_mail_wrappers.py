"""S/MIME, TNEF and MSG, opened or said not to be."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

from core.errors import InputError
from core.ingest.parse.email import attachments
from tests.support.mails import body_of, mail, parsed, unread


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


def test_a_winmail_dat_that_is_cut_lies_or_holds_too_much_says_so(tmp_path: Path) -> None:
    whole = tnef("The silo is empty.", "plan.txt", b"Fill it in May.")
    file = whole[whole.index(struct.pack("<BHH", 2, 0x9002, 6)) :]
    lie = struct.pack("<BHHIIHHIH", 1, 0x9003, 6, 12, 2**32 - 1, 0x1002, 0x3000, 2**32 - 1, 0)
    kept = {}
    for name, data in {"cut": whole[:-9], "lie": whole + lie, "many": whole + file * 1_200}.items():
        message = mail()
        message.set_content(data, maintype="application", subtype="ms-tnef", filename="winmail.dat")
        found = parsed(tmp_path, message)
        assert "The silo is empty." in found.pages[0].text
        kept[name] = [(part.kind, part.count) for part in found.parts if part.is_gap]
    assert kept == {
        "cut": [("TNEF containers", 1)],
        "lie": [("TNEF containers", 1)],
        "many": [("attachments", 201)],
    }


def test_a_file_that_is_no_outlook_message_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        parsed(tmp_path, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2_000), "a.msg")
