from __future__ import annotations

from core.domain.document import FilePart, PartState
from core.text.file_parts import by_kind, gaps_in_words, part_in_words, reading_in_words

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


def test_many_parts_of_one_kind_are_told_as_one() -> None:
    sheets = [FilePart("hidden sheets", PartState.LEFT_OUT, 1, f"Store {at}") for at in range(40)]
    pages = [FilePart("images without text", PartState.UNREAD, 1, f"page {at}", "No text.") for at in (2, 5)]
    said = reading_in_words([pages[0], *sheets, pages[1]])
    assert said == (
        "Read with gaps: 2 images without text (page 2, page 5); "
        "40 hidden sheets (Store 0, Store 1, Store 2 and 37 more) (left out)"
    )
    assert [part.count for part in by_kind([*sheets, PICTURES, *pages])] == [40, 2, 2]  # for another reason
