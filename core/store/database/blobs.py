"""Original files by content hash, in a folder: the same bytes are kept once."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from core.domain.ids import ContentHash
from core.errors import NotFoundError
from core.store.database.db import Database, slices
from core.store.database.failures import records_error
from core.store.database.schema import document_versions, documents
from core.store.database.work_tables import crawl_urls

_CHUNK = 1 << 20
_HASH = re.compile(r"[0-9a-f]{64}")
_SWEEP_AGE_S = 24 * 3600.0


class Blobs:
    """The folder of originals. Thread-safe; any number of processes may put the same file at once."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder = folder
        self._database = database

    def put(self, data: bytes | Path) -> ContentHash:
        """Keep these bytes, or this file's, and give their hash; durable when it returns.

        Raises RecordsError where they cannot be written, OSError where the given file cannot be read.
        """
        if isinstance(data, bytes):
            return self._keep(iter((data,)))
        with data.open("rb") as source:
            return self._keep(iter(lambda: source.read(_CHUNK), b""))

    def path(self, content_hash: ContentHash) -> Path:
        """Path of the stored original. Raises NotFoundError where it is not kept."""
        path = self._place(content_hash)
        if not path.is_file():
            raise NotFoundError(
                f"The original file {content_hash[:12]!r} is not in {str(self.folder)!r}.",
                next_step="Ingest the file again, or restore a backup.",
            )
        return path

    def exists(self, content_hash: ContentHash) -> bool:
        """True where the original is kept here."""
        return self._place(content_hash).is_file()

    def all_hashes(self) -> Iterator[ContentHash]:
        """The hash of every file that is kept, in no order."""
        for folder in self.folder.glob("[0-9a-f][0-9a-f]"):
            for path in folder.iterdir():
                if _HASH.fullmatch(path.name):
                    yield ContentHash(path.name)

    def referenced(self, hashes: Collection[str]) -> set[ContentHash]:
        """Those of the hashes that a version, a crawled page or a failed file to be tried again needs."""
        with self._database.read() as connection:
            return _referenced(connection, hashes)

    def remove_unreferenced(self) -> int:
        """Delete originals that no document needs, and remains of broken writes; give their number.

        Files younger than a day are left: an ingest may be about to publish them.
        """
        limit = time.time() - _SWEEP_AGE_S
        removed = 0
        for path in self.folder.glob("*.part"):
            if _modified(path) < limit:
                path.unlink(missing_ok=True)
        for content_hash in list(self.all_hashes()):
            path = self._place(content_hash)
            if _modified(path) >= limit:
                continue
            with self._database.write() as connection:
                if not _referenced(connection, (content_hash,)):
                    path.unlink(missing_ok=True)
                    removed += 1
        return removed

    def remove_released(self, released: Mapping[ContentHash, datetime]) -> None:
        """Delete originals whose last reference was just removed; the value is when it was published.

        Under the write lock, so that no version can begin to refer to one meanwhile. One that was put
        again since is left to `remove_unreferenced`: an ingest may be about to publish it.
        """
        if not released:
            return
        with self._database.write() as connection:
            for content_hash in released.keys() - _referenced(connection, list(released)):
                path = self._place(content_hash)
                if _modified(path) <= released[content_hash].timestamp():
                    path.unlink(missing_ok=True)

    def _keep(self, chunks: Iterator[bytes]) -> ContentHash:
        digest = hashlib.sha256()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(suffix=".part", dir=self.folder)
        except OSError as error:
            raise records_error(error, str(self.folder)) from error
        temporary = Path(name)
        try:
            with os.fdopen(handle, "wb") as target:
                for chunk in chunks:
                    digest.update(chunk)
                    target.write(chunk)
                target.flush()
                os.fsync(target.fileno())
            return self._settle(temporary, ContentHash(digest.hexdigest()))
        except OSError as error:
            raise records_error(error, str(self.folder)) from error
        finally:
            temporary.unlink(missing_ok=True)

    def _settle(self, temporary: Path, content_hash: ContentHash) -> ContentHash:
        target = self._place(content_hash)
        target.parent.mkdir(exist_ok=True)
        # Also where it is there already: the rename heals a damaged file and gives it a new time.
        temporary.replace(target)
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return content_hash

    def _place(self, content_hash: ContentHash) -> Path:
        if not _HASH.fullmatch(content_hash):
            return self.folder / "no-such-original"  # never a path that a caller could choose
        return self.folder / content_hash[:2] / content_hash


def _modified(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return float("inf")


def _referenced(connection: Connection, hashes: Collection[str]) -> set[ContentHash]:
    found: set[ContentHash] = set()
    for column in (document_versions.c.content_hash, documents.c.failed_hash, crawl_urls.c.content_hash):
        for some in slices(hashes):
            rows = connection.execute(sa.select(column).where(column.in_(some)).distinct())
            found.update(ContentHash(name) for name in rows.scalars())
    return found
