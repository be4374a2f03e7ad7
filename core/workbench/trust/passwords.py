"""Passwords: argon2id hashes, and what a password must be."""

from __future__ import annotations

import secrets
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from core.errors import UsageError

SHORTEST, LONGEST = 10, 1000
_ALPHABET = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_hasher = PasswordHasher()  # argon2id with the parameters of RFC 9106's second choice, 64 MiB


def password_hash(password: str) -> str:
    """The argon2id hash of a new password. Raises UsageError where it is too short or too long."""
    if not SHORTEST <= len(password) <= LONGEST or len(set(password)) < 4:
        raise UsageError(
            f"A password needs {SHORTEST} to {LONGEST:,} characters, at least four different ones.",
            next_step="Choose a longer one, such as four words that do not belong together.",
        )
    return _hasher.hash(_bytes(password))


def is_password(password: str, hashed: str) -> bool:
    """True where the password belongs to the hash; as slow for an account that has none."""
    if len(password) > LONGEST:
        password = ""
    try:
        _hasher.verify(hashed or _nobody(), _bytes(password))
    except (VerificationError, InvalidHashError):
        return False
    return bool(hashed)


def needs_rehash(hashed: str) -> bool:
    """True where the hash was made with other parameters than those of today."""
    return _hasher.check_needs_rehash(hashed)


def new_password() -> str:
    """A password to be given to somebody, who has to change it: about 93 bits."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))


def _bytes(password: str) -> bytes:
    return password.encode("utf-8", "surrogatepass")


@cache
def _nobody() -> str:
    """A hash that no password has, to be checked against where there is no account."""
    return _hasher.hash(secrets.token_bytes(32))
