"""The text of a page out of lines that were found on its image, in reading order, every line with its box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import median

from core.domain.document import (
    CONFIDENCE,
    PAGES_WITHOUT_TEXT,
    READ_BY,
    Page,
    PageReading,
    ParsedDocument,
    ReadLine,
    confidence_of,
)
from core.ingest.clean import language_of, normalise
from core.ingest.ocr import FoundLine
from core.text.headings import find_headings, first_title

NOTHING_READ = "No page holds text, and text recognition found none on the page images either."
_SAME_ROW = 0.5  # of the lower line's height that two pieces of a row share
_GAP = 0.9  # of a line's height, above which a paragraph ends
_MIDDLE = (0.35, 0.65)
_LEAST_LINES = 8
_MOST_CROSSING = 0.25


def arrange(page_no: int, found: Iterable[FoundLine]) -> PageReading:
    """The page's text: rows from top to bottom, two columns one after the other, a blank line at each gap."""
    cleaned = (replace(each, text=" ".join(normalise(each.text).split())) for each in found)
    pieces = [each for each in cleaned if each.text]
    if not pieces:
        return PageReading(page_no, "")
    height = median(each.box.y1 - each.box.y0 for each in pieces)
    parts: list[str] = []
    lines: list[ReadLine] = []
    at, bottom = 0, None
    for block in _blocks(pieces):
        for row in _rows(block):
            if parts:
                gap = min(each.box.y0 for each in row) - (bottom or 0.0)
                parts.append("\n\n" if gap > _GAP * height or gap < -2 * height else "\n")
                at += len(parts[-1])
            for index, piece in enumerate(row):
                if index:
                    parts.append(" ")
                    at += 1
                lines.append(ReadLine(at, at + len(piece.text), piece.box, piece.confidence))
                parts.append(piece.text)
                at += len(piece.text)
            bottom = max(each.box.y1 for each in row)
    return PageReading(page_no, "".join(parts), tuple(lines))


def with_readings(parsed: ParsedDocument, readings: Sequence[PageReading]) -> ParsedDocument:
    """The document with what was read off the images of its pages without text, and marked so.

    Its title and language are found anew where it had no text at all.
    """
    by_page = {each.page_no: each for each in readings}
    used: list[PageReading] = []
    pages: list[Page] = []
    for page in parsed.pages:
        reading = by_page.get(page.page_no)
        if reading is None or page.text.strip():
            pages.append(page)
            continue
        used.append(reading)
        pages.append(replace(page, text=reading.text, headings=find_headings(reading.text)))
    if not used:
        return parsed
    if not any(page.text.strip() for page in pages):
        return replace(parsed, unreadable_reason=NOTHING_READ)
    metadata = {**parsed.metadata, READ_BY: "ocr", CONFIDENCE: f"{confidence_of(used):.2f}"}
    parts = tuple(part for part in parsed.parts if part.kind != PAGES_WITHOUT_TEXT or part.count > len(used))
    changed = replace(parsed, pages=tuple(pages), metadata=metadata, unreadable_reason="", parts=parts)
    if not parsed.unreadable_reason:
        return changed
    first = next(page for page in pages if page.text.strip())
    title = first_title(first.text, first.headings)
    return replace(changed, title=title or parsed.title, language=language_of(tuple(pages)))


def _blocks(pieces: Sequence[FoundLine]) -> list[list[FoundLine]]:
    """Pieces that are read together: all of them, or the columns between lines that run across both."""
    split = _split(pieces)
    if split is None:
        return [list(pieces)]
    blocks: list[list[FoundLine]] = []
    left: list[FoundLine] = []
    right: list[FoundLine] = []
    for piece in sorted(pieces, key=lambda each: each.box.y0):
        if piece.box.x1 <= split:
            left.append(piece)
        elif piece.box.x0 >= split:
            right.append(piece)
        else:
            blocks += [left, right, [piece]]
            left, right = [], []
    blocks += [left, right]
    return [block for block in blocks if block]


def _split(pieces: Sequence[FoundLine]) -> float | None:
    """Position at which two columns part; None for a page of one, and for a table's narrow cells."""
    low, high = _MIDDLE
    best: tuple[int, float] | None = None
    for step in range(13):
        at = low + (high - low) * step / 12
        crossing = sum(each.box.x0 < at < each.box.x1 for each in pieces)
        left = [each for each in pieces if each.box.x1 <= at and each.box.x1 - each.box.x0 > 0.2]
        right = [each for each in pieces if each.box.x0 >= at and each.box.x1 - each.box.x0 > 0.2]
        if min(len(left), len(right)) < _LEAST_LINES or crossing > _MOST_CROSSING * len(pieces):
            continue
        if best is None or crossing < best[0]:
            best = (crossing, at)
    return None if best is None else best[1]


def _rows(pieces: Sequence[FoundLine]) -> list[list[FoundLine]]:
    """Pieces side by side, each row from left to right."""
    rows: list[list[FoundLine]] = []
    for piece in sorted(pieces, key=lambda each: each.box.y0 + each.box.y1):
        last = rows[-1][-1].box if rows else None
        if last is not None:
            shared = min(last.y1, piece.box.y1) - max(last.y0, piece.box.y0)
            if shared > _SAME_ROW * min(last.y1 - last.y0, piece.box.y1 - piece.box.y0):
                rows[-1].append(piece)
                continue
        rows.append([piece])
    return [sorted(row, key=lambda each: each.box.x0) for row in rows]
