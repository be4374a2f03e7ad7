from __future__ import annotations

import pytest

from core.extract.words.candidates import decide
from core.extract.words.units import units_of
from tests.support.worded import FIELD, document, ranked


def test_a_text_without_sentences_gives_no_candidates() -> None:
    assert len(units_of(document("   "), None)) == 0
    assert decide(ranked("\n\n"), FIELD, None).candidates == ()


@pytest.mark.parametrize(
    "line",
    ["11.4 Limitation of Liability.", "ARTICLE VI RIGHT OF FIRST OFFER", "2. Fees and Costs of Lawyers:"],
)
def test_a_heading_alone_is_told(line: str) -> None:
    units = units_of(
        document(f"{line}\n\nThe seller is liable for what it sold, and for nothing else.\n"), None
    )

    assert units.is_heading.tolist() == [True, False]


@pytest.mark.parametrize(
    "line",
    ["Warranty Period: 24 Months From Delivery", "The goods are free of defects", "Total Due $ 5,000 Net"],
)
def test_a_line_that_says_something_is_no_heading(line: str) -> None:
    assert not units_of(document(f"{line}\n"), None).is_heading.any()
