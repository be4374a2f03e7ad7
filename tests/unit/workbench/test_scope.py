"""The scope of computed answers, over the questions of the shipped suite and two buckets of its documents."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator

import pytest

from core.config.load import load_settings
from core.domain.answer import Answer, Ledger
from core.domain.principal import Principal
from core.evaluate.suite import AnswerShape, load_suite
from core.jobs.worker import run
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.workbench import Workbench
from core.workbench.work.handlers import Handlers
from samples import COLLECTION, QUESTIONS
from tests.support.examples import IS_FULL
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder
from tests.support.roles import MAY_ASK_ALL

BUCKETS = ("contracts", "invoices")
SECRET = ("acme-logistics-agreement.html", "acme-supply-agreement-amendment-1.txt")
OVER_SETS = set(AnswerShape) - {AnswerShape.LOOKUP, AnswerShape.CLARIFY, AnswerShape.ABSTAIN}
HOW_MANY = "How many contracts have a termination clause?"
GUEST = Principal(user="guest", roles=MAY_ASK_ALL, groups=frozenset())


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Contracts, an amendment and a policy among them, and invoices; two only one group may see."""
    home = tmp_path_factory.mktemp("scope") / "home"
    parts, stop = PartsWith(load_settings(home), HashedEncoder()), threading.Event()
    worker = threading.Thread(target=run, args=(parts.records, home, Handlers(parts).make, stop))
    worker.start()
    try:
        with Workbench(parts) as opened:
            while not opened.local.settings.status().worker_alive:
                worker.join(0.05)
            for bucket in BUCKETS:
                files = sorted((COLLECTION / bucket).iterdir())
                opened.ingest([each for each in files if each.name not in SECRET], bucket=bucket)
            opened.ingest(
                [COLLECTION / "contracts" / name for name in SECRET], bucket=BUCKETS[0], acl=("board",)
            )
            yield opened
            stop.set()
            worker.join()
    finally:
        stop.set()


def documents_in(bench: Workbench, *buckets: str, groups: frozenset[str] | None = None) -> int:
    records, seen = bench._parts.records, Visibility(groups).within(buckets)
    return len(records.documents.list(records.copies.counted_once(seen), DocumentQuery()))


def ledger_of(answer: Answer) -> Ledger:
    assert answer.ledger is not None
    return answer.ledger


def adds_up(ledger: Ledger) -> bool:
    beside = sum(each.documents for each in ledger.other_kinds)
    return ledger.total == ledger.scope + beside + ledger.outside + ledger.unknown_kind


@pytest.mark.parametrize("buckets", [(), ("contracts",)])
def test_every_computed_answer_over_a_set_says_its_scope_and_its_numbers_add_up(
    bench: Workbench, buckets: tuple[str, ...]
) -> None:
    cases = [each for each in load_suite(QUESTIONS) if each.shape in OVER_SETS]
    every = [each.question for each in cases if (each.paraphrase_of is None) is not bool(buckets)]
    asked = every if IS_FULL else every[:: 3 if buckets else 2]
    whole, wrong, said = documents_in(bench, *buckets), [], 0
    for question in asked:
        answer = bench.ask(question, buckets=buckets)
        for each in answer.parts or (answer,):
            ledger = each.ledger
            if ledger is None or (ledger.scope < 2 and not ledger.scope_said):
                continue
            said += 1
            if not ledger.scope_said or ledger.total != whole or not adds_up(ledger):
                wrong.append((question, ledger.scope_said, ledger.total))

    assert wrong == []
    assert said > len(asked) / 2


def test_kinds_that_are_left_out_are_told_and_all_are_counted_on_demand(bench: Workbench) -> None:
    conversations = bench.local.conversations
    turn = conversations.start_turn(conversations.create(["contracts"]).id, HOW_MANY)
    answer = bench.ask(HOW_MANY, buckets=("contracts",))
    conversations.finish_turn(turn.id, answer)
    ledger = ledger_of(answer)
    kinds = {each.kind: each.documents for each in ledger.other_kinds}
    assert kinds == {"amendment": 1, "policy": 1}
    assert ledger.scope_said in answer.text

    plan = bench.local.readings.of_all_kinds(turn.conversation, turn.id)
    everything = bench.ask(HOW_MANY, plan=plan, buckets=("contracts",))
    found = ledger_of(everything)
    assert found.scope == ledger.scope + 2
    assert found.scope_said.startswith(f"{found.scope} documents are counted, of every kind")
    assert found.total == ledger.total


def test_what_may_not_be_seen_is_in_none_of_its_numbers(bench: Workbench) -> None:
    mine, theirs = (ledger_of(bench.ask(HOW_MANY, who)) for who in (None, GUEST))
    assert (mine.total, theirs.total) == (documents_in(bench), documents_in(bench, groups=frozenset()))
    assert mine.total == theirs.total + len(SECRET)
    assert "amendment" not in theirs.scope_said


def test_which_kinds_count_is_a_setting_of_the_schema(bench: Workbench) -> None:
    before = ledger_of(bench.ask(HOW_MANY, buckets=["contracts"]))
    bench.local.schemas.count_kinds("contracts", ("agreement", "amendment"))
    try:
        after = ledger_of(bench.ask(HOW_MANY, buckets=["contracts"]))
    finally:
        bench.local.schemas.count_kinds("contracts", ("agreement",))

    assert after.scope == before.scope + 1
    assert [each.kind for each in after.other_kinds] == ["policy"]
    assert after.scope_said.startswith(f"{after.scope} agreements and amendments are counted, of")


def test_a_count_is_the_same_in_answer_ledger_table_evidence_matrix_and_interface(bench: Workbench) -> None:
    answer = bench.ask(HOW_MANY, buckets=("contracts",))
    ledger, told = ledger_of(answer), json.loads(answer.model_dump_json())
    assert answer.value is not None
    assert answer.table is not None
    count, scope = ledger.present, set(ledger.documents.present) | set(ledger.documents.absent)
    cells = bench.local.matrix.ledger("contracts", ledger.field)
    assert {
        int(answer.value.value),
        len(answer.table.rows),
        len(scope.intersection(cells.present)),
        len({each.document for each in answer.evidence}),
        told["ledger"]["present"],
        int(re.findall(r"\d+", answer.claims[0].text)[0]),
    } == {count}
