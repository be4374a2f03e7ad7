from __future__ import annotations

from core.answer.blocks import continues, find_blocks, section_of
from core.domain.document import Heading, Page


def _items(text: str, *headings: Heading) -> list[list[str]]:
    page = Page(1, text, headings)
    return [[text[start:end] for start, end in block.items] for block in find_blocks(page)]


def test_numbered_lines_become_items_without_what_follows() -> None:
    assert _items("Do:\n1. One\n   more\n2. Two\n\nAfter.") == [["1. One\n   more", "2. Two"]]


def test_steps_in_one_line_are_found() -> None:
    assert _items("Steps: 1. Open it. 2. Close it.") == [["1. Open it.", "2. Close it."]]


def test_the_word_step_counts_as_a_marker() -> None:
    assert _items("Step 1: Open it.\nStep 2: Close it.") == [["Step 1: Open it.", "Step 2: Close it."]]


def test_bullets_become_items_without_their_sign() -> None:
    assert _items("Bring:\n- a hammer\n- a nail\n") == [["a hammer", "a nail"]]


def test_an_item_ends_at_a_heading() -> None:
    text = "1. One\n2. Two\nNext\nOther words"
    assert _items(text, Heading(1, 14, 18, "Next")) == [["1. One", "2. Two"]]


def test_two_lists_are_two_blocks() -> None:
    assert len(_items("1. a\n2. b\n\nwords\n1. c\n2. d\n")) == 2


def test_one_number_alone_is_no_list() -> None:
    assert _items("Version 1. The first.") == []


def test_a_list_goes_on_where_the_next_page_counts_on() -> None:
    first = find_blocks(Page(1, "1. a\n2. b"))[0]
    following = continues(first, Page(2, "3. c\n4. d"))
    assert following is not None
    assert (following.first, following.last) == (3, 4)
    assert continues(first, Page(2, "Other words.\n1. x\n2. y")) is None


def test_a_section_reaches_to_the_next_heading_of_its_level() -> None:
    text = "Intro\nCare\nbody one\nMore\nbody two"
    page = Page(1, text, (Heading(1, 6, 10, "Care"), Heading(1, 20, 24, "More")))
    found = section_of(page, 12)
    assert found is not None
    assert (found[0], text[found[1][0] : found[1][1]]) == ("Care", "body one")
    assert section_of(page, 0) is None


def test_a_numbered_list_goes_on_after_one_that_is_indented_in_it() -> None:
    text = "1. Turn\n  1. left\n  2. right\n2. Close\n3. Lock\n"
    assert _items(text) == [
        ["1. Turn\n  1. left\n  2. right", "2. Close", "3. Lock"],
        ["1. left", "2. right"],
    ]


def test_a_bullet_ends_where_another_list_begins() -> None:
    text = "- Never touch it.\n- Wear gloves.\nTo open it:\n1. Turn it off.\n2. Lift the lid.\n"
    assert _items(text) == [["1. Turn it off.", "2. Lift the lid."], ["Never touch it.", "Wear gloves."]]
