"""A field in words, tried on a bucket: documents to judge, and how precise it is so far.

The vectors of a bucket's sentences are looked through first, which is fast; the documents to show, and some
evenly over all others, are then ranked whole. What was ranked stays at hand for the next verdict, and so does
what is asked: documents leave the list one by one as they are judged. Once it is empty new ones are chosen,
by all that was learnt.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from core.config.fields import FieldDefinition, Schema
from core.config.models import Settings
from core.domain.certainty.share import CheckedShare
from core.domain.document import DocumentSummary
from core.domain.fields import CellStatus, Finding
from core.domain.ids import DocumentId
from core.encode.base import Encoder
from core.errors import UsageError
from core.extract.base import Definitions
from core.extract.jobs.pool import ExtractPool
from core.extract.jobs.service import read_task, read_vectors
from core.extract.jobs.word_learning import rank_document
from core.extract.words.candidates import SHOWN, RankedSentences, candidate_of, decide
from core.extract.words.head import LEAST_VERDICTS, WordHead
from core.extract.words.learning import (
    FIRST_ASKED,
    NEXT_ASKED,
    choose,
    contradictions_of,
    learn,
    likelihood,
    words_extractor,
)
from core.extract.words.ranking import FieldWords, words_of
from core.fields.word_field import FieldVerdict, ScanProgress, TrialDocument, WordTrial
from core.store.store import Records

MOST_SCANNED = 2_000
"""Documents whose vectors are looked through; of more, so many by lot."""

SCAN_S = 20.0
"""Seconds after which a scan goes on with what it has seen."""

RANKED = 60
_TOP = 24
_TOLD_EVERY = 10
_KEPT = 4


@dataclass
class _Scan:
    """What was ranked for a field in a bucket. weights: how many documents each of them stands for.

    batch: the documents that were chosen last, to be asked about.
    """

    words: FieldWords
    ranked: dict[DocumentId, RankedSentences] = field(default_factory=dict)
    summaries: dict[DocumentId, DocumentSummary] = field(default_factory=dict)
    weights: dict[DocumentId, float] = field(default_factory=dict)
    batch: tuple[DocumentId, ...] = ()
    scanned: int = 0
    total: int = 0
    seconds: float = 0.0


class WordTrials:
    """Trials of one home; keeps the last few scans. Thread-safe: each scan is made by its caller alone."""

    def __init__(
        self, records: Records, load: Callable[[], Definitions], encoder: Callable[[], Encoder]
    ) -> None:
        self._records = records
        self._load = load
        self._encoder = encoder
        self._scans: dict[str, _Scan] = {}

    def run(
        self,
        definition: FieldDefinition,
        documents: Sequence[DocumentSummary],
        verdicts: Sequence[FieldVerdict],
        key: str,
    ) -> Iterator[ScanProgress | WordTrial]:
        """Progress of the scan, and the trial at last. Safe to leave at any point; nothing is then kept.

        documents: those that may be seen and are asked for the field. key: equal where the same documents
        are looked through for the same principal. Raises UsageError for a field that is not in words.
        """
        extractor = words_extractor(definition)
        if extractor is None:
            raise UsageError(
                f"{definition.title!r} is not described in words.",
                next_step="Choose “In plain words” as the way to find it.",
            )
        mark = f"{key}\0{definition.title}\0{definition.type}\0{extractor!r}"
        scan = self._scans.get(mark)
        if scan is None:
            scan = _Scan(words_of(definition.title, extractor, self._encoder().encode_queries))
            yield from self._look(scan, definition, documents)
            while len(self._scans) >= _KEPT:
                self._scans.pop(next(iter(self._scans)), None)
            self._scans[mark] = scan
        for each in verdicts:
            self._rank(scan, definition, each.document)
        yield _trial(scan, definition, verdicts)

    def _look(
        self, scan: _Scan, definition: FieldDefinition, documents: Sequence[DocumentSummary]
    ) -> Iterator[ScanProgress]:
        begun = time.monotonic()
        scan.total = len(documents)
        chosen = list(documents)
        if len(chosen) > RANKED:
            random.Random(len(chosen)).shuffle(chosen)
            chosen = chosen[:MOST_SCANNED]
        scan.summaries = {each.id: each for each in documents}
        nearest: list[tuple[float, DocumentId]] = []
        for number, each in enumerate(chosen, 1):
            nearest.append((self._likeness(scan, each.id) if len(chosen) > RANKED else 0.0, each.id))
            spent = time.monotonic() - begun
            if number % _TOLD_EVERY == 0:
                yield ScanProgress(number, len(chosen) + RANKED, spent)
            if spent > SCAN_S:
                break
        scan.scanned = len(nearest)
        nearest.sort(key=lambda pair: -pair[0])
        top, rest = nearest[:_TOP], nearest[_TOP:]
        places = np.linspace(0, len(rest) - 1, min(len(rest), RANKED - _TOP)).astype(int)
        some = [rest[place] for place in dict.fromkeys(int(place) for place in places)]
        for number, (_, document) in enumerate([*top, *some], 1):
            self._rank(scan, definition, document)
            scan.weights[document] = 1.0 if number <= len(top) else len(rest) / max(1, len(some))
            if number % _TOLD_EVERY == 0:
                spent = time.monotonic() - begun
                yield ScanProgress(len(nearest) + number, len(nearest) + len(top) + len(some), spent)
        scan.seconds = time.monotonic() - begun

    def _likeness(self, scan: _Scan, document: DocumentId) -> float:
        vectors = read_vectors(self._records, document)
        asked = np.concatenate([scan.words.asked, scan.words.examples])
        if not len(vectors.matrix) or vectors.matrix.shape[1] != asked.shape[1]:
            return -1.0
        return float((vectors.matrix @ asked.T).max())

    def _rank(self, scan: _Scan, definition: FieldDefinition, document: DocumentId) -> None:
        if document in scan.ranked or document not in scan.summaries:
            return
        found = rank_document(self._records, self._load(), document, definition, scan.words)
        if found is not None and len(found):
            scan.ranked[document] = found


def _trial(scan: _Scan, definition: FieldDefinition, verdicts: Sequence[FieldVerdict]) -> WordTrial:
    judged = [(scan.ranked[each.document], each) for each in verdicts if each.document in scan.ranked]
    head = learn(judged) if judged else None
    known = {each.document for each in verdicts}
    chances = {each: _chance(scan.ranked[each], head) for each in scan.ranked if each not in known}
    batch = [each for each in scan.batch if each in chances] if judged else []
    if not batch:
        open_documents = list(chances)
        wanted = NEXT_ASKED if judged else FIRST_ASKED
        chosen = choose(list(chances.values()), wanted, is_first=not judged)
        batch = [open_documents[at] for at in chosen]
        scan.batch = tuple(batch)
    stating = [(ranked, each) for ranked, each in judged if each.is_stated]
    first = sum(ranked.row_of(each.quotes[0].span) == 0 for ranked, each in stating if each.quotes)
    figures = head.figures if head is not None else {}
    return WordTrial(
        tuple(_document(scan, definition, each, chances[each], head) for each in batch),
        scan.scanned,
        scan.total,
        scan.seconds,
        len(judged),
        CheckedShare(first, len(stating)),
        CheckedShare(int(figures.get("right", 0)), int(figures.get("decided", 0))),
        _decided_share(scan, definition, head),
        max(0, LEAST_VERDICTS - len(judged)),
        tuple(contradictions_of(head)) if head is not None else (),
        head is not None and head.is_calibrated,
    )


def _chance(ranked: RankedSentences, head: WordHead | None) -> float:
    if head is None or not head.figures.get("verdicts") or not head.figures.get("log_loss"):
        return ranked.chance
    return head.probability(head.weigh(ranked.candidates))


def _document(
    scan: _Scan, definition: FieldDefinition, document: DocumentId, chance: float, head: WordHead | None
) -> TrialDocument:
    ranked = scan.ranked[document]
    rows: Sequence[int] = range(len(ranked))
    if head is not None and head.figures.get("log_loss"):
        rows = [int(at) for at in np.argsort(-head.weigh(ranked.candidates), kind="stable")]
    candidates = tuple(candidate_of(ranked, at, definition, chance) for at in rows[:SHOWN])
    return TrialDocument(scan.summaries[document], likelihood(chance), chance, candidates)


def _decided_share(scan: _Scan, definition: FieldDefinition, head: WordHead | None) -> float:
    if head is None or not head.decides:
        return 0.0
    total = sum(scan.weights.values())
    decided = sum(
        weight
        for document, weight in scan.weights.items()
        if document in scan.ranked
        and decide(scan.ranked[document], definition, head).status in (CellStatus.PRESENT, CellStatus.ABSENT)
    )
    return decided / total if total else 0.0


TRIAL = "trial"
"""Name of the schema that a field on trial stands in."""


def try_field(
    records: Records,
    settings: Settings,
    current: Definitions,
    definition: FieldDefinition,
    bucket: str,
    documents: Sequence[DocumentSummary],
) -> list[tuple[DocumentSummary, Finding]]:
    """Findings of the field in each document, in child processes: a bad pattern harms nothing."""
    by_itself = definition.model_copy(update={"checks": ()})  # there is nothing to compare it with
    schema = Schema(name=TRIAL, title="Trial", buckets=(bucket,), fields=(by_itself,))
    definitions = replace(current, schemas=(schema,))
    alone = settings.model_copy(update={"ingest": settings.ingest.model_copy(update={"processes": 1})})

    def find(summary: DocumentSummary) -> tuple[DocumentSummary, Finding]:
        task = replace(read_task(records, definitions, summary.id), schema=TRIAL)
        if not task.text.is_readable:
            return summary, Finding(CellStatus.UNREADABLE, note=summary.reason)
        reply = pool.extract(task)
        if reply.value is None:
            return summary, Finding(CellStatus.UNCERTAIN, note=reply.reason)
        absent = Finding(CellStatus.ABSENT)
        return summary, reply.value.findings.get(definition.name, absent)

    with ExtractPool(alone, definitions) as pool, ThreadPoolExecutor(2) as threads:
        return list(threads.map(find, documents))
