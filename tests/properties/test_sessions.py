"""Nothing of a document that a principal may not see comes out of that principal's session, by any call."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest

from core.config.load import load_settings
from core.domain.annotation import AnnotationSource
from core.domain.ids import DocumentId
from core.domain.matrix import MatrixQuery
from core.domain.principal import Principal
from core.domain.search import SearchQuery
from core.errors import GroundworkError
from core.plan.ir.nodes import Plan
from core.plan.reading_line.choices import ReadingChoices
from core.workbench import Session, Workbench
from core.workbench.services.base import Service
from core.workbench.wiring import Parts
from tests.support.hashed_workbench import hashed_parts
from tests.support.roles import MAY_ASK_ALL

GROUPS = ("legal", "finance")
# By a word that stands nowhere else: the groups that may read it, () for everybody.
CONTRACTS: dict[str, tuple[str, ...]] = {
    "quagmire": (),
    "zephyrine": ("legal",),
    "obsidian": ("finance",),
    "marzipan": ("legal", "finance"),
}
TEXT = """{word} Supply Agreement

This Supply Agreement is made on 1 March 2024 between {word} Corporation and Nordwind Logistics GmbH.
The total contract value is $1,250,000.00. {word} Corporation delivers every month.

This Agreement is governed by the laws of the State of Delaware.
"""
QUESTIONS = (
    "How many contracts are governed by Delaware law?",
    "Which contracts are governed by Delaware law?",
    "What does {word} Corporation deliver?",
    "What is the total contract value by vendor?",
    "Which contracts lack force majeure?",
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    home: Path = tmp_path_factory.mktemp("home")
    files: Path = tmp_path_factory.mktemp("files")
    load_settings(home)
    with Workbench(hashed_parts(home)) as opened:
        for word, acl in CONTRACTS.items():
            path = files / f"{word}.txt"
            path.write_text(TEXT.format(word=word.title()), encoding="utf-8")
            report = opened.ingest([path], bucket="contracts", acl=acl)
            assert report.counts["ready"] == 1
        yield opened


def principals() -> Iterator[Principal]:
    for groups in chain.from_iterable(combinations(GROUPS, count) for count in range(len(GROUPS) + 1)):
        yield Principal("ann", MAY_ASK_ALL, groups=frozenset(groups))


def may_see(principal: Principal, word: str) -> bool:
    return not CONTRACTS[word] or bool(principal.groups & set(CONTRACTS[word]))


def reads(session: Session, ids: dict[str, DocumentId]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Calls that give what documents say or that they are there; ids: also of those that may not be seen."""
    documents, matrix, plans = session.documents, session.matrix, session.plans
    everyone = list(ids.values())
    yield "documents.list", documents.list
    yield "documents.buckets", documents.buckets
    yield "documents.by_id", lambda: documents.by_id(everyone)
    for word, id in ids.items():
        yield f"documents.get {word}", lambda id=id: documents.get(id)
        yield f"documents.page {word}", lambda id=id: documents.page(id, None, 1)
        yield f"documents.original {word}", lambda id=id: documents.original(id)
        yield f"documents.facts {word}", lambda id=id: documents.facts(id)
        yield f"documents.metadata {word}", lambda id=id: documents.metadata(id)
        yield f"matrix.cell {word}", lambda id=id: matrix.cell(id, "governing_law")
        yield f"matrix.history {word}", lambda id=id: matrix.history(id, "governing_law")
        yield f"matrix.find_words {word}", lambda id=id, word=word: matrix.find_words(id, word)
        for index in ("passages", "clauses", "parties", "financials", "summaries"):
            query = SearchQuery(f"{word} Corporation", index=index)
            yield f"documents.search {index} {word}", lambda query=query: documents.search(query)
    yield "matrix.read", lambda: matrix.read("contracts")
    yield "matrix.page", lambda: matrix.page(MatrixQuery(bucket="contracts"))
    yield "matrix.ledger", lambda: matrix.ledger("contracts", "governing_law")
    yield "matrix.worklist", lambda: matrix.worklist("contracts")
    yield "matrix.cells", lambda: matrix.cells(everyone, ["governing_law", "parties"])
    for source in AnnotationSource:
        yield f"matrix.search {source}", lambda source=source: matrix.search(top_k=50, source=source)
    yield "plans.catalogue", plans.catalogue
    yield "questions.starters", session.questions.starters
    yield "readings.choices", lambda: choices(session)
    for question in QUESTIONS:
        for word in ids if "{word}" in question else ("",):
            said = question.format(word=word)
            yield f"ask {said}", lambda said=said: _without_question(session.questions.ask(said), said)


