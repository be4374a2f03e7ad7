"""Where a question is asked: the buckets and how many documents may be seen in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.records.base import BucketSummary

NAMED = 4


@dataclass(frozen=True, slots=True)
class Scope:
    """buckets: as chosen, () for all. names: those that hold documents. Counts are of visible documents."""

    buckets: tuple[str, ...]
    names: tuple[str, ...]
    documents: int

    @property
    def label(self) -> str:
        """`45 documents in contracts and invoices`; `no documents` where there are none."""
        if not self.documents:
            return "no documents"
        count = f"{self.documents:,} document" + ("" if self.documents == 1 else "s")
        if not self.names or (not self.buckets and len(self.names) > NAMED):
            return f"{count} in {len(self.names)} buckets" if len(self.names) > 1 else count
        shown = [f"“{name}”" for name in self.names[:NAMED]]
        more = len(self.names) - len(shown)
        if more:
            return f"{count} in {', '.join(shown)} and {more} more buckets"
        listed = shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + f" and {shown[-1]}"
        return f"{count} in {listed}"


def read_scope(summaries: Sequence[BucketSummary], buckets: tuple[str, ...]) -> Scope:
    """The scope of a question that is asked in `buckets`, () for all."""
    inside = [summary for summary in summaries if not buckets or summary.name in buckets]
    filled = [summary for summary in inside if summary.documents]
    return Scope(buckets, tuple(s.name for s in filled), sum(s.documents for s in filled))
