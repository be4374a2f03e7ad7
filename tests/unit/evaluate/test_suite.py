from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.domain.answer import Status
from core.errors import UsageError
from core.evaluate.suite import AnswerShape, Case, load_suite
from samples import COLLECTION, QUESTIONS, TRUTH

LEAST = {AnswerShape.CLARIFY: 30, AnswerShape.ABSTAIN: 20}


@pytest.fixture(scope="module")
def shipped() -> tuple[Case, ...]:
    return load_suite(QUESTIONS)


def row(**changes: Any) -> dict[str, Any]:
    expect = {"status": "answered", "documents": ["a.txt"], "value": None, "groups": None}
    return {
        "id": "list-01",
        "shape": "list",
        "question": "Which contracts are there?",
        "paraphrase_of": None,
        "bucket": None,
        "expect": expect | changes.pop("expect", {}),
        "why": "There is one.",
    } | changes


def write(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "suite.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return path


def told(folder: Path, *rows: dict[str, Any]) -> str:
    with pytest.raises(UsageError) as caught:
        load_suite(write(folder, *rows))
    return str(caught.value)


def test_the_shipped_suite_has_ids_and_questions_of_its_own(shipped: tuple[Case, ...]) -> None:
    assert len({case.id for case in shipped}) == len(shipped) >= 220
    assert len({case.question.casefold() for case in shipped}) == len(shipped)


def test_every_shape_is_asked_often_enough(shipped: tuple[Case, ...]) -> None:
    counts = Counter(case.shape for case in shipped)
    asked = set(AnswerShape) - {AnswerShape.RETRIEVAL}
    assert {shape: counts[shape] for shape in asked if counts[shape] < LEAST.get(shape, 12)} == {}


def test_every_question_of_its_own_has_one_paraphrase(shipped: tuple[Case, ...]) -> None:
    bases = [case.id for case in shipped if case.paraphrase_of is None]
    assert sorted(bases) == sorted(case.paraphrase_of for case in shipped if case.paraphrase_of)


def test_every_document_and_bucket_that_is_named_is_in_the_collection(shipped: tuple[Case, ...]) -> None:
    files = {path.name for path in COLLECTION.rglob("*") if path.is_file()}
    buckets = {path.name for path in COLLECTION.iterdir()} | {None}
    assert {name for case in shipped for name in case.expect.documents or ()} <= files
    assert {case.bucket for case in shipped} <= buckets


def test_the_questions_of_the_truth_file_are_asked_with_its_answers(shipped: tuple[Case, ...]) -> None:
    asked = {case.question: case.expect for case in shipped if case.paraphrase_of is None}
    for question, truth in json.loads(TRUTH.read_text(encoding="utf-8"))["questions"].items():
        expect = asked[question]
        facts = truth if isinstance(truth, dict) else {"documents": truth}
        if not facts.keys() & {"documents", "contracts"}:
            assert {key: value for key, value, _ in expect.groups or ()} == {
                name: f"{cap}.00" for name, cap in facts.items()
            }
            continue
        assert set(expect.documents or ()) == set(facts.get("documents") or facts["contracts"])
        assert expect.steps == facts.get("steps")
        assert (float(expect.value.value) if expect.value else None) == facts.get("value")


def test_a_suite_is_read_in_the_order_of_its_lines(tmp_path: Path) -> None:
    path = write(tmp_path, row(id="b", question="B?"), row(id="a", question="A?"))
    path.write_text(path.read_text() + "\n\n")
    assert [case.id for case in load_suite(path)] == ["b", "a"]


def test_a_line_that_is_not_json_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, row())
    path.write_text(path.read_text() + "{oops\n")
    with pytest.raises(UsageError, match=r"'suite\.jsonl', line 2: not JSON"):
        load_suite(path)


def test_a_file_that_is_missing_or_empty_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_suite(tmp_path / "none.jsonl")
    assert "holds no question" in told(tmp_path)


def test_an_unknown_key_and_an_unknown_shape_are_named(tmp_path: Path) -> None:
    assert "line 1: answer: Extra inputs" in told(tmp_path, row(answer="yes"))
    assert "line 2: shape: Input should be" in told(tmp_path, row(), row(id="x", shape="poem"))


def test_an_id_stands_once(tmp_path: Path) -> None:
    assert "line 2: the id 'list-01' stands twice" in told(tmp_path, row(), row(question="Another?"))


def test_a_question_stands_once_in_a_bucket(tmp_path: Path) -> None:
    same = row(id="list-02", question="which contracts  are there?")
    assert "line 2: the question of 'list-02' is that of 'list-01'" in told(tmp_path, row(), same)
    assert len(load_suite(write(tmp_path, row(), same | {"bucket": "contracts"}))) == 2


def test_a_paraphrase_belongs_to_a_question_of_its_own(tmp_path: Path) -> None:
    orphan = row(paraphrase_of="list-99")
    assert "line 1: paraphrase_of 'list-99' is no question of its own" in told(tmp_path, orphan)
    chain = [row(), row(id="p", question="P?", paraphrase_of="list-01")]
    assert "line 3" in told(tmp_path, *chain, row(id="pp", question="PP?", paraphrase_of="p"))


def test_a_paraphrase_expects_what_its_question_expects(tmp_path: Path) -> None:
    other = row(id="p", question="P?", paraphrase_of="list-01", expect={"documents": ["b.txt"]})
    assert "line 2: 'p' expects something else than 'list-01'" in told(tmp_path, row(), other)


def test_clarify_and_abstain_go_with_their_status_alone(tmp_path: Path) -> None:
    nothing = {"documents": None}
    assert "shape 'clarify' does not go with" in told(tmp_path, row(shape="clarify"))
    assert "shape 'list' does not go" in told(tmp_path, row(expect=nothing | {"status": "clarify"}))
    assert "status 'abstained' goes with no documents" in told(
        tmp_path, row(shape="abstain", expect={"status": "abstained"})
    )
    good = load_suite(write(tmp_path, row(shape="clarify", expect=nothing | {"status": "clarify"})))
    assert good[0].expect.status is Status.CLARIFY


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"type": "number", "value": "ten"}, "'ten' is not a decimal number"),
        ({"type": "number", "value": "NaN"}, "is not a decimal number"),
        ({"type": "money", "value": "1.00"}, "money needs a currency"),
        ({"type": "duration", "value": "30"}, "a duration needs a unit"),
        ({"type": "date", "value": "2024-02-30"}, "day"),
        ({"type": "boolean", "value": "yes"}, "neither 'true' nor 'false'"),
    ],
)
def test_a_value_is_of_its_type(tmp_path: Path, value: dict[str, str], problem: str) -> None:
    assert problem in told(tmp_path, row(expect={"value": value}))


@pytest.mark.parametrize(
    ("expect", "problem"),
    [
        ({"documents": None}, "needs documents, a value, groups or pages"),
        ({"documents": ["a.txt", "a.txt"]}, "the document 'a.txt' stands twice"),
        ({"groups": [["k", "1", None], ["k", "2", None]]}, "the group 'k' stands twice"),
        ({"groups": [["k", "1", None]], "value": {"type": "number", "value": "1"}}, "not both"),
        ({"documents": [], "order": True}, "an order needs documents or groups"),
        ({"ledger": {"scope": 9, "present": 5, "absent": 3, "unreadable": 0}}, "scope is not"),
    ],
)
def test_an_expectation_contradicts_itself_nowhere(
    tmp_path: Path, expect: dict[str, Any], problem: str
) -> None:
    assert problem in told(tmp_path, row(expect=expect))
