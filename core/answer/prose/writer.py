"""Prose over the evidence of an answer: streamed, checked sentence by sentence, given where it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from core.answer.cite import Numbering, Verifier, list_sources
from core.answer.prose.assess import AssessedClaim, Assessor, struck
from core.answer.prose.calculation.calculate import CalculatedValue
from core.answer.prose.claim_lines import (
    MOST_CALCULATIONS,
    BadLine,
    ClaimLines,
    TextPiece,
    WrittenCalculation,
    WrittenClaim,
    WrittenPart,
    WrittenSearch,
    plain_sentence,
)
from core.answer.prose.prompts import (
    EvidenceSearch,
    JudgeReply,
    RepairReply,
    repair_prompt,
    told_of_search,
    verify_prompt,
    write_prompt,
)
from core.answer.prose.units import EvidencePool, PackedEvidence
from core.answer.standing import HIGH
from core.answer.value import show_value
from core.config.models import LlmSettings
from core.domain.answer import (
    Answer,
    CitedCalculation,
    Claim,
    ConfidenceLabel,
    Degradation,
    QuotedAnswer,
    Route,
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
from core.llm.base import ModelCalls, Prompt
from core.llm.failures import LATE, code_of, degradation_of
from core.llm.schema import strict_schema, with_values
from core.search.evidence.base import PageSource
from core.store.database.visibility import Visibility
from core.text.analyse import text_terms
from core.text.asking import asked_and_told
from core.text.markdown import escape
from core.values.stated_years import find_years

STRUCK = "claims_struck"
"""Flag of an answer of which something that a model wrote was taken away."""

_WRITTEN_ANYWAY = 0.39  # confidence at most of prose where the quotes alone would have abstained: low
_CONFIRMED = 0.92  # of prose that the checking model confirms and code does not doubt: 18 of 18 were right
_DOUBTFUL = 0.4  # quotes below it are no answer where the model finds none in them
_ANSWERS = 0.85  # of prose that the checking model says answers, and code confirms in part: 53 of 57 right
_NOT_HIGH = HIGH - 0.01  # of prose that code doubts somewhere, or that is not wholly to the point: medium
_ANNOUNCES = re.compile(r":\s*$|\b(?:as follows|the following)\b", re.IGNORECASE)
_FIGURES = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(slots=True)
class _Draft:
    """Prose in the making. uncalculated: calculations that were not to be made. is_cut: it did not end.

    is_confirmed: a checking model has looked at every sentence that stands; answers: what it says of them
    together, "yes", "part" or "no", "" where it was not asked. says_none: the model wrote that nothing here
    answers. lacks: what it names as not stated. searches: what it wants looked for before it writes.
    """

    assessor: Assessor
    claims: list[AssessedClaim] = field(default_factory=list)
    failures: list[tuple[int, StruckClaim]] = field(default_factory=list)
    struck: list[StruckClaim] = field(default_factory=list)
    uncalculated: list[StruckClaim] = field(default_factory=list)
    degradations: list[Degradation] = field(default_factory=list)
    searches: list[WrittenSearch] = field(default_factory=list)
    is_cut: bool = False
    is_confirmed: bool = False
    answers: Literal["yes", "part", "no", ""] = ""
    says_none: bool = False
    lacks: list[str] = field(default_factory=list)

    @property
    def is_only_searching(self) -> bool:
        """True where nothing was written, but what to look for."""
        return bool(self.searches) and not self.claims and not self.failures


class AnswerWriter:
    """Writes prose for answers whose quotes and values are there already. Thread-safe."""

    def __init__(self, pages: PageSource, today: date) -> None:
        self._pages, self._today = pages, today

    def write(
        self,
        answer: Answer,
        pool: EvidencePool,
        calls: ModelCalls,
        settings: LlmSettings,
        visibility: Visibility,
        at_ms: Callable[[], float],
        search: EvidenceSearch | None = None,
        rounds: int = 0,
    ) -> Generator[Event, None, Answer]:
        """The answer in prose, or as it was where the model gives nothing that holds. Raises no LlmError.

        search: looks for what the model misses, and puts it into the pool; rounds: how often it may.
        """
        if pool.packed.is_empty:
            return answer
        began = at_ms()
        draft = self._draft(answer, pool, visibility)
        yield StageStarted(at_ms=began, stage="write", label=f"Writing from {_passages(pool.packed)}")
        cut: LlmError | None = None
        left, told = rounds if search is not None else 0, ""
        try:
            yield from self._stream(
                write_prompt(answer.question, pool.packed, self._today, left, told), calls, draft, at_ms
            )
            while search is not None and left and draft.is_only_searching:
                left -= 1
                told = yield from _look_for(draft.searches, pool, search, at_ms)
                draft = self._draft(answer, pool, visibility)
                prompt = write_prompt(answer.question, pool.packed, self._today, left, told)
                yield from self._stream(prompt, calls, draft, at_ms)
        except LlmError as error:
            cut = error
        else:
            yield from self._repair(answer, pool.packed, calls, draft, at_ms)
        draft.claims.sort(key=lambda claim: claim.index)
        draft.claims = list({claim.text.casefold(): claim for claim in reversed(draft.claims)}.values())[::-1]
        if settings.verify and (cut is None or cut.outcome not in (*LATE, ModelOutcome.STOPPED)):
            yield from self._judge(answer.question, calls, draft, at_ms)
        yield from _strike_doubtful(draft, at_ms)
        if cut is not None:
            _keep_whole(answer.question, draft, cut)
        for degradation in draft.degradations:
            yield Degraded(at_ms=at_ms(), degradation=degradation)
        draft.struck += draft.uncalculated
        result = _answer(answer, draft, settings.writing_model)
        counts = {
            "claims": len(draft.claims),
            "struck": sum(not each.is_replaced for each in draft.struck),
            "passages_left_out": len(pool.packed.unread),
        }
        done = at_ms()
        yield StageFinished(
            at_ms=done,
            stage="write",
            label="Written and checked" if result.written_by else "The quotes stand as they are",
            latency_ms=round(done - began, 3),
            source=settings.writing_model,
            counts=counts,
        )
        return result

    def _draft(self, answer: Answer, pool: EvidencePool, visibility: Visibility) -> _Draft:
        verifier = Verifier(self._pages, visibility)
        return _Draft(Assessor(pool.packed, answer.question, verifier))

    def _stream(
        self, prompt: Prompt, calls: ModelCalls, draft: _Draft, at_ms: Callable[[], float]
    ) -> Iterator[Event]:
        """The streamed attempt; every sentence is assessed as it is whole."""
        lines = ClaimLines()
        with closing(calls.write(prompt)) as stream:
            for piece in stream:
                yield from self._assess(lines.feed(piece), draft, at_ms, 1)
                if lines.is_full:
                    break
        yield from self._assess(lines.end(), draft, at_ms, 1)
        draft.says_none = lines.says_none or bool(lines.lacks and not draft.claims and not draft.failures)
        faults = {lack: draft.assessor.lack(lack) for lack in lines.lacks}
        draft.lacks = [lack for lack, fault in faults.items() if fault is None]
        draft.struck += [fault for fault in faults.values() if fault is not None]

    def _repair(
        self,
        answer: Answer,
        packed: PackedEvidence,
        calls: ModelCalls,
        draft: _Draft,
        at_ms: Callable[[], float],
    ) -> Iterator[Event]:
        """What failed, written once more in a strict form; without a reply the first attempt stands."""
        if not draft.failures:
            return
        failures, draft.failures = draft.failures, []
        first = len(draft.struck)
        draft.struck += [claim for _, claim in failures]
        claims, calculations = [claim for _, claim in failures], draft.uncalculated
        calculated = [each.unit for each in draft.assessor.calculations]
        prompt = repair_prompt(answer.question, packed, claims, calculations, calculated)
        schema = strict_schema(RepairReply)
        schema = schema if calculations else with_values(schema, "ids", draft.assessor.ids)
        try:
            reply = calls.structured(prompt, RepairReply, schema)
        except LlmError as error:
            draft.degradations.append(degradation_of(error))
            return
        places = [index for index, _ in failures]
        repairs = [
            WrittenClaim(places[min(at, len(places) - 1)], plain_sentence(each.text), tuple(each.ids))
            for at, each in enumerate(reply.claims[: len(places)])
            if each.text.strip()
        ]
        rewritten = {claim.index for claim in repairs}
        draft.struck[first:] = [
            claim.model_copy(update={"is_replaced": index in rewritten}) for index, claim in failures
        ]
        again = [each.written() for each in reply.calculations[:MOST_CALCULATIONS]]
        yield from self._assess([*again, *repairs], draft, at_ms, 2)
        draft.struck += [claim for _, claim in draft.failures]
        draft.failures = []

    def _assess(
        self, parts: Iterable[WrittenPart], draft: _Draft, at_ms: Callable[[], float], attempt: int
    ) -> Iterator[Event]:
        for part in parts:
            if isinstance(part, TextPiece):
                yield ProseWritten(at_ms=at_ms(), index=part.index, text=part.text, attempt=attempt)
                continue
            if isinstance(part, WrittenSearch):
                draft.searches.append(part)
                continue
            if isinstance(part, WrittenCalculation):
                unmade = draft.assessor.calculate(part)
                draft.uncalculated += [] if unmade is None else [unmade]
                continue
            assessment = (
                struck(part.text, "form", part.reason)
                if isinstance(part, BadLine)
                else draft.assessor.assess(part)
            )
            if isinstance(assessment, StruckClaim):
                draft.failures.append((part.index, assessment))
                yield ClaimStruck(at_ms=at_ms(), index=part.index, claim=assessment, attempt=attempt)
            else:
                draft.claims.append(assessment)
                yield ClaimAdded(at_ms=at_ms(), index=part.index, claim=_claim(assessment, Numbering()))

    def _judge(
        self, question: str, calls: ModelCalls, draft: _Draft, at_ms: Callable[[], float]
    ) -> Iterator[Event]:
        """The second check, by the checking model, of claims on their evidence, and whether they answer."""
        citing = [claim for claim in draft.claims if claim.spans]
        if not citing:
            return
        try:
            reply = calls.structured(verify_prompt(question, citing, self._today), JudgeReply)
        except LlmError as error:
            message = f"The second check, by a model, could not be made. {error.message}"
            draft.degradations.append(Degradation(code="E004", message=message))
            return
        for number in {each.claim for each in reply.verdicts if each.supported}:
            if 0 < number <= len(citing) and citing[number - 1].doubt is not None:
                at = draft.claims.index(citing[number - 1])
                draft.claims[at] = replace(citing[number - 1], doubt=None)
                citing[number - 1] = draft.claims[at]
        silent = set(range(1, len(citing) + 1)) - {each.claim for each in reply.verdicts}
        draft.is_confirmed, draft.answers = not silent, reply.answers
        if silent:
            some = "one sentence" if len(silent) == 1 else f"{len(silent)} sentences"
            message = f"The checking model said nothing of {some}; only code has checked that much."
            draft.degradations.append(Degradation(code="E004", message=message))
        refusals = {each.claim: each.reason for each in reply.verdicts if not each.supported}
        for number, claim in enumerate(citing, 1):
            if number in refusals:
                reason = f"The checking model does not find it in its evidence. {refusals[number]}".strip()
                strike = struck(claim.text, "model", reason)
                draft.claims.remove(claim)
                draft.struck.append(strike)
                yield ClaimStruck(at_ms=at_ms(), index=claim.index, claim=strike, attempt=2)


def _look_for(
    wanted: Sequence[WrittenSearch], pool: EvidencePool, search: EvidenceSearch, at_ms: Callable[[], float]
) -> Generator[Event, None, str]:
    """Searches that the model asked for; gives what they changed, in words for it."""
    before = pool.packed.quotes
    for each in wanted:
        yield from search.search(each.words, each.document, at_ms())
    return told_of_search(wanted, before, pool.packed.quotes)


def render_prose(claims: Sequence[Claim]) -> str:
    """The sentences as a paragraph, each with the marks of its citations."""
    return " ".join(
        f"{escape(claim.text)}" + "".join(f" [{citation.n}]" for citation in claim.citations)
        for claim in claims
    )


def _keep_whole(question: str, draft: _Draft, cut: LlmError) -> None:
    """Of prose that was cut off, keep the whole sentences that passed, where they stand without the rest.

    They do where they are about the question and announce nothing; else nothing of the prose is kept.
    """
    while draft.claims and _ANNOUNCES.search(draft.claims[-1].text):
        draft.claims.pop()
    claims = [_claim(claim, Numbering()) for claim in draft.claims]
    if cut.outcome is ModelOutcome.STOPPED or not is_about(question, claims):
        draft.claims.clear()
        draft.degradations.append(degradation_of(cut))
        return
    draft.is_cut = True
    draft.struck += [claim for _, claim in draft.failures]
    count = len(claims)
    some = "one sentence, which passed its" if count == 1 else f"{count} sentences, which passed their"
    message = f"The model was cut off after {some} checks. {cut.message} The quotes stand beside it."
    draft.degradations.append(Degradation(code=code_of(cut), message=message))


def _answer(answer: Answer, draft: _Draft, model: str) -> Answer:
    """The answer that the sentences make which passed; without any, the one that was there."""
    fields = {"struck": tuple(draft.struck)}
    degradations = tuple(dict.fromkeys((*answer.degradations, *draft.degradations)))
    if answer.status is Status.ABSTAINED and not _is_to_the_point(answer, draft):
        draft.claims.clear()  # near the question, as the passages are that the abstention shows
    if not draft.claims:
        if draft.struck and not draft.degradations:
            message = "Nothing that the model wrote passed its checks, so the evidence itself is shown."
            degradations = (*degradations, Degradation(code="E004", message=message))
        flags = (*answer.flags, STRUCK) if draft.struck else answer.flags
        if draft.says_none and not draft.struck:
            answer = _without_answer(answer)
        return answer.model_copy(update={**fields, "degradations": degradations, "flags": flags})
    # Rows of a table name citations by number: what was there stays, and the prose stands before it.
    stays = answer.claims if answer.table is not None else ()
    numbering = Numbering(citation for claim in stays for citation in claim.citations)
    claims = tuple(_claim(claim, numbering) for claim in draft.claims)
    text = render_prose(claims)
    flags = tuple(dict.fromkeys((*answer.flags, *((STRUCK,) if draft.struck else ()))))
    abstained, status = answer.status is Status.ABSTAINED, answer.status
    if abstained:
        status = Status.ANSWERED if draft.answers == "yes" else Status.PARTIAL
    confidence, label = _confidence(answer, draft)
    if label is ConfidenceLabel.LOW:
        flags = tuple(dict.fromkeys((*flags, "low_confidence")))
    return answer.model_copy(
        update={
            **fields,
            "status": status,
            "text": f"{text}\n\n{answer.text}" if stays else text,
            "claims": (*claims, *stays),
            "calculations": _named(draft.assessor.calculations, draft.claims, numbering),
            "sources": list_sources((*stays, *claims)),
            "value": answer.value if stays or _says(claims, answer.value) else None,
            "confidence": confidence,
            "confidence_label": label,
            "nearest": () if abstained else answer.nearest,
            "degradations": degradations,
            "flags": flags,
            "gaps": (*answer.gaps, *(f"Not stated in what was found: {each}." for each in draft.lacks)),
            "written_by": model,
            "quoted": QuotedAnswer(text=answer.text, claims=answer.claims),
        }
    )


def _without_answer(answer: Answer) -> Answer:
    """Quotes that do not answer, as the model says: no answer where they were doubtful, else a part."""
    if answer.route is Route.STRUCTURED or answer.status is Status.ABSTAINED:
        return answer
    is_doubtful = answer.confidence < _DOUBTFUL
    text = f"The language model finds no answer in what was found. Nearest to the question:\n\n{answer.text}"
    return answer.model_copy(
        update={
            "status": Status.ABSTAINED if is_doubtful else Status.PARTIAL,
            "text": text,
            "value": None,
            "confidence": min(answer.confidence, _WRITTEN_ANYWAY),
            "confidence_label": ConfidenceLabel.LOW,
        }
    )


def _named(
    calculations: Sequence[CalculatedValue], claims: Sequence[AssessedClaim], numbering: Numbering
) -> tuple[CitedCalculation, ...]:
    """Those that the sentences name which stand."""
    named = {value for claim in claims for value in claim.values}
    return tuple(each.as_part(numbering) for each in calculations if each.unit in named)


def _is_to_the_point(answer: Answer, draft: _Draft) -> bool:
    """True where the prose answers, as the checking model says; without it, as the words do."""
    if draft.is_confirmed:
        return draft.answers != "no"
    is_computed = answer.table is not None or answer.ledger is not None or answer.value is not None
    return is_computed or is_about(answer.question, [_claim(claim, Numbering()) for claim in draft.claims])


def _confidence(answer: Answer, draft: _Draft) -> tuple[float, ConfidenceLabel]:
    """Confidence in prose: that of the quotes, and at least medium where a checking model says it answers.

    High where code struck and doubted nothing either, and its words are those of the question. Low where it
    does not answer, where the quotes abstained and it answers a part at most, or where no model has checked
    what it cites; and not high where something was struck or cut off, or a sentence has no word of the
    question.
    """
    claims = [_claim(claim, Numbering()) for claim in draft.claims]
    if draft.is_confirmed and draft.answers == "yes":
        is_whole = not draft.struck and is_about(answer.question, claims)
        if is_whole and all(check.ok for claim in claims for check in claim.checks):
            return max(answer.confidence, _CONFIRMED), ConfidenceLabel.HIGH
        if answer.confidence_label is not ConfidenceLabel.HIGH:
            return max(answer.confidence, _ANSWERS), ConfidenceLabel.MEDIUM
    if (answer.status is Status.ABSTAINED and draft.answers != "yes") or not _is_to_the_point(answer, draft):
        return min(answer.confidence, _WRITTEN_ANYWAY), ConfidenceLabel.LOW
    is_unchecked = not draft.is_confirmed and any(claim.spans for claim in draft.claims)
    is_off = not all(touches(answer.question, claim) for claim in claims)
    if is_unchecked and answer.route is not Route.STRUCTURED:
        return min(answer.confidence, _WRITTEN_ANYWAY), ConfidenceLabel.LOW
    if draft.struck or draft.is_cut or is_unchecked or is_off:
        is_low = answer.confidence_label is ConfidenceLabel.LOW
        return min(answer.confidence, _NOT_HIGH), ConfidenceLabel.LOW if is_low else ConfidenceLabel.MEDIUM
    return answer.confidence, answer.confidence_label


def _says(claims: Sequence[Claim], value: Value | None) -> bool:
    """True where the prose holds the figures of a value: another one may have been meant."""
    figures = [] if value is None else _FIGURES.findall(show_value(value))
    said = {figure for claim in claims for figure in _FIGURES.findall(claim.text)}
    return bool(figures) and said.issuperset(figures)


def _claim(claim: AssessedClaim, numbering: Numbering) -> Claim:
    citations = tuple(dict.fromkeys(numbering.cite(span) for span in claim.spans))
    return Claim(text=claim.text, verdict=claim.verdict, checks=claim.checks, citations=citations)


def _strike_doubtful(draft: _Draft, at_ms: Callable[[], float]) -> Iterator[Event]:
    """Strike what code could not tell and no checking model confirmed."""
    for claim in [each for each in draft.claims if each.doubt is not None]:
        assert claim.doubt is not None
        draft.claims.remove(claim)
        draft.struck.append(claim.doubt)
        yield ClaimStruck(at_ms=at_ms(), index=claim.index, claim=claim.doubt, attempt=2)


def _passages(packed: PackedEvidence) -> str:
    count = len(packed.units)
    if not count:
        return "the computed values"
    return f"{count} passage{'s' if count != 1 else ''}"


LEAST_COVERED = 0.5  # of the question's terms
_SHORT = re.compile(r"[A-Z&]{2,6}s?\.?")
_TELLING = re.compile(r"(?<=\s)[A-Z][\w&.'’-]*|\b\w*\d[\w.,/-]*")


def is_about(question: str, claims: Sequence[Claim]) -> bool:
    """True where the claims, with their quotes and titles, say every name and figure of what is asked.

    And half of its other terms: what only stands near the question is no answer to it. Of its periods a year
    has to be said; abbreviations may have other words.
    """
    asked, _ = asked_and_told(question)
    texts = " ".join(_texts(claims))
    said, years = text_terms(texts), find_years(asked)
    for each in years:
        asked = asked[: each.start] + " " * (each.end - each.start) + asked[each.end :]
    named = (word for word in _TELLING.findall(asked) if not _SHORT.fullmatch(word))
    terms = text_terms(asked)
    if any(not any(year in texts for year in each.years) for each in years):
        return False
    is_covered = len(terms & said) >= LEAST_COVERED * len(terms)
    return bool(terms or years) and text_terms(" ".join(named)) <= said and is_covered


def touches(question: str, claim: Claim) -> bool:
    """True where a claim, or what it cites, has a term of the question, or the question has none."""
    terms = text_terms(question)
    return not terms or not terms.isdisjoint(text_terms(" ".join(_texts([claim]))))


def _texts(claims: Sequence[Claim]) -> Iterable[str]:
    for claim in claims:
        yield claim.text
        for citation in claim.citations:
            yield f"{citation.quote} {citation.title} {citation.source}"
