"""The cache of Parquet files: written once a key, with what is kept beside."""

from pathlib import Path
from typing import Any

import pytest

from core.datasets.base import DataColumn, DataType
from core.datasets.parquet import ParquetCache, columns_of, kept_columns


def test_a_file_is_written_once_for_a_key_and_those_asked_last_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.datasets.parquet._KEPT", 2)
    written: list[str] = []
    cache = ParquetCache(tmp_path / "tables")

    def get(key: str) -> tuple[Path, dict[str, Any]]:
        def write(target: Path) -> dict[str, str]:
            written.append(key)
            target.write_text(key)
            return {"of": key}

        return cache.get(key, write)

    file, kept = get("a")
    assert (file.read_text(), kept) == ("a", {"of": "a"})
    assert get("a") == (file, kept)
    assert written == ["a"]
    get("b")
    get("c")
    assert len(list((tmp_path / "tables").glob("*.parquet"))) == 2
    assert len(list((tmp_path / "tables").iterdir())) == 4


def test_columns_are_the_same_once_they_were_kept() -> None:
    columns = (DataColumn("fee", DataType.MONEY, "Fee", ("EUR", "USD"), "fee_currency", ("5",)),)
    assert columns_of(kept_columns(columns)) == columns
