"""Formats of files, those that ship and those of others: told by their content first and their name second.

Light to import, since every file is held against all of them: a parser is named, and imported for the files
that are its own.
"""

from __future__ import annotations

import importlib
import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from pathlib import Path
from typing import BinaryIO

from core import plugins
from core.domain.document import HTML as HTML_TYPE
from core.domain.document import PDF as PDF_TYPE
from core.errors import InputError
from core.ingest.parse.base import Parser
from core.ingest.parse.decode import decode, wide_encoding

HEAD_BYTES = 8_192
TEXT_ORDER = 60
"""Order from which on formats are asked about what is text; those before it about bytes."""

_LOOK_WITHIN_S = 1.0
_MOST_NAMES = 50_000
_ZIPPED = (b"PK\x03\x04", b"PK\x05\x06")
_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|table|div|p|h[1-6]|article|section|main|script|style|meta)[\s>]",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"^(?:from|to|subject|date|received|return-path|mime-version|message-id|delivered-to|cc|reply-to|sender"
    r"|content-type|x-[\w-]+)[ \t]*:",
    re.IGNORECASE | re.MULTILINE,
)
_WORD_BODY = re.compile(r"word[/\\]document\d*\.xml", re.IGNORECASE)  # Word on the web writes document2.xml
_ANY_HEADER = re.compile(r"^[\w-]+[ \t]*:|^[ \t]|^From ")

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
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of files in Microsoft's compound format: old Office files, MSG."""
_CONTROL = frozenset(range(32)) - frozenset(b"\t\n\r\x0b\x0c\x1b\x00\x08")


class FileKind(StrEnum):
    """Names of formats that other code speaks of, and of archives, which intake opens."""

    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    CSV = "csv"
    XLSX = "xlsx"
    EMAIL = "email"
    MSG = "msg"
    ZIP = "zip"
    MBOX = "mbox"
    LOCKED_OFFICE = "locked-office"


