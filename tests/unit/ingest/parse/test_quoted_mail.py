"""Quotations in mails, told from what the message says itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.ingest.parse.quoted_mail import with_quotations
from tests.support.mails import body_of, mail, parsed

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
