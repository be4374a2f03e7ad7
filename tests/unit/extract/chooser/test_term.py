"""Ends that a contract may state."""

from __future__ import annotations

from core.domain.fields import Special
from core.extract.chooser.term import term_options
from tests.support.document_text import document_text


def test_stated_days_lengths_and_no_end_are_candidates() -> None:
    text = (
        "This Agreement is made as of March 9, 2020. It shall expire on May 1, 2024. "
        "The initial term of this Agreement is two (2) years from March 9, 2020. "
        "Section 9 shall continue in perpetuity."
    )

    options = term_options(document_text(text))

    assert {"2024-05-01", "2022-03-09"} <= {each.value.text for each in options}
    assert any(each.value.special is Special.PERPETUAL for each in options)
    assert any("2 years" in each.note or each.note for each in options if each.value.text == "2022-03-09")


def test_text_without_a_term_has_no_candidates() -> None:
    assert term_options(document_text("The sky is blue.")) == []
