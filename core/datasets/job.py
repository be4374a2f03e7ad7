"""Registering files of rows as a durable job: a file an item, read beside the live data, then put in place.

A killed job reads the file it was at anew; what was published stays as it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import stat
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex

from core.datasets.names import table_name
from core.datasets.reading import TIMEOUT_S, ReadTask, progress_of, reader_pool
from core.datasets.sources import ENDINGS, Header
from core.domain.document import IngestOutcome
from core.domain.frozen import Frozen
from core.domain.job import CurrentItem, IngestItem
from core.domain.rows.dataset import Dataset, DatasetState, ReadTable
from core.errors import GroundworkError, InputError, JobError
from core.jobs.base import JobContext
from core.processes.children import PoolClosedError, TaskPool
from core.processes.loop import Reply
from core.store.backup import DATASETS_FOLDER
from core.store.base import JobItem
from core.store.datasets import RegisteredFile
from core.store.store import Records

FOLDER = DATASETS_FOLDER
"""Folder of a home with the Parquet files."""

MOST_FILES = 1_000
_KEPT_REMOVED = timedelta(days=30)
_KEPT_REPLACED_S = 3_600.0  # a query may still read it
_DISK_FACTOR = 1.5  # of a file's size that reading it may take on the disk
_POLL_S = 0.3
_BLOCK = 1 << 22
_PART = ".part"
Read = tuple[ReadTable, ...]


class RegisterPayload(Frozen):
    """Request of such a job. names: what files are called that were uploaded; None of paths.

    name: of the dataset, where one file is registered. acl: None as the bucket, or as before.
    """

    paths: tuple[str, ...]
    names: tuple[str, ...] | None = None
    bucket: str = "default"
    acl: tuple[str, ...] | None = None
    name: str = ""
    header: Header = "auto"


@dataclass(frozen=True, slots=True)
class RegisterJob:
    """The handler of the job kind `datasets`. folder: of the home, where Parquet files go."""

    records: Records
    folder: Path

    def prepare(self, context: JobContext) -> None:
        """Write the job's items, a file each, unless an earlier attempt did. Raises JobError for none."""
        job = context.order.id
        if self.records.jobs.get(job).total:
            return
        payload = RegisterPayload.model_validate(context.order.payload)
        found = list(_files(payload))
        if not found:
            raise JobError(
                "There is no file of rows among what was named.",
                next_step=f"Name files or folders with {', '.join(ENDINGS)}.",
            )
        if len(found) > MOST_FILES:
            raise JobError(
                f"These are over {MOST_FILES:,} files.", next_step="Register them in several goes."
            )
        items = [JobItem(source, payload.bucket, {"path": str(path)}) for path, source in found]
        self.records.jobs.add_items(job, items)

    def work(self, context: JobContext) -> bool:
        """Register the files that are left; see JobHandler."""
        job = context.order.id
        payload = RegisterPayload.model_validate(context.order.payload)
        for left in self.folder.glob(f"{_PART}-{job}-*"):
            shutil.rmtree(left, ignore_errors=True)
        with reader_pool() as pool:
            for item in self.records.jobs.pending(job):
                context.check()
                if context.should_yield():
                    return True
                outcome = _Registering(self.records, self.folder, context, pool, payload).of(item)
                self.records.jobs.set_items(job, {item.ordinal: outcome})
        self._sweep()
        return False

    def _sweep(self) -> None:
        """Take away files that no dataset has any more: of older versions, and of those removed long ago."""
        now = datetime.now(UTC)
        in_use = {Path(each).parts[0] for each in self.records.datasets.files(now - _KEPT_REMOVED)}
        for each in self.folder.glob("[!.]*"):
            with contextlib.suppress(OSError):
                is_old = now.timestamp() - each.stat().st_mtime > _KEPT_REPLACED_S
                if each.name not in in_use and is_old:
                    shutil.rmtree(each)


def _files(payload: RegisterPayload) -> Iterator[tuple[Path, str]]:
    """Each file with what it is called; the files of folders in order, but no hidden ones and no links."""
    for path, name in zip(map(Path, payload.paths), payload.names or payload.paths, strict=True):
        if not path.is_dir():
            yield path, name
            continue
        for found in sorted(path.rglob("*")):
            if (
                found.suffix.casefold() in ENDINGS
                and found.is_file()
                and not found.is_symlink()
                and not found.name.startswith((".", "~$"))
            ):
                yield found, str(Path(name) / found.relative_to(path))


