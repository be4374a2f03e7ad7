"""Ingest as a durable job: expands what was named into items once, then works them off in slices."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO

from pydantic import Field

from core.config.models import Settings
from core.domain.document import DocumentSummary, IngestOutcome, bucket_at
from core.domain.frozen import Frozen
from core.domain.ids import DocumentId, JobId
from core.domain.job import IngestItem, SameNameChoice
from core.errors import JobError, NotFoundError, RecordsError
from core.extract.jobs.job import ExtractionThread, IngestExtraction
from core.ingest.arrivals import Arrivals
from core.ingest.intake import ATTACHED, IngestInput, expand, roots
from core.ingest.parse.base import ParseLimits
from core.ingest.pipeline import STAGING, Pipeline
from core.jobs.base import JobContext
from core.jobs.kinds import INGEST, OCR, REINGEST
from core.store.base import JobItem
from core.store.database.visibility import Visibility
from core.store.documents.sources import NUMBERED
from core.store.store import Records

_NEW = (IngestOutcome.READY, IngestOutcome.UPDATED)
# Three kills of one large file must not be held against it; a file that kills has one more try than that.
MOST_DEATHS = 4
PREPARING = -1  # stands for the listing of a job's files, which comes before any of them
_DEADLY = f"The worker died {MOST_DEATHS} times while it read this file."
_AFTER_A_DEADLY_FILE = "Split it, or close other programs to free memory; then resume the job."
_STAGED_FOR_S = 7 * 24 * 3600.0  # what a failed or cancelled job may still need when it is resumed


class IngestGroup(Frozen):
    """Paths for one bucket; `names` says what to call each instead of its own name (uploads).

    choices: by source what a person decided of a file whose source has a document of other contents.
    sources: by such a source that of the document of which the file is a version, where it lies elsewhere.
    folders: by source of a folder, the bucket of what lies in it.
    """

    paths: tuple[str, ...]
    names: tuple[str, ...] | None = None
    bucket: str = "default"
    acl: tuple[str, ...] | None = None
    choices: dict[str, SameNameChoice] = Field(default_factory=dict)
    sources: dict[str, str] = Field(default_factory=dict)
    folders: dict[str, str] = Field(default_factory=dict)


class IngestPayload(Frozen):
    """Request of an ingest job."""

    groups: tuple[IngestGroup, ...]


class ReingestPayload(Frozen):
    """Documents to read anew, from the originals that are kept."""

    documents: tuple[str, ...]


class IngestJob:
    """The handler of the job kinds `ingest` and `reingest`. One slice at a time.

    extraction: fills the cells of what was published; None leaves them to a job of their own.
    """

    def __init__(
        self,
        records: Records,
        settings: Settings,
        pipeline: Pipeline,
        extraction: IngestExtraction | None = None,
    ) -> None:
        self._records = records
        self._settings = settings
        self._pipeline = pipeline
        self._extraction = extraction
        sweep_staging(settings.home / STAGING)

    def prepare(self, context: JobContext) -> None:
        """Write the job's items in one transaction, unless an earlier attempt did."""
        job = context.order.id
        if self._records.jobs.get(job).total:
            return
        items: list[JobItem] = []
        found = self._reingested(context) if context.order.kind in (REINGEST, OCR) else self._named(context)
        with InHand(self._in_hand(job), (PREPARING,)) as in_hand:
            if in_hand.is_given_up(PREPARING):
                in_hand.settle((PREPARING,))
                raise JobError(
                    f"The worker died {MOST_DEATHS} times while it listed the files of this job.",
                    next_step="Unpack archives yourself and add their files in smaller parts.",
                )
            in_hand.begin(PREPARING)
            for item in found:
                context.check()
                items.append(item)
            in_hand.settle((PREPARING,))
        self._records.jobs.add_items(job, items)

    def work(self, context: JobContext) -> bool:
        """Ingest pending items until none is left or the slice has lasted long enough.

        Fields are extracted beside, of each document once it is published, and publishing waits where they
        do not follow: so `done` runs at most some 80 documents ahead of them, and its rate is that of both.
        A slice begins with those that the one before has left.
        """
        job, jobs = context.order.id, self._records.jobs
        if self._fill(context):
            return True
        pending = {item.ordinal: item for item in jobs.pending(job)}
        if pending:
            with InHand(self._in_hand(job), pending) as in_hand, self._beside(context) as fields:
                for ordinal in in_hand.suspects:
                    if context.should_yield():
                        return True
                    self._run((pending.pop(ordinal),), in_hand, context, fields)
                self._run(pending.values(), in_hand, context, fields)
            if jobs.pending(job) or self._fill(context):
                return True
        self._clean_up(context)
        return False

    def _fill(self, context: JobContext) -> bool:
        """Fill the cells of this job's documents that lack them; gives whether there are more to fill."""
        if self._extraction is None:
            return False
        published = [item.document for item in self._records.jobs.items(context.order.id) if item.document]
        return self._extraction.fill_lacking(context, published)

    def _beside(self, context: JobContext) -> AbstractContextManager[ExtractionThread | None]:
        return nullcontext() if self._extraction is None else self._extraction.beside(context)

    def _run(
        self,
        items: Iterable[JobItem],
        in_hand: InHand,
        context: JobContext,
        fields: ExtractionThread | None,
    ) -> None:
        job = context.order.id

        def inputs() -> Iterator[IngestInput]:
            for item in items:
                if in_hand.is_given_up(item.ordinal):
                    yield replace(IngestInput.of(item), problem=_DEADLY, next_step=_AFTER_A_DEADLY_FILE)
                else:
                    in_hand.begin(item.ordinal)
                    yield IngestInput.of(item)

        def note(outcomes: Mapping[int, IngestItem]) -> None:
            self._records.jobs.set_items(job, outcomes)
            in_hand.settle(outcomes)
            if fields is not None:
                fields.add(i.document for i in outcomes.values() if i.document and i.outcome in _NEW)

        resumed_since = context.created_at if context.order.attempts > 1 else None
        self._pipeline.run(
            inputs(),
            note,
            context,
            reached=lambda current: self._records.jobs.set_current(job, current),
            resumed_since=resumed_since,
            is_behind=lambda: fields is not None and fields.is_behind,
            arrivals=Arrivals(self._records, lambda: vanished(self._records, job)),
        )

    def _named(self, context: JobContext) -> Iterator[JobItem]:
        payload = IngestPayload.model_validate(context.order.payload)
        scratch = self._scratch(context.order.id)
        shutil.rmtree(scratch, ignore_errors=True)
        limits = ParseLimits.of(self._settings.ingest)
        for number, group in enumerate(payload.groups):
            place = scratch / str(number)
            try:
                for file in expand(group.paths, limits, place, names=group.names):
                    path = file.path.absolute() if file.path.parts else file.path
                    chosen = group.choices.get(file.source)
                    yield replace(
                        file,
                        path=path,
                        source=group.sources.get(file.source, file.source),
                        bucket=bucket_at(file.source, group.folders, group.bucket),
                        acl=group.acl,
                        same_name=chosen or "alike",
                        is_decided=chosen is not None,
                    ).item
            except OSError as error:
                raise RecordsError(
                    f"Archives cannot be unpacked into {str(place)!r}: {error.strerror or error}.",
                    next_step="Free some disk space, then resume the job.",
                ) from error

    def _reingested(self, context: JobContext) -> Iterator[JobItem]:
        payload = ReingestPayload.model_validate(context.order.payload)
        wanted = [DocumentId(document) for document in payload.documents]
        known = self._records.documents.get_many(wanted, Visibility.everything())
        for document in wanted:
            summary = known.get(document)
            if summary is None:
                continue  # removed meanwhile
            file = IngestInput(0, Path(), summary.source, summary.bucket, force=True)
            # A newer file that failed is what is to be tried again, not the good version before it.
            failed = self._records.documents.failed_hash(document, Visibility.everything())
            kept = failed or summary.content_hash
            try:
                file = replace(file, path=self._records.blobs.path(kept), kept=kept)
            except NotFoundError as error:
                file = replace(file, problem=error.message, next_step="Add the file again.")
            yield file.item

    def _clean_up(self, context: JobContext) -> None:
        """Delete what was unpacked, unless a failed item may be tried again from it."""
        job = context.order.id
        if any(item.outcome is IngestOutcome.FAILED for item in self._records.jobs.items(job)):
            return
        shutil.rmtree(self._scratch(job), ignore_errors=True)

    def _in_hand(self, job: JobId) -> Path:
        return self._settings.home / STAGING / f"{job}.begun"

    def _scratch(self, job: JobId) -> Path:
        return self._settings.home / STAGING / f"{job}-unpacked"


