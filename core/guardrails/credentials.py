"""Secrets in a text: keys, tokens and passwords, by the forms that their issuers document."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.guards.verdict import GuardSpan

_FORMS = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"(?:AKIA|ASIA)[A-Z0-9]{16}"  # AWS
    r"|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}"
    r"|glpat-[A-Za-z0-9_-]{18,}"
    r"|gsk_[A-Za-z0-9]{20,}"  # Groq
    r"|sk-[A-Za-z0-9_-]{16,}"  # OpenAI, Anthropic
    r"|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"  # Stripe
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}"  # Slack
    r"|AIza[A-Za-z0-9_-]{35}"  # Google
    r"|hf_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{30,}|pypi-[A-Za-z0-9_-]{40,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"  # JWT
    r")(?![A-Za-z0-9_])"
)
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
_SIGN_IN = re.compile(r"(?<=://)[^\s/@:]{1,64}:([^\s/@]{1,128})(?=@)")
_BEARER = re.compile(r"\bBearer\s+([A-Za-z0-9._~+/=-]{16,})")
_NAMED = re.compile(
    r"\b(?:password|passwd|passphrase|passcode|pwd|pass\s?word|api[ _-]?key|secret[ _-]?key|access[ _-]?key"
    r"|client[ _-]?secret|(?:access|auth|api)[ _-]?token|(?:card\s+)?(?:cvv|cvc)2?(?:\s+(?:code|number))?"
    r"|(?:my|the|his|her|card)\s+pin)\b"
    r"(\s*[:=]\s*|\s+is\s+)[\"'\u201c\u2018]?([^\s\"'\u201d\u2019,;]{3,128})",
    re.IGNORECASE,
)
_LEAST = 3


def find_credentials(text: str) -> Iterator[GuardSpan]:
    """Every secret in `text`, also where two overlap."""
    for pattern in (_FORMS, _PRIVATE_KEY):
        for match in pattern.finditer(text):
            yield GuardSpan(start=match.start(), end=match.end(), kind="secret")
    for pattern in (_SIGN_IN, _BEARER):
        for match in pattern.finditer(text):
            yield GuardSpan(start=match.start(1), end=match.end(1), kind="secret")
    for match in _NAMED.finditer(text):
        value = match[2].rstrip(".?")
        if len(value) >= _LEAST and (match[1].strip() != "is" or _is_secret(value)):
            yield GuardSpan(start=match.start(2), end=match.start(2) + len(value), kind="secret")


def _is_secret(value: str) -> bool:
    """True of what follows "password is" and is no word of a sentence ("password is required")."""
    return any(not char.isalpha() for char in value)
