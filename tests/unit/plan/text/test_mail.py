"""The message of a pasted e-mail."""

from __future__ import annotations

import pytest

from core.plan.text.classify import classify
from core.plan.text.mail import message_of

ASKED = "When does the lease with Kestrel expire?"


@pytest.mark.parametrize(
    "text",
    [
        f"Hi team,\n\nhope you are well. Quick one: {ASKED}\n\nBest,\nJane",
        f"From: Jane <jane@acme.example>\nTo: Legal\nSubject: Kestrel\n\nHello,\n\n{ASKED}\n\nThanks! Tom",
        f"Dear Ms Doe,\n{ASKED}\nKind regards\nTom Vance\nHead of Legal\n+44 20 7946 0000",
        f"{ASKED} Thanks! Tom",
        f"{ASKED} Best, Jane",
        f"Subject: lease\n\n{ASKED}\n\n--\nJane Doe",
        f"{ASKED}\n\nOn Mon, 3 Jun 2024 Jane Doe wrote:\n> Which lease do you mean?",
    ],
)
def test_only_the_question_of_a_mail_is_asked(text: str) -> None:
    assert message_of(text) == ASKED


def test_what_a_mail_says_of_its_question_stays() -> None:
    text = "Hello,\n\nwe signed a lease with Kestrel. When does it end?\n\nBest regards,\nJane"
    assert message_of(text) == "we signed a lease with Kestrel. When does it end?"


def test_a_signature_alone_is_thanks() -> None:
    assert classify(message_of("Thanks! Tom")).small_talk == "thanks"


@pytest.mark.parametrize(
    "text",
    [
        ASKED,
        "Subject: what do the letters say?",
        "Which contracts are best?",
        "Best price of the AS-400?",
        "Is there a lease from Best Western?",
        "Date: of the lease with Kestrel",
        "1. Who signed the lease?\n2. When does it end?",
        "What does the manual of Kind Regards Ltd. say?",
    ],
)
def test_a_plain_question_stays_as_it_is(text: str) -> None:
    assert message_of(text) == text
