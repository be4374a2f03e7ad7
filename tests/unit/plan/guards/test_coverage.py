"""Every word of a question that says something is in a node, explained by a note, or named as not covered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from core.domain.answer import Route
from core.plan.guards.coverage import accounted
from core.plan.ir.nodes import Aggregate, Condition, Plan, Scope, Select
from core.plan.language.interpretation import lexicon_of, read_over
from core.plan.language.lexicon.words import PHRASES
from core.plan.language.pieces import Filler, Token, stems, tokens_of
from core.plan.language.reading.composition import without_light
from core.plan.language.reading.read import read
from core.plan.planner import RulePlanner
from core.plan.text.classify import clean_question
from core.text.analyse import STOP_WORDS
from tests.support.known_collection import known_collection

TODAY = date(2024, 11, 22)
ROOT = Path(__file__).parents[4]
QUESTIONS = (
    ROOT / "samples" / "questions.jsonl",
    ROOT / "bench" / "plans" / "unseen_1.jsonl",
    ROOT / "bench" / "plans" / "unseen_2.jsonl",
    ROOT / "bench" / "plans" / "unseen_3.jsonl",
    ROOT / "bench" / "plans" / "written.jsonl",
)
GRAMMAR = frozenset(word for phrase in PHRASES for word in phrase)


def questions() -> Iterator[str]:
    for path in QUESTIONS:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)["question"]


@cache
def planner() -> RulePlanner:
    return RulePlanner(known_collection(), None, TODAY)


def lost(plan: Plan) -> list[str]:
    """The words that say something of their own, and that neither a note nor `uncovered` names."""
    said = [*(note.phrase for note in plan.notes), *plan.uncovered]
    named = frozenset(stem for phrase in said for stem in stems(phrase))
    asked = clean_question(plan.question)
    reading = read(asked, lexicon_of(known_collection()), TODAY)
    idle = {
        token
        for piece in without_light(reading.pieces, reading.tokens)
        if isinstance(piece.meaning, Filler)
        for token in range(piece.first, piece.end)
    }
    return [
        token.text
        for at, token in enumerate(tokens_of(asked))
        if at not in idle and says_something(token) and token.stem not in named
    ]


def says_something(token: Token) -> bool:
    return token.is_word and token.word not in STOP_WORDS and token.word not in GRAMMAR


def test_no_word_of_any_known_question_is_dropped_in_silence() -> None:
    found = {}
    for question in questions():
        plan = planner().plan(question)
        if isinstance(plan, Plan) and plan.route is Route.STRUCTURED and (words := lost(plan)):
            found[question] = words
    assert list(found.items()) == []


def kept_of(question: str, *nodes: Select | Aggregate) -> tuple[str, ...]:
    return accounted(read_over(known_collection(), question), nodes, (), ()).uncovered


SCOPE = Scope(schema_name="contracts")


def test_a_field_that_no_node_asks_for_is_not_covered() -> None:
    select = Select(id="s", purpose="", scope=SCOPE)
    assert kept_of("contracts with insurance", select) == ("insurance",)


def test_a_negation_that_no_node_carries_out_is_not_covered() -> None:
    has = Condition(field="insurance", op="=", value="true")
    select = Select(id="s", purpose="", scope=SCOPE, conditions=(has,))
    assert kept_of("contracts without insurance", select) == ("without",)


def test_two_negations_that_cancel_one_another_are_covered() -> None:
    has = Condition(field="insurance", op="=", value="true")
    select = Select(id="s", purpose="", scope=SCOPE, conditions=(has,))
    assert kept_of("contracts that are not without insurance", select) == ()


def test_a_function_that_nothing_computes_is_not_covered() -> None:
    select = Select(id="s", purpose="", scope=SCOPE, fields=("contract_value",))
    assert kept_of("average contract value", select) == ("average",)


def test_an_order_that_no_node_has_is_not_covered() -> None:
    select = Select(id="s", purpose="", scope=SCOPE)
    assert kept_of("the largest contract", select) == ("largest",)


@pytest.mark.parametrize("question", ["contracts over $5,000", "contracts signed in 2023"])
def test_an_amount_or_a_period_is_covered_only_by_its_own_value(question: str) -> None:
    other = Condition(field="contract_value", op=">", value="6000 USD")
    signed = Condition(field="agreement_date", op=">=", value="2021-01-01")
    select = Select(id="s", purpose="", scope=SCOPE, conditions=(other, signed))
    assert kept_of(question, select) != ()


def test_words_that_were_put_in_other_words_are_named_with_what_they_were_read_as() -> None:
    plan = planner().plan("contracts w/o insurance that come to an end in 2025")
    assert isinstance(plan, Plan)
    said = {note.phrase: note.reading for note in plan.notes}
    assert said["w/o"] == "read as “without”"
    assert said["come to an end"] == "read as “expire”"
