"""Prose over the evidence of an answer: streamed, checked sentence by sentence, given where it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace

from pydantic import BaseModel, ConfigDict

from core.answer.cite import Numbering, Verifier, list_sources
from core.answer.prose.assess import AssessedClaim, Assessor, ClaimChecker, struck
from core.answer.prose.claim_lines import BadLine, ClaimLines, TextPiece, WrittenClaim, plain_sentence
from core.answer.prose.prompts import repair_prompt, verify_prompt, write_prompt
from core.answer.prose.relevance import is_about, touches
from core.answer.prose.units import PackedEvidence
from core.answer.value import show_value
from core.config.models import LlmSettings
from core.domain.answer import (
    Answer,
    Claim,
    ConfidenceLabel,
    Degradation,
    QuotedAnswer,
    Status,
    StruckClaim,
    Value,
)
from core.domain.event import (
    ClaimAdded,
    ClaimStruck,
    Degraded,
    Event,
    ProseWritten,
    StageFinished,
    StageStarted,
)
from core.domain.llm.use import ModelOutcome
from core.errors import LlmError
from core.evidence.base import PageSource
from core.llm.base import ModelCalls
from core.llm.schema import strict_schema, with_values
from core.records.database.visibility import Visibility
from core.text.markdown import escape

STRUCK = "claims_struck"
"""Flag of an answer of which something that a model wrote was taken away."""

_WRITTEN_ANYWAY = 0.39  # confidence at most of prose where the quotes alone would have abstained: low
_NOT_HIGH = 0.69  # the same of prose that is not wholly to the point: medium
_ANNOUNCES = re.compile(r":\s*$|\b(?:as follows|the following)\b", re.IGNORECASE)
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")
_LATE = (ModelOutcome.TIMED_OUT, ModelOutcome.OVER_BUDGET, ModelOutcome.RATE_LIMITED)


class _Sentence(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str
    ids: list[str]


class _Sentences(BaseModel):
    """Reply of a repair: the sentences that stand in for those that failed."""

    model_config = ConfigDict(extra="forbid")

    claims: list[_Sentence]


class _Judged(BaseModel):
    model_config = ConfigDict(extra="forbid")

    claim: int
    supported: bool
    reason: str


class _Judgements(BaseModel):
    """Reply of the checking model: a verdict for every claim, by its number."""

    model_config = ConfigDict(extra="forbid")

    verdicts: list[_Judged]


@dataclass(slots=True)
class _Draft:
    """Prose in the making. is_cut: the model did not come to its end."""

    kept: list[AssessedClaim] = field(default_factory=list)
    failed: list[tuple[int, StruckClaim]] = field(default_factory=list)
    struck: list[StruckClaim] = field(default_factory=list)
    degradations: list[Degradation] = field(default_factory=list)
    is_cut: bool = False


class AnswerWriter:
    """Writes prose for answers whose quotes and values are there already. Thread-safe."""

    def __init__(self, pages: PageSource, check: ClaimChecker) -> None:
        self._pages = pages
        self._check = check

    def write(
        self,
        answer: Answer,
        packed: PackedEvidence,
        calls: ModelCalls,
        settings: LlmSettings,
        visibility: Visibility,
        at_ms: Callable[[], float],
    ) -> Generator[Event, None, Answer]:
        """The answer in prose, or as it was where the model gives nothing that holds. Raises no LlmError."""
        if packed.is_empty:
            return answer
        began, draft = at_ms(), _Draft()
        yield StageStarted(at_ms=began, stage="write", label=f"Writing from {_passages(packed)}")
        assessor = Assessor(packed, answer.question, Verifier(self._pages, visibility), self._check)
        cut: LlmError | None = None
        try:
            yield from self._first(answer, packed, calls, assessor, draft, at_ms)
        except LlmError as error:
            cut = error
        else:
            yield from self._again(answer, packed, calls, assessor, draft, at_ms)
        draft.kept.sort(key=lambda claim: claim.index)
        draft.kept = list({claim.text.casefold(): claim for claim in reversed(draft.kept)}.values())[::-1]
        if settings.verify and (cut is None or cut.outcome not in (*_LATE, ModelOutcome.STOPPED)):
            yield from self._judged(calls, draft, at_ms)
        yield from _without_doubtful(draft, at_ms)
        if cut is not None:
            _keep_whole(answer.question, draft, cut)
        for degradation in draft.degradations:
            yield Degraded(at_ms=at_ms(), degradation=degradation)
        written = _answer(answer, packed, draft, settings.writing_model)
        counts = {"claims": len(draft.kept), "struck": len(draft.struck)}
        done = at_ms()
        yield StageFinished(
            at_ms=done,
            stage="write",
            label="Written and checked" if written.written_by else "The quotes stand as they are",
            latency_ms=round(done - began, 3),
            source=settings.writing_model,
            counts=counts,
        )
        return written

    def _first(
        self,
        answer: Answer,
        packed: PackedEvidence,
        calls: ModelCalls,
        assessor: Assessor,
        draft: _Draft,
        at_ms: Callable[[], float],
    ) -> Iterator[Event]:
        """The streamed attempt; every sentence is assessed as it is whole."""
        lines = ClaimLines()
        with closing(calls.write(write_prompt(answer.question, packed))) as stream:
            for piece in stream:
                yield from self._taken(lines.feed(piece), assessor, draft, at_ms, 1)
                if lines.is_full:
                    break
        yield from self._taken(lines.end(), assessor, draft, at_ms, 1)

    def _again(
        self,
        answer: Answer,
        packed: PackedEvidence,
        calls: ModelCalls,
        assessor: Assessor,
        draft: _Draft,
        at_ms: Callable[[], float],
    ) -> Iterator[Event]:
        """What failed, written once more in a strict form; without a reply the first attempt stands."""
        if not draft.failed:
            return
        failed, draft.failed = draft.failed, []
        draft.struck += [claim for _, claim in failed]
        prompt = repair_prompt(answer.question, packed, [claim for _, claim in failed])
        schema = with_values(strict_schema(_Sentences), "ids", packed.ids)
        try:
            reply = calls.structured(prompt, _Sentences, schema)
        except LlmError as error:
            draft.degradations.append(degradation_of(error))
            return
        places = [index for index, _ in failed]
        again = [
            WrittenClaim(places[min(at, len(places) - 1)], plain_sentence(each.text), tuple(each.ids))
            for at, each in enumerate(reply.claims[: len(places)])
            if each.text.strip()
        ]
        yield from self._taken(again, assessor, draft, at_ms, 2)
        draft.struck += [claim for _, claim in draft.failed]
        draft.failed = []

    def _taken(
        self,
        parts: Iterable[TextPiece | WrittenClaim | BadLine],
        assessor: Assessor,
        draft: _Draft,
        at_ms: Callable[[], float],
        attempt: int,
    ) -> Iterator[Event]:
        for part in parts:
            if isinstance(part, TextPiece):
                yield ProseWritten(at_ms=at_ms(), index=part.index, text=part.text, attempt=attempt)
                continue
            found = (
                struck(part.text, "form", part.reason) if isinstance(part, BadLine) else assessor.assess(part)
            )
            if isinstance(found, StruckClaim):
                draft.failed.append((part.index, found))
                yield ClaimStruck(at_ms=at_ms(), index=part.index, claim=found, attempt=attempt)
            else:
                draft.kept.append(found)
                yield ClaimAdded(at_ms=at_ms(), index=part.index, claim=_claim(found, Numbering()))

    def _judged(self, calls: ModelCalls, draft: _Draft, at_ms: Callable[[], float]) -> Iterator[Event]:
        """The second check, by the checking model, of every claim on its own spans."""
        quoted = [claim for claim in draft.kept if claim.spans]
        if not quoted:
            return
        try:
            reply = calls.structured(verify_prompt(quoted), _Judgements)
        except LlmError as error:
            message = f"The second check, by a model, could not be made. {error.message}"
            draft.degradations.append(Degradation(code="E004", message=message))
            return
        for number in {each.claim for each in reply.verdicts if each.supported}:
            if 0 < number <= len(quoted) and quoted[number - 1].doubt is not None:
                at = draft.kept.index(quoted[number - 1])
                draft.kept[at] = replace(quoted[number - 1], doubt=None)
                quoted[number - 1] = draft.kept[at]
        silent = set(range(1, len(quoted) + 1)) - {each.claim for each in reply.verdicts}
        if silent:
            some = "one sentence" if len(silent) == 1 else f"{len(silent)} sentences"
            message = f"The checking model said nothing of {some}; only code has checked that much."
            draft.degradations.append(Degradation(code="E004", message=message))
        refused = {each.claim: each.reason for each in reply.verdicts if not each.supported}
        for number, claim in enumerate(quoted, 1):
            if number in refused:
                reason = f"The checking model does not find it in its evidence. {refused[number]}".strip()
                gone = struck(claim.text, "model", reason)
                draft.kept.remove(claim)
                draft.struck.append(gone)
                yield ClaimStruck(at_ms=at_ms(), index=claim.index, claim=gone, attempt=2)


def render_prose(claims: Sequence[Claim]) -> str:
    """The sentences as a paragraph, each with the marks of its citations."""
    return " ".join(
        f"{escape(claim.text)}" + "".join(f" [{citation.n}]" for citation in claim.citations)
        for claim in claims
    )


def degradation_of(error: LlmError) -> Degradation:
    """What is said where a model gave nothing: E005 where time or a budget ran out, else E004."""
    code = "E005" if error.outcome in _LATE else "E004"
    return Degradation(code=code, message=f"{error.message} The answer is given without the model.")


def _keep_whole(question: str, draft: _Draft, cut: LlmError) -> None:
    """Of prose that was cut off, keep the whole sentences that passed, where they stand without the rest.

    They do where they are about the question and announce nothing; else nothing of the prose is kept.
    """
    while draft.kept and _ANNOUNCES.search(draft.kept[-1].text):
        draft.kept.pop()
    claims = [_claim(claim, Numbering()) for claim in draft.kept]
    if cut.outcome is ModelOutcome.STOPPED or not is_about(question, claims):
        draft.kept.clear()
        draft.degradations.append(degradation_of(cut))
        return
    draft.is_cut = True
    draft.struck += [claim for _, claim in draft.failed]
    count = len(claims)
    some = "one sentence, which passed its" if count == 1 else f"{count} sentences, which passed their"
    code = "E005" if cut.outcome in _LATE else "E004"
    message = f"The model was cut off after {some} checks. {cut.message} The quotes stand beside it."
    draft.degradations.append(Degradation(code=code, message=message))


def _answer(answer: Answer, packed: PackedEvidence, draft: _Draft, model: str) -> Answer:
    """The answer that the sentences make which passed; without any, the one that was there."""
    known = {"struck": tuple(draft.struck)}
    degradations = (*answer.degradations, *draft.degradations)
    if answer.status is Status.ABSTAINED and not is_about(
        answer.question, [_claim(claim, Numbering()) for claim in draft.kept]
    ):
        draft.kept.clear()  # near the question, as the passages are that the abstention shows
    if not draft.kept:
        if draft.struck and not draft.degradations:
            message = "Nothing that the model wrote passed its checks, so the evidence itself is shown."
            degradations = (*degradations, Degradation(code="E004", message=message))
        flags = (*answer.flags, STRUCK) if draft.struck else answer.flags
        return answer.model_copy(update={**known, "degradations": degradations, "flags": flags})
    # Rows of a table name citations by number: what was there stays, and the prose stands before it.
    stays = answer.claims if answer.table is not None else ()
    numbering = Numbering(citation for claim in stays for citation in claim.citations)
    claims = tuple(_claim(claim, numbering) for claim in draft.kept)
    text = render_prose(claims)
    flags = tuple(dict.fromkeys((*answer.flags, *((STRUCK,) if draft.struck else ()))))
    abstained = answer.status is Status.ABSTAINED
    confidence, label = _confidence(answer, claims, draft)
    return answer.model_copy(
        update={
            **known,
            "status": Status.PARTIAL if abstained else answer.status,
            "text": f"{text}\n\n{answer.text}" if stays else text,
            "claims": (*claims, *stays),
            "sources": list_sources((*stays, *claims)),
            "value": answer.value if stays or _says(claims, answer.value) else None,
            "confidence": confidence,
            "confidence_label": label,
            "nearest": () if abstained else answer.nearest,
            "gaps": (*answer.gaps, *_unread(packed)),
            "degradations": degradations,
            "flags": flags,
            "written_by": model,
            "quoted": QuotedAnswer(text=answer.text, claims=answer.claims),
        }
    )


def _confidence(answer: Answer, claims: Sequence[Claim], draft: _Draft) -> tuple[float, ConfidenceLabel]:
    """Confidence in prose: never more than in the quotes.

    Low where those abstained, and not high where something was struck or cut off, or where a sentence has no
    word in common with the question: that it is true says not that it answers.
    """
    if answer.status is Status.ABSTAINED:
        return min(answer.confidence, _WRITTEN_ANYWAY), ConfidenceLabel.LOW
    is_high = answer.confidence_label is ConfidenceLabel.HIGH
    if is_high and (
        draft.struck or draft.is_cut or not all(touches(answer.question, claim) for claim in claims)
    ):
        return min(answer.confidence, _NOT_HIGH), ConfidenceLabel.MEDIUM
    return answer.confidence, answer.confidence_label


def _says(claims: Sequence[Claim], value: Value | None) -> bool:
    """True where the prose holds the figures of a value: another one may have been meant."""
    figures = [] if value is None else _FIGURES.findall(show_value(value))
    said = {figure for claim in claims for figure in _FIGURES.findall(claim.text)}
    return bool(figures) and said.issuperset(figures)


def _claim(found: AssessedClaim, numbering: Numbering) -> Claim:
    citations = tuple(dict.fromkeys(numbering.cite(span) for span in found.spans))
    return Claim(text=found.text, verdict=found.verdict, checks=found.checks, citations=citations)


def _without_doubtful(draft: _Draft, at_ms: Callable[[], float]) -> Iterator[Event]:
    """Strike what code could not tell and no checking model confirmed."""
    for claim in [each for each in draft.kept if each.doubt is not None]:
        assert claim.doubt is not None
        draft.kept.remove(claim)
        draft.struck.append(claim.doubt)
        yield ClaimStruck(at_ms=at_ms(), index=claim.index, claim=claim.doubt, attempt=2)


def _passages(packed: PackedEvidence) -> str:
    count = len(packed.units)
    if not count:
        return "the computed values"
    return f"{count} passage{'s' if count != 1 else ''}"


def _unread(packed: PackedEvidence) -> tuple[str, ...]:
    if not packed.unread:
        return ()
    some = ", ".join(f"“{title}”" for title in packed.unread[:3])
    more = f" and {len(packed.unread) - 3} more" if len(packed.unread) > 3 else ""
    return (f"Found, and not given to the model for want of room: {some}{more}.",)
