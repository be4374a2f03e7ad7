"""Documents as a principal may see and change them: listed, read, searched, brought in, removed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.config.fields import Schema
from core.domain.annotation import DocumentMetadata
from core.domain.document import (
    NOT_IN_FOLDER,
    DocumentStatus,
    DocumentSummary,
    DocumentVersion,
    OriginalFile,
    Page,
    PageSize,
    valid_bucket,
)
from core.domain.facts import DateFact, DocumentFacts
from core.domain.fields import (
    Cell,
    CellStatus,
    Clause,
    Family,
    FieldType,
    Financial,
    Identity,
    PartyRow,
    Summary,
)
from core.domain.ids import DocumentId, JobId
from core.domain.job import IngestReport, Job, SameName, SameNameChoice
from core.domain.matrix import MatrixColumn
from core.domain.search import SearchInspection, SearchQuery, SearchReport
from core.domain.span import Box, PageSpan
from core.domain.trust.permission import Action
from core.domain.wire.documents import changes_json, family_json, identity_json
from core.domain.wire.fields import facts_json
from core.domain.wire.records import WholeDocument
from core.errors import UsageError
from core.ingest.ocr import require_ocr
from core.jobs import queue
from core.jobs.kinds import OCR
from core.store.base import BucketSummary, CollectionTotals, DocumentOrder, DocumentQuery
from core.store.database.visibility import Visibility
from core.text.file_parts import gaps_in_words
from core.workbench.recorded import note_shown, recorded
from core.workbench.services.base import Service
from core.workbench.services.citations import CitationService
from core.workbench.verdicts import parties_of
from core.workbench.work.scan_jobs import scans

Paths = Iterable[Path | str]
OnProgress = Callable[[Job], None]


class DocumentService(Service):
    """Documents of the home. Changing them takes an admin."""

    @recorded("document.ingest", "bucket", "acl")
    def ingest(
        self,
        paths: Paths,
        *,
        bucket: str = "default",
        acl: Iterable[str] | None = None,
        on_progress: OnProgress | None = None,
        names: Sequence[str] | None = None,
        choices: Mapping[str, SameNameChoice] | None = None,
    ) -> IngestReport:
        """Read files, folders and ZIPs and wait for the end; the worker does it where one runs.

        acl: the groups that may read them, () for everybody; None keeps what documents have that are known.
        names, choices: as `submit_ingest` has them.
        """
        job = self.submit_ingest(paths, bucket=bucket, acl=acl, names=names, choices=choices)
        return self._writing.follow(job, on_progress)

    @recorded("document.ingest", "bucket", "acl")
    def submit_ingest(
        self,
        paths: Paths,
        *,
        bucket: str = "default",
        acl: Iterable[str] | None = None,
        title: str = "",
        names: Sequence[str] | None = None,
        choices: Mapping[str, SameNameChoice] | None = None,
        folders: Mapping[str, str] | None = None,
    ) -> JobId:
        """Enqueue an ingest for the worker and return at once.

        folders: by source of a folder, in archives too (`all.zip/leases`), the bucket of what lies in it.
        names: what each path is listed as, where that is not its path (uploads). choices: by such a name what
        a person decided of a file that `same_names` gave: a new version, or another document. Of the others
        it is decided by how alike the texts are.
        """
        self._permit(Action.INGEST, "ingest documents")
        chosen = [Path(path).expanduser().absolute() for path in paths]
        return self._writing.submit(chosen, names, bucket, acl, title, self._principal, choices, folders)

    def same_names(self, paths: Sequence[Path], names: Sequence[str], *, bucket: str) -> list[SameName]:
        """The files, of those that are to be ingested under some names, whose name a document has already.

        Only where their contents differ: for each the document, and how alike the texts are. It reads those
        files and no others, and blocks for as long as that takes; for a page that lets people choose between
        a new version and another document (`choices` of `submit_ingest`).
        """
        self._permit(Action.INGEST, "ingest documents")
        return self._writing.same_names(paths, names, bucket, self._visible)

    def vanished(self, job: JobId) -> list[DocumentSummary]:
        """The documents whose files are no longer in the folders and archives of an ingest; see `withdraw`.

        It is as of now: what was withdrawn, moved or brought back since is not in it. Raises NotFoundError.
        """
        found = self._writing.vanished(job)
        seen = self._parts.records.documents.get_many([each.id for each in found], self._visible)
        return [each for each in found if each.id in seen]

    @recorded("document.withdraw", "documents")
    def withdraw(self, documents: Collection[DocumentId], reason: str = NOT_IN_FOLDER) -> list[DocumentId]:
        """Take documents out of every search, list and count, and keep them; gives those it took out.

        Adding their file again brings them back. Those that may not be seen are passed over.
        """
        self._permit(Action.INGEST, "withdraw documents")
        seen = self._parts.records.documents.get_many(list(documents), self._visible)
        return self._writing.withdraw(sorted(seen), reason)

    def require_ingest(self) -> None:
        """Raises RefusedError where this principal may not ingest: asked before a file is taken in."""
        self._permit(Action.INGEST, "ingest documents")

    @recorded("document.ingest_sample")
    def ingest_sample(self, *, on_progress: OnProgress | None = None) -> IngestReport:
        """Load the sample collection and wait for the end."""
        return self._writing.follow(self.submit_sample(), on_progress)

    @recorded("document.ingest_sample")
    def submit_sample(self) -> JobId:
        """Enqueue the sample collection: one job, a bucket for each of its folders."""
        self._permit(Action.INGEST, "load the sample collection")
        return self._writing.submit_sample(self._principal)

    @recorded("document.reingest", "documents")
    def reingest(self, documents: Sequence[DocumentId]) -> JobId:
        """Enqueue documents to be read again from their kept originals."""
        self._permit(Action.INGEST, "ingest documents")
        return self._writing.resubmit(documents, self._principal)

    @recorded("document.remove", "documents")
    def remove(self, documents: Collection[DocumentId]) -> list[DocumentId]:
        """Remove documents with all versions and originals; gives those that were there."""
        self._permit(Action.INGEST, "remove documents")
        return self._writing.remove(documents)

    @recorded("document.rename", "document")
    def rename(self, document: DocumentId, name: str) -> str:
        """Give a document a name by hand, the one that its text says for ""; gives the name it has then.

        Raises NotFoundError, UsageError for a name that is too long.
        """
        self._permit(Action.INGEST, "rename documents")
        return self._parts.records.documents.rename(document, name, self._visible)

    def identity(self, document: DocumentId) -> Identity | None:
        """What a document is, between whom and when, by its text; None where that was not read.

        Raises NotFoundError.
        """
        return self._parts.records.documents.identity(document, self._openable)

    def family(self, document: DocumentId) -> Family:
        """The agreement that a document amends or stands under, and those that do so to it.

        Raises NotFoundError.
        """
        return self._parts.records.documents.family(document, self._openable)

    @recorded("bucket.add", "name")
    def add_bucket(self, name: str) -> None:
        """Make an empty bucket; nothing happens where it is there. Raises UsageError for a bad name."""
        self._permit(Action.INGEST, "make buckets")
        self._parts.records.documents.add_bucket(valid_bucket(name))

    def buckets(self) -> list[BucketSummary]:
        """The buckets with what this principal may see of them."""
        return self._parts.records.documents.buckets(self._visible)

    def count(
        self,
        *,
        bucket: str | None = None,
        status: str | None = None,
        text: str = "",
        with_gone: bool = False,
        has_gaps: bool = False,
        has_copies: bool = False,
        once: bool = False,
    ) -> int:
        """Number of documents listed without a limit. Raises UsageError for an unknown status."""
        query = DocumentQuery(bucket, _status(status), text, with_gone=with_gone, has_gaps=has_gaps)
        return self._parts.records.documents.count(*self._narrowed(query, has_copies, once))

    def _narrowed(
        self, query: DocumentQuery, has_copies: bool, once: bool
    ) -> tuple[Visibility, DocumentQuery]:
        if has_copies:
            alike = self._parts.records.copies.find(self._in_bucket(query.bucket)).alike
            query = replace(query, among=alike)
        return self._counted_once(query) if once else self._visible, query

    def get(self, document: DocumentId, version: int | None = None) -> DocumentVersion:
        """A document with all pages of one version (None: the current one). Raises NotFoundError."""
        found = self._parts.records.documents.version(document, version, self._openable)
        self._shown(document, version)
        return found

    def detail(self, document: DocumentId, version: int | None = None) -> dict[str, Any]:
        """A document as JSON: its pages, and of the current version all that it states.

        Raises NotFoundError.
        """
        read = self.get(document, version)
        found = WholeDocument.of(read).json_ready()
        facts = self.facts(document)
        if read.version == facts.document.version:
            found |= facts_json(facts)
        found["copies"] = list(self.copies([document]).get(document, ()))
        if (identity := self.identity(document)) is not None:
            found["identity"] = identity_json(identity)
        if read.version < read.summary.version and not read.summary.is_gone:
            compared = CitationService(self._parts, self._principal).compare(document, read.version)
            found["changed_since"] = changes_json(compared)
        return found | {"family": family_json(self.family(document))}

    def page(self, document: DocumentId, version: int | None, page_no: int) -> Page:
        """One page with its text. Raises NotFoundError."""
        found = self._parts.records.documents.page(document, version, page_no, self._openable)
        self._shown(document, version)
        return found

    def page_image(
        self, document: DocumentId, version: int | None, page_no: int, width_px: int = 1000
    ) -> bytes | None:
        """The page as a JPEG; None where the format has no page images. Raises NotFoundError, InputError."""
        image = self._parts.pages.image(document, self._principal, version, page_no, width_px)
        self._shown(document, version)
        return image

    def page_size(self, document: DocumentId, version: int | None, page_no: int) -> PageSize | None:
        """Size of the page; None where the format has no page images."""
        return self._parts.pages.size(document, self._principal, version, page_no)

    def boxes(
        self, document: DocumentId, version: int | None, page_no: int, spans: Sequence[tuple[int, int]]
    ) -> list[list[Box]]:
        """Boxes of each [start, end) on the page image, one a line; [] for each without images."""
        return self._parts.pages.boxes(document, self._principal, version, page_no, spans)

    def words(self, document: DocumentId, version: int | None, page_no: int) -> list[tuple[str, Box]]:
        """The words of the page with their places, for a text layer over the image."""
        return self._parts.pages.words(document, self._principal, version, page_no)

    def stored_page(
        self, document: DocumentId, version: int | None = None, quote: PageSpan | None = None, theme: str = ""
    ) -> str | None:
        """A web page as it was, as HTML that runs and fetches nothing; the quoted words are marked.

        None where the document is no web page or cannot be shown so. theme: light, dark, or "". Raises
        NotFoundError.
        """
        html = self._parts.pages.stored_page(document, self._principal, version, quote, theme)
        self._shown(document, version)
        return html

    def _shown(self, document: DocumentId, version: int | None) -> None:
        note_shown(self._parts.records, self._principal, document, version)

    @recorded("document.export", "document", "version")
    def original(self, document: DocumentId, version: int | None = None) -> OriginalFile:
        """The original file as it was ingested. Raises NotFoundError where it was never read or is gone."""
        return self._parts.pages.original(document, self._principal, version)

    def search(self, query: SearchQuery | str) -> SearchReport:
        """The passages or facts that fit a query, or the words of one.

        Raises IndexUnavailableError, and UsageError for an unknown index or a condition that cannot be read.
        """
        self._permit(Action.QUERY, "search")
        wanted = SearchQuery(query) if isinstance(query, str) else query
        return self._parts.finder.search(wanted, self._visible)

    def inspect(self, query: SearchQuery) -> SearchInspection:
        """Inspection of the search of a query, by every configured engine. Raises UsageError."""
        self._permit(Action.QUERY, "search")
        return self._parts.inspector.inspect(query, self._visible)

    def facts(self, document: DocumentId) -> DocumentFacts:
        """All that is stated in a document's current version. Raises NotFoundError."""
        visible, records = self._visible, self._parts.records
        summary = records.documents.get(document, self._openable)
        name = self._parts.extraction_states.schema_of(document, visible)
        schema = next((each for each in self._parts.schemas.schemas() if each.name == name), None)
        columns = () if schema is None else tuple(_columns_of(schema))
        names = [column.name for column in columns]
        found = {
            cell.field: cell for cell in records.fields.cells(visible, documents=[document], fields=names)
        }
        cells = tuple(found[column.name] for column in columns if column.name in found)
        facts = records.facts
        found_parties = [each.fact for each in facts.of(PartyRow, visible, documents=[document])]
        return DocumentFacts(
            document=summary,
            schema=name if schema is not None else "",
            columns=columns,
            cells=cells,
            clauses=tuple(each.fact for each in facts.of(Clause, visible, documents=[document])),
            parties=tuple(parties_of(found_parties, cells, columns)),
            financials=tuple(each.fact for each in facts.of(Financial, visible, documents=[document])),
            summaries=tuple(each.fact for each in facts.of(Summary, visible, documents=[document])),
            dates=tuple(_dates(columns, cells)),
            notes=facts.notes(document, visible),
        )

    @recorded("document.read_scans", "documents")
    def submit_ocr(self, documents: Sequence[DocumentId]) -> JobId:
        """Enqueue the reading of scanned pages. Raises RefusedError, UsageError where none is named."""
        self._permit(Action.INGEST, "read scans")
        require_ocr()
        if not documents:
            raise UsageError("No documents to read.", next_step="Choose some documents without text.")
        title = f"{len(documents):,} scan{'' if len(documents) == 1 else 's'} read"
        payload = {"documents": list(documents)}
        return queue.submit(self._parts.records, OCR, title, payload, user=self._principal.user)

    @recorded("document.read_scans", "documents")
    def read_scans(
        self, documents: Sequence[DocumentId], *, on_progress: Callable[[Job], None] | None = None
    ) -> Job:
        """The same, and wait for the end; the worker does it where one runs. Gives the ended job."""
        return self._writing.complete(self.submit_ocr(documents), on_progress)

    def scans(self) -> list[DocumentSummary]:
        """The documents that text recognition might make readable. Raises RefusedError."""
        self._permit(Action.INGEST, "read scans")
        return scans(self._parts.records, again=True)

    def metadata(self, document: DocumentId) -> DocumentMetadata:
        """Properties of a document that are known without reading it. Raises NotFoundError."""
        visible, records = self._visible, self._parts.records
        summary = records.documents.get(document, self._openable)
        asking, kind = (
            self._asking(summary.bucket),
            self._parts.extraction_states.schema_of(document, visible),
        )
        cells = records.fields.cells(visible, documents=[document])
        return DocumentMetadata(
            document=summary,
            file=records.documents.metadata(document, self._openable),
            cells=tuple(each for each in cells if asking.asks(each.field, summary.bucket, kind or None)),
            family=records.facts.family(document, visible),
        )

    def gaps(self, documents: Collection[DocumentId]) -> dict[DocumentId, str]:
        """What can be seen in files and was not read, in words; of a file that was read in whole, nothing."""
        found = self._parts.records.documents.parts(documents, self._openable)
        return {id: gaps_in_words(parts) for id, parts in found.items()}

    def copies(
        self, documents: Collection[DocumentId], bucket: str | None = None
    ) -> dict[str, tuple[str, ...]]:
        """By document, of those that have any, the others of the same words in a bucket (None: in all)."""
        return self._parts.records.copies.find(self._in_bucket(bucket)).beside(documents)

    def with_copies(
        self, documents: Collection[DocumentId], bucket: str | None = None
    ) -> dict[DocumentId, list[DocumentSummary]]:
        """The same, each copy with what a list says of it, by their sources."""
        return self._parts.records.copies.beside(documents, self._in_bucket(bucket))

    def totals(self, buckets: Collection[str] = ()) -> CollectionTotals:
        """Documents and passages in some buckets (none: in all), of copies one: what is asked of."""
        visible = self._parts.records.copies.counted_once(self._visible.within(buckets))
        return self._parts.records.documents.totals(visible)

    def by_id(self, documents: Collection[DocumentId]) -> dict[DocumentId, DocumentSummary]:
        """Those of the documents that can be opened, also what is gone from its site."""
        return self._parts.records.documents.get_many(documents, self._openable)

    def list(
        self,
        *,
        bucket: str | None = None,
        status: str | None = None,
        text: str = "",
        limit: int | None = None,
        offset: int = 0,
        order: DocumentOrder = DocumentOrder.TITLE,
        descending: bool = False,
        with_gone: bool = False,
        has_gaps: bool = False,
        has_copies: bool = False,
        once: bool = False,
    ) -> list[DocumentSummary]:
        """Documents by title; `text` stands in title or source. Raises UsageError for an unknown status.

        with_gone: those that their source gives no more are listed too, not only under their own status.
        has_gaps: only those of whose file something that can be seen was not read. has_copies: only those
        whose words other files have. once: of copies one, the oldest of those that fit.
        """
        wanted = (bucket, _status(status), text, order, descending, limit, offset, with_gone, has_gaps)
        query = DocumentQuery(*wanted)
        return self._parts.records.documents.list(*self._narrowed(query, has_copies, once))


def _status(name: str | None) -> DocumentStatus | None:
    known = [each.value for each in DocumentStatus]
    if name and name not in known:
        raise UsageError(
            f"Unknown status {name!r}. Expected one of: {', '.join(known)}.",
            next_step="Choose one of them, or leave it out.",
        )
    return DocumentStatus(name) if name else None


def _columns_of(schema: Schema) -> Iterator[MatrixColumn]:
    for each in schema.fields:
        yield MatrixColumn(each.name, each.title, each.type, each.many, each.group, (schema.name,))


def _dates(columns: Sequence[MatrixColumn], cells: Sequence[Cell]) -> Iterator[DateFact]:
    """The dates of present cells, earliest first."""
    titles = {column.name: column.title for column in columns}
    found = [
        DateFact(
            cell.field,
            titles[cell.field],
            value,
            cell.finding.spans[min(at, len(cell.finding.spans) - 1)] if cell.finding.spans else None,
        )
        for cell in cells
        if cell.finding.status is CellStatus.PRESENT
        for at, value in enumerate(cell.finding.values)
        if value.type is FieldType.DATE and value.amount is not None
    ]
    return iter(sorted(found, key=lambda each: (each.value.amount or 0, each.field)))
