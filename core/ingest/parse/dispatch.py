"""The one way into the parsers."""

from __future__ import annotations

import traceback
from dataclasses import replace
from pathlib import Path

from core import plugins
from core.domain.document import Page, ParsedDocument
from core.errors import GroundworkError, InputError
from core.ingest.parse.base import ParseLimits, title_from_source
from core.ingest.parse.formats import FileKind, formats, sniff
from core.plugins import Plugin

_LOCKED_TYPE = "application/x-ole-storage"


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
        if kind in (FileKind.ZIP, FileKind.MBOX):
            raise InputError(
                f"It is {'a ZIP archive' if kind == FileKind.ZIP else 'a mailbox'} inside another file.",
                source=source,
                next_step="Unpack it and add the files in it.",
            )
        if kind == FileKind.LOCKED_OFFICE:
            return _locked(source)
        parsed = _parsed(kind, path, source, limits)
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


def _parsed(kind: str, path: Path, source: str, limits: ParseLimits) -> ParsedDocument:
    registry = plugins.registry()
    plugin, form = registry.find(plugins.PARSERS, kind), formats()[kind]
    if plugin.is_shipped:
        return form.parser()(path, source, limits)
    try:
        parsed = form.parser()(path, source, limits)
    except (GroundworkError, OSError, MemoryError):
        raise
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"line {place.lineno} of {Path(place.filename).name}"
        raise _of_plugin(
            plugin, source, f"failed on it ({type(error).__name__}: {error}; {where})"
        ) from error
    fault = _fault(parsed)
    if fault:
        raise _of_plugin(plugin, source, fault)
    return replace(parsed, media_type=form.media_type)


def _fault(parsed: object) -> str:
    """What is wrong with what a parser gave, in words; "" for nothing."""
    if not isinstance(parsed, ParsedDocument):
        return f"gave a {type(parsed).__name__!r}, not a ParsedDocument"
    if not all(isinstance(page, Page) and isinstance(page.text, str) for page in parsed.pages):
        return "gave pages that are no Page with a text"
    if [page.page_no for page in parsed.pages] != [*range(1, len(parsed.pages) + 1)]:
        return "gave pages that are not numbered 1, 2, 3"
    return ""


def _of_plugin(plugin: Plugin, source: str, what: str) -> InputError:
    return InputError(
        f"The parser {plugin.name!r} of {plugin.distribution!r} {what[:300]}.",
        source=source,
        next_step=f"Tell who made {plugin.distribution!r}, or uninstall it.",
    )


def _locked(source: str) -> ParsedDocument:
    return ParsedDocument(
        title=title_from_source(source),
        media_type=_LOCKED_TYPE,
        pages=(),
        unreadable_reason="It needs a password. Save a copy without one and add that.",
    )
