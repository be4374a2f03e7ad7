"""The facade over one home: what pages, commands and programs call."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from core.config.load import load_settings
from core.config.models import Settings
from core.domain.document import (
    DocumentStatus,
    DocumentSummary,
    DocumentVersion,
    OriginalFile,
    Page,
    PageSize,
)
from core.domain.event import Trace
from core.domain.ids import DocumentId, JobId, TraceId
from core.domain.job import IngestItem, IngestReport, Job
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.span import Box
from core.errors import GroundworkError, UsageError
from core.jobs.queue import is_worker_alive
from core.records.base import BucketSummary, DocumentOrder, DocumentQuery
from core.records.database.visibility import Visibility
from core.workbench.access import require_admin
from core.workbench.answering import AnswerCalls
from core.workbench.conversations import ConversationCalls
from core.workbench.exporting import ExportCalls
from core.workbench.fields import FieldCalls
from core.workbench.pages import Pages
from core.workbench.searching import SearchCalls
from core.workbench.starters import starters
from core.workbench.status import WorkbenchStatus, count_jobs
from core.workbench.upkeep import UpkeepCalls
from core.workbench.wiring import Parts

if TYPE_CHECKING:
    from core.workbench.writing import Writing

Paths = Iterable[Path | str]
OnProgress = Callable[[Job], None]


class Workbench(AnswerCalls, ExportCalls, ConversationCalls, SearchCalls, UpkeepCalls, FieldCalls):
    """One home, opened. Thread-safe; torch is never imported by anything but a large ingest.

    Every call takes the principal that asks; what that principal may not see is not there, and what it
    may not do raises RefusedError.
    """

    def __init__(self, parts: Parts) -> None:
        super().__init__(parts)
        self._pages = Pages(parts)

    @cached_property
    def _writing(self) -> Writing:
        # Parsers and jobs are imported by what needs them: a question does not, and should not wait for it.
        from core.workbench.writing import Writing

        return Writing(self._parts)

    @classmethod
    def open(
        cls,
        home: Path | str | None = None,
        settings: Settings | None = None,
        *,
        verify_encoder: bool = True,
    ) -> Workbench:
        """The workbench of `home` (default: GROUNDWORK_HOME or the user's data folder), made if it is new.

        verify_encoder=False opens it also where the stored vectors fit another encoder, for `reindex`.
        Raises SettingsError, RecordsError, EncoderError.
        """
        parts = Parts(settings if settings is not None else load_settings(home))
        try:
            if verify_encoder:
                parts.require_stored_vectors_fit()
        except BaseException:
            parts.close()
            raise
        return cls(parts)

    def warm(self) -> None:
        """Load what the first question and the first page image need; for a server, in the background."""
        self._parts.orchestrator  # noqa: B018 - made on first use, with the index and the encoder
        self._parts.retriever.warm()
        self._parts.engine.document_frequencies(("question",))  # connects where the engine is a server
        self._parts.warm_plans()
        self._parts.renderer.start()

    def close(self) -> None:
        """Close files and processes; safe to call twice."""
        self._parts.close()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def settings(self) -> Settings:
        """The settings that this workbench runs on."""
        return self._parts.settings

    def principal(self, user: str | None = None) -> Principal:
        """The principal that a local user name stands for; None: the built-in admin."""
        if user is None or user == LOCAL_ADMIN.user:
            return LOCAL_ADMIN
        found = self.settings.users.get(user)
        if found is None:
            known = ", ".join(sorted({LOCAL_ADMIN.user, *self.settings.users}))
            raise UsageError(
                f"Unknown user {user!r}. Expected one of: {known}.",
                next_step=f"Add [users.{user}] to groundwork.toml, or choose another name.",
            )
        return Principal(user, frozenset(found.roles), frozenset(found.groups))

    def ingest(
        self,
        paths: Paths,
        *,
        bucket: str = "default",
        acl: Iterable[str] | None = None,
        on_progress: OnProgress | None = None,
        principal: Principal = LOCAL_ADMIN,
    ) -> IngestReport:
        """Read files, folders and ZIPs and wait for the end; the worker does it where one runs.

        acl: the groups that may read them, () for everybody; None keeps what documents have that are known.
        """
        job = self.submit_ingest(paths, bucket=bucket, acl=acl, principal=principal)
        return self._writing.follow(job, on_progress)

    def submit_ingest(
        self,
        paths: Paths,
        *,
        bucket: str = "default",
        acl: Iterable[str] | None = None,
        title: str = "",
        names: Sequence[str] | None = None,
        principal: Principal = LOCAL_ADMIN,
    ) -> JobId:
        """Enqueue an ingest for the worker and return at once.

        names: what each path is listed as, where that is not its path (uploads).
        """
        require_admin(principal, "ingest documents")
        chosen = [Path(path).expanduser().absolute() for path in paths]
        return self._writing.submit(chosen, names, bucket, acl, title, principal)

    def ingest_sample(
        self, *, on_progress: OnProgress | None = None, principal: Principal = LOCAL_ADMIN
    ) -> IngestReport:
        """Load the sample collection and wait for the end."""
        return self._writing.follow(self.submit_sample(principal), on_progress)

    def submit_sample(self, principal: Principal = LOCAL_ADMIN) -> JobId:
        """Enqueue the sample collection: one job, a bucket for each of its folders."""
        require_admin(principal, "load the sample collection")
        return self._writing.submit_sample(principal)

    def reingest(self, documents: Sequence[DocumentId], principal: Principal = LOCAL_ADMIN) -> JobId:
        """Enqueue documents to be read again from their kept originals."""
        require_admin(principal, "ingest documents")
        return self._writing.resubmit(documents, principal)

    def remove(
        self, documents: Collection[DocumentId], principal: Principal = LOCAL_ADMIN
    ) -> list[DocumentId]:
        """Remove documents with all versions and originals; gives those that were there."""
        require_admin(principal, "remove documents")
        return self._writing.remove(documents)

    def add_bucket(self, name: str, principal: Principal = LOCAL_ADMIN) -> None:
        """Make an empty bucket; nothing happens where it is there. Raises UsageError for a bad name."""
        require_admin(principal, "make buckets")
        self._writing.add_bucket(name)

    def jobs(self, principal: Principal = LOCAL_ADMIN) -> list[Job]:
        """All jobs, newest first."""
        require_admin(principal, "see jobs")
        return self._parts.records.jobs.list()

    def job(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> Job:
        """One job. Raises NotFoundError."""
        require_admin(principal, "see jobs")
        return self._parts.records.jobs.get(job)

    def job_items(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> list[IngestItem]:
        """What a job did with each input so far, in the order given."""
        require_admin(principal, "see jobs")
        return self._parts.records.jobs.items(job)

    def cancel_job(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> None:
        """Stop a job; what it has finished stays. Raises JobError where it has ended."""
        require_admin(principal, "cancel jobs")
        self._writing.cancel(job)

    def resume_job(self, job: JobId, principal: Principal = LOCAL_ADMIN) -> None:
        """Go on with a job that was cancelled or failed. Raises JobError where it is not."""
        require_admin(principal, "resume jobs")
        self._writing.resume(job)

    def reindex(
        self, principal: Principal = LOCAL_ADMIN, on_progress: OnProgress | None = None, *, engine: str = ""
    ) -> int:
        """Build one engine's index ("": each) anew beside the old one and switch; gives how many passages."""
        require_admin(principal, "rebuild the index")
        return self._writing.reindex(engine, on_progress, principal)

    def backup(self, file: Path, principal: Principal = LOCAL_ADMIN) -> int:
        """Write everything but the index and secrets to one file; gives its size in bytes."""
        require_admin(principal, "make backups")
        from core.workbench.backup import backup

        return backup(self._parts, file)

    def buckets(self, principal: Principal = LOCAL_ADMIN) -> list[BucketSummary]:
        """The buckets with what this principal may see of them."""
        return self._parts.records.documents.buckets(Visibility.of(principal))

    def documents(
        self,
        principal: Principal = LOCAL_ADMIN,
        *,
        bucket: str | None = None,
        status: str | None = None,
        text: str = "",
        limit: int | None = None,
        offset: int = 0,
        order: DocumentOrder = DocumentOrder.TITLE,
        descending: bool = False,
    ) -> list[DocumentSummary]:
        """Documents by title; `text` stands in title or source. Raises UsageError for an unknown status."""
        query = DocumentQuery(bucket, _status(status), text, order, descending, limit, offset)
        return self._parts.records.documents.list(Visibility.of(principal), query)

    def count_documents(
        self,
        principal: Principal = LOCAL_ADMIN,
        *,
        bucket: str | None = None,
        status: str | None = None,
        text: str = "",
    ) -> int:
        """How many `documents` lists without a limit. Raises UsageError for an unknown status."""
        query = DocumentQuery(bucket, _status(status), text)
        return self._parts.records.documents.count(Visibility.of(principal), query)

    def document(
        self, document: DocumentId, principal: Principal = LOCAL_ADMIN, version: int | None = None
    ) -> DocumentVersion:
        """A document with all pages of one version (None: the current one). Raises NotFoundError."""
        return self._parts.records.documents.version(document, version, Visibility.of(principal))

    def page(self, document: DocumentId, principal: Principal, version: int | None, page_no: int) -> Page:
        """One page with its text. Raises NotFoundError."""
        return self._parts.records.documents.page(document, version, page_no, Visibility.of(principal))

    def page_image(
        self,
        document: DocumentId,
        principal: Principal,
        version: int | None,
        page_no: int,
        width_px: int = 1000,
    ) -> bytes | None:
        """The page as a JPEG; None where the format has no page images. Raises NotFoundError, InputError."""
        return self._pages.image(document, principal, version, page_no, width_px)

    def page_size(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int
    ) -> PageSize | None:
        """How large the page is; None where the format has no page images."""
        return self._pages.size(document, principal, version, page_no)

    def boxes(
        self,
        document: DocumentId,
        principal: Principal,
        version: int | None,
        page_no: int,
        spans: Sequence[tuple[int, int]],
    ) -> list[list[Box]]:
        """Where each [start, end) stands on the page image, a box a line; [] for each without images."""
        return self._pages.boxes(document, principal, version, page_no, spans)

    def words(
        self, document: DocumentId, principal: Principal, version: int | None, page_no: int
    ) -> list[tuple[str, Box]]:
        """The words of the page with their places, for a text layer over the image."""
        return self._pages.words(document, principal, version, page_no)

    def original(
        self, document: DocumentId, principal: Principal = LOCAL_ADMIN, version: int | None = None
    ) -> OriginalFile:
        """The original file as it was ingested. Raises NotFoundError where it was never read or is gone."""
        return self._pages.original(document, principal, version)

    def trace(self, trace: TraceId, principal: Principal = LOCAL_ADMIN) -> Trace:
        """What was done for one of this principal's questions. Raises NotFoundError."""
        return self._parts.records.traces.get(trace, principal.user)

    def starters(self, principal: Principal = LOCAL_ADMIN) -> list[str]:
        """Starter questions that documents which this principal may see answer; [] where there are none."""
        return starters(self._parts.records, Visibility.of(principal))

    def server_problem(self) -> GroundworkError | None:
        """Why the configured search server cannot be used now; None where it can, or none is configured."""
        return self._parts.server_problem()

    def data_version(self) -> int:
        """Rises with every change of the collection; cheap."""
        return self._parts.records.changes.data_version()

    def is_empty(self) -> bool:
        """Whether nothing was ever ingested here."""
        return self.data_version() == 0

    def status(self, principal: Principal = LOCAL_ADMIN) -> WorkbenchStatus:
        """Engine, encoder, counts and the worker; cheap enough for every page."""
        parts = self._parts
        engine = parts.engine.status()
        totals = parts.records.documents.totals(Visibility.of(principal))
        running, queued = count_jobs(parts.records)
        return WorkbenchStatus(
            engine=engine.engine,
            encoder=engine.encoder.name,
            mode="offline",
            data_version=self.data_version(),
            documents=totals.documents,
            passages=totals.passages,
            index_passages=engine.passages,
            running_jobs=running,
            queued_jobs=queued,
            worker_alive=is_worker_alive(parts.records),
            home=os.fspath(self.settings.home),
            search_note=parts.search_degradation(),
        )


def _status(name: str | None) -> DocumentStatus | None:
    known = [each.value for each in DocumentStatus]
    if name and name not in known:
        raise UsageError(
            f"Unknown status {name!r}. Expected one of: {', '.join(known)}.",
            next_step="Choose one of them, or leave it out.",
        )
    return DocumentStatus(name) if name else None
