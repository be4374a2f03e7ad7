"""A collection held in memory, with a real engine and real ranking, for tests of answers."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from core.ask.orchestrator import Orchestrator
from core.ask.request import Question
from core.config.models import Settings
from core.domain.answer import Answer, OtherReading
from core.domain.document import DocumentStatus, DocumentSummary, FilePart, Heading, Page
from core.domain.event import Trace
from core.domain.fields import AnnotationRow
from core.domain.ids import ContentHash, DocumentId, PassageId, TraceId, document_id
from core.domain.passage import Matrix, Passage, StoredPassage
from core.domain.principal import LOCAL_ADMIN
from core.domain.search import SearchQuery
from core.domain.span import PageSpan
from core.encode.base import TextToEncode
from core.errors import IndexUnavailableError, NotFoundError, RecordsError
from core.index.base import Filter, IndexBatch, Mode, SearchRequest
from core.search.query import analyse_question, clean_query, encode_question
from core.search.rank import places_of, score_hits
from core.search.search import Retrieval
from core.store.base import BucketSummary, DocumentQuery, IndexedPassage
from core.store.database.visibility import Visibility
from core.store.documents.copies import Copies
from tests.support.doors import OPEN
from tests.support.hashed_encoder import HashedEncoder
from tests.support.memory_engine import Memory, MemoryEngine

SENTENCE = re.compile(r"[^\n.]*[^\n.\s][^\n.]*\.?")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Library:
    """Documents, traces, changes and a Finder in one; names: documents that every question names."""

    def __init__(self) -> None:
        self.encoder = HashedEncoder()
        self.engine = MemoryEngine(Memory(self.encoder.signature))
        self.saved: list[Trace] = []
        self.names: tuple[DocumentId, ...] = ()
        self.searches: list[SearchQuery] = []
        self.is_down = False
        self.is_full = False
        self._pages: dict[tuple[DocumentId, int, int], Page] = {}
        self._summaries: dict[DocumentId, DocumentSummary] = {}
        self._stored: dict[PassageId, StoredPassage] = {}
        self._sentence_vectors: dict[PassageId, Matrix] = {}

    @property
    def documents(self) -> Library:
        return self

    @property
    def copies(self) -> Library:
        return self

    @property
    def fields(self) -> Library:
        return self

    def rows(self, document: DocumentId, visible: Visibility) -> list[AnnotationRow]:
        """No PDF was read for its tables."""
        return []

    def find(self, visible: Visibility) -> Copies:
        """No document has the words of another."""
        return Copies({})

    def counted_once(self, visible: Visibility, among: Collection[str] = ()) -> Visibility:
        return visible

    def parts(
        self, wanted: Collection[DocumentId], visible: Visibility
    ) -> dict[DocumentId, tuple[FilePart, ...]]:
        """All of every file was read."""
        return {}

    def with_gaps(self, visible: Visibility) -> frozenset[DocumentId]:
        return frozenset()

    @property
    def traces(self) -> Library:
        return self

    @property
    def changes(self) -> Library:
        return self

    def add(
        self, source: str, *texts: str, title: str = "", bucket: str = "default", acl: tuple[str, ...] = ()
    ) -> DocumentId:
        """A document of these pages; a passage per page, headings at lines that start with #."""
        document = document_id(bucket, source)
        batch = []
        for page_no, text in enumerate(texts, 1):
            headings = tuple(Heading(1, m.start(), m.end(), m.group(1)) for m in HEADING.finditer(text))
            self._pages[document, 1, page_no] = Page(page_no, text, headings)
            sentences = tuple((m.start(), m.end()) for m in SENTENCE.finditer(text))
            passage = Passage(
                document,
                1,
                page_no - 1,
                (PageSpan(page_no, 0, len(text)),),
                text,
                (),
                len(text.split()),
                sentences,
            )
            stored = StoredPassage(
                PassageId(len(self._stored) + 1), passage, bucket, title or source, source, "generic", acl
            )
            (encoded,) = self.encoder.encode_passages([TextToEncode(text, sentences)])
            self._stored[stored.id] = stored
            self._sentence_vectors[stored.id] = encoded.sentences
            batch.append(IndexedPassage(stored, encoded.vector))
        self._summaries[document] = DocumentSummary(
            id=document,
            bucket=bucket,
            source=source,
            title=title or source,
            status=DocumentStatus.READY,
            reason="",
            version=1,
            doc_type="generic",
            media_type="text/plain",
            language="en",
            acl=acl,
            pages=len(texts),
            passages=len(texts),
            size_bytes=1,
            content_hash=ContentHash("0"),
            updated_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        self.engine.apply(IndexBatch(len(self._summaries), frozenset({document}), tuple(batch)))
        return document

    def rewrite(self, document: DocumentId, page_no: int, text: str) -> None:
        """Change a stored page behind the index's back."""
        self._pages[document, 1, page_no] = Page(page_no, text)

    def page(self, id: DocumentId, version: int, page_no: int, visible: Visibility) -> Page:
        if (id, version, page_no) not in self._pages or not self._may_see(self._summaries[id].acl, visible):
            raise NotFoundError("no such page")
        return self._pages[id, version, page_no]

    def list(self, visible: Visibility, query: DocumentQuery) -> Sequence[DocumentSummary]:
        seen = [s for s in self._summaries.values() if self._may_see(s.acl, visible)]
        return [s for s in seen if query.bucket in (None, s.bucket)][: query.limit]

    def buckets(self, visible: Visibility) -> Sequence[BucketSummary]:
        seen = [s for s in self._summaries.values() if self._may_see(s.acl, visible)]
        return [
            BucketSummary(
                name, sum(s.bucket == name for s in seen), sum(s.passages for s in seen if s.bucket == name)
            )
            for name in sorted({s.bucket for s in seen})
        ]

    def data_version(self) -> int:
        return len(self._summaries)

    def add_follow_ups(self, trace: TraceId, questions: Sequence[str], user: str) -> None:
        """No answer of a library has any that come later."""
        raise AssertionError(questions)

    def add_readings(self, trace: TraceId, readings: Sequence[OtherReading], user: str) -> None:
        """No answer of a library has other readings."""
        raise AssertionError(readings)

    def save(self, trace: Trace, *, origin: str = "", flagged: object = None) -> None:
        if self.is_full:
            raise RecordsError("The disk is full.", next_step="Free some space.")
        self.saved.append(trace)

    def mentioned(
        self, texts: Sequence[str], visibility: Visibility, buckets: Collection[str] = ()
    ) -> list[tuple[DocumentId, ...]]:
        return [()] * len(texts)

    def retrieve(self, query: SearchQuery, visibility: Visibility) -> Retrieval:
        self.searches.append(query)
        if self.is_down:
            raise IndexUnavailableError(
                "The search index cannot be read.", next_step="Run: groundwork reindex"
            )
        text = clean_query(query.text)
        (vector,) = encode_question([text], query.carried, self.encoder)
        analysis = analyse_question(text, text, vector, self.engine, carried=query.carried)
        hits = self.engine.search(
            SearchRequest(
                terms=analysis.terms,
                vector=analysis.vector,
                mode=Mode.HYBRID,
                top_k=100,
                filter=Filter(
                    buckets=frozenset(query.buckets) or None,
                    documents=frozenset(query.documents) or None,
                    groups=visibility.groups,
                ),
            )
        )
        found = {hit.passage: self._stored[hit.passage] for hit in hits}
        vectors = {hit.passage: self._sentence_vectors[hit.passage] for hit in hits}
        scored = score_hits(
            hits,
            places_of(found),
            vectors,
            analysis.vector,
            analysis.idf_sum,
            mode=Mode.HYBRID,
            alpha=0.5,
        )
        ranked = tuple(each.of(found[each.hit.passage]) for each in scored)
        return Retrieval(analysis, ranked, self.names, False, (), {})

    @staticmethod
    def _may_see(acl: tuple[str, ...], visible: Visibility) -> bool:
        return visible.groups is None or not acl or bool(visible.groups & set(acl))


def settings(home: str = "/nowhere", **answer: object) -> Settings:
    """Settings of a home that is never opened, with these answer settings."""
    return Settings.model_validate({"home": home, "answer": answer})


def ask(library: Library, question: str, **answer: object) -> Answer:
    """The answer to an admin; where `abstain_below` is not set, it never abstains for doubt."""
    made = settings(**{"abstain_below": 0.0, **answer})
    return Orchestrator(library, library, made, door=lambda *_: OPEN).ask(Question(question, LOCAL_ADMIN))
