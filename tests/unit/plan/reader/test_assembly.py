"""Readings as they are marked, and the plans that are assembled of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.reader.marks import reading_of
from core.plan.reader.proposal import propose
from tests.support.known_collection import in_a_line
from tests.support.known_readings import KNOWN, TODAY

LINES = (Path(__file__).parent / "assembled.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(("question", "plan"), [*zip(LINES[::2], LINES[1::2], strict=True)])
def test_a_reading_becomes_the_plan_that_it_says(question: str, plan: str) -> None:
    what, _, marked = question.partition(": ")
    schema, operation = what.split()
    proposal = propose(reading_of(operation, marked, schema), KNOWN, TODAY)

    if proposal.plan is None:
        said = in_a_line(proposal.clarify) if proposal.clarify is not None else "nothing"
    else:
        decides = f" decides {proposal.plan.decides}" if proposal.plan.decides else ""
        said = in_a_line(proposal.plan) + decides
    assert said == plan.strip()
