"""Pages of a crawl on their way into the collection: indexed as they arrive, and withdrawn at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.crawl.ledger import LedgerQuery, UrlReason, UrlRow, UrlState
from core.domain.crawl.withdrawal import MassWithdrawal, cause_of, mass_withdrawal
from core.domain.crawl.words import REASON_WORDS
from core.domain.document import HTML, DocumentStatus, DocumentSummary, IngestOutcome
from core.domain.ids import CrawlId, DocumentId
from core.domain.job import IngestItem
from core.errors import NotFoundError
from core.extract.jobs.job import IngestExtraction
from core.ingest.intake import IngestInput
from core.ingest.pipeline import Pipeline
from core.jobs.base import JobContext
from core.store.crawl.crawls import CrawlRecord
from core.store.database.visibility import Visibility
from core.store.store import Records

_EVERYTHING = Visibility.everything()
_GONE = LedgerQuery(states=(UrlState.GONE,))
_NEW = (IngestOutcome.READY, IngestOutcome.UPDATED)
_AT_ONCE = 256  # pages of one run of the pipeline
_ROWS = 1_000  # of the ledger that are read at a time
_KEPT = LedgerQuery(states=(UrlState.KEPT,), limit=_ROWS)
Tell = Callable[[str], None]
"""Told of an address that is done now."""


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


@dataclass(frozen=True, slots=True)
class _Unreadable:
    """A page that was kept and gave no text."""

    row: UrlRow
    document: DocumentSummary

    @property
    def reason(self) -> str:
        return self.document.reason

    @property
    def is_without_use(self) -> bool:
        """False where text recognition may yet read it."""
        return self.document.status is not DocumentStatus.UNREADABLE


class PageIntake:
    """Brings kept pages into the collection, and takes out what is no page of the site any more.

    extraction: fills the fields of what was published; None leaves them to a job of their own. catch_up:
    brings the index up to the records. One slice at a time, and every step may be done twice.
    """

    def __init__(
        self,
        records: Records,
        pipeline: Pipeline,
        extraction: IngestExtraction | None = None,
        catch_up: Callable[[], object] = lambda: None,
    ) -> None:
        self._records = records
        self._pipeline = pipeline
        self._extraction = extraction
        self._catch_up = catch_up
        self._withdrawal = DocumentWithdrawal(records)

    def take(self, crawl: CrawlRecord, context: JobContext, tell: Tell) -> None:
        """Ingest pages that wait, the nearest first, until the slice has lasted long enough.

        Gives up what is not published yet where the job is interrupted.
        """
        rows = self._records.crawl_ledger.to_index(crawl.id, _AT_ONCE)
        with nullcontext() if self._extraction is None else self._extraction.beside(context) as fields:

            def note(outcomes: Mapping[int, IngestItem]) -> None:
                self._note(crawl.id, rows, outcomes)
                if fields is not None:
                    fields.add(i.document for i in outcomes.values() if i.document and i.outcome in _NEW)
                if outcomes:
                    tell(rows[max(outcomes)].url)

            self._pipeline.run(
                (self._input(number, row, crawl) for number, row in enumerate(rows)),
                note,
                context,
                reached=lambda current: tell(current.source),
                is_behind=lambda: fields is not None and fields.is_behind,
            )

    def fill(self, crawl: CrawlId, context: JobContext) -> bool:
        """Fill the fields of the crawl's documents that lack them; gives whether there are more to fill."""
        if self._extraction is None:
            return False
        documents = [row.document for row in self._kept(crawl) if row.document]
        return self._extraction.fill_lacking(context, documents)

    def settle(self, crawl: CrawlId, run: int) -> None:
        """At the end of a run: note pages without text, and withdraw documents as DocumentWithdrawal does.

        Not before: until the last page came, others with the same content may still lead to one of them.
        """
        ledger = self._records.crawl_ledger
        unreadable = self._unreadable(crawl)
        self._withdrawal.leave(
            [(each.document.id, each.reason) for each in unreadable if each.is_without_use]
        )
        ledger.note_unreadable(crawl, {each.row.url: each.reason for each in unreadable})
        self._withdrawal.settle(crawl, run)
        self._catch_up()

    def _input(self, number: int, row: UrlRow, crawl: CrawlRecord) -> IngestInput:
        name = row.title if row.media_type != HTML else ""  # of a download
        page = IngestInput(number, Path(), row.url, crawl.bucket, crawl.request.acl, name=name)
        try:
            return replace(page, path=self._records.blobs.path(row.content_hash))
        except NotFoundError as error:
            return replace(page, problem=error.message, next_step="Crawl the site again.")

    def _note(self, crawl: CrawlId, rows: Sequence[UrlRow], outcomes: Mapping[int, IngestItem]) -> None:
        """Note which document holds a page; one whose stored bytes are lost is asked for anew next time."""
        done = [(rows[number], item) for number, item in outcomes.items()]
        self._records.crawl_ledger.note_indexed(
            crawl, {row.url: (item.document, row.content_hash) for row, item in done if item.document}
        )
        self._records.crawl_ledger.note_unreadable(
            crawl, {row.url: item.reason for row, item in done if not item.document}
        )

    def _kept(self, crawl: CrawlId) -> list[UrlRow]:
        rows: list[UrlRow] = []
        while some := self._records.crawl_ledger.rows(crawl, replace(_KEPT, offset=len(rows))):
            rows += some
        return rows

    def _unreadable(self, crawl: CrawlId) -> list[_Unreadable]:
        rows = {row.document: row for row in self._kept(crawl) if row.document}
        known = self._records.documents.get_many(list(rows), _EVERYTHING)
        return [
            _Unreadable(rows[document], summary)
            for document, summary in known.items()
            if self._is_unreadable(rows[document], summary)
        ]

    def _is_unreadable(self, row: UrlRow, document: DocumentSummary) -> bool:
        if document.status is not DocumentStatus.READY:
            return True
        if not document.reason:
            return False
        # A good version before it still serves, until it is withdrawn.
        return self._records.documents.failed_hash(document.id, _EVERYTHING) == row.content_hash
