"""The keyword side of the embedded engine: tantivy, which also decides what is committed.

One tantivy commit is the commit of the whole engine: with it a `State` takes effect that says up to which
change it goes and how many vector rows belong to it, so keyword and vector side can never disagree. The
state is kept beside the index (core.index.embedded.rows) and not as a document inside: a replaced
document counts in BM25's idf until tantivy merges it away, and scores would tell how many commits there were.
Terms come analysed (core.text.analyse) and are split at blanks only. BM25 with k1 1.2 and b 0.75.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tantivy
from numpy.typing import NDArray

from core.cache import Cache
from core.domain.ids import DocumentId
from core.errors import HomeBusyError, IndexUnavailableError
from core.index.embedded.rows import State, StateFile

_HEAP_BYTES = 64_000_000
_ROOM = 2_000_000  # rows of terms that are kept for one state, 8 bytes each
_COUNTED = 100_000  # terms whose counts are kept for one state
_NO_DOCUMENT = DocumentId("")


@dataclass(frozen=True, slots=True)
class KeywordDocument:
    """A passage as the keyword side holds it; `row` is its row in the vector matrix."""

    document: DocumentId
    row: int
    terms: Sequence[str]


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """Any of the terms (weighted), all of the phrases, and, where given, one of the documents."""

    terms: tuple[tuple[str, float], ...]
    phrases: tuple[tuple[str, ...], ...]
    documents: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class RowScores:
    """Rows with their BM25 scores, best first; `exhausted`: no further row matches."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    exhausted: bool


class KeywordReader:
    """One committed state, for good: later commits do not change what it finds. Thread-safe."""

    def __init__(self, index: tantivy.Index, state: State) -> None:
        self.state = state
        self._schema = index.schema
        self._searcher = index.searcher()
        self._rows: Cache[str, NDArray[np.int64]] = Cache(room=_ROOM, weigh=len)
        self._counts: Cache[str, int] = Cache(_COUNTED)

    def search(self, query: KeywordQuery, limit: int) -> RowScores:
        """The best `limit` rows (at least 1); none where no term is given."""
        compiled = self._compile(query)
        if compiled is None:
            return RowScores(np.empty(0, np.int64), np.empty(0, np.float64), exhausted=True)
        hits = self._searcher.search(compiled, limit, count=False).hits
        rows = self._searcher.fast_field_values("row", [address for _, address in hits])
        scores = np.fromiter((score for score, _ in hits), np.float64, len(hits))
        return RowScores(np.array(rows, np.int64), scores, exhausted=len(hits) < limit)

    def count(self, term: str) -> int:
        """In how many passages a term stands, deleted ones not counted."""

        def read() -> int:
            query = tantivy.Query.term_query(self._schema, "body", term)
            found: Any = self._searcher.search(query, 1, count=True)  # the stub lacks `count`
            return int(found.count)

        return self._counts.get_or_make(term, read)

    def rows_of(self, term: str, count: int) -> NDArray[np.int64]:
        """The rows that a term stands in, in no order; count: how many. Kept: the same words come again."""

        def read() -> NDArray[np.int64]:
            query = tantivy.Query.term_query(self._schema, "body", term)
            hits = self._searcher.search(query, max(count, 1), count=False).hits
            rows = self._searcher.fast_field_values("row", [address for _, address in hits])
            return np.array(rows, np.int64)

        return self._rows.get_or_make(term, read)

    def _compile(self, query: KeywordQuery) -> tantivy.Query | None:
        make, occur = tantivy.Query, tantivy.Occur
        weights: dict[str, float] = {}
        for term, weight in query.terms:
            if weight > 0:
                weights[term] = max(weight, weights.get(term, 0.0))
        if not weights:
            return None
        should = []
        for term, weight in weights.items():
            one = make.term_query(self._schema, "body", term)
            should.append((occur.Should, one if weight == 1.0 else make.boost_query(one, weight)))
        ranked = make.boolean_query(should)
        conditions = [
            make.phrase_query(self._schema, "body", list(phrase))
            if len(phrase) > 1
            else make.term_query(self._schema, "body", phrase[0])
            for phrase in query.phrases
            if phrase
        ]
        if query.documents is not None:
            conditions.append(make.term_set_query(self._schema, "document", list(query.documents)))
        if not conditions:
            return ranked
        # Conditions decide what is ranked and add nothing to the score.
        musts = [(occur.Must, make.const_score_query(condition, 0.0)) for condition in conditions]
        return make.boolean_query([(occur.Must, ranked), *musts])


class KeywordIndex:
    """The tantivy index in one folder: readers of its newest commit, and at most one writer."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = tantivy.Index.open(str(folder))
        self._index.config_reader(reload_policy="manual")
        self._states = StateFile(folder)
        self._writer: tantivy.IndexWriter | None = None

    @classmethod
    def create(cls, folder: Path) -> None:
        """Make an empty index that holds changes up to 0."""
        folder.mkdir(parents=True)
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("body", tokenizer_name="whitespace", index_option="position")
        builder.add_text_field("document", tokenizer_name="raw", index_option="basic")
        builder.add_unsigned_field("row", fast=True)
        tantivy.Index(builder.build(), path=str(folder))
        StateFile(folder).begin(State(sequence=0), State(sequence=0))

    def stamp(self) -> tuple[int, int, int]:
        """Changes with every commit; costs one stat. Raises OSError where the index is gone."""
        stat = (self._folder / "meta.json").stat()
        return (stat.st_ino, stat.st_mtime_ns, stat.st_size)

    def reader(self) -> KeywordReader:
        """A reader of the newest commit."""
        return self._states.with_committed(self._load)

    def _load(self, state: State) -> KeywordReader:
        self._index.reload()
        return KeywordReader(self._index, state)

    def commit(self, removed: Iterable[DocumentId], added: Iterable[KeywordDocument], state: State) -> None:
        """Remove all passages of some documents, add passages, and make `state` the committed one.

        Durable when it returns. On an error nothing has changed.
        """
        writer = self._open_writer()
        try:
            self._states.begin(self._states.committed(), state)
            for document in (_NO_DOCUMENT, *removed):  # a commit without any operation would be none
                writer.delete_documents_by_term("document", document)
            for passage in added:
                row = tantivy.Document()
                row.add_text("body", " ".join(passage.terms))
                row.add_text("document", passage.document)
                row.add_unsigned("row", passage.row)
                writer.add_document(row)
            writer.commit()
        except BaseException:
            self._give_up(writer)
            raise

    def close(self) -> None:
        """Let merges end and free the writer's lock; safe to call twice."""
        if self._writer is not None:
            self._writer.wait_merging_threads()
            self._writer = None

    def _give_up(self, writer: tantivy.IndexWriter) -> None:
        """Forget what was not committed; a writer that died of the error (a full disk) is replaced."""
        try:
            writer.rollback()
        except ValueError:
            self._writer = None

    def _open_writer(self) -> tantivy.IndexWriter:
        if self._writer is None:
            try:
                # One thread: one segment a commit, and the same order of rows on every machine.
                self._writer = self._index.writer(heap_size=_HEAP_BYTES, num_threads=1)
            except ValueError as error:
                if "LockBusy" in str(error):
                    raise HomeBusyError(
                        "Another process is writing to the search index.",
                        next_step="Wait until it has finished, or stop it, and try again.",
                    ) from error
                raise IndexUnavailableError(
                    f"The search index in {str(self._folder)!r} cannot be written: {error}",
                    next_step="Check the disk, then run `groundwork reindex`.",
                ) from error
        return self._writer
