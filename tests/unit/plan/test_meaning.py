"""Words that nothing is called by, read by their meaning, with vectors that are given."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from core.domain.passage import Matrix
from core.encode.base import EncodedText, EncoderSignature, TextToEncode
from core.plan.clarify import Clarify
from core.plan.ir.nodes import Plan
from core.plan.language.lexicon.meaning import FieldMeanings
from core.plan.planner import RulePlanner
from tests.support.known_collection import in_a_line, known_collection

TODAY = date(2024, 11, 22)


class LikeInsurance:
    """Every text that speaks of insurance points one way, `phrase` nearly so, all others another."""

    def __init__(self, phrase: str, likeness: float) -> None:
        self._phrase = phrase
        self._likeness = likeness

    @property
    def signature(self) -> EncoderSignature:
        return EncoderSignature("given", 3, f"{self._phrase}{self._likeness}")

    def encode_queries(self, texts: Sequence[str]) -> Matrix:
        return np.array([self._vector(text) for text in texts], dtype=np.float32)

    def encode_passages(self, texts: Sequence[TextToEncode]) -> list[EncodedText]:
        raise AssertionError("questions hold no passages")

    def _vector(self, text: str) -> list[float]:
        if text == self._phrase:
            return [self._likeness, (1 - self._likeness**2) ** 0.5, 0.0]
        return [1.0, 0.0, 0.0] if "insurance" in text.lower() else [0.0, 0.0, 1.0]


def planner(encoder: LikeInsurance) -> RulePlanner:
    return RulePlanner(known_collection(), FieldMeanings(encoder), TODAY)


def test_a_field_of_the_same_meaning_is_taken_and_told() -> None:
    plan = planner(LikeInsurance("zyxing", 0.9)).plan("contracts with a zyxing clause")
    assert in_a_line(plan) == "contracts[document_kind = agreement; insurance = true]"
    assert isinstance(plan, Plan)
    assert "zyxing" in {note.phrase for note in plan.notes}


@pytest.mark.parametrize(("likeness", "first"), [(0.5, "insurance"), (0.2, "Search the text for “zyxing”")])
def test_below_the_threshold_it_asks_instead_of_guessing(likeness: float, first: str) -> None:
    asked = planner(LikeInsurance("zyxing", likeness)).plan("contracts with a zyxing clause")
    assert isinstance(asked, Clarify)
    assert asked.type == "no_match"
    assert asked.options[0].label == first
