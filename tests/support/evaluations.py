"""Measured cases as tests write them down."""

from __future__ import annotations

from typing import Any

from core.domain.answer import Status
from core.evaluate.measured import CaseMeasures, MeasuredCase
from core.evaluate.scoring import CaseResult
from core.evaluate.suite import AnswerShape


def measured(
    id: str,
    exact: bool = True,
    *,
    silent: bool = False,
    status: Status = Status.ANSWERED,
    expected: Status = Status.ANSWERED,
    shape: AnswerShape = AnswerShape.LOOKUP,
    muted: str = "",
    answer: str = "",
    **measures: Any,
) -> MeasuredCase:
    """A measured case of the question `ID?`. measures: as CaseMeasures has them."""
    result = CaseResult(
        id=id,
        shape=shape,
        is_paraphrase=False,
        expected=expected,
        status=status,
        exact=exact,
        silently_wrong=silent,
        problems=() if exact else ("wrong",),
    )
    return MeasuredCase(
        result=result, question=f"{id}?", answer=answer, measures=CaseMeasures(**measures), muted=muted
    )
