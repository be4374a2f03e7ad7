"""Entries of the audit log as people read them."""

from __future__ import annotations

import json
from collections.abc import Mapping

from core.domain.trust.deed import AuditEntry

GROUPS: Mapping[str, str] = {
    "question.": "questions asked",
    "answer.": "answers: opinions, exports, replays",
    "document.": "documents: shown, brought in, removed",
    "file.": "files that were saved",
    "cell.": "cells decided",
    "matrix.": "matrix exported",
    "plan.": "plans and audits",
    "crawl.": "crawls",
    "review.": "reviews of answers",
    "conversation.": "conversations",
    "schema.": "schemas and fields",
    "learning.": "words and corrections",
    "account.": "accounts",
    "token.": "tokens",
    "sign_in.": "signing in and out",
    "access.": "access to documents",
    "settings.": "settings",
    "index.": "search index",
    "job.": "jobs",
    "audit.": "the audit log itself",
}
"""First parts of deeds, in words."""

OUTCOMES = {"done": "done", "refused": "refused", "failed": "failed"}
_LOOKS = {"done": "ready", "refused": "failed", "failed": "unreadable"}
_LONGEST = 160


def deed_words(name: str) -> str:
    """A deed as words: `document.remove` is "document: remove"."""
    subject, _, verb = name.partition(".")
    return f"{subject.replace('_', ' ')}: {verb.replace('_', ' ')}" if verb else name


def look_of(entry: AuditEntry) -> str:
    """The look of its outcome in the table."""
    return _LOOKS.get(entry.deed.outcome, "idle")


def detail_words(entry: AuditEntry) -> str:
    """Its detail in one line, cut short; "" where there is none or it was redacted."""
    if entry.is_redacted or not entry.deed.detail:
        return ""
    parts = (f"{name} {_value(value)}" for name, value in sorted(entry.deed.detail.items()))
    text = ", ".join(parts)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
