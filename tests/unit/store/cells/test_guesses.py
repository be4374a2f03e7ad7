from __future__ import annotations

from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from core.domain.certainty.guess import guesses_of
from core.domain.fields import Cell, Extraction, Review, ReviewAction
from core.domain.ids import DocumentId
from core.store.cells.field_rows import guess_row, guesses_by_cell, guesses_in, readings_json
from core.store.database.field_tables import field_guesses
from core.store.store import Records
from tests.support.stated_values import ALL, absent, money, present, put, text, uncertain
from tests.support.versions import new_version

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def kept(records: Records) -> list[str]:
    with records.database.read() as connection:
        return list(connection.execute(sa.select(field_guesses.c.field).order_by("field")).scalars())


def test_a_guess_is_read_back_as_it_was_written() -> None:
    guesses = guesses_of(uncertain(0.62, money("1250.00")))

    assert guesses_in(readings_json(guesses)) == guesses


def test_only_cells_that_nothing_decided_and_that_name_a_value_have_a_guess(records: Records) -> None:
    put(records, law=uncertain(0.6, text("Texas")), fee=present(money("5.00")), term=absent())

    assert kept(records) == ["law"]


def test_a_reviewed_cell_has_no_row() -> None:
    finding = uncertain(0.6, text("Texas"))
    cell = Cell(DocumentId("d"), 1, "law", finding, Review("carol", NOW), finding)

    assert guess_row(cell, "b") is None


def test_a_verdict_takes_the_guess_away_and_its_undoing_brings_it_back(records: Records) -> None:
    document = DocumentId(put(records, law=uncertain(0.6, text("Texas"))))

    records.reviews.review(document, "law", ReviewAction.ABSENT, "carol", NOW, visible=ALL)
    decided = kept(records)
    records.reviews.review(document, "law", ReviewAction.UNDO, "carol", NOW, visible=ALL)

    assert decided == []
    assert kept(records) == ["law"]


def test_a_new_version_and_another_extraction_replace_guesses(records: Records) -> None:
    document = put(records, "a.txt", law=uncertain(0.6, text("Texas")))
    records.documents.publish(new_version("a.txt", "Second text.", bucket="b", passages=0))
    after_publishing = kept(records)
    records.fields.put(
        DocumentId(document), 2, Extraction("contracts", {"law": uncertain(0.7, text("Ohio"))}), "f2"
    )

    assert after_publishing == []
    with records.database.read() as connection:
        [[only]] = guesses_by_cell(connection, [document], ["law"]).values()
    assert (only.value.text, only.probability) == ("Ohio", pytest.approx(0.7))