def choices(session: Session) -> ReadingChoices:
    """The choices of the reading of an answer: fields, values, kinds of documents."""
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, QUESTIONS[1])
    session.conversations.finish_turn(turn.id, session.questions.ask(QUESTIONS[1]))
    return session.readings.choices(conversation.id, turn.id)


def _without_question(answer: Any, question: str) -> str:
    """An answer's JSON without the words that the one who asks has said."""
    text = answer.model_dump_json()
    return str(text.replace(question, "").replace(question.rstrip("?"), ""))


@pytest.mark.parametrize(
    "principal", list(principals()), ids=lambda each: "+".join(sorted(each.groups)) or "none"
)
def test_no_call_of_a_session_gives_away_what_its_principal_may_not_see(
    bench: Workbench, principal: Principal
) -> None:
    ids = {summary.title.split()[0].casefold(): summary.id for summary in bench.documents()}
    assert set(ids) == set(CONTRACTS)
    seen = {word for word in CONTRACTS if may_see(principal, word)}
    shown: set[str] = set()
    for name, call in reads(bench.for_principal(principal), ids):
        try:
            said = str(call()).casefold()
        except GroundworkError as error:
            said = error.message.casefold()
            assert not any(word in name for word in seen if "cell" not in name), (name, said)
        asked_for = next((word for word in CONTRACTS if word in name), "")
        for word in set(CONTRACTS) - seen:
            if word != asked_for or not name.startswith(("ask", "documents.search", "matrix.find_words")):
                assert word not in said, (name, word)
            assert ids[word].casefold() not in said or word == asked_for, (name, word)
        shown |= {word for word in seen if word in said}
    assert shown == seen  # or the checks above would see nothing


def test_counts_are_over_the_documents_that_a_principal_may_see(bench: Workbench) -> None:
    for principal in principals():
        session = bench.for_principal(principal)
        seen = sum(may_see(principal, word) for word in CONTRACTS)
        assert session.documents.count() == seen
        assert sum(bucket.documents for bucket in session.documents.buckets()) == seen
        assert session.settings.status().documents == seen
        ledger = session.questions.ask(QUESTIONS[0]).ledger
        assert ledger is not None
        assert ledger.scope == seen


def test_no_service_and_no_session_can_be_made_without_a_principal() -> None:
    made = [Session, Service, *_all_of(Service)]
    assert len(made) > 10
    for each in made:
        parameter = inspect.signature(each).parameters["principal"]
        assert parameter.default is inspect.Parameter.empty
        assert parameter.annotation == "Principal"
        with pytest.raises(TypeError, match="principal"):
            each(parts=Parts.__new__(Parts))  # type: ignore[call-arg]


def _all_of(parent: type) -> Iterator[type]:
    for each in parent.__subclasses__():
        yield each
        yield from _all_of(each)


def test_a_plan_of_an_admin_shows_another_principal_nothing_more(bench: Workbench) -> None:
    plan = bench.plan(QUESTIONS[1])
    assert isinstance(plan, Plan)
    answer = bench.for_principal(Principal("ann", MAY_ASK_ALL)).plans.run(plan)
    assert "quagmire" in answer.model_dump_json().casefold()
    for word in CONTRACTS:
        if CONTRACTS[word]:
            assert word not in answer.model_dump_json().casefold()
