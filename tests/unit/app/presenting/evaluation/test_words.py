"""Evaluations in words."""

from __future__ import annotations

from typing import Any

import pytest

from app.presenting.evaluation.words import (
    answer_text,
    case_state,
    difference_text,
    expected_lines,
    figure_text,
    why_wrong,
)
from core.domain.answer import Status
from core.evaluate.measured import CaseMeasures, MeasuredCase
from core.evaluate.metrics import MetricFigure
from core.evaluate.scoring import CaseResult
from core.evaluate.suite import AnswerShape, Case


def case(id: str = "one", *, exact: bool = True, silently_wrong: bool = False, **told: Any) -> MeasuredCase:
    """A measured case. problems, shape: of its result."""
    result = CaseResult(
        id=id,
        shape=told.pop("shape", AnswerShape.LOOKUP),
        is_paraphrase=False,
        expected=Status.ANSWERED,
        status=Status.ANSWERED,
        exact=exact,
        silently_wrong=silently_wrong,
        problems=told.pop("problems", ()),
    )
    return MeasuredCase(result=result, question=told.pop("question", f"Question {id}?"), **told)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("exact", 0.9274, "0.927"),
        ("exact", None, "–"),
        ("p95_ms", 412.4, "412 ms"),
        ("p95_ms", 1240.0, "1.2 s"),
        ("tokens", 4210.0, "4,210"),
        ("cost_usd", 0.0312, "USD 0.0312"),
    ],
)
def test_a_figure_is_told_with_its_unit(name: str, value: float | None, text: str) -> None:
    assert figure_text(MetricFigure(name=name, value=value)) == text


def test_a_difference_has_its_sign_and_is_left_out_where_there_is_none() -> None:
    low, high = (MetricFigure(name="exact", value=value) for value in (0.5, 0.75))
    assert difference_text(low, high) == "+0.250"
    assert difference_text(high, low) == "−0.250"
    assert difference_text(low, low) == difference_text(low, MetricFigure(name="exact", value=None)) == ""


def test_a_case_has_a_sign_and_a_word() -> None:
    states = [
        case(),
        case(exact=False),
        case(exact=False, silently_wrong=True),
        case(exact=False, muted="Nobody asks this."),
        case(shape=AnswerShape.RETRIEVAL),
    ]
    assert list(map(case_state, states)) == [
        "● Right",
        "▲ Wrong",
        "■ Silently wrong",
        "○ Muted",
        "◇ Searched",
    ]


def test_why_an_answer_is_wrong_is_told_in_sentences() -> None:
    measures = CaseMeasures(unfounded=("12 stands nowhere",), broken=("[2]",))
    wrong = case(exact=False, silently_wrong=True, problems=("misses a.pdf",), measures=measures)
    assert why_wrong(wrong) == [
        "Misses a.pdf.",
        "It says nothing of it: no question back, and no gap.",
        "A claim has no ground: 12 stands nowhere",
        "A citation is not the stored text: [2]",
    ]
    assert why_wrong(case()) == []
    asked = CaseResult.model_validate({**wrong.result.model_dump(), "status": "clarify"})
    (first, *_) = why_wrong(wrong.model_copy(update={"result": asked}))
    assert first == "A question back came instead of an answer."


def test_an_answer_is_shown_without_signs() -> None:
    assert answer_text(case(answer="**12** \\| of [1]")) == "12 | of [1]"
    assert answer_text(case()) == "It was only searched for."


def test_what_was_expected_is_told_part_by_part() -> None:
    expect = {
        "status": "answered",
        "documents": [f"{n}.pdf" for n in range(14)],
        "value": {"type": "money", "value": "12.00", "unit": "USD"},
        "ledger": {"scope": 3, "present": 2, "absent": 1, "unreadable": 0},
    }
    told = {"id": "one", "shape": "count", "question": "How many?", "expect": expect, "why": "Counted."}
    lines = expected_lines(Case.model_validate(told))
    assert lines[:2] == ["Expected is an answer.", "The value: 12.00 USD"]
    assert lines[2].endswith("11.pdf, and 2 more")
    assert lines[3] == "Counts: 3 in scope = 2 with it + 1 without + 0 unreadable"
    groups = {"status": "answered", "groups": [["ACME", "2", None]], "order": True}
    rows = expected_lines(Case.model_validate({**told, "shape": "group", "expect": groups}))
    assert rows == ["Expected is an answer.", "Row ACME: 2", "Their order counts."]
