"""Every fault of a model ends in the right code, with a usable answer, and without a wrong claim."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.ask.orchestrator import Orchestrator
from core.ask.request import Question
from core.domain.answer import Answer, Status
from core.domain.principal import LOCAL_ADMIN
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.doors import OPEN
from tests.support.library import Library, settings
from tests.support.model_faults import FAULTS, HARD_QUESTION, LEASE, QUESTION, SECRET, ModelFault
from tests.support.model_tools import HIT, GivenTools
from tests.support.models_at_hand import models_at_hand

TABLE = Path(__file__).parents[3] / "docs" / "faults.md"
HEAD = """# Faults of language models

What happens when a language model, or its server, does something wrong: the code that the answer carries,
and what the person gets. Written by `GROUNDWORK_WRITE_DOCS=1 pytest tests/unit/ask/test_model_faults.py`,
which acts out every one against a scripted server on a real socket.

| fault | code | answer | said to the person |
|---|---|---|---|
"""


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path_factory.mktemp("faults") / "home") as contracts:
        yield contracts


EMPTY = "E002"
"""Nothing was found, as the question without its model's reading has no words of the documents."""

_ANSWERS: dict[str, Answer] = {}  # by fault: acted out once for its test and for the table


def answered(fault: ModelFault, contracts: Contracts) -> Answer:
    if fault.name not in _ANSWERS:
        _ANSWERS[fault.name] = _acted_out(fault, contracts)
    return _ANSWERS[fault.name]


def _acted_out(fault: ModelFault, contracts: Contracts) -> Answer:
    limits = {"deadline_s": 6.0, "timeout_s": 0.5, "api_key": SecretStr(SECRET), **fault.settings}
    with models_at_hand(*fault.script, **limits) as models:
        if fault.of == "plan":
            parts = contracts.parts
            asked = Orchestrator(
                parts.records,
                parts.retriever,
                parts.settings,
                structured=parts.structured,
                models=models,
                door=lambda *_: OPEN,
            )
            return asked.ask(Question(HARD_QUESTION, LOCAL_ADMIN))
        library = Library()
        library.add("lease.txt", LEASE, title="Warehouse lease")
        tools = GivenTools({"hits": [{**HIT, "doc_id": next(iter(library._summaries))}]})
        asked = Orchestrator(
            library,
            library,
            settings(abstain_below=0.0),
            models=models,
            tools=(lambda _visible, _door: tools) if fault.is_loop else None,
            door=lambda *_: OPEN,
        )
        events = list(asked.stream(Question(QUESTION, LOCAL_ADMIN, agent="loop" if fault.is_loop else "")))
        assert all(event.model_dump_json() for event in events)
        return events[-1].answer  # type: ignore[union-attr]


def row(fault: ModelFault, answer: Answer) -> str:
    shown = "written by the model" if answer.written_by else "the evidence itself"
    if fault.of == "plan":
        shown = "the plan of the model" if answer.planned_by == "model" else "as it is read without the model"
    if answer.struck and answer.written_by:
        shown += ", one sentence struck"
    told = " ".join(each.message for each in answer.degradations) or "–"
    told = re.sub(r"http://127[^']*", "http://model.example/v1", told)
    codes = ", ".join(dict.fromkeys(each.code for each in answer.degradations)) or "–"
    return f"| {fault.name} | {codes} | {shown} | {told.replace('|', '/')} |"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_leaves_a_usable_answer_without_a_wrong_claim(
    fault: ModelFault, contracts: Contracts
) -> None:
    answer = answered(fault, contracts)

    codes = [each.code for each in answer.degradations]
    assert [each for each in codes if each != EMPTY] == ([fault.code] if fault.code else [])
    assert EMPTY in codes or answer.status in (Status.ANSWERED, Status.PARTIAL)
    assert bool(answer.written_by) == fault.is_written
    if fault.of == "prose":
        assert "4,500" in answer.text
        assert answer.claims
    shown = answer.text + " ".join(claim.text for claim in answer.claims)
    assert not fault.wrong or fault.wrong not in shown
    assert SECRET not in answer.model_dump_json()


def test_the_table_of_faults_is_up_to_date(contracts: Contracts) -> None:
    rows = [row(fault, answered(fault, contracts)) for fault in FAULTS]
    made = HEAD + "\n".join(rows) + "\n"

    if os.environ.get("GROUNDWORK_WRITE_DOCS"):
        TABLE.write_text(made, encoding="utf-8")
    assert len(rows) >= 25
    assert TABLE.read_text(encoding="utf-8") == made
