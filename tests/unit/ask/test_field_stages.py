from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest

from core.ask.field_stages import MOST_CHARS, MOST_QUESTIONS, FieldStages, divided, with_surroundings
from core.ask.model import ModelStages
from core.ask.question_stages import QuestionStages
from core.ask.request import Question, Run
from core.domain.answer import Answer, Kind, Route, Status
from core.domain.event import Event, NodeChanged, StageFinished
from core.domain.principal import LOCAL_ADMIN
from core.plan.reading import Operation, Reading
from core.store.database.visibility import Visibility
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.doors import OPEN
from tests.support.library import Library

T = TypeVar("T")
ALL = Visibility.of(LOCAL_ADMIN)
COUNT = "How many agreements are there?"
_ASKING = ("how many", "which", "list", "when", "who", "and ", "does", "show")


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Contracts]:
    home: Path = tmp_path_factory.mktemp("fields") / "home"
    with contracts_at_hand(home) as contracts:
        yield contracts


def stages_of(contracts: Contracts) -> tuple[FieldStages, QuestionStages]:
    parts = contracts.parts
    models = ModelStages(None, None, parts.records.documents)
    fields = FieldStages(parts.structured, models, parts.retriever)
    course = QuestionStages(
        parts.records, parts.retriever, parts.settings, fields, models, lambda: datetime.now(UTC)
    )
    return fields, course


def new_run(contracts: Contracts) -> Run:
    version = contracts.parts.records.changes.data_version()
    return Run(
        "t",
        lambda: 0.0,
        Question("q", LOCAL_ADMIN),
        Visibility.everything().at(version),
        OPEN,
    )


def drained(events: Generator[Event, None, T]) -> tuple[list[Event], T]:
    told: list[Event] = []
    while True:
        try:
            told.append(next(events))
        except StopIteration as stop:
            return told, stop.value


def test_a_question_over_fields_is_computed_node_by_node(contracts: Contracts) -> None:
    stages, course = stages_of(contracts)
    run = new_run(contracts)

    run.start_stage("plan", "Planning")
    computed = stages.computed(run, course.composer(COUNT, run), COUNT)
    events, answer = drained(computed)

    assert answer is not None
    assert answer.status in (Status.ANSWERED, Status.PARTIAL)
    assert answer.ledger is not None
    assert any(isinstance(event, NodeChanged) for event in events)
    assert [event.stage for event in events if isinstance(event, StageFinished)] == ["plan", "compute"]
    assert run.understood is not None


def test_a_part_of_a_text_is_not_divided_and_goes_on_from_nothing(contracts: Contracts) -> None:
    stages, _ = stages_of(contracts)
    run = replace(new_run(contracts), is_part=True)

    assert stages.divided(run, "How many are there? Who signed them?") == ()
    assert stages.followed(run, COUNT, ()) is None


def answer_of(status: Status) -> Answer:
    return Answer(
        question="What is the notice period of the tenant?",
        trace_id="t",
        data_version=1,
        status=status,
        kind=Kind.LOOKUP,
        route=Route.NONE,
        text="",
    )


def test_an_absence_shows_the_nearest_passages(library: Library) -> None:
    answer = with_surroundings(answer_of(Status.ABSTAINED), library, ALL, ())
    assert answer.nearest[0].quote == "The notice period is thirty days."
    assert len(set(answer.follow_ups)) == 3


@pytest.mark.parametrize(("status", "count"), [(Status.ANSWERED, 3), (Status.CLARIFY, 0)])
def test_an_answer_goes_on_and_a_question_back_waits(library: Library, status: Status, count: int) -> None:
    answer = with_surroundings(answer_of(status), library, ALL, ())
    assert len(set(answer.follow_ups)) == count
    assert not answer.nearest


def test_an_answer_from_sheets_does_not_go_on_to_the_program(library: Library) -> None:
    computed = answer_of(Status.ANSWERED).model_copy(update={"route": Route.STRUCTURED})
    assert with_surroundings(computed, library, ALL, ()).follow_ups == ()


def read(text: str) -> Reading:
    """A reader that knows how questions begin."""
    said = text.casefold()
    if said.startswith(("thanks", "hello")):
        operation = Operation.HELP
    else:
        operation = Operation.LIST if said.startswith(_ASKING) else Operation.TEXT
    return Reading(operation=operation, by="trained", question=text)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        (
            "How many leases end in 2025? Which of them can be renewed?",
            ("How many leases end in 2025?", "Which of them can be renewed?"),
        ),
        (
            "List the invoices from May. How many are over 500?",
            ("List the invoices from May.", "How many are over 500?"),
        ),
        ("which leases end in 2025; who signed them", ("which leases end in 2025", "who signed them")),
        ("how many end in 2025? and in 2026?", ("how many end in 2025?", "and in 2026?")),
        (
            "1. Which leases end in 2025?\n2. Who signed the Porto lease\n",
            ("Which leases end in 2025?", "Who signed the Porto lease"),
        ),
        (
            "- how many leases are there\n- list the invoices",
            ("how many leases are there", "list the invoices"),
        ),
        (
            "What does the Porto lease say about pets? How are repairs paid for?",
            ("What does the Porto lease say about pets?", "How are repairs paid for?"),
        ),
        (
            "Which leases end in 2025?\nDoes the Porto lease have a break clause?",
            ("Which leases end in 2025?", "Does the Porto lease have a break clause?"),
        ),
    ],
)
def test_every_sentence_that_asks_by_itself_is_a_question(text: str, questions: tuple[str, ...]) -> None:
    assert divided(text, read) == questions


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How many leases end in 2025?",
        "How many leases end in 2025 and which can be renewed?",
        "I am reviewing the Porto lease. When does it end?",
        "Thanks! How many leases are there?",
        "Consider the Porto lease between Ana and Rui; does it have a break clause?",
        "What does the lease say about pets? Why?",
        "Which contracts use Inc. in their names?",
        'Which leases say "Who pays? The tenant"?',
        "Which leases (do any? one would do) end in 2025?",
        "How many leases are there? how many leases are there?",
        "which leases are with Halden Corp. in Texas",
        "Which report is at https://example.org/a?b=c;d=e",
        "We found three things:\n1. the roof leaks\n2. which leases say so?",
        "????? ;;; ...",
    ],
)
def test_a_text_with_a_part_that_asks_nothing_stays_whole(text: str) -> None:
    assert divided(text, read) == ()


def test_a_list_of_too_many_questions_stays_whole() -> None:
    assert (
        divided("Who signed it? " * 1 + "".join(f"Who signed {n}? " for n in range(MOST_QUESTIONS)), read)
        == ()
    )


def test_a_long_text_is_never_read_in_parts() -> None:
    def refuse(_text: str) -> Reading:
        raise AssertionError

    assert divided("Who signed it? " * MOST_CHARS, refuse) == ()


def test_a_text_that_one_plan_says_is_one_question() -> None:
    text = "How many leases end in 2025? Which ones?"

    assert divided(text, read, lambda whole: whole == text) == ()
    assert divided(text, read, lambda _: True) == ()  # "which ones" asks for nothing more
    assert len(divided(text, read, lambda _: False)) == 2


def test_a_sentence_that_says_how_to_answer_is_no_question() -> None:
    def unsure(text: str) -> Reading:
        left = () if text.endswith("?") else ("decimal places",)
        return Reading(
            operation=Operation.COMPUTE, by="trained", question=text, uncovered=left, probability=0.1
        )

    assert divided("What is the margin of 2022? Round it to two decimal places.", unsure) == ()
