"""Scope of a question: the buckets, and the number of documents that may be seen in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.answer.computed.wording import listed
from core.domain.document import DocumentSummary
from core.records.base import BucketSummary

NAMED = 4


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """buckets: as chosen, () for all. names: those that hold documents. Counts are of visible documents.

    documents: those with text, which can be searched; unread: those without any.
    """

    buckets: tuple[str, ...]
    names: tuple[str, ...]
    documents: int
    unread: int = 0

    @property
    def label(self) -> str:
        """`45 documents in contracts and invoices`; `no documents` where there are none."""
        if not self.documents:
            return "no documents"
        count = f"{self.documents:,} document" + ("" if self.documents == 1 else "s")
        if not self.names or (not self.buckets and len(self.names) > NAMED):
            return f"{count} in {len(self.names)} buckets" if len(self.names) > 1 else count
        shown, more = [f"“{name}”" for name in self.names[:NAMED]], len(self.names) - NAMED
        return f"{count} in {listed([*shown, f'{more} more buckets'] if more > 0 else shown)}"

    @property
    def is_empty(self) -> bool:
        """True where there is nothing here at all, not even files without text."""
        return not self.documents and not self.unread

    @property
    def unread_note(self) -> str:
        """A sentence on the documents that could not be searched; "" where there are none."""
        if not self.unread:
            return ""
        many = ("", "it") if self.unread == 1 else ("s", "them")
        lost = f"could not be searched, because no text could be read from {many[1]}."
        return f"{self.unread:,} more document{many[0]} {lost}"


def read_scope(
    summaries: Sequence[BucketSummary], buckets: tuple[str, ...], unread: Sequence[DocumentSummary] = ()
) -> QuestionScope:
    """The scope of a question that is asked in `buckets`, () for all; unread: documents without text."""
    inside = [summary for summary in summaries if not buckets or summary.name in buckets]
    filled = [summary for summary in inside if summary.documents]
    blind = sum(not buckets or document.bucket in buckets for document in unread)
    documents = sum(s.documents for s in filled) - blind
    return QuestionScope(buckets, tuple(s.name for s in filled), max(documents, 0), blind)
