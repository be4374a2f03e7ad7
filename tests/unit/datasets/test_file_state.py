"""States of datasets against their files: what is read again, and what is remembered."""

from __future__ import annotations

import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from core.datasets.file_state import state_of
from core.domain.rows.dataset import DatasetState
from tests.unit.datasets.test_families import REGION, dataset


def test_a_file_of_another_time_is_looked_into_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,2\n")
    known = replace(
        dataset("a", REGION, folder=str(tmp_path)),
        size_bytes=path.stat().st_size, content_hash=sha256(path.read_bytes()).hexdigest(),
    )  # fmt: skip
    reads, read = list[str](), Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: reads.append(self.name) or read(self))

    assert [state_of(known) for _ in range(3)] == [DatasetState.READY] * 3
    assert reads == ["a.csv"]
    path.write_text("a,b\n9,2\n")
    os.utime(path, (1, 1))
    assert state_of(known) is DatasetState.CHANGED
    path.unlink()
    assert state_of(known) is DatasetState.MISSING
