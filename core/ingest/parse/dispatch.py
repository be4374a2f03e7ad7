"""The one way into the parsers."""

from __future__ import annotations

import importlib
from dataclasses import replace
from pathlib import Path

from core.domain.document import ParsedDocument
from core.errors import GroundworkError, InputError
from core.ingest.parse.base import ParseLimits, Parser, title_from_source
from core.ingest.parse.sniff import MEDIA_TYPES, FileKind, sniff

# By name, so that a process imports only the vendors of the files that it meets.
_PARSERS = {
    FileKind.TEXT: ("core.ingest.parse.text", "parse_text"),
    FileKind.MARKDOWN: ("core.ingest.parse.text", "parse_markdown"),
    FileKind.HTML: ("core.ingest.parse.html", "parse_html"),
    FileKind.PDF: ("core.ingest.parse.pdf", "parse_pdf"),
    FileKind.DOCX: ("core.ingest.parse.docx", "parse_docx"),
    FileKind.CSV: ("core.ingest.parse.table", "parse_csv"),
    FileKind.XLSX: ("core.ingest.parse.table", "parse_xlsx"),
    FileKind.EMAIL: ("core.ingest.parse.email", "parse_email"),
}


def parse_file(path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    """The document in `path`, whatever its name says it is; `source` is what the user calls it.

    Raises InputError, and nothing else, where no document can be made of it. Blocks; meant for a child
    process, which the caller limits in time and memory.
    """
    try:
        size = path.stat().st_size
        if size > limits.max_file_bytes:
            raise InputError(
                f"It is larger than {limits.max_file_bytes // 1_000_000:,} MB.",
                source=source,
                next_step="Split it, or raise ingest.max_file_mb.",
            )
        kind = sniff(path, source)
        if kind is FileKind.ZIP:
            raise InputError(
                "It is a ZIP archive inside another file.",
                source=source,
                next_step="Unpack it and add the files in it.",
            )
        if kind is FileKind.LOCKED_OFFICE:
            return _locked(source)
        parsed = _parser(kind)(path, source, limits)
    except GroundworkError:
        raise
    except FileNotFoundError as error:
        raise InputError(
            "The file is no longer there.", source=source, next_step="Restore it and add it again."
        ) from error
    except OSError as error:
        raise InputError(
            f"The file cannot be read: {error.strerror or error}.",
            source=source,
            next_step="Check its rights and the disk.",
        ) from error
    except MemoryError as error:
        raise InputError(
            "It needs more memory than a parser may use.",
            source=source,
            next_step="Split it, or raise ingest.parse_memory_mb.",
        ) from error
    except Exception as error:
        # A vendor's parser can fail in any way on a hostile file; the batch goes on and the file is listed.
        raise InputError(
            f"It is damaged or not what its name says ({type(error).__name__}).",
            source=source,
            next_step="Open it in its own program, save it again and retry.",
        ) from error
    return replace(parsed, title=parsed.title or title_from_source(source))


def _parser(kind: FileKind) -> Parser:
    module, name = _PARSERS[kind]
    parser: Parser = getattr(importlib.import_module(module), name)
    return parser


def _locked(source: str) -> ParsedDocument:
    return ParsedDocument(
        title=title_from_source(source),
        media_type=MEDIA_TYPES[FileKind.LOCKED_OFFICE],
        pages=(),
        unreadable_reason="It needs a password. Save a copy without one and add that.",
    )
