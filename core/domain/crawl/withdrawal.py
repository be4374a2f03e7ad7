"""Withdrawals of most documents of a crawl at once, which look like a site out of order, not like news."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.crawl.ledger import UrlReason, UrlRow, UrlState
from core.domain.crawl.words import REASON_WORDS

LARGEST_SHARE = 0.5
"""Share of its documents that a run withdraws by itself where one cause takes them all."""
FEWEST_ALIKE = 10
"""Documents with one cause from which on they count as a group; fewer are news of their pages."""
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class MassWithdrawal:
    """Documents that a run did not withdraw by itself. rows: their addresses, never empty.

    causes: by address, what became of it, as the end of a sentence ("lead to https://…").
    documents: number that the crawl had before the run.
    """

    rows: tuple[UrlRow, ...]
    causes: Mapping[str, str]
    documents: int

    @property
    def sentence(self) -> str:
        """The number of documents, and why they stay, for a person."""
        counts = Counter(self.causes[row.url] for row in self.rows).most_common()
        shown = [f"{number:,} of their addresses {cause}" for cause, number in counts[:_SHOWN]]
        more = sum(number for _, number in counts[_SHOWN:])
        shown += [f"{more:,} have other causes"] if more else []
        return (
            f"{len(self.rows):,} of {self.documents:,} documents stay for now, although this run says that "
            f"they should go: {', '.join(shown)}. Sites out of order answer like that. Where this one is, "
            "crawl it again once it is back; where it has really changed, withdraw the documents."
        )


def cause_of(row: UrlRow, ends: Mapping[str, str]) -> str:
    """What became of an address, as the end of a sentence. ends: where addresses lead in the end."""
    if row.leads_to:
        return f"lead to {ends.get(row.url, row.leads_to)}"
    if row.state is UrlState.GONE and row.reason is UrlReason.SOFT_404:
        return "say that there is no such page"
    if row.state is UrlState.GONE:
        return f"answer with status {row.status or 404}"
    return f"are left out ({REASON_WORDS[row.reason]})"


def mass_withdrawal(rows: Sequence[UrlRow], ends: Mapping[str, str], documents: int) -> MassWithdrawal | None:
    """Of rows whose documents are to go, those of large groups with one cause; None where they may go.

    They are many where they are more than LARGEST_SHARE of the documents that the crawl had.
    """
    causes = {row.url: cause_of(row, ends) for row in rows}
    counts = Counter(causes.values())
    alike = tuple(row for row in rows if counts[causes[row.url]] >= FEWEST_ALIKE)
    if len(alike) <= LARGEST_SHARE * documents or not alike:
        return None
    return MassWithdrawal(alike, causes, documents)
