from __future__ import annotations

import pytest

from core.text.markdown import escape, flatten, without_signs
from tests.support.marks import cited_numbers


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see [12]", "see \\[12\\]"),
        ("*bold* and `code`", "\\*bold\\* and \\`code\\`"),
        ("snake_case stays", "snake_case stays"),
        ("_emphasis_", "\\_emphasis\\_"),
        ("# heading", "\\# heading"),
        ("1. item", "1\\. item"),
        ("- item", "\\- item"),
        ("$5 to $6", "\\$5 to \\$6"),
        ("<b>x</b>", "\\<b\\>x\\</b\\>"),
        ("javascript:alert(1)", "javascript\\:alert(1)"),
        ("two\n lines", "two lines"),
    ],
)
def test_document_text_renders_as_itself(text: str, shown: str) -> None:
    assert escape(text) == shown


def test_only_our_own_marks_are_citations() -> None:
    assert cited_numbers(f"{escape('as in [3]')} [1][2]") == {1, 2}


def test_flattening_keeps_words_and_drops_line_breaks() -> None:
    assert flatten("  a\n\tb  ") == "a b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("3. Hold **40 minutes**, *never* less.", "3. Hold 40 minutes, never less."),
        ("- [x] Sealed\n- [ ] Signed", "[x] Sealed\n[ ] Signed"),
        ("| K4 | Valve open | Close it |", "K4 | Valve open | Close it"),
        ("## Set `__all__` and __mean it__", "Set __all__ and mean it"),
        ("a ** b, 2*3*4 and snake_case_name", "a ** b, 2*3*4 and snake_case_name"),
        ("**bold `code`**", "bold code"),
        ("-5 degrees", "-5 degrees"),
    ],
)
def test_words_of_markdown_stand_without_its_signs(text: str, shown: str) -> None:
    assert without_signs(text) == shown
