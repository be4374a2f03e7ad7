from __future__ import annotations

import numpy as np

from core.plan.reader.confidence import SIGNS, Confidence, PartialSureness, signs
from core.plan.reader.reading import FieldLink, ReadSpan, SpanRole


def _sureness(link: float) -> PartialSureness:
    span = ReadSpan(0, 3, SpanRole.CONDITION, False, (FieldLink("a", "x", link),), 0.9)
    return PartialSureness((0.8, 0.1), (span,), (0.9,), 0.9, 6)


def test_a_surer_link_gives_a_surer_reading() -> None:
    weights = tuple(1.0 if name in ("weakest link", "all links") else 0.0 for name in SIGNS)
    confidence = Confidence(weights, 1.0)

    assert confidence.probability(_sureness(0.9)) > confidence.probability(_sureness(0.3))


def test_a_question_without_parts_has_signs() -> None:
    assert np.isfinite(signs(PartialSureness((), (), (), 1.0, 0))).all()


def test_confidence_is_kept_as_facts() -> None:
    confidence = Confidence(tuple(float(number) for number in range(len(SIGNS))), -1.0)

    assert Confidence.from_facts(confidence.as_facts()) == confidence
