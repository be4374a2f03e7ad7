"""Certainty of queries that come to a number."""

from __future__ import annotations

import pytest

from core.plan.language.pieces import UnknownWord
from core.plan.tables.doubts.certainty import DoubtSigns, doubt_signs, gives_number, rivals_of
from core.plan.tables.mentions import TablePiece
from core.plan.tables.query import IDLE_VERB, TableOperation, TableQuery
from tests.support.table_catalogue import assembled


def made(question: str) -> TableQuery:
    found = assembled(question)
    assert found is not None
    return found


def unknown(*words: str) -> tuple[TablePiece, ...]:
    return tuple(TablePiece(at, at + 1, word, UnknownWord(), 0.0) for at, word in enumerate(words))


def test_a_reading_without_doubt_is_sure() -> None:
    assert not DoubtSigns(0.0, (), (), (), 0.0).is_doubtful


@pytest.mark.parametrize(
    "signs",
    [
        DoubtSigns(1.4, (), (), (), 0.0),
        DoubtSigns(0.9, ("road", "charges"), (), (), 0.0),
        DoubtSigns(0.0, (), (), ("Received",), 0.0),
    ],
)
def test_what_fits_badly_or_may_be_of_another_column_is_doubtful(signs: DoubtSigns) -> None:
    assert signs.is_doubtful


def test_words_of_which_nothing_was_made_are_weak_and_verbs_stand_apart() -> None:
    query = made("total amount")
    query.guess(0.0, "standing", IDLE_VERB)
    signs = doubt_signs(query, unknown("ladies", "standing", "cell"), 1.0, used={2})
    assert (signs.weak, signs.verbs) == (("ladies",), ("standing",))


def test_another_reading_that_is_as_good_is_near() -> None:
    assert doubt_signs(made("total amount"), (), 0.0).near == 1.0
    assert doubt_signs(made("total amount"), (), 1.0).near == 0.0


def test_rows_of_names_and_groups_come_to_no_number() -> None:
    assert gives_number(made("how many orders are there"))
    assert not gives_number(made("amount of every product"))


def test_a_count_has_no_rivals() -> None:
    query = made("how many orders are there")
    assert query.operation is TableOperation.COUNT
    assert rivals_of(query, ()) == ()
