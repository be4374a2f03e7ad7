"""The trained reader reads any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.fields import FieldType
from core.encode.identity import find_model
from core.encode.minilm import MiniLm
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.readers.trained.trained import TrainedReader
from tests.support.examples import examples

WORDS = (
    "not",
    "which",
    "contracts",
    "no",
    "Acme's",
    "$5",
    "[",
    "'s",
    "\ud800",
    "w/o",
    "?",
    "\n",
    "cap",
    "or",
)
CATALOGUE = Catalogue(
    "one", (SchemaEntry("a", "A", fields=(FieldEntry("a", "x", "Cap", FieldType.BOOLEAN),), documents=1),)
)


@pytest.fixture(scope="module")
def reader() -> TrainedReader:
    return TrainedReader.load(MiniLm.load(find_model("minilm")))


@settings(max_examples=examples(60), deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=120).map(" ".join)))
def test_any_text_is_read_and_its_spans_stand_in_it(reader: TrainedReader, text: str) -> None:
    reading = reader.read(text, CATALOGUE)

    assert reading.question == text
    assert 0 <= reading.probability <= 1
    assert all(0 <= span.start < span.end <= len(text) for span in reading.spans)
    assert [span.start for span in reading.spans] == sorted(span.start for span in reading.spans)
