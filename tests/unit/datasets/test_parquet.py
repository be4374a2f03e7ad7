"""The cache of Parquet files: written once a key, with what is kept beside."""

import os
from pathlib import Path
from typing import Any

import pytest

from core.datasets.base import DataColumn, DataType
from core.datasets.parquet import ParquetCache, columns_of, kept_columns


def test_a_file_is_written_once_for_a_key_and_those_asked_last_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.datasets.parquet._KEPT", 2)
    monkeypatch.setattr("core.datasets.parquet._SPARED_S", -60.0)
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


def test_a_file_that_was_asked_within_the_hour_stays_though_there_are_more_than_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.datasets.parquet._KEPT", 1)
    cache = ParquetCache(tmp_path)

    def get(key: str) -> Path:
        return cache.get(key, lambda target: {"chars": target.write_text(key)})[0]

    asked, old, _ = get("a"), get("b"), get("c")
    os.utime(old, (0, 0))
    os.utime(asked, (0, 0))
    get("a")
    get("d")
    assert (asked.is_file(), old.is_file()) == (True, False)


def test_columns_are_the_same_once_they_were_kept() -> None:
    columns = (DataColumn("fee", DataType.MONEY, "Fee", ("EUR", "USD"), "fee_currency", ("5",)),)
    assert columns_of(kept_columns(columns)) == columns
