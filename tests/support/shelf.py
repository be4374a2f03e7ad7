"""A small collection in real records and an in-memory engine, for tests of retrieval."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.ids import DocumentId, content_hash
from core.domain.passage import EncodedPassage, Passage
from core.domain.span import PageSpan
from core.encode.base import TextToEncode
from core.index.base import IndexBatch
from core.search.search import Retriever
from core.store.base import IndexedPassage, NewVersion
from core.store.store import Records
from tests.support.hashed_encoder import HashedEncoder
from tests.support.memory_engine import Memory, MemoryEngine

SENTENCE = re.compile(r"[^.\n]+\.?")


class Shelf:
    """Records, engine, encoder and retriever over documents that are put on it one by one."""

    def __init__(self, home: Path, **retrieval: object) -> None:
        self.settings = Settings(home=home)
        if retrieval:
            changed = self.settings.retrieval.model_copy(update=retrieval)
            self.settings = self.settings.model_copy(update={"retrieval": changed})
        self.records = Records.open(self.settings)
        self.encoder = HashedEncoder()
        self.engine = MemoryEngine(Memory(self.encoder.signature))
        self.retriever = Retriever(self.records, self.engine, self.encoder, self.settings)

    def put(
        self,
        source: str,
        *passages: str,
        title: str = "",
        bucket: str = "default",
        acl: tuple[str, ...] = (),
        section: tuple[str, ...] = (),
        pages: Sequence[str] = (),
    ) -> DocumentId:
        """Publish and index a document of one page with these passages.

        pages: makes a document of these pages instead, in one passage that joins them.
        """
        texts = tuple(pages) or ("\n".join(passages),)
        made = _joined(texts) if pages else _cut(texts[0], passages)
        return self._publish(source, texts, made, title, bucket, acl, section)

    def put_page(self, source: str, page: str, passages: Sequence[str]) -> DocumentId:
        """Publish and index a document of one page, cut into these passages, which may overlap."""
        return self._publish(source, (page,), _cut(page, passages), source, "default", (), ())

    def _publish(
        self,
        source: str,
        texts: tuple[str, ...],
        made: Sequence[tuple[str, tuple[PageSpan, ...]]],
        title: str,
        bucket: str,
        acl: tuple[str, ...],
        section: tuple[str, ...],
    ) -> DocumentId:
        parsed = ParsedDocument(
            title or source, "text/plain", tuple(Page(no, text) for no, text in enumerate(texts, start=1))
        )
        encoded = []
        for ordinal, (text, parts) in enumerate(made):
            spans = tuple(_trim(text, *match.span()) for match in SENTENCE.finditer(text))
            sentences = tuple((start, end) for start, end in spans if end > start)
            passage = Passage(DocumentId(""), 0, ordinal, parts, text, section, len(text.split()), sentences)
            (vectors,) = self.encoder.encode_passages([TextToEncode(text, sentences)])
            encoded.append(EncodedPassage(passage, vectors.vector, vectors.sentences))
        new = NewVersion(
            bucket,
            source,
            parsed,
            content_hash("\f".join(texts).encode()),
            1,
            encoded,
            acl,
            self.encoder.signature,
        )
        published = self.records.documents.publish(new)
        self.index()
        return published.document

    def index(self) -> None:
        """Bring the engine up to the records."""
        changed = self.records.changes.since(self.engine.status().sequence)
        rows = self.records.passages.of_documents(changed.documents)
        indexed = tuple(IndexedPassage(row.stored, row.vector) for row in rows)
        self.engine.apply(IndexBatch(changed.sequence, changed.documents, indexed))

    def close(self) -> None:
        self.records.close()


def _cut(page: str, passages: Sequence[str]) -> list[tuple[str, tuple[PageSpan, ...]]]:
    made = []
    at = 0
    for text in passages:
        start = page.index(text, at)
        made.append((text, (PageSpan(1, start, start + len(text)),)))
        at = start
    return made


def _joined(pages: Sequence[str]) -> list[tuple[str, tuple[PageSpan, ...]]]:
    parts = tuple(PageSpan(no, 0, len(text)) for no, text in enumerate(pages, start=1))
    return [("\n".join(pages), parts)]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip()))
