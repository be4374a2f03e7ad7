"""Text out of lines found on page images."""

from __future__ import annotations

from core.domain.document import (
    CONFIDENCE,
    PAGES_WITHOUT_TEXT,
    READ_BY,
    FilePart,
    Page,
    PageReading,
    ParsedDocument,
    PartState,
    ReadLine,
)
from core.domain.span import Box
from core.ingest.image_text import NOTHING_READ, arrange, with_readings
from core.ingest.ocr import FoundLine


def _line(text: str, y: float, x: float = 0.1, width: float = 0.8, confidence: float = 0.9) -> FoundLine:
    return FoundLine(text, Box(x, y, x + width, y + 0.02), confidence)


def _scan(pages: int = 1) -> ParsedDocument:
    return ParsedDocument(
        "scan",
        "application/pdf",
        tuple(Page(number, "") for number in range(1, pages + 1)),
        unreadable_reason="No text.",
    )


def test_lines_are_read_from_top_to_bottom_whatever_their_order() -> None:
    assert arrange(1, [_line("second", 0.23), _line("first", 0.2)]).text == "first\nsecond"


def test_a_gap_between_lines_ends_a_paragraph() -> None:
    assert arrange(1, [_line("one", 0.2), _line("two", 0.3)]).text == "one\n\ntwo"


def test_pieces_side_by_side_are_one_row() -> None:
    row = [_line("Total", 0.201, x=0.1, width=0.2), _line("120.00", 0.2, x=0.6, width=0.1)]
    assert arrange(1, row).text == "Total 120.00"


def test_two_columns_are_read_one_after_the_other_below_the_line_above_both() -> None:
    left = [_line(f"left {at}", 0.2 + at * 0.022, x=0.05, width=0.4) for at in range(10)]
    right = [_line(f"right {at}", 0.2 + at * 0.022, x=0.55, width=0.4) for at in range(10)]
    title = _line("A title above both columns", 0.1, x=0.05, width=0.9)
    lines = arrange(1, [*right, title, *left]).text.split()
    assert lines[:5] == ["A", "title", "above", "both", "columns"]
    assert lines.index("right") > max(at for at, word in enumerate(lines) if word == "left")


def test_each_line_knows_its_characters() -> None:
    reading = arrange(1, [_line("first  line", 0.2), _line("second", 0.23)])
    assert [reading.text[line.start : line.end] for line in reading.lines] == ["first line", "second"]


def test_a_page_without_lines_has_no_text() -> None:
    assert arrange(3, [_line("  ", 0.2)]) == PageReading(3, "")


def test_a_span_over_two_lines_has_a_box_on_each_cut_to_its_characters() -> None:
    reading = arrange(1, [_line("abcdefgh", 0.2), _line("ijkl", 0.23)])
    first, second = reading.boxes(4, 11)
    assert (round(first.x0, 3), round(first.x1, 3), first.y0) == (0.5, 0.9, 0.2)
    assert (second.x0, round(second.x1, 3), second.y0) == (0.1, 0.5, 0.23)


def test_words_have_their_part_of_the_line() -> None:
    reading = arrange(1, [_line("ab cd", 0.2)])
    assert [(word, round(box.x0, 2)) for word, box in reading.words()] == [("ab", 0.1), ("cd", 0.58)]


def test_a_scan_becomes_readable_and_is_marked_with_its_confidence() -> None:
    line = ReadLine(0, 5, Box(0, 0, 1, 1), 0.874)
    found = with_readings(_scan(), [PageReading(1, "Hello", (line,))])
    assert (found.pages[0].text, found.unreadable_reason) == ("Hello", "")
    assert (found.metadata[READ_BY], found.metadata[CONFIDENCE]) == ("ocr", "0.87")


def test_pages_that_hold_text_keep_it() -> None:
    gap = FilePart(PAGES_WITHOUT_TEXT, PartState.UNREAD)
    parsed = ParsedDocument("mixed", "application/pdf", (Page(1, "Printed"), Page(2, "")), parts=(gap,))
    found = with_readings(parsed, [PageReading(1, "Misread"), PageReading(2, "Scanned")])
    assert [page.text for page in found.pages] == ["Printed", "Scanned"]
    assert (parsed.gaps, found.gaps) == (1, 0)


def test_a_scan_on_which_nothing_is_found_stays_unreadable_and_says_so() -> None:
    assert with_readings(_scan(), [PageReading(1, "")]).unreadable_reason == NOTHING_READ
