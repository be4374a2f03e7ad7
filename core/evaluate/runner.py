"""Measures cases: what is asked and searched of the product, and judged."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol

from core.domain.answer import Answer, Status
from core.domain.frozen import Frozen
from core.evaluate.measured import CaseMeasures, MeasuredCase
from core.evaluate.measures import (
    FilePlace,
    PageText,
    broken_citations,
    context,
    due_places,
    retrieval,
    unfounded_claims,
)
from core.evaluate.scoring import CaseResult, file_name, score
from core.evaluate.suite import GIVEN, AnswerShape, Case, unknown_documents
from core.review.flags import claims_in, documents_behind

_SHOWN_CHARS = 2_000


class CaseAsker(Protocol):
    """Product that is measured, for one principal."""

    def answer(self, question: str, buckets: tuple[str, ...]) -> Answer:
        """The answer to a question, in these buckets; () for all."""
        ...

    def search(self, question: str, buckets: tuple[str, ...]) -> Sequence[tuple[str, int]]:
        """Document and page of the first fifty passages that a search gives, best first."""
        ...

    def page_text(self, document: str, version: int, page: int) -> str | None:
        """Stored text of a page; None where there is none."""
        ...

    def likeness(self, question: str, answer: str) -> float:
        """Cosine of the vectors of two texts."""
        ...


class Judgement(Frozen):
    """What a language model said of an answer; None where it did not say. calls: all that it took."""

    model: str
    faithfulness: float | None = None
    answer_relevancy: float | None = None
    context_precision: float | None = None
    calls: int = 0
    failed: int = 0
    tokens: int = 0
    cost_usd: float | None = None


class CaseJudge(Protocol):
    """Language model as a judge."""

    def judge(self, case: Case, answer: Answer, page_text: PageText) -> Judgement:
        """Its judgement; raises nothing for a reply that cannot be used."""
        ...


class DocumentNames(Frozen):
    """Names of documents by id: the source, which gives the file name, and as people see it.

    gone: ids of those that are withdrawn, and only cited.
    """

    sources: dict[str, str]
    shown: dict[str, str]
    gone: frozenset[str] = frozenset()

    @cached_property
    def files(self) -> frozenset[str]:
        """File names of the documents that there are."""
        return frozenset(file_name(each, self.sources) for each in self.sources if each not in self.gone)


def measure(
    case: Case, asker: CaseAsker, names: DocumentNames, judge: CaseJudge | None = None
) -> MeasuredCase:
    """A case as it comes out now: searched for where it names places, and asked unless that is all."""
    due = due_places(case)
    places = [
        FilePlace(file_name(document, names.sources), page)
        for document, page in (asker.search(case.question, case.buckets) if due else ())
    ]
    found = retrieval(due, places)
    measures = CaseMeasures()
    if found is not None:
        measures = CaseMeasures(
            precision_at_10=found.precision,
            recall_at_50=found.recall,
            reciprocal_rank=found.reciprocal_rank,
        )
    if case.shape is AnswerShape.RETRIEVAL:
        return _searched(case, measures, names)
    started = time.perf_counter()
    answer = asker.answer(case.question, case.buckets)
    spent = (time.perf_counter() - started) * 1000
    measures = _of_answer(case, answer, asker, names, measures.model_copy(update={"latency_ms": spent}))
    if judge is not None and answer.status in GIVEN:
        measures = _judged(measures, judge.judge(case, answer, asker.page_text))
    return MeasuredCase(
        result=_with_missing(score(case, answer, names.sources), case, names),
        question=case.question,
        bucket=case.bucket,
        answer=answer.text[:_SHOWN_CHARS],
        trace=answer.trace_id,
        documents=tuple(sorted({*documents_behind(answer), *_due_documents(case, names)})),
        measures=measures,
    )


def left_out(case: Case, reason: str, names: DocumentNames) -> MeasuredCase:
    """A case that is not asked, since it has no right answer here."""
    result = CaseResult(
        id=case.id,
        shape=case.shape,
        is_paraphrase=case.paraphrase_of is not None,
        expected=case.expect.status,
        status=case.expect.status,
        exact=False,
        silently_wrong=False,
    )
    return MeasuredCase(
        result=result,
        question=case.question,
        bucket=case.bucket,
        documents=_due_documents(case, names),
        skipped=reason,
    )


def _searched(case: Case, measures: CaseMeasures, names: DocumentNames) -> MeasuredCase:
    is_found = (measures.reciprocal_rank or 0) >= 0.1  # among the first ten
    result = CaseResult(
        id=case.id,
        shape=case.shape,
        is_paraphrase=False,
        expected=case.expect.status,
        status=Status.ANSWERED if is_found else Status.ABSTAINED,
        exact=is_found,
        silently_wrong=False,
        problems=() if is_found else ("not among the first ten passages",),
    )
    return MeasuredCase(
        result=_with_missing(result, case, names),
        question=case.question,
        bucket=case.bucket,
        documents=_due_documents(case, names),
        measures=measures,
    )


def _with_missing(result: CaseResult, case: Case, names: DocumentNames) -> CaseResult:
    """The result, with the files that the case expects and that are not there, where it is not exact."""
    missing = () if result.exact else unknown_documents((case,), names.files)
    told = (f"not in this home: {', '.join(missing)}",) if missing else ()
    return result.model_copy(update={"problems": (*result.problems, *told)}) if told else result


def _due_documents(case: Case, names: DocumentNames) -> tuple[str, ...]:
    files = frozenset(case.expect.files)
    return tuple(id for id in names.sources if file_name(id, names.sources) in files)


def _of_answer(
    case: Case, answer: Answer, asker: CaseAsker, names: DocumentNames, measures: CaseMeasures
) -> CaseMeasures:
    claims = len(claims_in(answer)) if answer.status in GIVEN else 0
    unfounded = unfounded_claims(answer, names.shown, asker.page_text) if claims else ()
    citations, broken = broken_citations(answer, asker.page_text)
    precision, recall = context(due_places(case), answer, names.sources)
    use = answer.model_use
    spent = {"calls": len(use.calls), "failed": use.failed, "tokens": use.tokens} if use is not None else {}
    is_given = answer.status in GIVEN
    return measures.model_copy(
        update={
            "claims": claims,
            "unfounded": unfounded,
            "citations": citations,
            "broken": broken,
            "faithfulness": max(0.0, 1 - len(unfounded) / claims) if claims else None,
            "answer_relevancy": max(0.0, asker.likeness(case.question, answer.text)) if is_given else None,
            "context_precision": precision if is_given else None,
            "context_recall": recall if is_given else None,
            "model": ", ".join(dict.fromkeys(each.model for each in use.calls)) if use is not None else "",
            "cost_usd": use.cost_usd if use is not None else None,
            **spent,
        }
    )


def _judged(measures: CaseMeasures, given: Judgement) -> CaseMeasures:
    """The measures with what the judge said instead of code, and what that cost."""
    names = ("faithfulness", "answer_relevancy", "context_precision")
    said = {name: value for name in names if (value := getattr(given, name)) is not None}
    known = [each for each in (measures.cost_usd, given.cost_usd) if each is not None]
    return measures.model_copy(
        update={
            **said,
            "judge": given.model if said else "",
            "calls": measures.calls + given.calls,
            "failed": measures.failed + given.failed,
            "tokens": measures.tokens + given.tokens,
            "cost_usd": sum(known) if known else None,
        }
    )
