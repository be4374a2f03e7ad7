"""Signed cookies: what a browser sends back is ours, unchanged, and not too old."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time


def signed(text: str, key: bytes) -> str:
    """The text with its signature, fit for a cookie. text: of the letters of base64url."""
    return f"{text}.{_signature(text, key)}"


def unsigned(cookie: str, key: bytes) -> str | None:
    """The text of a cookie; None where its signature is another."""
    text, _, signature = cookie.rpartition(".")
    try:
        is_ours = hmac.compare_digest(_signature(text, key).encode(), signature.encode())
    except UnicodeEncodeError:
        return None
    return text if text and is_ours else None


def sealed(text: str, key: bytes, now: float | None = None) -> str:
    """Any text, signed with the time of its making."""
    whole = f"{int(time.time() if now is None else now)}:{text}".encode()
    return signed(base64.urlsafe_b64encode(whole).decode().rstrip("="), key)


def unsealed(cookie: str, key: bytes, *, within_s: float, now: float | None = None) -> str | None:
    """The text that was sealed; None where it is forged or older than that."""
    text = unsigned(cookie, key)
    if text is None:
        return None
    at, _, found = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition(":")
    return found if int(at) + within_s > (time.time() if now is None else now) else None


def _signature(text: str, key: bytes) -> str:
    digest = hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
