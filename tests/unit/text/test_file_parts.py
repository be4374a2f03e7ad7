from __future__ import annotations

from core.domain.document import FilePart, PartState
from core.text.file_parts import gaps_in_words, part_in_words, reading_in_words

PICTURES = FilePart("images without text", PartState.UNREAD, 2, "page 3", "They hold no text.")
COPY = FilePart("embedded copies", PartState.UNREAD)
SHEET = FilePart("hidden sheets", PartState.LEFT_OUT, 1, "Reserve")
FIELDS = FilePart("form fields", PartState.READ, 1_200)


def test_parts_are_counted_in_words_with_their_place() -> None:
    assert part_in_words(PICTURES) == "2 images without text (page 3)"
    assert part_in_words(COPY) == "1 embedded copy"
    assert part_in_words(SHEET) == "1 hidden sheet (Reserve)"
    assert part_in_words(FIELDS) == "1,200 form fields"


def test_a_report_names_what_was_not_read_and_what_was_left_out() -> None:
    said = (
        "Read with gaps: 2 images without text (page 3); 1 embedded copy; 1 hidden sheet (Reserve) (left out)"
    )
    assert reading_in_words([FIELDS, PICTURES, SHEET, COPY]) == said
    assert reading_in_words([SHEET]) == "Read: 1 hidden sheet (Reserve) (left out)"
    assert reading_in_words([FIELDS]) == ""
    assert gaps_in_words([FIELDS, PICTURES, SHEET]) == "2 images without text (page 3)"
