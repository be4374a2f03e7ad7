"""Heads and marks of written questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.reader.marks import MarkError, marked_questions, reading_of
from core.plan.readers.trained.reading import Operation, SpanRole


def test_the_head_says_function_and_direction() -> None:
    reading = reading_of("group/sum/desc", "by [law]{by law}, [dearest first]{order total}", "deals")

    assert (reading.operation, reading.function) == (Operation.GROUP, "sum")
    assert [span.descending for span in reading.of(SpanRole.ORDER)] == [True]


def test_a_writer_who_told_all_says_that_nothing_is_computed() -> None:
    assert reading_of("list", "all", "deals", is_labelled=True).functions == (("", 1.0),)
    assert reading_of("count", "how many", "deals", is_labelled=True).function == "count"
    assert reading_of("list", "all", "deals").functions == ()


def test_equals_is_a_comparison_only_where_all_is_told() -> None:
    marked = "under [Texas law]{=law}"

    (untold,) = reading_of("list", marked, "deals").spans
    (told,) = reading_of("list", marked, "deals", is_labelled=True).spans

    assert (untold.comparison, told.comparison) == ("", "=")


def test_turns_of_a_conversation_have_its_table_and_relations(tmp_path: Path) -> None:
    file = tmp_path / "writer_40.tsv"
    file.write_text(
        "# conversation: contracts\nnew:list\t[leases]{kind}\n"
        "# conversation: table: a.xlsx / S | Name | Price\nnew:list\tall\n"
        "order:rank/asc\tby [cost]{order Price}\n"
        "# schema: invoices\nlist\tinvoices\n"
    )

    first, second, third, alone = marked_questions(file)

    assert (first.schema, first.conversation, first.reading.relations) == ("contracts", 1, (("new", 1.0),))
    assert (second.columns, second.conversation) == (("Name", "Price"), 2)
    assert third.reading.relations == (("order", 1.0),)
    assert (alone.schema, alone.conversation, alone.reading.relations) == ("invoices", 0, ())


@pytest.mark.parametrize("head", ["sing", "list/up", "later:list"])
def test_an_unknown_head_is_refused(head: str) -> None:
    with pytest.raises(MarkError):
        reading_of(head, "all", "deals")
