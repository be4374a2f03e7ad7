from __future__ import annotations

import json

import pytest

from core.evaluate.shipped import SHIPPED
from core.evaluate.suite import AnswerShape, load_suite, unknown_documents
from samples import COLLECTION, FURTHER_QUESTIONS
from samples.source.questions import cases


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("lookups", 100),
        ("aggregates", 50),
        ("compliance", 75),
        ("multi-hop", 25),
        ("design", 250),
        ("subset", 60),
    ],
)
def test_suites_have_as_many_cases_as_the_design_has(name: str, count: int) -> None:
    found = SHIPPED[name].load()

    assert len({case.id for case in found}) == len(found) == count
    assert unknown_documents(found, {path.name for path in COLLECTION.rglob("*")}) == ()


def test_no_shape_of_aggregates_is_left_out() -> None:
    shapes = {case.shape for case in SHIPPED["aggregates"].load()}

    assert {AnswerShape.COUNT, AnswerShape.SUM, AnswerShape.AVERAGE, AnswerShape.GROUP} <= shapes


def test_the_file_of_further_questions_is_what_its_maker_makes() -> None:
    kept = [json.loads(line) for line in FURTHER_QUESTIONS.read_text("utf-8").splitlines()]

    assert kept == cases()
    assert len(load_suite(FURTHER_QUESTIONS)) == len(kept)
