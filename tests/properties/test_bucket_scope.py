"""An answer in a bucket tells nothing of what lies outside of it, whatever the question names.

Every document has words of its own. Questions name documents of other buckets, and none of those words may be
in what is cited, counted, listed, asked back or offered, unless the question said it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from core.ask.request import Question
from core.domain.event import last_answer
from core.domain.principal import LOCAL_ADMIN
from core.workbench import Workbench
from tests.support.examples import IS_FULL
from tests.support.planted import BUCKETS, LAWS, WORDS, PlantedHome, open_home
from tests.support.twins import planted, settings_of

QUESTIONS = 2_000 if IS_FULL else 30
NAMING = (
    "What does {name} Corporation deliver?",
    "What is the contract value of the {name} Supply Agreement?",
    "What did the committee say about {name} Hall?",
    "Who are the parties of {name} Supply Agreement?",
    "Compare {name} and {second}.",
    "Compare the contract value of {name} and {second}.",
    "Which contracts with {name} Corporation are there?",
    "How many contracts has {name} Corporation?",
    "Is the {name} Supply Agreement governed by {law} law?",
    "Does {name}.txt lack force majeure?",
    "How many documents mention {name}?",
    "What is the contract value?",
    "What is the notice period?",
    "When was it signed?",
    "How many documents are there?",
    "How many contracts are governed by {law} law?",
    "Which contracts have a value above $300,000?",
    "What is the total contract value by vendor?",
    "What can I ask?",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Workbench, PlantedHome]]:
    folder = tmp_path_factory.mktemp("buckets")
    found = planted(folder)
    with open_home(settings_of(folder / "home")) as bench:
        yield bench, found


def test_an_answer_in_a_bucket_tells_of_nothing_outside(home: tuple[Workbench, PlantedHome]) -> None:
    bench, planted_home = home
    session = bench.for_principal(LOCAL_ADMIN)
    chance = random.Random(35)
    for _ in range(QUESTIONS):
        bucket = chance.choice(BUCKETS)
        outside = [word for word in WORDS if planted_home.bucket_of[word] != bucket]
        first, second = chance.sample(outside, 2)
        question = chance.choice(NAMING).format(
            name=first.title(), second=second.title(), law=chance.choice(LAWS)
        )
        events = list(session.questions.stream(Question(question, LOCAL_ADMIN, (bucket,))))
        answer = last_answer(events)
        told = "\n".join(event.model_dump_json() for event in events)
        silent = [word for word in outside if word not in question.casefold()]
        assert not [word for word in silent if word in told.casefold()], (bucket, question, answer.text)
        ids = [planted_home.documents[word] for word in outside]
        assert not [id for id in ids if id in told], (bucket, question, answer.text)
        inside = len(WORDS) - len(outside)
        assert answer.ledger is None or answer.ledger.scope <= inside, (bucket, question, answer.text)
