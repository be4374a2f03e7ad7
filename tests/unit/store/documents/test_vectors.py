"""Sets of vectors beside each other."""

import numpy as np
import pytest

from core.domain.ids import PassageId
from core.encode.base import EncoderSignature
from core.errors import EncoderError
from core.store.documents.passages import PassageRecords
from core.store.store import Records
from tests.unit.store.documents.test_documents import SIGNATURE, new_version


def test_vectors_of_another_encoder_stand_beside_and_are_told_of_where_wanted(records: Records) -> None:
    document = records.documents.publish(new_version(encoder=SIGNATURE)).document
    variant = records.variants.add("other", {"encode.model": "bge"}, EncoderSignature("bge", 3, "bb"), "ann")
    beside = PassageRecords(records.database, variant.vector_set)
    before = records.changes.data_version()
    vector, matrix = np.ones(3, np.float32), np.ones((2, 3), np.float32)
    first, second = beside.lacking(10)
    gone = (PassageId(10_000), vector, matrix)
    assert beside.add_vectors([(first.id, vector, matrix), gone], is_told=False) == 1
    assert records.changes.data_version() == before
    assert not records.variants.switch(variant)
    assert [each.id for each in beside.lacking(10, [document])] == [second.id]
    assert beside.add_vectors([(second.id, vector, matrix)], is_told=True) == 1
    assert records.changes.since(before).documents == {document}
    assert [row.vector.tolist() for row in beside.of_documents([document])] == [[1, 1, 1]] * 2
    assert beside.sentence_vectors([first.id])[first.id].shape == (2, 3)
    assert len(records.passages.of_documents([document])[0].vector) == 8
    assert records.variants.switch(variant)
    assert records.variants.serving().variant == variant
    records.documents.remove([document])
    assert beside.count_vectors() == 0


def test_a_set_that_was_dropped_takes_no_vectors_any_more(records: Records) -> None:
    records.documents.publish(new_version(encoder=SIGNATURE))
    records.variants.arrive(records.variants.move(records.variant, EncoderSignature("bge", 3, "bb")))
    assert records.variants.unused_sets() == {0}
    records.variants.drop(0)
    with pytest.raises(EncoderError, match="removed meanwhile"):
        records.documents.publish(new_version("late.txt", encoder=SIGNATURE))
