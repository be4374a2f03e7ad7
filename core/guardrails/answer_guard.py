"""The guard on an answer, before anybody sees it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from core.domain.answer import Answer, Citation, Claim
from core.domain.guards.verdict import (
    CITATIONS_REMOVED,
    LINKS_REMOVED,
    PII_HIDDEN,
    GuardAction,
    GuardVerdict,
)
from core.guardrails.harmful_request import check_instructions
from core.guardrails.links import without_foreign_links
from core.guardrails.masking import Model, masking_of
from core.guardrails.personal_data import find_personal_data
from core.guardrails.question_guard import injection_verdict

_MARK = re.compile(r"\s?\[(\d{1,4})\](?!\()")
_IDS = frozenset(
    ("id", "document", "documents", "set", "pending", "unread", "trace_id", "uncertain", "absent", "present")
)


@dataclass(frozen=True, slots=True)
class GuardedAnswer:
    """An answer after its guards, with the verdicts that are no pass; their flags are on it."""

    answer: Answer
    verdicts: tuple[GuardVerdict, ...] = ()


def guard_out(
    answer: Answer,
    allowed_addresses: Collection[str] | None = None,
    *,
    resolves: Callable[[Citation], bool] = lambda _: True,
    hides_personal_data: bool = False,
) -> GuardedAnswer:
    """The answer without foreign links, citations that lead nowhere, and data that the asker may not see.

    allowed_addresses: None: those of the documents that it cites. resolves: False of a citation whose place
    is not there. Links are taken out of sentences that a model wrote; quotes of documents are what they are.
    """
    verdicts: list[GuardVerdict] = [injection_verdict(_found(answer), "passages")]
    if answer.written_by:
        answer, verdict = _without_links(answer, allowed_addresses)
        verdicts += [verdict, check_instructions(answer.text)]
        if verdicts[-1].action is GuardAction.REFUSE and answer.quoted is not None:
            answer = as_quoted(answer)
    answer, verdict = _without_dead_citations(answer, resolves)
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


def as_quoted(answer: Answer) -> Answer:
    """The answer as it was before a model wrote it."""
    quoted = answer.quoted
    assert quoted is not None
    return answer.model_copy(
        update={"text": quoted.text, "claims": quoted.claims, "written_by": "", "quoted": None}
    )


def _found(answer: Answer) -> list[str]:
    """Quotes that the answer was made of, each once."""
    places = (*answer.evidence, *answer.citations, *answer.nearest)
    return list(dict.fromkeys(place.quote for place in places))


def _without_links(answer: Answer, allowed: Collection[str] | None) -> tuple[Answer, GuardVerdict]:
    if allowed is None:
        assets = (*answer.assets.images, *answer.assets.pdfs)
        allowed = {*(each.source for each in answer.sources), *(c.source for c in answer.citations), *assets}
    quotes = [citation.quote for citation in answer.citations]
    text = without_foreign_links(answer.text, allowed, quotes)
    claims: list[Claim] = []
    removed = text.removed
    for claim in answer.claims:
        cleaned = without_foreign_links(claim.text, allowed, [c.quote for c in claim.citations])
        removed = max(removed, cleaned.removed)
        claims.append(claim.model_copy(update={"text": cleaned.text}))
    if not removed:
        return answer, GuardVerdict(name="links", action=GuardAction.PASS)
    verdict = GuardVerdict(
        name="links",
        action=GuardAction.MASK,
        detail="Links or images that lead out of the cited documents were removed from the text.",
        flag=LINKS_REMOVED,
    )
    return answer.model_copy(update={"text": text.text, "claims": tuple(claims)}), verdict


def _without_dead_citations(
    answer: Answer, resolves: Callable[[Citation], bool]
) -> tuple[Answer, GuardVerdict]:
    """Only numbers of citations that lead to their place; a model's sentence without any has none to show."""
    dead = {citation.n for citation in answer.citations if not resolves(citation)}
    known = {citation.n for citation in answer.citations} - dead
    marks = {m[1] for m in _MARK.finditer(answer.text)} if answer.written_by or dead else set()
    wrong = {number for number in marks if int(number) not in known}
    if not dead and not wrong:
        return answer, GuardVerdict(name="citations", action=GuardAction.PASS)
    text = _MARK.sub(lambda m: "" if m[1] in wrong else m[0], answer.text)
    claims = tuple(
        claim.model_copy(update={"citations": tuple(c for c in claim.citations if c.n not in dead)})
        for claim in answer.claims
    )
    verdict = GuardVerdict(
        name="citations",
        action=GuardAction.MASK,
        detail="A citation that leads to no stored page was removed.",
        flag=CITATIONS_REMOVED,
    )
    return answer.model_copy(update={"text": text, "claims": claims}), verdict


def _without_personal_data(answer: Answer) -> tuple[Answer, GuardVerdict]:
    hidden = hidden_model(answer)
    if hidden == answer:
        return answer, GuardVerdict(name="personal data", action=GuardAction.PASS)
    verdict = GuardVerdict(
        name="personal data",
        action=GuardAction.MASK,
        detail="Personal data that your role may not see is hidden in this answer.",
        flag=PII_HIDDEN,
    )
    return hidden, verdict


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