def vanished(records: Records, job: JobId) -> list[DocumentSummary]:
    """The documents that were there before an ingest, and whose files are gone from what it was given.

    By the folders and archives of the job: of one that could not be read, or that is empty, as a drive is
    that is away, nothing is known. A document that was moved or withdrawn since is none of them.
    """
    order = records.jobs.order(job)
    if order.kind != INGEST:
        return []
    created_at, inputs = records.jobs.get(job).created_at, records.jobs.inputs(job)
    found: list[DocumentSummary] = []
    for group in IngestPayload.model_validate(order.payload).groups:
        buckets = {group.bucket, *group.folders.values()}
        own = [each for each in inputs if each.bucket in buckets]
        there = {each.source for each in own}
        dark = {each.source.removesuffix(f"/{ATTACHED}") for each in own if each.payload.get("problem")}
        for root in roots(group.paths, group.names):
            if root in dark:
                continue
            below = (records.documents.below(bucket, root, created_at) for bucket in sorted(buckets))
            for each in chain.from_iterable(below):
                base = NUMBERED.sub("", each.source)
                is_dark = any(each.source.startswith(f"{place}/") for place in dark)
                if not (each.source in there or base in there or is_dark):
                    found.append(each)
    return found


def sweep_staging(folder: Path) -> None:
    """Delete what is staged and no job has touched for a week."""
    if not folder.is_dir():
        return
    limit = time.time() - _STAGED_FOR_S
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # another process sweeps too
            if path.stat().st_mtime >= limit:
                continue
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink()


