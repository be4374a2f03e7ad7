"""ZIP containers, opened only when their declared sizes are sane."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.decode import decode

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


_IS_UTF8 = 0x800  # flag of an entry
_UNICODE_PATH = 0x7075


def entry_names(entries: Sequence[zipfile.ZipInfo]) -> list[str]:
    """The names of entries as their maker wrote them, in an encoding that all names of the archive tell.

    An archive without the flag for UTF-8 has names in the code page of some computer, which the standard
    library takes for cp437. Source: APPNOTE 4.4.4 and, of the name in Unicode beside it, 4.6.9.
    """
    plain = [None if entry.flag_bits & _IS_UTF8 else _raw(entry) for entry in entries]
    told = decode(b"\n".join(raw for raw in plain if raw)).split("\n")
    named = iter(told if len(told) == sum(bool(raw) for raw in plain) else ())
    return [
        _unicode_path(entry) or (next(named, entry.filename) if raw else entry.filename)
        for entry, raw in zip(entries, plain, strict=True)
    ]


def _raw(entry: zipfile.ZipInfo) -> bytes | None:
    """The bytes of a name; None of one that is plain ASCII, or was not read from an archive."""
    try:
        return None if entry.filename.isascii() else entry.filename.encode("cp437")
    except UnicodeEncodeError:
        return None


def _unicode_path(entry: zipfile.ZipInfo) -> str:
    at, extra = 0, entry.extra
    while at + 4 <= len(extra):
        kind, size = (int.from_bytes(extra[at + i : at + i + 2], "little") for i in (0, 2))
        if kind == _UNICODE_PATH and size > 5:
            return extra[at + 9 : at + 4 + size].decode("utf-8", "replace")
        at += 4 + size
    return ""
