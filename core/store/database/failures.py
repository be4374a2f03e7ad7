"""Failures of the database or the disk, in a plain sentence with what to do next."""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from core.errors import RecordsError, RecordsUnavailableError
from core.store.database.postgres import postgres_error

_SENTENCES: dict[str, tuple[str, str]] = {
    "SQLITE_FULL": (
        "The disk is full: nothing was written to {place!r}.",
        "Free some space and try again; what was stored before is unharmed.",
    ),
    "SQLITE_IOERR_SHMSIZE": (  # its file for readers cannot be made, which takes 32 KB
        "The disk is full: {place!r} cannot be opened.",
        "Free some space and try again; what was stored before is unharmed.",
    ),
    "SQLITE_READONLY": (
        "The records in {place!r} can be read but not written.",
        "Make the file and its folder writable for this user, or choose another home with --home.",
    ),
    "SQLITE_BUSY": (
        "Another process has kept {place!r} locked for too long.",
        "Wait until its work is done, or raise records.busy_timeout_s, and try again.",
    ),
    "SQLITE_LOCKED": (
        "Another process has kept {place!r} locked for too long.",
        "Wait until its work is done, or raise records.busy_timeout_s, and try again.",
    ),
    "SQLITE_CORRUPT": (
        "The records in {place!r} are damaged.",
        "Restore a backup with `groundwork restore FILE --force`, and check the disk.",
    ),
    "SQLITE_NOTADB": (
        "The file {place!r} is not a records database.",
        "Move it away, choose another home with --home, or restore a backup with --force.",
    ),
    "SQLITE_CANTOPEN": (
        "The records in {place!r} cannot be opened.",
        "Check that the folder is there and that this user may read and write in it.",
    ),
    "SQLITE_IOERR": (
        "The disk failed while reading or writing {place!r}.",
        "Check the disk and the space left on it, then try again.",
    ),
    "SQLITE_TOOBIG": (
        "A text or file is larger than the records in {place!r} can hold.",
        "Split the document into smaller files.",
    ),
}
_ERRNO = {
    errno.ENOSPC: "SQLITE_FULL",
    errno.EDQUOT: "SQLITE_FULL",
    errno.EROFS: "SQLITE_READONLY",
    errno.EACCES: "SQLITE_READONLY",
    errno.EPERM: "SQLITE_READONLY",
    errno.EIO: "SQLITE_IOERR",
}


def records_error(error: BaseException, place: str) -> RecordsError:
    """The RecordsError for what a database driver or the operating system raised."""
    if found := postgres_error(error, place):
        return found
    if isinstance(error, PoolTimeoutError):
        return RecordsUnavailableError(
            f"All connections of this process to {place!r} have been in use for too long.",
            next_step="Try again; if it comes back, raise records.pool_size.",
        )
    name = ""
    if isinstance(error, sqlite3.Error):
        name = getattr(error, "sqlite_errorname", "") or ""
    elif isinstance(error, OSError) and error.errno is not None:
        name = _ERRNO.get(error.errno, "")
    for known, (sentence, next_step) in _SENTENCES.items():
        if name == known or name.startswith(f"{known}_"):
            return RecordsError(sentence.format(place=place), next_step=next_step)
    return RecordsError(
        f"The records in {place!r} failed: {error}.",
        next_step="Run `groundwork doctor`; if it finds nothing, try again.",
    )
