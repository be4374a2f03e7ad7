"""Keeping a home: backup and restore."""

from __future__ import annotations

from pathlib import Path

from core.config.load import default_home, load_settings
from core.errors import UsageError
from core.store.backup import backup as write_backup
from core.store.backup import restore as read_backup
from core.workbench.wiring import Parts


def backup(parts: Parts, file: Path) -> int:
    """Write everything but the index and secrets to `file`; gives its size in bytes."""
    return write_backup(parts.records, parts.settings.home, file).size_bytes


def restore_home(file: Path, *, home: Path | None = None, force: bool = False) -> int:
    """Fill a home from a backup and build its index; gives the number of documents.

    All or nothing: a home that was there before is replaced only with `force`, and only once the backup was
    unpacked and checked.
    """
    folder = (home or default_home()).expanduser().absolute()
    if load_settings(folder).records.url.get_secret_value():
        raise UsageError(
            "The settings name a records database of its own, which a backup file cannot fill.",
            next_step="Restore that database with its own tool, or leave records.url empty.",
        )
    documents = read_backup(file, folder, force=force).documents
    parts = Parts(load_settings(folder))
    try:
        parts.engines.catch_up()
    finally:
        parts.close()
    return documents
