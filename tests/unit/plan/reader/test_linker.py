from __future__ import annotations

import numpy as np

from core.domain.fields import FieldType
from core.encode.minilm import MiniLm
from core.plan.reader.anchors import LinkTarget
from core.plan.reader.artefact_file import read_artefact
from core.plan.reader.linker import (
    FEATURES,
    SpanQuery,
    TextVectors,
    features,
    letter_vectors,
    make_space,
    probabilities,
    weighted,
)
from core.plan.reader.network import TYPES, ReaderNetwork
from core.plan.reader.reading import SpanRole
from core.plan.reader.trained import TrainedReader


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
