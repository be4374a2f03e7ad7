"""Format of a file, or what to do about one that is not read."""

from __future__ import annotations

import io
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError
from core.ingest.parse.decode import wide_encoding
from core.ingest.parse.formats import HEAD_BYTES, FileHead, known_format, readable


class FileKind(StrEnum):
    """Names of formats that other code speaks of, and ZIP, which intake opens."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    CSV = "csv"
    XLSX = "xlsx"
    EMAIL = "email"
    ZIP = "zip"
    LOCKED_OFFICE = "locked-office"


# (signature, what it is): files that are recognised in order to say what to do about them.
_FOREIGN = (
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"BM", "a bitmap image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"7z\xbc\xaf'\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"SQLite format 3\x00", "a SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"OggS", "an audio file"),
    (b"ID3", "an audio file"),
    (b"RIFF", "an audio or video file"),
    (b"\x00\x00\x01\x00", "an icon"),
)
_CONTROL = frozenset(range(32)) - frozenset(b"\t\n\r\x0b\x0c\x1b\x00\x08")


def sniff(path: Path, source: str) -> str:
    """Name of the format of `path`. Raises InputError for an empty file, and for what is no text."""
    with path.open("rb") as file:
        return sniff_stream(file, source)


def sniff_stream(file: BinaryIO, source: str) -> str:
    """As `sniff`, for an open file at its beginning, which can be searched."""
    data = file.read(HEAD_BYTES)
    if not data:
        raise InputError(
            "The file is empty.", source=source, next_step="Check the original and add it again."
        )
    head = FileHead(data, source, file)
    return known_format(head, is_text=False) or _container(head, file) or known_format(head, is_text=True)


def _container(head: FileHead, file: BinaryIO) -> FileKind | None:
    """What is no document itself; None for text. Raises InputError for what is neither."""
    if head.is_zip:
        return _kind_of_zip(head.zip_names, head.source)
    if head.data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _kind_of_ole(file, head.source)
    if head.data.startswith(b"{\\rtf"):
        raise _foreign("an RTF document", head.source, "Save it as DOCX or PDF and add that.")
    if not wide_encoding(head.data) and not head.data.startswith((b"\xff\xfe", b"\xfe\xff")):
        _refuse_binary(head.data, head.source)
    return None


def _refuse_binary(head: bytes, source: str) -> None:
    for signature, what in _FOREIGN:
        if head.startswith(signature) and (len(signature) > 2 or _looks_binary(head)):
            raise _foreign(what, source)
    if head[4:8] == b"ftyp":
        raise _foreign("a video or a HEIC image", source)
    if _looks_binary(head):
        raise _foreign("a binary file of an unknown kind", source)


def _looks_binary(head: bytes) -> bool:
    controls = sum(byte in _CONTROL for byte in head)
    return controls / len(head) > 0.05 or head.count(0) / len(head) > 0.3


def _kind_of_zip(names: frozenset[str], source: str) -> FileKind:
    if "xl/workbook.bin" in names:
        raise _foreign("a binary Excel workbook (XLSB)", source, "Save it as XLSX or CSV and add that.")
    if "ppt/presentation.xml" in names:
        raise _foreign("a PowerPoint presentation", source, "Save it as PDF and add that.")
    if "mimetype" in names and "content.xml" in names:
        raise _foreign("an OpenDocument file", source, "Save it as DOCX, XLSX or PDF and add that.")
    if "META-INF/container.xml" in names:
        raise _foreign("an EPUB book", source, "Save it as PDF or HTML and add that.")
    return FileKind.ZIP


def _kind_of_ole(file: BinaryIO, source: str) -> FileKind:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    content = file.read(1 << 20)
    file.seek(max(0, size - (1 << 20)))
    content += file.read()
    if "EncryptedPackage".encode("utf-16-le") in content:
        return FileKind.LOCKED_OFFICE
    raise _foreign(
        "a file of an Office version before 2007", source, "Save it as DOCX, XLSX or PDF and add that."
    )


def _foreign(what: str, source: str, next_step: str = "") -> InputError:
    return InputError(
        f"It is {what}, which cannot be read as text.",
        source=source,
        next_step=next_step or f"Add it as {readable()}.",
    )
