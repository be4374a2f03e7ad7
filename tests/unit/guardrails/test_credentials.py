from __future__ import annotations

import pytest

from core.guardrails.credentials import find_credentials


def found(text: str) -> list[str]:
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
    assert secret in found(text)


@pytest.mark.parametrize(
    "text",
    ["A password is required.", "Which policy says how a password is changed?", "the API key expires", ""],
)
def test_words_about_secrets_are_none(text: str) -> None:
    assert found(text) == []
