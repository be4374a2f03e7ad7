"""ZIP containers, opened only when their declared sizes are sane."""

from __future__ import annotations

import zipfile
from pathlib import Path

from core.errors import InputError
from core.ingest.parse.base import ParseLimits

# Repetitive XML of honest workbooks compresses well: the ratio counts only once the whole is this large.
_RATIO_FROM_BYTES = 20_000_000


def check_zip(path: Path, source: str, limits: ParseLimits) -> None:
    """Raises InputError where unpacking `path` would take more files or bytes than the limits allow."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise InputError(
            "It is damaged: its directory of contents cannot be read.",
            source=source,
            next_step="Copy or download it again.",
        ) from error
    check_entries(entries, source, limits)


def check_entries(entries: list[zipfile.ZipInfo], source: str, limits: ParseLimits) -> None:
    """As `check_zip`, on entries that were already listed."""
    if len(entries) > limits.zip_max_files:
        raise InputError(
            f"It holds {len(entries):,} files; at most {limits.zip_max_files:,} are allowed.",
            source=source,
            next_step="Split it, or raise ingest.zip_max_files.",
        )
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if unpacked > limits.zip_max_bytes:
        raise InputError(
            f"It would unpack to {unpacked // 1_000_000:,} MB.",
            source=source,
            next_step="Split it, or raise ingest.zip_max_mb.",
        )
    if unpacked > _RATIO_FROM_BYTES and unpacked > limits.zip_max_ratio * max(1, packed):
        raise InputError(
            f"It would unpack to {unpacked // max(1, packed):,} times its size, as a ZIP bomb does.",
            source=source,
            next_step="Check where it comes from; unpack it yourself and add the files.",
        )
