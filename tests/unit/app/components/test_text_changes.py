"""Old and new text side by side."""

from __future__ import annotations

from app.components.text_changes import comparison_html
from core.domain.evidence.change import ParagraphChange, TextComparison, TextPart

CHANGED = ParagraphChange(
    (
        TextPart("same", "Up to "),
        TextPart("removed", "40"),
        TextPart("added", "60"),
        TextPart("same", " MB"),
    ),
    1,
    1,
    is_cited=True,
)


def test_each_side_has_its_own_words_marked() -> None:
    found = comparison_html(TextComparison(1, 2, (CHANGED,)), ", 12 Oct 2026")
    assert '<p class="cited">Up to <del>40</del> MB</p><p class="cited">Up to <ins>60</ins> MB</p>' in found
    assert "Version 2 (newest, 12 Oct 2026)" in found


def test_words_of_a_page_are_never_markup() -> None:
    evil = ParagraphChange((TextPart("added", "<script>alert(1)</script>"),), None, 1)
    found = comparison_html(TextComparison(1, 2, (evil,)))
    assert "<script" not in found
    assert "&lt;script&gt;" in found


def test_a_paragraph_that_is_on_one_side_only_says_so() -> None:
    gone = ParagraphChange((TextPart("removed", "Old."),), 1, None)
    found = comparison_html(TextComparison(1, 2, (gone,)))
    assert '<p><del>Old.</del></p><p class="none">No longer there.</p>' in found
