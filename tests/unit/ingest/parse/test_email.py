"""Mails as a whole: which of several forms is the message, and what is said of the rest."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InputError
from core.ingest.parse.email import attachments
from tests.support.mails import body_of, mail, parsed, unread


def test_a_plain_text_that_only_stands_in_for_html_is_not_the_message(tmp_path: Path) -> None:
    message = mail("Your program cannot show this mail.")
    message.add_alternative(
        "<p>" + "The rate of the silo falls by three crowns in May. " * 3 + "</p>", subtype="html"
    )
    assert "three crowns" in body_of(parsed(tmp_path, message))
    message = mail("The rate falls.")
    message.add_alternative("<p>The rate <b>falls</b>.</p>", subtype="html")
    assert body_of(parsed(tmp_path, message)) == "The rate falls."


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


def test_a_message_of_too_many_parts_is_refused_and_html_without_text_is_said(tmp_path: Path) -> None:
    bomb = b"From: a@b.c\nSubject: s\n\n" + b"--b\nContent-Type: text/plain\n\nx\n" * 6_000
    with pytest.raises(InputError, match="more than 5,000 parts"):
        parsed(tmp_path, bomb)
    assert not list(attachments(tmp_path / "mail.eml"))
    message = mail()
    message.set_content("<blockquote>" * 3_000 + "Lost.", subtype="html")
    assert set(unread(parsed(tmp_path, message))) == {"HTML texts", "rest of the page"}


def test_enormous_headers_are_cut_and_said(tmp_path: Path) -> None:
    heads = [
        'From: "Ada" <ada@mill.example>, ' + '"' * 100_000,
        "Subject: Silo" + " =?utf-8?q?a?=" * 20_000,
        "Content-Type: text/plain; name=" + "(" * 5_000,
        "Content-Disposition: inline; filename=" + "(" * 5_000,
    ]
    found = parsed(tmp_path, "\n".join([*heads, "", "The silo is empty."]).encode())
    assert "Subject: Silo" in found.pages[0].text
    assert unread(found) == {"long headers": "Only its beginning is read."}
