from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bench.reader.artefact_file import to_files
from bench.reader.known_texts import to_file
from core.encode.minilm import MiniLm
from core.errors import UsageError
from core.plan.catalogue import Catalogue
from core.plan.readers.trained.linker import TextVectors
from core.plan.readers.trained.network import ReaderNetwork
from core.plan.readers.trained.reading import RELATIONS, Operation, SpanRole
from core.plan.readers.trained.trained import (
    ARRAYS,
    FACTS,
    MOST_PARTS,
    TEXTS,
    TrainedReader,
    asking_parts,
    from_files,
    load_reader,
    read_artefact,
    read_known_texts,
)
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

    from core.plan.readers.trained.trained import read_artefact

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


def test_what_is_written_is_read_again() -> None:
    artefact = read_artefact()

    files = to_files(artefact)
    again = from_files(io.BytesIO(files[ARRAYS]), files[FACTS])

    np.testing.assert_array_equal(again.layers[0].qkv, artefact.layers[0].qkv)
    np.testing.assert_array_equal(again.heads.tag[0], artefact.heads.tag[0])
    assert again.bank.fields == artefact.bank.fields
    assert again.confidence == artefact.confidence


def test_equal_artefacts_give_equal_bytes() -> None:
    artefact = read_artefact()

    assert to_files(artefact)[FACTS] == to_files(replace(artefact))[FACTS]


def test_what_ships_is_smaller_than_30_mb() -> None:
    assert sum(len(content) for content in to_files(read_artefact()).values()) < 30_000_000


def test_a_folder_without_a_reader_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="train it again"):
        read_artefact(tmp_path)


def test_a_reader_of_another_version_is_refused() -> None:
    files = to_files(read_artefact())
    facts = json.loads(files[FACTS]) | {"format": 0}

    with pytest.raises(ValueError, match="not that of this version"):
        from_files(io.BytesIO(files[ARRAYS]), json.dumps(facts).encode())


def test_the_shipped_vectors_are_those_that_the_reader_would_make(minilm: MiniLm) -> None:
    artefact = read_artefact()
    network = ReaderNetwork(minilm, artefact.layers, artefact.heads)
    known = read_known_texts()
    texts = list(known)[::100]

    frozen, own = TextVectors(minilm, network).of(texts)

    np.testing.assert_allclose(np.stack([known[text][0] for text in texts]), frozen, atol=2e-3)
    np.testing.assert_allclose(np.stack([known[text][1] for text in texts]), own, atol=2e-3)


def test_vectors_of_another_training_are_left_alone(tmp_path: Path) -> None:
    one = np.ones((1, 2), dtype=np.float32)
    (tmp_path / TEXTS).write_bytes(to_file(["law"], one, one, b"another"))
    (tmp_path / ARRAYS).write_bytes(b"one")

    assert read_known_texts(tmp_path) == {}


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut off"])
def test_a_damaged_file_gives_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / TEXTS).write_bytes(content)

    assert read_known_texts(tmp_path) == {}
