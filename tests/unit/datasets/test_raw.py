from __future__ import annotations

from pathlib import Path

import duckdb

from core.datasets.problems import Problems
from core.datasets.raw import write_raw
from core.datasets.sources import TextRows


def test_cells_are_written_as_they_stand_and_names_are_made_unlike(tmp_path: Path) -> None:
    problems, told = Problems(), list[int]()
    rows = iter([(2, ["a", "", "x"]), (5, ["b"]), *((9 + n, ["c", "d"]) for n in range(200))])
    heads = write_raw(
        TextRows("", ("n", "n"), rows, problems), tmp_path / "raw.parquet", "a.csv", told.append
    )

    assert heads == ("n", "n 2", "column_3")
    with duckdb.connect() as db:
        found = db.execute(f"SELECT * FROM '{tmp_path / 'raw.parquet'}' LIMIT 2").fetchall()
    assert found == [(2, "a", None, "x"), (5, "b", None, None)]
    assert told[-1] == 202
    said = [each.text for each in problems.all()]
    assert any("comes again" in each for each in said)
    assert any("fewer cells than there are columns. (row 5)" in each for each in said)
