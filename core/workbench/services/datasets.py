"""Datasets: files of rows registered, described, asked by SQL."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from core.datasets.job import FOLDER, RegisterPayload, state_of
from core.datasets.profile import shared
from core.datasets.sources import Header
from core.domain.dataset import Dataset, DatasetColumn, DatasetState, PossibleJoin
from core.domain.document import valid_bucket
from core.domain.ids import DocumentId, JobId
from core.domain.job import IngestItem, Job, JobState
from core.domain.principal import checked_keys
from core.domain.trust.permission import Action
from core.errors import JobError, NotFoundError, UsageError
from core.jobs import queue
from core.jobs.kinds import DATASETS
from core.workbench.recorded import recorded
from core.workbench.services.base import Service

_LEAST_SHARE = 0.3  # of values, from which on two columns may join
_MOST_JOINS = 50


class DatasetService(Service):
    """Datasets of the home, as far as this principal may see them. Changing them takes who may ingest."""

    @recorded("dataset.register", "bucket", "acl")
    def register(
        self,
        paths: Iterable[Path | str],
        *,
        bucket: str = "default",
        acl: Iterable[str] | None = None,
        name: str = "",
        header: Header = "auto",
        on_progress: Callable[[Job], None] | None = None,
    ) -> builtins.list[IngestItem]:
        """Register files and folders and wait for the end; what came of each file, in order.

        Raises JobError where the job failed or was cancelled; what it had done by then stays.
        """
        job = self.submit_register(paths, bucket=bucket, acl=acl, name=name, header=header)
        ended = self._writing.complete(job, on_progress)
        if ended.state in (JobState.FAILED, JobState.CANCELLED):
            raise JobError(
                f"Registering stopped after {ended.done:,} of {ended.total:,} files: "
                f"{ended.error or 'it was cancelled'}",
                next_step=f"What is done stays. Go on with: groundwork jobs resume {job}",
            )
        return self._parts.records.jobs.items(job)

    @recorded("dataset.register", "bucket", "acl")
    def submit_register(
        self,
        paths: Iterable[Path | str],
        *,
        bucket: str = "default",
        acl: Iterable[str] | None = None,
        name: str = "",
        header: Header = "auto",
        names: Sequence[str] | None = None,
    ) -> JobId:
        """Queue the registering of files and folders and return at once.

        acl: the groups that may ask them, () for everybody; None as their bucket, or as they had before.
        names: what each path is called where it was uploaded: its file is not looked for again.
        """
        self._permit(Action.INGEST, "register datasets")
        chosen = [Path(path).expanduser().absolute() for path in paths]
        missing = next((each for each in chosen if not each.exists()), None)
        if missing is not None or not chosen:
            what = (
                f"There is no file or folder {str(missing)!r}." if chosen else "There is nothing to register."
            )
            raise UsageError(what, next_step="Name files of rows, or folders with some.")
        payload = RegisterPayload(
            paths=tuple(map(str, chosen)),
            names=None if names is None else tuple(names),
            bucket=valid_bucket(bucket),
            acl=None if acl is None else checked_keys(tuple(acl)),
            name=name.strip(),
            header=header,
        )
        title = chosen[0].name if len(chosen) == 1 else f"{chosen[0].name} and {len(chosen) - 1} more"
        shown = names[0] if names and len(names) == 1 else title
        records, user = self._parts.records, self._principal.user
        return queue.submit(records, DATASETS, f"Dataset {shown}", payload.model_dump(), user=user)

    def list(self, *, removed: bool = False) -> builtins.list[Dataset]:
        """The datasets that may be seen, by name, and how each stands to its file."""
        self._permit(Action.QUERY)
        found = self._parts.records.datasets.list(self._visible, removed=removed)
        return [replace(each, state=state_of(each)) for each in found]

    def get(self, dataset: str, version: int | None = None) -> Dataset:
        """One by its id or its name in SQL; version: an older one. Raises NotFoundError."""
        self._permit(Action.QUERY)
        found = self._parts.records.datasets.get(dataset, self._visible, version)
        return replace(found, state=state_of(found))

    def joins(self, dataset: Dataset) -> builtins.list[PossibleJoin]:
        """Columns of other datasets that share values with one of its own, the most alike first."""
        found = [
            PossibleJoin(own.name, other.id, other.name, other.table, column.name, share)
            for other in self.list()
            if other.id != dataset.id
            for own, column, share in _alike(dataset, other)
        ]
        return sorted(found, key=lambda each: -each.share)[:_MOST_JOINS]

    @recorded("dataset.rename", "dataset")
    def rename(self, dataset: DocumentId, name: str) -> None:
        """Give it another name for people; in SQL it keeps its own."""
        self._permit(Action.INGEST, "rename datasets")
        if not name.strip():
            raise UsageError("The name is empty.", next_step="Give it some words.")
        self._parts.records.datasets.rename(self.get(dataset).id, name.strip())

    @recorded("dataset.remove", "dataset")
    def remove(self, dataset: str) -> None:
        """Take it out of every list and query; answers that cite it can be opened. `restore` undoes it."""
        self._permit(Action.INGEST, "remove datasets")
        found = self.get(dataset)
        if found.state is DatasetState.REMOVED:
            raise NotFoundError(f"There is no dataset {dataset!r}.", next_step="It was removed before.")
        self._parts.records.datasets.set_removed(found.id, datetime.now(UTC))

    @recorded("dataset.restore", "dataset")
    def restore(self, dataset: str) -> None:
        """Bring back a dataset that was removed."""
        self._permit(Action.INGEST, "restore datasets")
        self._parts.records.datasets.set_removed(self.get(dataset).id, None)

    def file_of(self, dataset: Dataset) -> Path:
        """Its Parquet file. Raises NotFoundError where the home has lost it."""
        file = self._parts.settings.home / FOLDER / dataset.file
        if not file.is_file():
            raise NotFoundError(
                f"The rows of the dataset {dataset.name!r} are no longer in the home.",
                next_step="Register its file again.",
            )
        return file


def _alike(one: Dataset, other: Dataset) -> Iterable[tuple[DatasetColumn, DatasetColumn, float]]:
    for own in one.columns:
        for column in other.columns:
            share = shared(own, column)
            if share >= _LEAST_SHARE and (own.is_key or column.is_key or share > 2 * _LEAST_SHARE):
                yield own, column, share
