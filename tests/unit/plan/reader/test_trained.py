from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from core.encode.minilm import MiniLm
from core.errors import UsageError
from core.plan.catalogue import Catalogue
from core.plan.reader.reading import RELATIONS, Operation, SpanRole
from core.plan.reader.trained import MOST_PARTS, TrainedReader, asking_parts, load_reader
from tests.support.hashed_encoder import HashedEncoder

MAIL = "Dear team, thanks for the cake. Which contracts lack insurance? We meet on Monday. Best, Tom"


def test_a_missing_clause_is_a_negated_condition(reader: TrainedReader, catalogue: Catalogue) -> None:
    reading = reader.read("Which contracts have no insurance requirement?", catalogue)

    assert reading.operation is Operation.LIST
    (condition,) = reading.of(SpanRole.CONDITION)
    assert condition.is_negated
    assert condition.links[0].field == "insurance"


def test_probabilities_of_links_are_shares(reader: TrainedReader, catalogue: Catalogue) -> None:
    reading = reader.read("how many contracts are under Texas law", catalogue)

    assert reading.operation is Operation.COUNT
    (value,) = reading.of(SpanRole.VALUE)
    assert "Texas" in reading.text(value)
    assert 0 < sum(link.probability for link in value.links) <= 1.0001


def test_the_part_of_a_long_text_that_asks_is_read(reader: TrainedReader, catalogue: Catalogue) -> None:
    mail = (
        "We had a fine time at the lake. " * 20 + "Which contracts lack insurance? " + "See you soon. " * 20
    )

    reading = reader.read(mail, catalogue)

    assert reading.question == mail
    assert "insurance" in [reading.text(span) for span in reading.spans]


def test_readings_are_the_same_from_many_threads(reader: TrainedReader, catalogue: Catalogue) -> None:
    questions = [
        "which contracts have insurance",
        "when does the Acme deal end",
        "how many lack insurance",
    ] * 4

    with ThreadPoolExecutor(4) as executor:
        together = list(executor.map(lambda question: reader.read(question, catalogue), questions))

    assert together == [reader.read(question, catalogue) for question in questions]


def test_names_have_no_links(reader: TrainedReader, catalogue: Catalogue) -> None:
    reading = reader.read("when does the Sonos hosting agreement expire", catalogue)

    assert all(span.links == () for span in reading.of(SpanRole.DOCUMENT, SpanRole.PARTY, SpanRole.KIND))


def test_the_reader_works_beside_another_encoder() -> None:
    assert load_reader(HashedEncoder()) is not None


def test_a_reader_of_another_encoder_is_refused(minilm: MiniLm, monkeypatch: pytest.MonkeyPatch) -> None:
    from dataclasses import replace

    from core.plan.reader.artefact_file import read_artefact

    with pytest.raises(UsageError, match="another encoder"):
        TrainedReader(minilm, replace(read_artefact(), encoder_sha256="00"))


def test_functions_and_relations_are_told_with_their_shares(
    reader: TrainedReader, catalogue: Catalogue
) -> None:
    reading = reader.read("what is the average unit price", catalogue)

    assert reading.function == "avg"
    assert sum(share for _, share in reading.functions) == pytest.approx(1, abs=1e-3)
    assert {name for name, _ in reading.relations} == set(RELATIONS)


def test_an_order_says_its_direction_and_its_numbers(reader: TrainedReader, catalogue: Catalogue) -> None:
    reading = reader.read("show the three cheapest orders by unit price", catalogue)

    assert [reading.text(span) for span in reading.of(SpanRole.LIMIT)] == ["three"]
    assert {span.descending for span in reading.of(SpanRole.ORDER)} == {False}


def test_values_say_how_they_are_compared(reader: TrainedReader, catalogue: Catalogue) -> None:
    before = reader.read("which contracts expire before 2025", catalogue)
    either = reader.read("contracts under Texas law or Ohio law", catalogue)

    assert [span.comparison for span in before.of(SpanRole.VALUE)] == ["<"]
    assert [span.comparison for span in either.of(SpanRole.VALUE)][:1] == ["="]


def test_the_sentence_with_a_question_mark_asks() -> None:
    assert [MAIL[start:end] for start, end in asking_parts(MAIL, lambda text: False)] == [
        "Which contracts lack insurance?"
    ]


def test_without_a_question_mark_all_sentences_may_ask() -> None:
    text = "Hello there my friend. List all contracts please now."

    assert len(asking_parts(text, lambda text: False)) == 2
    assert asking_parts(text, lambda text: True) == [(0, len(text))]


def test_only_the_last_parts_are_given() -> None:
    assert len(asking_parts("This is one whole sentence. " * 40, lambda text: False)) == MOST_PARTS


def test_a_blank_text_has_no_parts() -> None:
    assert asking_parts("  \n ", lambda text: True) == []
