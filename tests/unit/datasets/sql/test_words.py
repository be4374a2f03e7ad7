"""Words among the numbers of a table are counted beside the figures of a query, and beside nothing else."""

from __future__ import annotations

import pytest

from core.datasets.base import DataColumn, DataTable, DataType
from core.datasets.sql.gate import check
from core.datasets.sql.words import words_queries

LOADS = DataTable(
    "loads",
    (
        DataColumn("quay", DataType.TEXT, "Quay"),
        DataColumn("load", DataType.NUMBER, "Load"),
        DataColumn("load_text", DataType.TEXT, "Load in words"),
    ),
    5,
)


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("SELECT sum(load) FROM loads", ['FROM loads WHERE NOT "loads"."load_text" IS NULL']),
        (
            "SELECT quay, sum(load) FROM loads AS l WHERE quay = 'A' GROUP BY quay ORDER BY 2 DESC LIMIT 1",
            ["""FROM loads AS l WHERE COALESCE(quay = 'A', TRUE) AND NOT "l"."load_text" IS NULL"""],
        ),
        ("SELECT count(*) FROM loads", []),
        ("SELECT load, load_text FROM loads", []),
    ],
)
def test_words_are_counted_where_their_column_is_asked(sql: str, wanted: list[str]) -> None:
    found = list(words_queries(check(sql, [LOADS]), {"loads": LOADS}))
    assert [label for label, _ in found] == ["Load"] * len(wanted)
    for (_, said), end in zip(found, wanted, strict=True):
        assert said.endswith(end)
        check(said, [LOADS])
