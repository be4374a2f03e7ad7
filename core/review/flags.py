"""Flags of an answer: reasons for which a person should look at it, decided from its trace alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.config.models import ReviewSettings
from core.domain.answer import Answer, Claim, Status
from core.domain.event import Answered, Finished, Guarded, Trace
from core.domain.guards.verdict import CITATIONS_REMOVED, LINKS_REMOVED, NOT_PERMITTED, GuardAction
from core.domain.trust.deed import canonical
from core.domain.trust.review import Flag, FlaggedAnswer, FlagReason

_LOW = "low_confidence"
_GIVEN = frozenset({Status.ANSWERED, Status.PARTIAL})
_BY_ITSELF = frozenset({CITATIONS_REMOVED, LINKS_REMOVED, NOT_PERMITTED})
"""Flags of guards that took out what was wrong or said what role is lacking, and left nothing to decide."""


def flagged(trace: Trace, rules: ReviewSettings) -> FlaggedAnswer | None:
    """The answer of a trace as the queue keeps it, with its flags; None for a trace without an answer."""
    answer = answer_in(trace)
    if answer is None:
        return None
    return FlaggedAnswer(
        trace.trace_id,
        trace.user,
        trace.question,
        answer.kind.value,
        answer.status.value,
        answer.confidence,
        answer.data_version,
        fingerprint(trace.question, answer),
        documents_behind(answer),
        tuple(_flags(trace, answer, rules)),
    )


def answer_in(trace: Trace) -> Answer | None:
    """The answer that a trace ends with, None where it has none."""
    found = (each.answer for each in reversed(trace.events) if isinstance(each, Finished | Answered))
    return next(found, None)


def claims_in(answer: Answer) -> tuple[Claim, ...]:
    """The claims that reviewers judge, in their order: those of each question where several were asked."""
    return (*answer.claims, *(claim for part in answer.parts for claim in claims_in(part)))


def is_sampled(trace: str, share: float) -> bool:
    """True for a share of all traces, always the same ones: their id decides, not chance or load."""
    number = int.from_bytes(hashlib.sha256(trace.encode()).digest()[:8], "big")
    return number < share * 2**64


def fingerprint(question: str, answer: Answer) -> str:
    """Equal for the same answer to the same question, whoever asked and whenever."""
    return hashlib.sha256(
        canonical([" ".join(question.casefold().split()), _substance(answer)]).encode()
    ).hexdigest()


def documents_behind(answer: Answer) -> tuple[str, ...]:
    """Every document that an answer quotes, lists, counts, offers as a choice, or names in a plan, by id."""
    return tuple(sorted(_documents(answer)))


def _documents(answer: Answer) -> set[str]:
    found = set(answer.document_ids)
    if answer.ledger is not None:
        lists = answer.ledger.documents
        for part in (lists.present, lists.absent, lists.unreadable, lists.uncertain, lists.unknown_kind):
            found |= set(part)
    if answer.table is not None:
        found |= {id for group in answer.table.members for id in group}
    if answer.conversation is not None:
        found |= set(answer.conversation.documents)
    for plan in _plans(answer):
        for node in plan.get("nodes", ()):
            found |= set(node.get("scope", {}).get("documents", ()))
    for each in answer.parts:
        found |= _documents(each)
    return found - {""}


def _plans(answer: Answer) -> Iterator[Mapping[str, Any]]:
    """The plan of an answer, and those that it offers instead."""
    options = answer.clarification.options if answer.clarification is not None else ()
    offered = (answer.plan, *(each.plan for each in options), *(each.plan for each in answer.other_readings))
    yield from (each for each in offered if each)


def _flags(trace: Trace, answer: Answer, rules: ReviewSettings) -> Iterator[Flag]:
    if guards := list(_guard_hits(trace)):
        yield Flag(FlagReason.GUARDRAIL, ", ".join(guards))
    every = (answer, *answer.parts)
    if answer.status in _GIVEN:
        if conflicts := sum(len(each.conflicts) for each in every):
            yield Flag(FlagReason.CONFLICT, _counted(conflicts, "conflict"))
        if struck := sum(len(each.struck) for each in every):
            yield Flag(FlagReason.STRUCK, _counted(struck, "sentence"))
        if any(_LOW in each.flags for each in every):
            yield Flag(FlagReason.LOW_CONFIDENCE, f"confidence {answer.confidence:.2f}")
        kinds = sorted({each.kind.value for each in every} & set(rules.kinds))
        if kinds:
            yield Flag(FlagReason.POLICY, ", ".join(kinds))
        if is_sampled(trace.trace_id, rules.sample_share):
            yield Flag(FlagReason.SAMPLE, f"{100 * rules.sample_share:g} % of all answers")


def _guard_hits(trace: Trace) -> Iterable[str]:
    """Names of guards that refused or noted something; a masked telephone number is no case for a person."""
    told = [each.verdict for each in trace.events if isinstance(each, Guarded)]
    found = [
        each.name
        for each in told
        if each.action in (GuardAction.REFUSE, GuardAction.FLAG) and each.flag not in _BY_ITSELF
    ]
    return dict.fromkeys(found)


def _substance(answer: Answer) -> list[object]:
    """All of an answer that a verdict is about, and nothing that differs from one asking to the next."""
    ledger, table, value = answer.ledger, answer.table, answer.value
    return [
        answer.status.value,
        answer.text,
        [
            [each.text, [(at.document, at.page, at.start, at.end, at.quote) for at in each.citations]]
            for each in answer.claims
        ],
        None if value is None else value.model_dump(mode="json"),
        None if table is None else [[list(row) for row in table.rows], list(table.documents)],
        None if ledger is None else [ledger.field, ledger.documents.model_dump(mode="json")],
        [_substance(part) for part in answer.parts],
    ]


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"
