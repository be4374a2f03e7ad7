"""Labels that plain words make sure."""

from __future__ import annotations

import pytest

from bench.reader.examples import Item
from bench.reader.labels import comparison, direction, labelled
from bench.reader.marks import marked, reading_of
from core.domain.fields import FieldType
from core.plan.readers.trained.linker import LinkTarget
from core.plan.readers.trained.reading import QuestionReading

FIELDS = tuple(
    LinkTarget("deals", name, (name,), kind)
    for name, kind in (("date", FieldType.DATE), ("total", FieldType.MONEY), ("law", FieldType.TEXT))
)


def told(operation: str, text: str) -> QuestionReading:
    return labelled(Item(reading_of(operation, text, "deals"), FIELDS)).reading


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("over 5k", FieldType.MONEY, ">"),
        ("no more than 10 EUR", FieldType.MONEY, "<="),
        ("signed in 2019", FieldType.DATE, "between"),
        ("before March 2019", FieldType.DATE, "<"),
        ("since 2020", FieldType.DATE, ">="),
        ("under Texas law", FieldType.TEXT, "="),
        ("older than 2019", FieldType.DATE, ""),
    ],
)
def test_a_comparison_is_told_by_plain_words(text: str, kind: FieldType, expected: str) -> None:
    assert comparison(text, kind, is_negated=False) == expected


def test_a_direction_is_told_unless_words_say_both() -> None:
    assert direction("the dearest", "") is True
    assert direction("date", "by date, earliest on top") is False
    assert direction("highest and lowest", "") is None


def test_numbers_leave_the_order_in_which_they_stand() -> None:
    reading = told("rank", "the [second highest]{order total} and the [five oldest]{order date}")

    assert (
        marked(reading)
        == "the [second]{nth} [highest]{order total} and the [five]{limit} [oldest]{order date}"
    )


def test_a_number_behind_top_is_a_limit_unless_something_is_skipped() -> None:
    assert marked(told("rank", "top 5 deals by [total]{order total}")).startswith("top [5]{limit}")
    assert "limit" not in marked(told("rank", "deals by [total]{order total} after the top 5"))


def test_what_or_joins_is_an_alternative_but_of_sides() -> None:
    text = "[Texas]{=law} or [over 5k]{=total}"

    assert [span.either for span in told("list", text).spans] == [False, True]
    assert [span.either for span in told("compare", text).spans] == [False, False]


def test_a_function_is_told_or_nothing_is() -> None:
    assert told("compute", "average [total]{?total}").function == "avg"
    assert told("list", "deals with [Texas law]{=law}").functions == (("", 1.0),)
    assert told("compute", "[total]{?total} and average").functions in ((), (("avg", 1.0),))
    assert told("compare", "[Texas]{=law} against [Ohio]{=law}").functions == ()
