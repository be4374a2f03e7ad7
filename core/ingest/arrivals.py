"""Arrivals: what a file is to the documents that are there: one of them, its version, or another one.

A source names a document. Where its file has other contents now, it is a new version if the texts are alike,
else another document, which bears a number. Where its bytes lie at a new source and the old one is gone, the
document moves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from core.domain.document import DocumentSummary, Page, ParsedDocument
from core.domain.ids import ContentHash, DocumentId
from core.domain.job import Decision
from core.ingest.intake import IngestInput
from core.ingest.likeness import ALIKE, likeness
from core.store.database.visibility import Visibility
from core.store.documents.sources import numbered_source
from core.store.store import Records

_EVERYTHING = Visibility.everything()


@dataclass(frozen=True, slots=True)
class Placement:
    """An input at the source of its document. known: the document that is there; None for a new one."""

    input: IngestInput
    known: DocumentSummary | None
    decision: Decision = Decision.NONE
    remark: str = ""


class Arrivals:
    """Places the files of one job. Thread-safe.

    vanished: gives the documents whose files are gone from the folders and archives of the job.
    """

    def __init__(
        self, records: Records, vanished: Callable[[], Collection[DocumentSummary]] = lambda: ()
    ) -> None:
        self._records = records
        self._read_vanished = vanished
        self._vanished: set[DocumentId] | None = None
        self._lock = threading.Lock()  # a document moves to one file only

    def place(self, item: IngestInput, digest: ContentHash) -> Placement:
        """Place a file by its source and its bytes."""
        documents = self._records.documents
        known = documents.find(item.bucket, item.source)
        if item.kept or not digest:
            return Placement(item, known)
        if known is None:
            moved = self._moved(item, digest)
            if moved is None:
                return Placement(item, None)
            known = replace(moved, source=item.source)
            return Placement(item, known, Decision.RENAMED, f"Renamed from {_short(moved, item)}.")
        if item.same_name == "version" or _is_settled(known, digest):
            return Placement(item, known)
        for each in documents.numbered(item.bucket, item.source):
            if each.content_hash == digest:
                return Placement(replace(item, source=each.source), each, Decision.OTHER, _OTHER_BEFORE)
        return Placement(item, known)

    def judge(self, placed: Placement, digest: ContentHash, parsed: ParsedDocument) -> Placement:
        """Decide, once its text is read, whether a file with other contents is a version or another one."""
        item, known = placed.input, placed.known
        if known is None or item.kept or placed.decision or _is_settled(known, digest):
            return placed
        documents = self._records.documents
        if item.same_name == "version" and not item.is_decided:
            return placed
        held = [known, *documents.numbered(item.bucket, item.source)]
        if item.same_name == "version":  # of the one that it is most alike to, where several have the name
            nearest = max(held, key=lambda each: likeness(self._pages(each), parsed.pages) or 0.0)
            return Placement(replace(item, source=nearest.source), nearest, Decision.VERSION)
        if item.same_name == "alike":
            shares = [(likeness(self._pages(each), parsed.pages), each) for each in held]
            if any(share is None for share, _ in shares):
                return replace(placed, decision=Decision.VERSION, remark=_UNTOLD)
            share, nearest = max(((share or 0.0, each) for share, each in shares), key=lambda pair: pair[0])
            if share >= ALIKE:
                why = f"New version: {share:.0%} alike."
                return Placement(replace(item, source=nearest.source), nearest, Decision.VERSION, why)
            why = f"Another document of the same name: {share:.0%} alike."
        else:
            why = "Another document of the same name, as was chosen."
        taken = {each.source for each in held}
        number = next(n for n in range(2, len(held) + 3) if numbered_source(item.source, n) not in taken)
        return Placement(
            replace(item, source=numbered_source(item.source, number)), None, Decision.OTHER, why
        )

    def _pages(self, document: DocumentSummary) -> tuple[Page, ...]:
        return self._records.documents.version(document.id, None, _EVERYTHING).pages

    def _moved(self, item: IngestInput, digest: ContentHash) -> DocumentSummary | None:
        """The document of these bytes whose file is gone; it has the new source then."""
        if item.same_name == "version":
            return None
        with self._lock:
            for each in self._records.documents.of_bytes(item.bucket, digest):
                if each.id in self._gone or _is_gone_beside(each.source, item.source):
                    self._records.documents.move(each.id, item.source)
                    self._gone.discard(each.id)
                    return each
        return None

    @property
    def _gone(self) -> set[DocumentId]:
        if self._vanished is None:
            self._vanished = {each.id for each in self._read_vanished()}
        return self._vanished


_OTHER_BEFORE = "Another document of the same name, as before."
_UNTOLD = "New version: there are too few words to tell whether it is another document."


def _is_settled(known: DocumentSummary, digest: ContentHash) -> bool:
    """True where a document stays what its source names: of these bytes, never read, or taken out."""
    return known.content_hash == digest or known.version == 0 or known.is_gone


def _is_gone_beside(old: str, new: str) -> bool:
    """True where the file of a source lay in the folder of another one and is gone."""
    one, other = Path(old), Path(new)
    if not (one.is_absolute() and other.is_absolute() and one.parent == other.parent):
        return False
    return one.parent.is_dir() and not one.exists()


def _short(document: DocumentSummary, item: IngestInput) -> str:
    """The old source, by its name alone where it lay in the same folder."""
    old, new = PurePosixPath(document.source), PurePosixPath(item.source)
    return old.name if old.parent == new.parent else str(old)
