"""The gate: what is refused, what passes, and what is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.datasets.base import MOST_ROWS, DataColumn, DataType, QueryRefusedError
from core.datasets.sql.gate import check
from tests.support.data_tables import TABLES


def test_a_limit_is_added_and_a_smaller_one_is_kept() -> None:
    assert f"LIMIT {MOST_ROWS}" in check("select region from spend", TABLES).sql
    assert check("select region from spend limit 3", TABLES).limit == 3
    assert check("select region from spend limit 99999999", TABLES).limit == MOST_ROWS


def test_comments_are_not_run() -> None:
    checked = check("select region -- all of them\nfrom spend /* here */", TABLES)
    assert "all of them" not in checked.traced
    assert "here" not in checked.sql


def test_a_star_shows_neither_row_numbers_nor_marks_of_totals() -> None:
    assert check("select * from plan", TABLES).columns == ("region", "budget", "head")
    assert "is_total" not in check("select * from spend", TABLES).columns


def test_rows_of_which_nothing_says_that_they_are_totals_are_asked() -> None:
    assert "NOT is_total IS TRUE" in check("select region from spend", TABLES).traced
    text = replace(
        TABLES[0], columns=(DataColumn("n", DataType.NUMBER), DataColumn("is_total", DataType.TEXT))
    )
    assert "TRUE" not in check("select n from spend", [text]).traced


def test_a_refusal_names_what_there_is_instead() -> None:
    with pytest.raises(QueryRefusedError) as refused:
        check("select regio from plan", TABLES)
    assert "regio" in refused.value.message
    assert "plan has region, budget, head" in refused.value.next_step
    with pytest.raises(QueryRefusedError) as refused:
        check("select region from spends", TABLES)
    assert "spend" in refused.value.next_step


def test_names_are_taken_as_people_write_them() -> None:
    assert check('select "Amount Currency", count(*) from "Spend" group by 1', TABLES).tables == ("spend",)


def test_a_with_is_known_where_it_stands_around_a_table() -> None:
    within = "select * from (with a as (select head from plan), b as (select head from a) select * from b) t"
    assert check(within, TABLES).tables == ("plan",)
    beside = (
        "with a as (select head from plan) "
        "select 1 from spend where exists (select 1 from a) union select head from a"
    )
    assert set(check(beside, TABLES).tables) == {"plan", "spend"}


def test_a_time_of_day_is_a_type() -> None:
    assert check("select cast(paid as timestamp) from spend", TABLES).tables == ("spend",)


def test_a_name_that_two_columns_of_a_subquery_have_is_refused_where_it_is_asked() -> None:
    within = "select {} from (select s.*, p.* from spend s left join plan p on s.region = p.region) t"
    with pytest.raises(QueryRefusedError, match="two columns 'region'"):
        check(within.format("*"), TABLES)
    assert check(within.format("count(*), max(head)"), TABLES).tables == ("spend", "plan")
