"""Runs the questions of a set through the product's retrieval."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.retrieval.home import Home
from bench.retrieval.scores import Place, ndcg, precision, recall
from bench.retrieval.sets import RankQuestion, SpanQuestion
from core.domain.document import DocumentVersion
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.search.sentences import rank_sentences
from core.store.database.visibility import Visibility

EVERYTHING = Visibility.everything()
Scores = dict[str, float]
Wordings = Callable[[str], tuple[str, ...]]
"""Gives further wordings of a question."""


def no_wordings(_question: str) -> tuple[str, ...]:
    """None, as rules give."""
    return ()


@dataclass(frozen=True, slots=True)
class Measured:
    """Mean scores of all questions, and by part of the set; latency with the query's encoding."""

    questions: int
    scores: Scores
    parts: dict[str, Scores]
    latency_ms: Scores

    def as_json(self) -> dict[str, object]:
        """What is written with --out."""
        return {
            "questions": self.questions,
            "scores": {name: round(value, 4) for name, value in self.scores.items()},
            "parts": {
                part: {name: round(value, 4) for name, value in scores.items()}
                for part, scores in self.parts.items()
            },
            "latency_ms": {name: round(value, 1) for name, value in self.latency_ms.items()},
        }


class PageText:
    """Where a page of a document begins in the document's whole text."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._starts: dict[DocumentId, dict[int, int]] = {}
        self._source_of = {DocumentId(document): source for source, document in home.sources.items()}

    def place(self, document: DocumentId, page_no: int, start: int, end: int) -> Place:
        """The place in the document's source of characters of one page."""
        if document not in self._starts:
            version = self._home.records.documents.version(document, None, EVERYTHING)
            self._starts[document] = _page_starts(version)
        base = self._starts[document][page_no]
        return Place(self._source_of[document], base + start, base + end)


def _page_starts(version: DocumentVersion) -> dict[int, int]:
    starts, position = {}, 0
    for page in version.pages:
        starts[page.page_no] = position
        position += len(page.text) + 1  # the form feed between two pages
    return starts


def measure_spans(
    home: Home,
    questions: Sequence[SpanQuestion],
    depths: Sequence[int],
    *,
    resolve: bool = True,
    wordings: Wordings = no_wordings,
) -> Measured:
    """P and R in characters of the first k passages, and P of the best sentence, over all questions.

    Passages are what a search shows: text of one page. resolve: whether named documents are looked for.
    """
    pages = PageText(home)
    rows: list[tuple[str, Scores]] = []
    times: list[float] = []
    named = 0
    for question in questions:
        query = SearchQuery(
            question.text, top_k=max(depths), resolve=resolve, wordings=wordings(question.text)
        )
        before = time.perf_counter()
        retrieval = home.retriever.retrieve(query, EVERYTHING)
        times.append((time.perf_counter() - before) * 1000)
        report = home.retriever.report(retrieval, query)
        found = [pages.place(hit.document, hit.page, hit.start, hit.end) for hit in report.hits]
        scores = {f"P@{depth}": precision(found[:depth], question.gold) for depth in depths[:1]}
        scores |= {f"R@{depth}": recall(found[:depth], question.gold) for depth in depths}
        sentences = rank_sentences(retrieval.analysis, retrieval.candidates)
        first = [pages.place(s.document, s.span.page_no, s.span.start, s.span.end) for s in sentences[:1]]
        scores["sentence P@1"] = precision(first, question.gold)
        rows.append((question.part, scores))
        named += bool(retrieval.named_documents)
    measured = _means(rows, times)
    measured.scores["named"] = named / len(questions)
    return measured


def measure_ranks(
    home: Home,
    questions: Sequence[RankQuestion],
    *,
    mode: str = "hybrid",
    judged_only: bool = False,
    wordings: Wordings = no_wordings,
) -> Measured:
    """nDCG@10 over documents; judged_only ranks nothing but what was judged for the question."""
    source_of = {DocumentId(document): source for source, document in home.sources.items()}
    rows: list[tuple[str, Scores]] = []
    times: list[float] = []
    for question in questions:
        within = tuple(DocumentId(home.sources[source]) for source in sorted(question.judged))
        query = SearchQuery(
            question.text,
            mode=mode,
            top_k=100,
            documents=within if judged_only else (),
            wordings=wordings(question.text),
        )
        before = time.perf_counter()
        retrieval = home.retriever.retrieve(query, EVERYTHING)
        times.append((time.perf_counter() - before) * 1000)
        ranked = list(dict.fromkeys(source_of[c.stored.passage.document] for c in retrieval.candidates))
        binary = dict.fromkeys(question.gains, 1.0)
        rows.append(("", {"nDCG@10": ndcg(ranked, question.gains), "binary": ndcg(ranked, binary)}))
    return _means(rows, times)


def _means(rows: Sequence[tuple[str, Scores]], times: Sequence[float]) -> Measured:
    ordered = sorted(times)
    latency = {"p50": ordered[len(ordered) // 2], "p95": ordered[int(len(ordered) * 0.95)]}
    parts = sorted({part for part, _ in rows if part})
    by_part = {part: _mean([scores for name, scores in rows if name == part]) for part in parts}
    return Measured(len(rows), _mean([scores for _, scores in rows]), by_part, latency)


def _mean(rows: Sequence[Scores]) -> Scores:
    return {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}
