from __future__ import annotations

import pytest

from core.text.headings import find_headings, first_title


@pytest.mark.parametrize(
    ("line", "level"),
    [("5. Termination", 2), ("5.1 Early Termination", 3), ("ARTICLE IV", 1), ("LIMITATION OF LIABILITY", 1),
     ("## Steps", 2), ("Section 7. Governing Law", 2), ("(a) the buyer shall pay", 0), ("Page 3 of 10", 0),
     ("1,250.00", 0), ("5. the supplier shall deliver within ten days,", 0), ("A plain sentence here.", 0)],
)  # fmt: skip
def test_headings_are_told_by_number_capitals_or_marks(line: str, level: int) -> None:
    found = find_headings(f"text\n{line}\ntext")
    assert [heading.level for heading in found] == ([level] if level else [])


def test_a_heading_is_exactly_its_span() -> None:
    text = "x\n  1. Term\ny"
    heading = find_headings(text)[0]
    assert text[heading.start : heading.end] == "1. Term" == heading.text


def test_code_in_markdown_has_no_headings() -> None:
    assert find_headings("```\n# comment\n```\n# Real\n", is_markdown=True)[0].text == "Real"


def test_a_title_is_a_heading_that_names_something() -> None:
    def title(text: str) -> str:
        return first_title(text, find_headings(text))

    assert title("EXHIBIT 10.2\n\nSUPPLY AGREEMENT\n1. Term\n") == "SUPPLY AGREEMENT"
    assert title("") == ""


@pytest.mark.parametrize(
    "text",
    [
        "To all tenants of the hall\n\nTIME AND LOCATION\nFriday at noon.\n",
        "The board met on Monday.\n\nDIRECTOR REPORTS\nNone.\n",
        "FACTURE.\nNo 2231\n",
        "FEATURES\nRuns for nine hours.\n",
    ],
)
def test_a_heading_of_a_section_or_of_any_paper_of_its_kind_is_no_title(text: str) -> None:
    assert first_title(text, find_headings(text)) == ""
