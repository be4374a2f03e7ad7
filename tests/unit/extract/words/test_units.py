from __future__ import annotations

from core.extract.words.method import decide
from core.extract.words.units import units_of
from tests.support.worded import FIELD, document, ranked


def test_a_text_without_sentences_gives_no_candidates() -> None:
    assert len(units_of(document("   "), None)) == 0
    assert decide(ranked("\n\n"), FIELD, None).candidates == ()