@dataclass(frozen=True, slots=True)
class _Registering:
    records: Records
    folder: Path
    context: JobContext
    pool: TaskPool
    payload: RegisterPayload

    def of(self, item: JobItem) -> IngestItem:
        """The outcome of one file."""
        empty = IngestItem(
            None, item.source, Path(item.source).name, item.bucket, IngestOutcome.FAILED, "", 0, 0
        )
        try:
            return self._registered(item, Path(item.payload["path"]), empty)
        except InputError as error:
            return replace(empty, reason=f"{error} {error.next_step}".strip())
        except OSError as error:
            return replace(empty, reason=f"It cannot be read: {error.strerror or error}.")

    def _registered(self, item: JobItem, path: Path, empty: IngestItem) -> IngestItem:
        file = self._file(item, path)
        before = self.records.datasets.of_file(file.bucket, file.key)
        is_told = self.payload.header != "auto" or self.payload.acl is not None
        if before and not is_told and _is_same(before, file):
            for each in before:
                self.records.datasets.touch(each.id, file.modified_ns)
            return replace(empty, document=before[0].id, outcome=IngestOutcome.UNCHANGED)
        tables = self._moved(file, self._read(item, path, file))
        ids = [self.records.datasets.put(file, *self._names(file, table, tables), table) for table in tables]
        for gone in (each for each in before if each.id not in ids):
            self.records.datasets.set_removed(gone.id, datetime.now(UTC))
        rows = sum(table.rows for table in tables)
        reason = f"{len(tables):,} table{'' if len(tables) == 1 else 's'}, {rows:,} rows."
        outcome = IngestOutcome.UPDATED if before else IngestOutcome.READY
        return replace(empty, document=ids[0], outcome=outcome, reason=reason)

    def _file(self, item: JobItem, path: Path) -> RegisteredFile:
        facts, digest, done = path.stat(), hashlib.sha256(), 0
        if not stat.S_ISREG(facts.st_mode):  # a pipe is waited for without end
            raise InputError("It is no file.", source=item.source, next_step="Register a file with rows.")
        free = shutil.disk_usage(self.folder.parent).free
        if facts.st_size * _DISK_FACTOR > free:
            raise InputError(
                f"It has {facts.st_size / 1e9:,.1f} GB; the home's disk has {free / 1e9:,.1f} GB left.",
                source=item.source,
                next_step="Free some, or register a part of it.",
            )
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                self.context.check()
                digest.update(block)
                done += len(block)
                if done % (_BLOCK * 64) == 0:
                    self._tell(item, "checking", 0, facts.st_size)
        is_upload = self.payload.names is not None
        return RegisteredFile(
            item.source,
            "" if is_upload else str(path),
            item.bucket,
            self.payload.acl,
            self.context.order.user,
            digest.hexdigest(),
            facts.st_size,
            facts.st_mtime_ns,
        )

    def _read(self, item: JobItem, path: Path, file: RegisteredFile) -> tuple[Path, Read]:
        """The tables in a folder of their own. Raises InputError, JobInterrupted."""
        part = self.folder / f"{_PART}-{self.context.order.id}-{token_hex(4)}"
        task = ReadTask(path, part, self.payload.header)
        with ThreadPoolExecutor(1, "dataset-reader") as thread:
            reply: Future[Reply[Read]] = thread.submit(self.pool.reply, task, TIMEOUT_S)
            try:
                while not wait([reply], _POLL_S).done:
                    self.context.check()
                    done, total, line = progress_of(part)
                    self._tell(item, line or "begun", done, total or file.size_bytes)
            except BaseException:
                self.pool.close()
                with contextlib.suppress(PoolClosedError, GroundworkError):
                    reply.result()
                shutil.rmtree(part, ignore_errors=True)
                raise
        result = reply.result()
        if not result.value:
            shutil.rmtree(part, ignore_errors=True)
            step = result.next_step or "Register a file with rows."
            raise InputError(result.reason or "No row of it has a value.", source=item.source, next_step=step)
        return part, result.value

    def _tell(self, item: JobItem, line: str, done: int, total: int) -> None:
        shown = f"{Path(item.source).name}: {line}"
        self.records.jobs.set_current(self.context.order.id, CurrentItem(shown, done, total))

    def _moved(self, file: RegisteredFile, read: tuple[Path, Read]) -> Read:
        """The tables where they stay: under a name that is the same when the job does this again."""
        part, tables = read
        made = f"{file.key}\0{file.bucket}\0{file.content_hash}\0{self.context.order.id}"
        name = hashlib.sha256(made.encode("utf-8", "surrogatepass")).hexdigest()[:24]
        shutil.rmtree(self.folder / name, ignore_errors=True)
        part.rename(self.folder / name)
        return tuple(replace(table, file=f"{name}/{table.file}") for table in tables)

    def _names(self, file: RegisteredFile, table: ReadTable, tables: Read) -> tuple[str, str]:
        """The dataset's name, and the one that it gets in SQL if it is free."""
        given = self.payload.name if self.records.jobs.get(self.context.order.id).total == 1 else ""
        stem = given or Path(file.source).stem
        name = f"{stem} · {table.sheet}" if table.sheet and len(tables) > 1 else stem
        return name, table_name(name, "dataset")


def _is_same(before: list[Dataset], file: RegisteredFile) -> bool:
    return all(
        each.content_hash == file.content_hash and each.state is not DatasetState.REMOVED for each in before
    )
