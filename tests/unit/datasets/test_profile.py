from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.datasets.profile import shared
from core.domain.rows.dataset import DatasetColumn
from tests.support.row_files import read, written


@pytest.fixture
def columns(tmp_path: Path) -> dict[str, DatasetColumn]:
    lines = "\n".join(f"{n},V{n % 5},{n * n},,2024-{n % 12 + 1:02}-01" for n in range(100))
    (table,) = read(written(tmp_path, "a.csv", f"nr,vendor,square,empty,day\n{lines}\n"))
    return {each.name: each for each in table.columns}


def test_keys_extremes_and_what_is_frequent_are_told(columns: dict[str, DatasetColumn]) -> None:
    assert [name for name, each in columns.items() if each.is_key] == ["nr", "square"]
    assert (columns["square"].least, columns["square"].greatest) == ("0", "9801")
    assert (columns["vendor"].distinct, columns["vendor"].often[0].rows) == (5, 20)
    assert (columns["empty"].filled, columns["empty"].chart) == (0, ())


def test_charts_count_every_row_once(columns: dict[str, DatasetColumn]) -> None:
    for name in ("square", "vendor", "day"):
        assert sum(bar.rows for bar in columns[name].chart) == 100, name
    assert columns["square"].chart[0].label == "0 to 784"


def test_columns_that_share_values_are_found_by_their_sketches(columns: dict[str, DatasetColumn]) -> None:
    vendor = columns["vendor"]
    half = replace(vendor, sketch=(*vendor.sketch[:3], vendor.sketch[4] + 1))

    assert shared(vendor, vendor) == 1.0
    assert 0 < shared(vendor, half) < 1
    assert shared(vendor, columns["square"]) == 0.0, "texts and numbers are not held against each other"


def test_columns_of_a_wide_file_are_described_as_those_of_a_narrow_one(tmp_path: Path) -> None:
    heads = ",".join(f"h{at}" for at in range(120))
    lines = "\n".join(",".join(str(n * 120 + at) for at in range(120)) for n in range(4))
    (table,) = read(written(tmp_path, "wide.csv", f"{heads}\n{lines}\n"))
    assert (len(table.columns), table.columns[119].name) == (120, "h119")
    assert [(each.least, each.greatest, each.is_key) for each in table.columns[118:]] == [
        ("118", "478", True), ("119", "479", True),
    ]  # fmt: skip
    assert all(each.sketch for each in table.columns)
