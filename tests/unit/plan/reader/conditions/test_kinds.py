"""Kinds of documents in the spans of a reading."""

from __future__ import annotations

import pytest

from bench.reader.marks import reading_of
from core.plan.reader.conditions.kinds import SpanKinds, included_kinds
from tests.support.known_readings import KNOWN, TODAY, schema_reading


def _kinds(marked: str) -> SpanKinds:
    own = schema_reading(marked)
    return SpanKinds(own.reading, own.schema, KNOWN, TODAY, own.mentions)


@pytest.mark.parametrize(
    ("marked", "kind", "words"),
    [
        ("the [amendments]{kind}", "amendment", ()),
        ("the [consulting amendments]{kind}", "amendment", ("consulting",)),
    ],
)
def test_a_kind_is_a_noun_and_the_words_of_its_title(marked: str, kind: str, words: tuple[str, ...]) -> None:
    kinds = _kinds(marked)

    noun = kinds.kind(kinds.reading.spans[0])

    assert (noun.kind, noun.title_words) == (kind, words)


def test_a_kind_that_a_condition_names_is_said_by_its_field() -> None:
    kinds = _kinds("[insurance]{kind} with [insurance]{+insurance}")

    assert kinds.is_said_by_field(kinds.reading.spans[0])
    assert not _kinds("[amendments]{kind} with [insurance]{+insurance}").is_said_by_field(
        kinds.reading.spans[0]
    )


def test_kinds_that_are_included_are_told_from_those_asked_for() -> None:
    reading = reading_of("list", "[contracts]{kind}, including [amendments]{kind}", "contracts")

    assert [reading.text(each) for each in included_kinds(reading)] == ["amendments"]
