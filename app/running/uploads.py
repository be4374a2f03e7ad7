"""Uploads on their way into the collection: streamed to disk, named safely, swept when their job is done."""

from __future__ import annotations

import contextlib
import errno
import re
import shutil
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from uuid import uuid4

from core.domain.document import valid_bucket
from core.errors import InputError, NotFoundError, UsageError

MAX_PART_BYTES = 200  # well under the 255 bytes that file systems allow a name
MAX_PATH_BYTES, MAX_FOLDERS = 1_000, 50  # of the 4,096 bytes that a path may have, home folder included
_BATCH = re.compile(r"[0-9a-f]{32}\Z")
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"|?*\u200b-\u200f\u202a-\u202e\u2066-\u2069]')


def safe_path(name: str) -> Path:
    """The relative path that an uploaded name may have: no way up, no root, no control characters.

    Folders are kept. Raises InputError where nothing is left of the name, or more than a disk takes.
    """
    parts = []
    for part in unicodedata.normalize("NFC", name).replace("\\", "/").split("/"):
        clean = _FORBIDDEN.sub("_", part).strip().rstrip(".")
        if clean and clean not in (".", ".."):
            parts.append(_shorten(clean))
    if not parts:
        raise InputError("the name has no usable characters", source=name, next_step="Rename the file.")
    if len(parts) > MAX_FOLDERS + 1 or len("/".join(parts).encode()) > MAX_PATH_BYTES:
        raise InputError(
            "the file lies in too many folders, or their names are too long",
            source=name[:MAX_PART_BYTES],
            next_step="Move it into a folder with a shorter path and upload that.",
        )
    return Path(*parts)


@contextlib.contextmanager
def refusing(name: str) -> Iterator[None]:
    """Raise InputError where the disk refuses an upload for its name; other errors stay what they are."""
    try:
        yield
    except (FileExistsError, NotADirectoryError, IsADirectoryError) as error:
        raise InputError(
            "a file and a folder of this upload have the same name",
            source=name[:MAX_PART_BYTES],
            next_step="Rename one of them and upload it again.",
        ) from error
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        raise InputError(
            "the path of the file is too long for this disk",
            source=name[:MAX_PART_BYTES],
            next_step="Shorten the names of the file and its folders.",
        ) from error


def _bucket_name(folder: str, bucket: str) -> str:
    try:
        return valid_bucket(folder)
    except UsageError:
        return bucket


def _shorten(name: str) -> str:
    encoded = name.encode()
    if len(encoded) <= MAX_PART_BYTES:
        return name
    stem, dot, suffix = name.rpartition(".")
    suffix = dot + suffix if stem and len(suffix) <= 10 else ""
    room = MAX_PART_BYTES - len(suffix.encode())
    return (stem or name).encode()[:room].decode(errors="ignore") + suffix


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file that waits: its path relative to the batch, as it will be listed, and its size."""

    name: str
    size_bytes: int


def top_folders(names: Iterable[str]) -> dict[str, str]:
    """The folders at the top of some paths, by their own path; in archives, those within.

    Where all are in one folder, those in it.
    """
    parts = [name.split("/") for name in names]
    depth = 0
    while parts and all(len(each) > depth + 1 and each[depth] == parts[0][depth] for each in parts):
        depth += 1
    found = {}
    for each in parts:
        at = depth + (each[depth].lower().endswith(".zip"))
        if at < len(each) - 1:
            found["/".join(each[: at + 1])] = each[at]
    return dict(sorted(found.items()))


@lru_cache(maxsize=256)
def _archived(path: Path, size_bytes: int, changed_ns: int) -> tuple[str, ...]:
    from core.ingest.intake import archived_names

    return tuple(archived_names(path))


class Staging:
    """Batches of uploaded files under one folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @staticmethod
    def new_batch() -> str:
        """The id of a batch that does not exist yet."""
        return uuid4().hex

    def folder(self, batch: str) -> Path:
        """The batch's folder, which may not exist yet. Raises NotFoundError for what is no batch id."""
        if not _BATCH.match(batch):
            raise NotFoundError(f"No upload {batch[:40]!r}.", next_step="Choose the files again.")
        return self._root / batch

    def place(self, batch: str, name: str) -> Path:
        """Path for a file of this name; makes the folders.

        The same name again (a retry, the same file dropped twice) replaces the first; the page gives
        different files of one name different folders or numbers before they come here. Raises InputError
        where a file stands in the way of a folder, or a folder in that of the file.
        """
        folder, relative = self.folder(batch), safe_path(name)
        target = folder / relative
        with refusing(name):
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.is_dir():
                raise IsADirectoryError(target)
        return target

    def files(self, batch: str) -> list[StagedFile]:
        """Files that have fully arrived, by name."""
        folder = self.folder(batch)
        found = (p for p in folder.rglob("*") if p.is_file() and not p.name.endswith(".part"))
        return sorted(
            (StagedFile(p.relative_to(folder).as_posix(), p.stat().st_size) for p in found),
            key=lambda file: file.name,
        )

    def discard(self, batch: str) -> None:
        """Forget the batch and its files."""
        shutil.rmtree(self.folder(batch), ignore_errors=True)

    def paths(self, batch: str) -> list[Path]:
        """The top entries of the batch: files and folders, as one would name them to `groundwork ingest`.

        Their names, not where they wait, become the documents' sources: the same file uploaded again is
        `unchanged`, a changed one a new version.
        """
        folder = self.folder(batch)
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def folders(self, batch: str, bucket: str) -> dict[str, str]:
        """By folder at the top of the batch and of its archives, the bucket that may be called so.

        A folder whose name no bucket may have is for `bucket`.
        """
        names: list[str] = []
        for file in self.files(batch):
            inner: tuple[str, ...] = ()
            if file.name.lower().endswith(".zip"):
                path = self.folder(batch) / file.name
                inner = _archived(path, file.size_bytes, path.stat().st_mtime_ns)
            names += [f"{file.name}/{each}" for each in inner] or [file.name]
        return {place: _bucket_name(name, bucket) for place, name in top_folders(names).items()}

    def link(self, batch: str, job: str) -> None:
        """Note which job reads the batch, so that it can be swept afterwards."""
        (self._root / f"{batch}.job").write_text(job)

    def sweep(self, done: Iterable[str]) -> None:
        """Remove the batches of these jobs; a job that can still be resumed is not to be among them."""
        jobs = set(done)
        for note in self._root.glob("*.job"):
            if note.read_text() in jobs:
                self.discard(note.stem)
                note.unlink()
