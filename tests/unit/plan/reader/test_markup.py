"""Marked questions as lines of text, which the files of questions hold, too."""

from __future__ import annotations

import pytest

from bench.reader.marks import all_questions, reading_of
from core.plan.reader.markup import marked
from core.plan.reader.reading import Operation, QuestionReading, ReadSpan, SpanRole


@pytest.mark.parametrize(
    "said",
    [
        "deals that [let us walk]{+exit} but [don't cap it]{-cap}",
        "[signed before 2019]{=date}, [not under Texas law]{!law}, per [vendor]{by vendor}",
        "[how much]{?total} does the [Sonos deal]{doc} with [Acme]{party} have",
        "the [longest]{order term} [leases]{kind}",
        "no mark at all",
        "the [three]{limit} [cheapest]{order price} after the [first]{skip}, not the [second]{nth}",
        "[over 5k]{>total} or [at least 3 years]{|>=term}, [in 2019]{..date}, [not before May]{!<date}",
        "[by month of signing]{by agreement_date.month}, [a cap]{+cap} or [no law]{|-law}",
    ],
)
def test_what_is_read_is_written_as_it_was(said: str) -> None:
    assert marked(reading_of("list", said, "deals")) == said


def test_every_question_of_the_writers_is_written_as_it_was_read() -> None:
    questions = list(all_questions())[:500]

    for each in questions:
        text = marked(each.reading)
        assert reading_of(each.reading.operation.value, text, each.schema) == each.reading


def test_brackets_of_the_question_itself_become_round() -> None:
    span = ReadSpan(0, 9, SpanRole.DOCUMENT, False, (), 1.0)
    reading = QuestionReading("deal [A]\t{x} now", ((Operation.LIST, 1.0),), (span,), 1.0)

    assert marked(reading) == "[deal (A) ]{doc}(x) now"
