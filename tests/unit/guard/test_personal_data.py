from __future__ import annotations

from itertools import pairwise

import pytest

from core.guard.personal_data import find_credentials, find_personal_data


def found(text: str) -> list[tuple[str, str]]:
    return [(span.kind, text[span.start : span.end]) for span in find_personal_data(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Who is jane.doe+x@mail.example.org?", "email", "jane.doe+x@mail.example.org"),
        ("my card 4111 1111 1111 1111 please", "card", "4111 1111 1111 1111"),
        ("paid to GB82 WEST 1234 5698 7654 32 last week", "iban", "GB82 WEST 1234 5698 7654 32"),
        ("paid to DE89370400440532013000 and more", "iban", "DE89370400440532013000"),
        ("SSN 219-09-9998", "national_id", "219-09-9998"),
        ("his social security number is 219099998", "national_id", "219099998"),
        ("NINO AB123456C", "national_id", "AB123456C"),
        ("codice fiscale RSSMRA85T10A562S", "national_id", "RSSMRA85T10A562S"),
        ("passport no. C01X00T47", "passport", "C01X00T47"),
        ("her driver's license number is F162823540116", "licence", "F162823540116"),
        ("from 203.0.113.7 yesterday", "ip_address", "203.0.113.7"),
        ("from 2001:db8::8a2e:370:7334", "ip_address", "2001:db8::8a2e:370:7334"),
        ("call me at 467 3395", "phone", "467 3395"),
        ("Fax: 345-899-3560x4587", "phone", "345-899-3560x4587"),
        ("+46 (0)8 928 571 38 is his", "phone", "+46 (0)8 928 571 38"),
    ],
)
def test_a_number_of_a_person_is_found_whole(text: str, kind: str, value: str) -> None:
    assert found(text) == [(kind, value)]


@pytest.mark.parametrize(
    "text",
    [
        "What does invoice 4111111111111112 say?",  # no check digit of a card
        "Which contract has number 2125551234?",
        "Which invoices are of 2024-01-15 or 15.01.2024?",
        "Which release is version 10.2.3.4?",
        "What does section 4.2.1.3 say?",
        "How many contracts over USD 1,000,000 were signed from 2010 to 2020?",
        "Is a passport required for guests?",
        "Who wrote to the office in 2021?",
        "",
    ],
)
def test_numbers_of_documents_are_none_of_a_person(text: str) -> None:
    assert found(text) == []


def test_findings_do_not_overlap_and_stand_in_order() -> None:
    text = "mail a.b@c.org, card 4111111111111111, then 203.0.113.7"
    spans = find_personal_data(text)
    assert [span.kind for span in spans] == ["email", "card", "ip_address"]
    assert all(one.end <= two.start for one, two in pairwise(spans))


def secrets(text: str) -> list[str]:
    return [text[span.start : span.end] for span in find_credentials(text)]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("use " + "gsk_" + "a1B2" * 10 + " for it", "gsk_" + "a1B2" * 10),
        ("key AKIA" + "ABCDEFGH12345678", "AKIA" + "ABCDEFGH12345678"),
        ("ghp_" + "x1" * 18, "ghp_" + "x1" * 18),
        ("Authorization: Bearer abcdef0123456789XYZ", "abcdef0123456789XYZ"),
        ("https://bob:hunter2@host/x", "hunter2"),
        ("my password is hunter2.", "hunter2"),
        ("password: swordfish", "swordfish"),
        ("api_key=abc-123", "abc-123"),
        ("eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl", "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl"),
    ],
)
def test_a_secret_is_found(text: str, secret: str) -> None:
    assert secret in secrets(text)


@pytest.mark.parametrize(
    "text",
    ["A password is required.", "Which policy says how a password is changed?", "the API key expires", ""],
)
def test_words_about_secrets_are_none(text: str) -> None:
    assert secrets(text) == []
