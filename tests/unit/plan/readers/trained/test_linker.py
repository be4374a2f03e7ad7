from __future__ import annotations

import numpy as np
import pytest

from core.domain.fields import FieldType
from core.encode.minilm import MiniLm
from core.plan.catalogue import (
    Catalogue,
    ColumnEntry,
    FieldEntry,
    SchemaEntry,
    TableEntry,
    ValueEntry,
)
from core.plan.readers.trained.linker import (
    FEATURES,
    SIGNS,
    Confidence,
    Existence,
    LinkTarget,
    LogisticRegression,
    SpanQuery,
    TextVectors,
    candidates,
    column_texts,
    distinct_texts,
    existence_signs,
    features,
    letter_vectors,
    make_space,
    plain_words,
    probabilities,
    signs,
    weighted,
)
from core.plan.readers.trained.network import TYPES, ReaderNetwork, WordSpan, logistic
from core.plan.readers.trained.reading import FieldLink, ReadSpan, SpanRole
from core.plan.readers.trained.trained import TrainedReader, read_artefact


def _query(minilm: MiniLm, text: str, role: SpanRole = SpanRole.VALUE) -> SpanQuery:
    vector = minilm.encode_queries([text])[0]
    return SpanQuery(text, role, vector, vector, np.full(len(TYPES), -2, dtype=np.float32))


def test_a_field_that_nobody_trained_is_found_by_its_title(minilm: MiniLm, reader: TrainedReader) -> None:
    known = (
        LinkTarget("own", "berth", ("Berth number", "Where the ship lies."), FieldType.TEXT),
        LinkTarget("own", "cargo", ("Cargo", "What the ship carries."), FieldType.TEXT),
    )

    space, query = reader.space(known), _query(minilm, "berth number", SpanRole.ASKED)
    shares = probabilities(weighted(features(query, space), query.role, space, read_artefact().weights))

    assert shares[0] > 0.7


def test_a_value_of_a_column_points_to_it(minilm: MiniLm, reader: TrainedReader) -> None:
    known = (
        LinkTarget("", "City", ("city",), FieldType.TEXT, ("Leeds", "Oslo")),
        LinkTarget("", "Product", ("product",), FieldType.TEXT, ("pump",)),
    )

    found = features(_query(minilm, "to oslo"), reader.space(known))

    assert found[0, FEATURES.index("value")] > 0.5
    assert found[1, FEATURES.index("value")] == 0


def test_no_candidates_have_no_probabilities(minilm: MiniLm, reader: TrainedReader) -> None:
    space, query = reader.space(()), _query(minilm, "berth")

    assert (
        len(probabilities(weighted(features(query, space), query.role, space, read_artefact().weights))) == 0
    )


def test_a_mistyped_word_resembles_the_right_one() -> None:
    right, wrong, other = letter_vectors(["indemnification", "indemnifcation", "warranty"])

    assert right @ wrong > 0.7 > 0.2 > right @ other


def test_vectors_of_texts_are_kept(minilm: MiniLm) -> None:
    artefact = read_artefact()
    vectors = TextVectors(minilm, ReaderNetwork(minilm, artefact.layers, artefact.heads))

    first = vectors.of(["cargo", "berth"])
    second = vectors.of(["berth"])

    np.testing.assert_array_equal(first[0][1], second[0][0])
    assert make_space((), vectors, artefact.bank).candidates == ()


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("unit_price", "unit price"),
        ("UnitPrice", "unit price"),
        ("ORDER NO", "order no"),
        ("Qty (kg)", "qty (kg)"),
    ],
)
def test_headers_are_read_as_plain_words(header: str, words: str) -> None:
    assert plain_words(header) == words


def test_a_column_is_known_by_its_header_and_unit() -> None:
    assert column_texts("Net weight", "kg") == ("net weight", "net weight in kg")


def test_fields_of_schemas_without_documents_are_no_candidates_where_others_have_some() -> None:
    full = SchemaEntry("a", "A", fields=(FieldEntry("a", "x", "X", FieldType.TEXT),), documents=1)
    empty = SchemaEntry("b", "B", fields=(FieldEntry("b", "y", "Y", FieldType.TEXT),))

    assert [each.key for each in candidates(Catalogue("", (full, empty)))] == [("a", "x")]
    assert [each.key for each in candidates(Catalogue("", (empty,)))] == [("b", "y")]


def test_columns_of_the_same_name_are_one_candidate() -> None:
    table = TableEntry((ColumnEntry("Price", FieldType.MONEY),), ("d",))
    other = TableEntry((ColumnEntry("price", FieldType.MONEY),), ("e",))

    assert [each.key for each in candidates(Catalogue("", (), tables=(table, other)))] == [("", "Price")]


def test_values_of_a_field_are_known() -> None:
    schema = SchemaEntry("a", "A", fields=(FieldEntry("a", "x", "X", FieldType.TEXT, options=("one",)),))
    catalogue = Catalogue("", (schema,), values=(ValueEntry("a", "x", "two"),))

    (found,) = candidates(catalogue)

    assert found.values == ("one", "two")
    assert distinct_texts([found]) == ["X"]


def _probability(confidence: Confidence, link: float) -> float:
    span = ReadSpan(0, 3, SpanRole.CONDITION, False, (FieldLink("a", "x", link),), 0.9)
    tagged = WordSpan(0, 1, SpanRole.CONDITION, (0,), 0.9, 0.1)
    return confidence.of_signs(signs((0.8, 0.1), (span,), (tagged,), 6))


def test_a_surer_link_gives_a_surer_reading() -> None:
    weights = tuple(1.0 if name in ("weakest link", "all links") else 0.0 for name in SIGNS)
    confidence = Confidence(weights, 1.0)

    assert _probability(confidence, 0.9) > _probability(confidence, 0.3)


def test_a_question_without_parts_has_signs() -> None:
    assert np.isfinite(signs((1.0,), (), (), 0)).all()


def test_confidence_is_kept_as_facts() -> None:
    confidence = Confidence(tuple(float(number) for number in range(len(SIGNS))), -1.0)

    assert Confidence.from_facts(confidence.as_facts()) == confidence


def test_the_signs_are_those_of_the_best_candidate_and_its_lead() -> None:
    features = np.array([[0.1] * len(FEATURES), [0.9] * len(FEATURES)], dtype=np.float32)

    found = existence_signs(features, np.array([2.0, 7.0], dtype=np.float32))

    assert found.tolist() == pytest.approx([*[0.9] * len(FEATURES), 0.7, 0.5])


def test_one_candidate_alone_leads_by_far() -> None:
    found = existence_signs(np.zeros((1, len(FEATURES)), dtype=np.float32), np.zeros(1, dtype=np.float32))

    assert found[-1] == pytest.approx(2.0)


def test_its_numbers_come_back_from_their_facts() -> None:
    existence = Existence(tuple(float(number) for number in range(len(Existence.SIGNS))), -1.0)

    assert Existence.from_facts(existence.as_facts()) == existence
    assert 0 < existence.of_signs(np.zeros(len(Existence.SIGNS), dtype=np.float32)) < 0.5


def test_even_odds_are_one_half_and_large_ones_do_not_overflow() -> None:
    assert logistic(0.0) == 0.5
    assert logistic(1e6) == pytest.approx(1.0)
    assert logistic(-1e6) == pytest.approx(0.0)


def test_a_regression_weighs_its_signs_and_adds_the_bias() -> None:
    row = np.array([1.0, 2.0], dtype=np.float32)

    assert LogisticRegression((0.5, -1.0), 1.0).of_signs(row) == pytest.approx(logistic(-0.5))
