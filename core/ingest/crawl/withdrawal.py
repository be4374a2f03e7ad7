"""Documents of a crawl that leave the collection: by themselves as a run ends, most at once on demand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.domain.crawl.ledger import LedgerQuery, UrlReason, UrlRow, UrlState
from core.domain.crawl.withdrawal import MassWithdrawal, cause_of, mass_withdrawal
from core.domain.crawl.words import REASON_WORDS
from core.domain.ids import CrawlId, DocumentId
from core.records.database.visibility import Visibility
from core.records.store import Records

_EVERYTHING = Visibility.everything()
_GONE = LedgerQuery(states=(UrlState.GONE,))


class DocumentWithdrawal:
    """Takes out documents whose addresses are no pages any more. All may be done twice. Thread-safe."""

    def __init__(self, records: Records) -> None:
        self._records = records

    def settle(self, crawl: CrawlId, run: int) -> None:
        """At the end of a run: withdraw what should not be there, but most of it at once only on demand."""
        ledger = self._records.crawl_ledger
        known = ledger.to_withdraw(crawl, run, is_known=True)
        mass = mass_withdrawal(known, ledger.ends(crawl, run, known), ledger.count_documents(crawl))
        stay = frozenset(row.url for row in mass.rows) if mass is not None else frozenset()
        rows = [row for row in ledger.to_withdraw(crawl, run) if row.url not in stay]
        gone = [row for row in ledger.rows(crawl, _GONE) if row.run == run and row.url not in stay]
        self._withdraw(crawl, (*rows, *gone))  # of the gone ones also those that became unreadable before

    def mass(self, crawl: CrawlId, run: int) -> MassWithdrawal | None:
        """The documents that a run which ended did not withdraw by itself; None where there are none."""
        ledger = self._records.crawl_ledger
        rows = ledger.to_withdraw(crawl, run)
        if not rows:
            return None
        ends = ledger.ends(crawl, run, rows)
        causes = {row.url: cause_of(row, ends) for row in rows}
        return MassWithdrawal(tuple(rows), causes, ledger.count_documents(crawl))

    def confirm(self, crawl: CrawlId, run: int) -> int:
        """Withdraw those documents after all; gives their number. The index is left to the caller."""
        rows = self._records.crawl_ledger.to_withdraw(crawl, run)
        self._withdraw(crawl, rows)
        return len(rows)

    def leave(self, documents: Iterable[tuple[DocumentId, str]]) -> None:
        """Take documents out of the collection for their reasons; what never held a text leaves no trace."""
        reasons = dict(documents)
        known = self._records.documents.get_many(list(reasons), _EVERYTHING)
        empty = [document for document, summary in known.items() if not summary.version]
        self._records.documents.remove(empty)
        by_reason: dict[str, list[DocumentId]] = defaultdict(list)
        for document in known.keys() - set(empty):
            by_reason[reasons[document]].append(document)
        for reason, some in sorted(by_reason.items()):
            self._records.documents.withdraw(some, reason)

    def _withdraw(self, crawl: CrawlId, rows: Sequence[UrlRow]) -> None:
        self.leave((row.document, _words(row)) for row in rows if row.document)
        self._records.crawl_ledger.note_withdrawn(crawl, [row.url for row in rows])


def _words(row: UrlRow) -> str:
    """Reason why the document of an address leaves."""
    if row.state is UrlState.GONE:
        return str(row.status or 404)
    if row.leads_to:
        verb = "redirects to" if row.state is UrlState.REDIRECTED else "gives the same page as"
        return f"The address {verb} {row.leads_to} now."
    if row.reason is not UrlReason.NONE:
        return f"The crawl leaves it out now: {REASON_WORDS[row.reason]}."
    return "The crawl leaves it out now."