class FileHead:
    """The beginning of a file, by which formats know it. data: its first 8 kB; source: its name."""

    def __init__(self, data: bytes, source: str, file: BinaryIO) -> None:
        self.data = data
        self.source = source
        self._file = file

    @property
    def extension(self) -> str:
        """The end of its name behind the last dot, in lower case: "pdf"."""
        return self.source.lower().rpartition(".")[2]

    @cached_property
    def text(self) -> str:
        """The same as text, without space before it; meaningless where it is none."""
        return decode(self.data).lstrip("\ufeff \t\r\n")

    @property
    def is_zip(self) -> bool:
        """True of a ZIP archive, which many formats are."""
        return self.data.startswith(_ZIPPED)

    @cached_property
    def zip_names(self) -> frozenset[str]:
        """Names within the archive, empty where it is none. Raises InputError where it is damaged."""
        if not self.is_zip:
            return frozenset()
        try:
            with zipfile.ZipFile(self._file) as archive:
                return frozenset(archive.namelist()[:_MOST_NAMES])
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise InputError(
                "It is damaged: the file ends early or its directory of contents is broken.",
                source=self.source,
                next_step="Copy or download it again.",
            ) from error


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format of files, with its parser: the object that an entry point of `groundwork.parsers` names.

    title: as messages and pages call it. knows: tells a file by its beginning, at once; None: by its
    extension alone. parse: a Parser, or where one is, "module:function". order: formats with a lower one are
    asked first.
    """

    title: str
    media_type: str
    extensions: tuple[str, ...]
    parse: Parser | str
    knows: Callable[[FileHead], bool] | None = None
    order: int = 50

    def __post_init__(self) -> None:
        """Raises TypeError where a part is not of its type: the entry point is left out with the reason."""
        if isinstance(self.extensions, str) or not all(isinstance(each, str) for each in self.extensions):
            raise TypeError("extensions is a tuple of strings, such as ('rtf',)")
        if not (callable(self.parse) or (isinstance(self.parse, str) and ":" in self.parse)):
            raise TypeError("parse is a function, or 'module:function'")
        if not (self.knows is None or callable(self.knows)) or not isinstance(self.order, int):
            raise TypeError("knows is a function or None, order a whole number")

    def is_of(self, head: FileHead) -> bool:
        """True where the file is of this format."""
        return head.extension in self.extensions if self.knows is None else self.knows(head)

    def parser(self) -> Parser:
        """The parser, imported where it is only named. Raises what importing it raises."""
        if not isinstance(self.parse, str):
            return self.parse
        module, _, name = self.parse.partition(":")
        parser: Parser = getattr(importlib.import_module(module), name)
        return parser


def formats() -> dict[str, FileFormat]:
    """The formats that are installed, by name, in the order in which they are asked."""
    table = plugins.registry().table(plugins.PARSERS, FileFormat)
    return dict(sorted(table.items(), key=lambda each: each[1].order))


def _known_format(head: FileHead, *, is_text: bool) -> str:
    """Name of the first format that knows a file, "" for none. is_text: of those for text, or the others."""
    registry = plugins.registry()
    named = registry.plugins(plugins.PARSERS)
    for name, each in formats().items():
        if (each.order >= TEXT_ORDER) is not is_text or name not in named:
            continue
        if registry.call(named[name], partial(each.is_of, head), within_s=_LOOK_WITHIN_S):
            return name
    return ""


def _readable() -> str:
    """Names of all formats as a message lists them: "TXT, PDF or EML"."""
    *others, last = [each.title for each in plugins.registry().table(plugins.PARSERS, FileFormat).values()]
    return f"{', '.join(others)} or {last}" if others else last


def media_type_of(name: str) -> str:
    """Media type of a format; "" where it is not installed."""
    found = formats().get(name)
    return found.media_type if found is not None else ""


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
    return _known_format(head, is_text=False) or _container(head, file) or _known_format(head, is_text=True)


def _container(head: FileHead, file: BinaryIO) -> FileKind | None:
    """What is no document itself; None for text. Raises InputError for what is neither."""
    if head.is_zip:
        return _kind_of_zip(head.zip_names, head.source)
    if head.data.startswith(OLE):
        return _kind_of_ole(file, head.source)
    if head.extension in ("mbox", "mbx") and head.data.startswith(b"From "):
        return FileKind.MBOX
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
    if "__nameid_version1.0".encode("utf-16-le") in content:
        raise _foreign("an Outlook message", source, "Give it a name that ends with .msg and add that.")
    raise _foreign(
        "a file of an Office version before 2007", source, "Save it as DOCX, XLSX or PDF and add that."
    )


def _foreign(what: str, source: str, next_step: str = "") -> InputError:
    return InputError(
        f"It is {what}, which cannot be read as text.",
        source=source,
        next_step=next_step or f"Add it as {_readable()}.",
    )


def _is_email(head: FileHead) -> bool:
    if head.extension in EMAIL.extensions:
        return True
    first = re.split(r"\r?\n\r?\n", head.text, maxsplit=1)[0]
    lines = first.splitlines()[:40]
    if len(lines) < 3 or not all(_ANY_HEADER.match(line) for line in lines):
        return False
    names = {match.group().lower().rstrip(": \t") for match in _HEADER.finditer("\n".join(lines))}
    return (
        len(names) >= 3
        and "from" in names
        and bool(names & {"message-id", "mime-version", "received", "date"})
    )


def _is_html(head: FileHead) -> bool:
    begins_as_html = bool(_HTML.match(head.text)) or (
        head.text.startswith(("<?xml", "<!--")) and bool(_HTML.search(head.text))
    )
    return begins_as_html or (head.extension in HTML.extensions and bool(_HTML.search(head.text)))


_OFFICE = "application/vnd.openxmlformats-officedocument."
PDF = FileFormat(
    "PDF",
    PDF_TYPE,
    ("pdf",),
    "core.ingest.parse.pdf:parse_pdf",
    lambda head: b"%PDF-" in head.data[:1_024],
    order=10,
)
DOCX = FileFormat(
    "DOCX",
    f"{_OFFICE}wordprocessingml.document",
    ("docx", "docm", "dotx", "dotm"),
    "core.ingest.parse.word.document:parse_docx",
    lambda head: any(_WORD_BODY.fullmatch(name) for name in head.zip_names),
    order=20,
)
XLSX = FileFormat(
    "XLSX",
    f"{_OFFICE}spreadsheetml.sheet",
    ("xlsx", "xlsm"),
    "core.ingest.parse.workbook.xlsx:parse_xlsx",
    lambda head: "xl/workbook.xml" in head.zip_names,
    order=30,
)
EMAIL = FileFormat(
    "EML",
    "message/rfc822",
    ("eml", "mht", "mhtml"),
    "core.ingest.parse.email:parse_email",
    _is_email,
    order=TEXT_ORDER,
)
MSG = FileFormat(
    "MSG",
    "application/vnd.ms-outlook",
    ("msg",),
    "core.ingest.parse.email:parse_email",
    lambda head: head.extension == "msg" and head.data.startswith(OLE),
    order=40,
)
CALENDAR = FileFormat(
    "ICS",
    "text/calendar",
    ("ics",),
    "core.ingest.parse.email:parse_calendar",
    lambda head: head.text[:40].upper().startswith("BEGIN:VCALENDAR"),
    order=65,
)
MARKDOWN = FileFormat(
    "Markdown",
    "text/markdown",
    ("md", "markdown", "mdown", "mkd"),
    "core.ingest.parse.text:parse_markdown",
    order=70,
)
CSV = FileFormat(
    "CSV", "text/csv", ("csv", "tsv", "tab", "psv"), "core.ingest.parse.table:parse_csv", order=80
)
HTML = FileFormat(
    "HTML",
    HTML_TYPE,
    ("html", "htm", "xhtml"),
    "core.ingest.parse.html.document:parse_html",
    _is_html,
    order=90,
)
TEXT = FileFormat(
    "TXT",
    "text/plain",
    ("txt", "text", "log"),
    "core.ingest.parse.text:parse_text",
    lambda _: True,
    order=100,
)
