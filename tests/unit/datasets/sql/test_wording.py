"""Statements told in words."""

import pytest

from core.datasets.sql.wording import sql_words


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        (
            "SELECT region, sum(units) AS total FROM sales_files WHERE product = 'Steel' AND units >= 5 "
            "GROUP BY region ORDER BY 2 DESC LIMIT 5",
            "rows of sales files; where product is Steel and units at least 5; total units for each region; "
            "by total units, the highest first; the first 5",
        ),
        (
            "SELECT f.document, s.since FROM fields_contracts f "
            "LEFT JOIN sanctions s ON name_key(f.vendor) = name_key(s.name)",
            "rows of fields contracts, each with sanctions where there is one where vendor is name; "
            "document and since",
        ),
        (
            "WITH p AS (SELECT region, sum(amount) AS q FROM plan GROUP BY region) "
            "SELECT avg(s.amount) - p.q FROM spend s JOIN p USING (region) WHERE year(s.day) = 2024",
            "(1) rows of plan; total amount for each region; then rows of spend, each with (1) of the "
            "same region; where year of day is 2024; average amount less q",
        ),
        (
            "WITH one AS (SELECT quay, sum(crates) AS c FROM landings GROUP BY quay), other AS (SELECT quay, "
            "sum(quota) AS q FROM quota GROUP BY quay) SELECT coalesce(one.quay, other.quay), one.c, other.q "
            "FROM one FULL JOIN other ON lower(one.quay) = lower(other.quay)",
            "(1) rows of landings; total crates for each quay; then (2) rows of quota; total quota for each "
            "quay; then rows of (1), each with (2) of the same quay where there is one; quay, c and q",
        ),
        (
            "SELECT count(*) FROM t WHERE a IS NOT NULL AND b IN ('x', 'y') OR c IN (SELECT d FROM e)",
            "rows of t; where a is known and b is x or y or c is one of (rows of e; d); number of rows",
        ),
        ("SELECT DISTINCT a FROM t UNION SELECT b FROM u",
         "rows of t; different a, together with rows of u; b"),
        ("SELECT count(DISTINCT a) FROM t HAVING count(*) > 2",
         "rows of t; number of different a; of these where number of rows above 2"),
        ("SELECT * FROM t", "rows of t; all columns"),
        ("DROP TABLE t", ""),
        ("SELECT region FROM t GROUP BY region", "rows of t; region for each region"),
        ("SELECT DISTINCT region FROM t GROUP BY region, year HAVING count(*) > 1",
         "rows of t; different region for each region and year; of these where number of rows above 1"),
        ("SELECT a FROM t ORDER BY 1.5, 1e0", "rows of t; a; by 1.5 and 1e0"),
        ("SELECT a FROM t WHERE b IS TRUE AND c IS NOT FALSE AND d IS NULL ORDER BY a LIMIT 5 OFFSET 10",
         "rows of t; where b is true and c is not false and d is not known; a; by a; the first 5; "
         "without the first 10"),
        ("SELECT a FROM t EXCEPT SELECT a FROM u ORDER BY a LIMIT 3",
         "rows of t; a, but not of rows of u; a; by a; the first 3"),
        ("SELECT count() FROM t", ""),
    ],
)  # fmt: skip
def test_a_statement_is_told_in_words(sql: str, words: str) -> None:
    assert sql_words(sql) == words
