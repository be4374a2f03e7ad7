"""The write side of the facade: jobs in, reports out; the worker does the work where one runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

from core.domain.document import DocumentSummary, bucket_at, valid_bucket
from core.domain.ids import DocumentId, JobId
from core.domain.job import IngestReport, Job, JobState, SameName, SameNameChoice
from core.domain.principal import Principal
from core.errors import JobError, UsageError
from core.ingest.job import (
    IngestGroup,
    IngestPayload,
    ReingestPayload,
    vanished,
)
from core.ingest.same_names import same_names
from core.jobs import queue
from core.jobs.kinds import INGEST, REINGEST
from core.jobs.worker import complete
from core.store.database.visibility import Visibility
from core.workbench.wiring import Parts
from core.workbench.work.handlers import Handlers
from core.workbench.work.index_jobs import REINDEX
from samples import COLLECTION


class Writing:
    """Submits jobs and waits for them. Thread-safe."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def submit(
        self,
        paths: Sequence[Path],
        names: Sequence[str] | None,
        bucket: str,
        acl: Iterable[str] | None,
        title: str,
        principal: Principal,
        choices: Mapping[str, SameNameChoice] | None = None,
        folders: Mapping[str, str] | None = None,
    ) -> JobId:
        """Enqueue one ingest; `names` are what the documents are listed as, the paths where None.

        choices: by such a name what was decided of a file of other contents than its document. folders: as
        `DocumentService.submit_ingest` has them.
        """
        if not paths:
            raise UsageError("There is nothing to ingest.", next_step="Name files, folders or .zip archives.")
        within = {folder: valid_bucket(name) for folder, name in (folders or {}).items()}
        group = IngestGroup(
            paths=tuple(map(str, paths)),
            names=tuple(names or map(str, paths)),
            bucket=valid_bucket(bucket),
            acl=None if acl is None else tuple(sorted(set(acl))),
            choices=dict(choices or {}),
            sources=self._elsewhere(bucket, within, choices or {}, Visibility.of(principal)),
            folders=within,
        )
        payload = IngestPayload(groups=(group,))
        shown = title or (paths[0].name if len(paths) == 1 else f"{paths[0].name} and {len(paths) - 1} more")
        return self._queue(INGEST, shown, payload.model_dump(), principal)

    def _elsewhere(
        self,
        bucket: str,
        folders: Mapping[str, str],
        choices: Mapping[str, SameNameChoice],
        visible: Visibility,
    ) -> dict[str, str]:
        """By file that is a version of a document in another folder its source; see `same_names`."""
        documents = self._parts.records.documents
        found: dict[str, str] = {}
        for source in (name for name, choice in choices.items() if choice == "version"):
            place = bucket_at(source, folders, bucket)
            known = documents.find(place, source)
            if known is None or known.is_gone:
                for each in documents.of_file_name(place, source, visible)[:1]:
                    found[source] = each.source
        return found

    def submit_sample(self, principal: Principal) -> JobId:
        """Enqueue the sample collection: a bucket for each of its folders, listed as 'contracts/name'."""
        folders = sorted(path for path in COLLECTION.iterdir() if path.is_dir())
        groups = tuple(
            IngestGroup(paths=(str(folder),), names=(folder.name,), bucket=folder.name) for folder in folders
        )
        payload = IngestPayload(groups=groups)
        return self._queue(INGEST, "Sample collection", payload.model_dump(), principal)

    def resubmit(self, documents: Sequence[DocumentId], principal: Principal) -> JobId:
        """Enqueue documents to be read anew from their kept originals."""
        if not documents:
            raise UsageError("No documents to ingest again.", next_step="Choose some documents.")
        payload = ReingestPayload(documents=tuple(documents))
        return self._queue(
            REINGEST,
            f"{len(documents):,} document{'' if len(documents) == 1 else 's'} again",
            payload.model_dump(),
            principal,
        )

    def reindex(self, engine: str, on_progress: Callable[[Job], None] | None, principal: Principal) -> int:
        """Rebuild the index, wait for the end, and give the number of passages. Raises JobError."""
        self._parts.engines.require(engine)
        job = self._queue(REINDEX, "Search index", {"engine": engine}, principal)
        ended = self.complete(job, on_progress)
        if ended.state is not JobState.DONE:
            raise JobError(
                f"The index was not rebuilt: {ended.error or ended.state.value}.",
                next_step="The old index still serves. Correct the cause and run groundwork reindex again.",
            )
        return self._parts.records.passages.count()

    def follow(self, job: JobId, on_progress: Callable[[Job], None] | None) -> IngestReport:
        """Wait for an ingest, or run it here where no worker lives.

        Raises JobError where it failed or was cancelled; what it had done by then stays.
        """
        started = time.monotonic()
        ended = self.complete(job, on_progress)
        items = tuple(self._parts.records.jobs.items(job))
        if ended.state is JobState.FAILED:
            raise JobError(
                f"The ingest stopped after {ended.done:,} of {ended.total:,} inputs: {ended.error}",
                next_step=f"Correct the cause, then run: groundwork jobs resume {job}",
            )
        if ended.state is JobState.CANCELLED:
            raise JobError(
                f"The ingest was cancelled after {ended.done:,} of {ended.total:,} inputs.",
                next_step=f"What is done stays. Go on with: groundwork jobs resume {job}",
            )
        gone = tuple(self.vanished(job))
        return IngestReport(job, items, time.monotonic() - started, gone)

    def vanished(self, job: JobId) -> list[DocumentSummary]:
        """The documents whose files are gone from what an ingest was given."""
        return vanished(self._parts.records, job)

    def same_names(
        self, paths: Sequence[Path], names: Sequence[str], bucket: str, visible: Visibility
    ) -> list[SameName]:
        """The files whose name a document has with other contents."""
        return same_names(self._parts.records, self._parts.settings, paths, names, bucket, visible)

    def remove(self, documents: Collection[DocumentId]) -> list[DocumentId]:
        """Remove documents from the records, and from the index at once where this process may write it.

        Where the worker owns the index, it follows the records within a second.
        """
        removed = self._parts.records.documents.remove(documents)
        if removed:
            self._parts.engines.catch_up_if_unattended()
        return removed

    def withdraw(self, documents: Collection[DocumentId], reason: str) -> list[DocumentId]:
        """Withdraw documents, from the index at once where this process may write it."""
        withdrawn = self._parts.records.documents.withdraw(documents, reason)
        if withdrawn:
            self._parts.engines.catch_up_if_unattended()
        return withdrawn

    def _queue(self, kind: str, title: str, payload: dict[str, object], principal: Principal) -> JobId:
        return queue.submit(self._parts.records, kind, title, payload, user=principal.user)

    def complete(self, job: JobId, on_progress: Callable[[Job], None] | None) -> Job:
        """The job once it has ended: followed where a worker is at work, else run here."""
        handlers = Handlers(self._parts)
        return complete(
            self._parts.records,
            self._parts.settings.home,
            job,
            handlers.make,
            on_progress=on_progress,
            background=handlers.upkeep,
        )
