"""Format of a file, told by its content first and its name second."""

from __future__ import annotations

import io
import re
import zipfile
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

from core.errors import InputError
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.decode import decode, wide_encoding

# Repetitive XML of honest workbooks compresses well: the ratio counts only once the whole is this large.
_RATIO_FROM_BYTES = 20_000_000
HEAD_BYTES = 8_192
READABLE = "TXT, Markdown, HTML, PDF, DOCX, CSV, XLSX or EML"


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


class FileKind(StrEnum):
    """The kinds of file that Groundwork reads, and ZIP, which intake opens."""

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


MEDIA_TYPES = {
    FileKind.TEXT: "text/plain",
    FileKind.MARKDOWN: "text/markdown",
    FileKind.HTML: "text/html",
    FileKind.PDF: "application/pdf",
    FileKind.DOCX: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    FileKind.CSV: "text/csv",
    FileKind.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    FileKind.EMAIL: "message/rfc822",
    FileKind.LOCKED_OFFICE: "application/x-ole-storage",
}


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


_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|table|div|p|h[1-6]|article|section|main|script|style|meta)[\s>]",
    re.IGNORECASE,
)


_HEADER = re.compile(
    r"^(?:from|to|subject|date|received|return-path|mime-version|message-id|delivered-to|cc|reply-to|sender"
    r"|content-type|x-[\w-]+)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)


_ANY_HEADER = re.compile(r"^[\w-]+[ \t]*:|^[ \t]|^From ")


_CONTROL = frozenset(range(32)) - frozenset(b"\t\n\r\x0b\x0c\x1b\x00\x08")


def sniff(path: Path, source: str) -> FileKind:
    """The kind of `path`. Raises InputError for an empty file and for what cannot be read as text."""
    with path.open("rb") as file:
        return sniff_stream(file, source)


def sniff_stream(file: BinaryIO, source: str) -> FileKind:
    """As `sniff`, for an open file at its beginning, which can be searched."""
    head = file.read(HEAD_BYTES)
    if not head:
        raise InputError(
            "The file is empty.", source=source, next_step="Check the original and add it again."
        )
    if b"%PDF-" in head[:1_024]:
        return FileKind.PDF
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _kind_of_zip(file, source)
    if head.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        return _kind_of_ole(file, source)
    if head.startswith(b"{\\rtf"):
        raise _foreign("an RTF document", source, "Save it as DOCX or PDF and add that.")
    wide = wide_encoding(head)
    if not wide and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        _refuse_binary(head, source)
    return _kind_of_text(decode(head), source)


def _kind_of_text(text: str, source: str) -> FileKind:
    extension = source.lower().rpartition(".")[2]
    start = text.lstrip("\ufeff \t\r\n")
    if extension in ("eml", "mht", "mhtml") or _is_email(start):
        return FileKind.EMAIL
    if extension in ("md", "markdown", "mdown", "mkd"):
        return FileKind.MARKDOWN
    if extension in ("csv", "tsv", "tab", "psv"):
        return FileKind.CSV
    begins_as_html = bool(_HTML.match(start)) or (
        start.startswith(("<?xml", "<!--")) and bool(_HTML.search(start))
    )
    if begins_as_html or (extension in ("html", "htm", "xhtml") and _HTML.search(start)):
        return FileKind.HTML
    return FileKind.TEXT


def _is_email(start: str) -> bool:
    head = re.split(r"\r?\n\r?\n", start, maxsplit=1)[0]
    lines = head.splitlines()[:40]
    if len(lines) < 3 or not all(_ANY_HEADER.match(line) for line in lines):
        return False
    names = {match.group().lower().rstrip(": \t") for match in _HEADER.finditer("\n".join(lines))}
    return (
        len(names) >= 3
        and "from" in names
        and bool(names & {"message-id", "mime-version", "received", "date"})
    )


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


def _kind_of_zip(file: BinaryIO, source: str) -> FileKind:
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist()[:50_000])
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise InputError(
            "It is damaged: the file ends early or its directory of contents is broken.",
            source=source,
            next_step="Copy or download it again.",
        ) from error
    if "word/document.xml" in names:
        return FileKind.DOCX
    if "xl/workbook.xml" in names:
        return FileKind.XLSX
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
        next_step=next_step or f"Add it as {READABLE}.",
    )
