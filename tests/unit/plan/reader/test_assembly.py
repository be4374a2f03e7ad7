"""Readings as they are marked, and the plans that are assembled of them."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from bench.reader.marks import reading_of
from core.plan.catalogue import NoTexts
from core.plan.language.interpretation import lexicon_of
from core.plan.language.lexicon.meaning import Known
from core.plan.reader.proposal import propose
from tests.support.known_collection import in_a_line, known_collection

LINES = (Path(__file__).parent / "assembled.txt").read_text(encoding="utf-8").splitlines()
COLLECTION = known_collection()
TODAY = date(2024, 11, 22)


@pytest.mark.parametrize(("question", "plan"), [*zip(LINES[::2], LINES[1::2], strict=True)])
def test_a_reading_becomes_the_plan_that_it_says(question: str, plan: str) -> None:
    what, _, marked = question.partition(": ")
    schema, operation = what.split()
    known = Known(lexicon_of(COLLECTION), None, NoTexts())

    proposal = propose(reading_of(operation, marked, schema), known, TODAY)

    if proposal.plan is None:
        said = in_a_line(proposal.clarify) if proposal.clarify is not None else "nothing"
    else:
        decides = f" decides {proposal.plan.decides}" if proposal.plan.decides else ""
        said = in_a_line(proposal.plan) + decides
    assert said == plan.strip()
