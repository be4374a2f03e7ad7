"""One generation of the embedded index: keyword side and vector side in one folder, always in step."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from core.domain.ids import DocumentId
from core.encode.base import EncoderSignature
from core.errors import IndexUnavailableError
from core.index.base import IndexBatch, check_index, check_vectors
from core.index.embedded.keyword import KeywordDocument, KeywordIndex, KeywordReader
from core.index.embedded.rows import RowFiles, RowView
from core.store.base import IndexedPassage
from core.text.analyse import ANALYSER_VERSION, passage_terms

_FORMAT = 2


@dataclass(frozen=True, slots=True)
class View:
    """One committed state of both sides; never changes."""

    reader: KeywordReader
    rows: RowView


class Generation:
    """A generation that is open. Any number of threads may call `view`; one at a time may call `apply`."""

    def __init__(self, folder: Path, signature: EncoderSignature) -> None:
        self.name = folder.name
        self._signature = signature
        self._folder = folder
        _check_fit(folder, signature)
        try:
            self._keyword = KeywordIndex(folder / "keyword")
        except (OSError, ValueError) as error:
            raise _damaged(folder, error) from error
        self._files = RowFiles(folder / "rows", signature.dimension)
        self._refreshing = threading.Lock()  # one thread builds the next view, from the newest one
        self._seen: tuple[tuple[int, int, int], View] | None = None

    @staticmethod
    def create(folder: Path, signature: EncoderSignature) -> None:
        """Fill a folder with an empty generation for vectors of this encoder."""
        facts = {"format": _FORMAT, "analyser": ANALYSER_VERSION, "encoder": asdict(signature)}
        KeywordIndex.create(folder / "keyword")
        RowFiles.create(folder / "rows")
        (folder / "facts.json").write_text(json.dumps(facts), "utf-8")

    def view(self) -> View:
        """The newest committed state; one stat where nothing changed."""
        try:
            stamp = self._keyword.stamp()
            if (seen := self._seen) is not None and seen[0] == stamp:
                return seen[1]
            with self._refreshing:
                stamp = self._keyword.stamp()
                if (seen := self._seen) is not None and seen[0] == stamp:
                    return seen[1]
                reader = self._keyword.reader()
                view = View(reader, self._files.view(reader.state, seen[1].rows if seen else None))
                self._seen = (stamp, view)
                return view
        except (OSError, ValueError) as error:
            raise _damaged(self._folder, error) from error

    def apply(self, batch: IndexBatch) -> None:
        """Make a batch visible and durable, or change nothing."""
        check_vectors(batch.passages, self._signature)
        view = self.view()
        held = _held(view.rows, batch.passages)
        passages = tuple(one for one in batch.passages if one.stored.passage.document not in held)
        stale = (batch.documents - held) | {indexed.stored.passage.document for indexed in passages}
        sequence = max(batch.sequence, view.rows.state.sequence)
        if not stale and sequence == view.rows.state.sequence:
            return
        known = [document for document in stale if view.rows.names.code("document", document) is not None]
        first = view.rows.state.rows
        try:
            state = self._files.append(view.rows, stale, passages, sequence)
            added = (
                KeywordDocument(indexed.stored.passage.document, first + at, passage_terms(indexed.stored))
                for at, indexed in enumerate(passages)
            )
            self._keyword.commit(known, added, state)
        except (OSError, ValueError) as error:
            raise IndexUnavailableError(
                f"The search index in {str(self._folder)!r} could not be written: {error}",
                next_step="Free disk space or check the folder's permissions; nothing was changed.",
            ) from error

    def close(self) -> None:
        """Let merges end; safe to call twice."""
        self._keyword.close()


def _held(rows: RowView, passages: Sequence[IndexedPassage]) -> frozenset[DocumentId]:
    """The documents whose living rows are these very passages already.

    A batch is applied again after a kill. Replacing a row by its equal would leave a dead one behind, which
    counts in BM25's idf until tantivy merges it away: the same collection would score differently.
    """
    wanted: dict[DocumentId, dict[int, IndexedPassage]] = {}
    for one in passages:
        wanted.setdefault(one.stored.passage.document, {})[one.stored.id] = one
    found: dict[DocumentId, dict[int, int]] = {}
    for row in rows.rows_of(frozenset(wanted)).tolist():
        found.setdefault(rows.document(row), {})[int(rows.passages[row])] = row
    return frozenset(
        document
        for document, there in found.items()
        if there.keys() == wanted[document].keys()
        and all(_is_row(rows, row, wanted[document][passage]) for passage, row in there.items())
    )


def _is_row(rows: RowView, row: int, indexed: IndexedPassage) -> bool:
    stored = indexed.stored
    facts = {"bucket": stored.bucket, "doc_type": stored.doc_type, "acl": tuple(sorted(set(stored.acl)))}
    return all(
        rows.names.values[kind][int(rows.columns[kind][row])] == value for kind, value in facts.items()
    ) and np.array_equal(rows.matrix[row], np.asarray(indexed.vector, np.float32))


def _check_fit(folder: Path, signature: EncoderSignature) -> None:
    """Refuse a generation of another encoder, analyser or format."""
    try:
        facts = json.loads((folder / "facts.json").read_text("utf-8"))
        stored = EncoderSignature(**facts["encoder"])
        versions = (facts["format"], facts["analyser"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(folder, error) from error
    check_index(
        f"The search index in {str(folder)!r}",
        stored,
        signature,
        is_of_this_version=versions == (_FORMAT, ANALYSER_VERSION),
    )


def _damaged(folder: Path, error: Exception) -> IndexUnavailableError:
    return IndexUnavailableError(
        f"The search index in {str(folder)!r} cannot be read: {error}",
        next_step="Run `groundwork reindex` to build it again from the records.",
    )
