"""The guard on an answer, before anybody sees it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from core.domain.answer import Answer, Claim, QuotedAnswer
from core.domain.guards.verdict import CITATIONS_REMOVED, LINKS_REMOVED, PII_HIDDEN, GuardAction, GuardVerdict
from core.guard.answer_notes import NOTES
from core.guard.harmful_request import check_instructions
from core.guard.links import without_foreign_links
from core.guard.masking import Model, masking_of
from core.guard.personal_data import find_personal_data
from core.guard.question_guard import injection_verdict

_MARK = re.compile(r"\s?\[(\d{1,4})\](?!\()")
_IDS = frozenset(
    ("id", "document", "documents", "set", "pending", "unread", "trace_id", "uncertain", "absent", "present")
)


@dataclass(frozen=True, slots=True)
class GuardedAnswer:
    """An answer after its guards, with the verdicts that are no pass; their flags are on it."""

    answer: Answer
    verdicts: tuple[GuardVerdict, ...] = ()


def guard_answer(answer: Answer, *, hides_personal_data: bool = False) -> GuardedAnswer:
    """The answer without foreign links, numbers that cite nothing, and data that the asker may not see.

    Links and numbers are taken out of sentences that a model wrote; quotes of documents are what they are.
    """
    verdicts: list[GuardVerdict] = [injection_verdict(_quotes(answer), "passages")]
    if answer.written_by:
        answer, links = _without_links(answer)
        harm = check_instructions(answer.text)
        if harm.action is GuardAction.REFUSE and answer.quoted is not None:
            answer = _as_quoted(answer, answer.quoted)
        verdicts += [links, harm]
    if answer.written_by:
        answer, verdict = _without_dead_marks(answer)
        verdicts.append(verdict)
    if hides_personal_data:
        answer, verdict = _without_personal_data(answer)
        verdicts.append(verdict)
    said = tuple(verdict for verdict in verdicts if verdict.action is not GuardAction.PASS)
    return GuardedAnswer(with_flags(answer, [verdict.flag for verdict in said]), said)


def with_flags(answer: Answer, flags: Collection[str]) -> Answer:
    """The answer with these flags beside its own, each once."""
    own = tuple(dict.fromkeys((*answer.flags, *(flag for flag in flags if flag))))
    return answer if own == answer.flags else answer.model_copy(update={"flags": own})


def _as_quoted(answer: Answer, quoted: QuotedAnswer) -> Answer:
    """The answer as it was before a model wrote it."""
    fields = {"text": quoted.text, "claims": quoted.claims, "calculations": ()}
    return answer.model_copy(update={**fields, "written_by": "", "quoted": None})


def _quotes(answer: Answer) -> list[str]:
    """Quotes that the answer was made of, each once."""
    places = (*answer.evidence, *answer.citations, *answer.nearest)
    return list(dict.fromkeys(place.quote for place in places))


def _without_links(answer: Answer) -> tuple[Answer, GuardVerdict]:
    assets = (*answer.assets.images, *answer.assets.pdfs)
    allowed = {*(each.source for each in answer.sources), *(c.source for c in answer.citations), *assets}
    quotes = [citation.quote for citation in answer.citations]
    text = without_foreign_links(answer.text, allowed, quotes)
    claims: list[Claim] = []
    removed = text.removed
    for claim in answer.claims:
        cleaned = without_foreign_links(claim.text, allowed, [c.quote for c in claim.citations])
        removed = max(removed, cleaned.removed)
        if cleaned.text.strip() or not claim.text.strip():
            claims.append(claim.model_copy(update={"text": cleaned.text}))
    if not removed:
        return answer, GuardVerdict(name="links", action=GuardAction.PASS)
    verdict = _masked("links", LINKS_REMOVED)
    if not claims and answer.quoted is not None:
        return _as_quoted(answer, answer.quoted), verdict
    return answer.model_copy(update={"text": text.text.strip(), "claims": tuple(claims)}), verdict


def _without_dead_marks(answer: Answer) -> tuple[Answer, GuardVerdict]:
    """Only numbers of citations that there are."""
    known = {citation.n for citation in answer.citations}
    text = _MARK.sub(lambda m: m[0] if int(m[1]) in known else "", answer.text)
    if text == answer.text:
        return answer, GuardVerdict(name="citations", action=GuardAction.PASS)
    return answer.model_copy(update={"text": text}), _masked("citations", CITATIONS_REMOVED)


def _without_personal_data(answer: Answer) -> tuple[Answer, GuardVerdict]:
    hidden = hidden_model(answer)
    if hidden == answer:
        return answer, GuardVerdict(name="personal data", action=GuardAction.PASS)
    return hidden, _masked("personal data", PII_HIDDEN)


def _masked(name: str, flag: str) -> GuardVerdict:
    return GuardVerdict(name=name, action=GuardAction.MASK, detail=NOTES[flag], flag=flag)


def hidden_model(model: Model) -> Model:
    """The answer or event with masks in place of all personal data, quotes included."""
    return type(model).model_validate(_hide(model.model_dump(mode="json", by_alias=True)))


def _hide(node: Any) -> Any:
    if isinstance(node, str):
        return hidden_text(node)
    if isinstance(node, list):
        return [_hide(each) for each in node]
    if isinstance(node, dict):
        return {key: each if key in _IDS else _hide(each) for key, each in node.items()}
    return node


def hidden_text(text: str) -> str:
    """The text with masks in place of all personal data."""
    spans = find_personal_data(text)
    return masking_of(text, spans).text(text) if spans else text
