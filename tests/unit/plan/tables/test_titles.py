"""Names of sheets and documents in a question."""

from __future__ import annotations

from core.plan.language.pieces import tokens_of
from core.plan.tables.titles import titles
from tests.support.table_catalogue import vocabulary


def test_words_of_the_name_of_a_sheet_name_its_table() -> None:
    found = list(titles(tokens_of("rows of the league table"), vocabulary(3)))
    assert any(each.parts == vocabulary(3).parts for each in found)


def test_figures_alone_name_none() -> None:
    assert list(titles(tokens_of("2024"), vocabulary(0))) == []