class InHand:
    """The inputs of one job that are begun and not done; a file keeps them across the worker's death.

    What was in hand when a worker died is suspect, and is to be tried alone: only a worker that dies with a
    single input in hand counts against that input. An orderly end, an error or a stop included, forgets what
    was begun. Not thread-safe, but for `begin`, which one thread at a time may call. A disk that cannot be
    written costs the memory, never the work.
    """

    def __init__(self, path: Path, pending: Collection[int]) -> None:
        self._path = path
        self._deaths = _after_death(path, frozenset(pending))
        self._file: IO[bytes] | None = None

    @property
    def suspects(self) -> tuple[int, ...]:
        """Inputs to try alone, before all else; ordinals in rising order."""
        return tuple(sorted(self._deaths))

    def is_given_up(self, ordinal: int) -> bool:
        """True where this input has been alone in hand when a worker died, too often to try it again."""
        return self._deaths.get(ordinal, 0) >= MOST_DEATHS

    def begin(self, ordinal: int) -> None:
        """Note that work on an input begins."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.write(b"begin %d\n" % ordinal)

    def settle(self, done: Iterable[int]) -> None:
        """Forget what was suspected of inputs that are done."""
        for ordinal in done:
            self._deaths.pop(ordinal, None)

    def __enter__(self) -> InHand:
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._keep()
            # Unbuffered: what is written has left the process when it dies.
            self._file = self._path.open("ab", buffering=0)
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        with contextlib.suppress(OSError):
            if self._deaths:
                self._keep()
            else:
                self._path.unlink(missing_ok=True)

    def _keep(self) -> None:
        part = self._path.with_name(f"{self._path.name}.part")
        part.write_text("".join(f"suspect {key} {count}\n" for key, count in self._deaths.items()))
        os.replace(part, self._path)


def _after_death(path: Path, pending: frozenset[int]) -> dict[int, int]:
    """Number of times that each suspect among `pending` was alone in hand when a worker died."""
    deaths: dict[int, int] = {}
    begun: dict[int, None] = {}
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    for line in lines:
        kind, *numbers = line.split() or [""]
        if not all(number.removeprefix("-").isdecimal() for number in numbers):
            continue
        if kind == "suspect" and len(numbers) == 2:
            deaths[int(numbers[0])] = int(numbers[1])
        elif kind == "begin" and len(numbers) == 1:
            begun[int(numbers[0])] = None
    suspects = [one for one in begun if one in pending]
    for one in suspects:
        deaths[one] = deaths.get(one, 0) + int(len(suspects) == 1)
    return {ordinal: count for ordinal, count in deaths.items() if ordinal in pending}
