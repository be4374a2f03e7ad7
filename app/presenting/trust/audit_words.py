"""Entries of the audit log as people read them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from types import MappingProxyType

from app.presenting.wording import counted
from core.domain.trust.deed import AuditEntry
from core.domain.trust.review import FEEDBACK_REASONS, FLAG_WORDS

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
    "group.": "groups",
    "policy.": "policies",
    "link.": "shared links",
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
_OF_DOCUMENTS = ("document.", "cell.")
_LABELS: Mapping[str, str] = {
    "data_version": "state of the collection",
    "flags": "flagged for",
    "grantees": "open to",
    "by": "by",
}
FLAGS: Mapping[str, str] = {reason.value: words for reason, words in FLAG_WORDS.items()}


def deed_words(name: str) -> str:
    """A deed as words: `document.remove` is "document: remove"."""
    subject, _, verb = name.partition(".")
    return f"{subject.replace('_', ' ')}: {verb.replace('_', ' ')}" if verb else name


def look_of(entry: AuditEntry) -> str:
    """The look of its outcome in the table."""
    return _LOOKS.get(entry.deed.outcome, "idle")


def detail_words(entry: AuditEntry, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """Its detail in one line, cut short; "" where there is none or it was redacted.

    names: of documents, by id; a document that has none is told by its id.
    """
    text = " · ".join(f"{label} {value}".strip() for label, value in detail_lines(entry, names))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1].rstrip()}…"


def detail_lines(entry: AuditEntry, names: Mapping[str, str] = MappingProxyType({})) -> list[tuple[str, str]]:
    """Its detail as labels and values, in words; see `detail_words`."""
    if entry.is_redacted:
        return []
    detail = entry.deed.detail
    lines = []
    for name, value in sorted(detail.items()):
        if name == "shown_count" and "shown" in detail:
            continue
        if name == "shown" and isinstance(value, list):
            count = detail.get("shown_count", len(value))
            titles = ", ".join(names.get(str(each), str(each)) for each in value)
            lines.append((f"{counted(int(str(count)), 'document')} shown:", titles))
            continue
        lines.append((_LABELS.get(name, name.replace("_", " ")), _value(name, value, names)))
    return lines


def documents_named(entry: AuditEntry) -> list[str]:
    """Ids of the documents that an entry is about, or tells of in its detail."""
    if entry.is_redacted:
        return []
    shown = entry.deed.detail.get("shown")
    subject = [entry.deed.subject] if entry.deed.name.startswith(_OF_DOCUMENTS) else []
    return [*filter(None, subject), *(str(each) for each in (shown if isinstance(shown, list) else ()))]


def _value(name: str, value: object, names: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_value(name, each, names) for each in value)
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if name == "reason":
        return FEEDBACK_REASONS.get(value, value)
    if name == "flags":
        return FLAGS.get(value, value)
    return names.get(value, value)
