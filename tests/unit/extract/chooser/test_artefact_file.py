"""The choosers as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import UsageError
from core.extract.chooser.artefact_file import ARRAYS, FACTS, from_files, read_choosers, to_files


def test_choosers_come_back_as_they_were_written() -> None:
    files = to_files(read_choosers())

    assert to_files(from_files(files)) == files
    assert set(from_files(files).fields) == {"expiration_date", "total", "parties"}


@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
def test_damaged_files_are_named(tmp_path: Path, damage: str) -> None:
    files = to_files(read_choosers())
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    if damage == "gone":
        (tmp_path / ARRAYS).unlink()
    elif damage == "cut":
        (tmp_path / FACTS).write_bytes(files[FACTS][:100])
    else:
        (tmp_path / FACTS).write_text('{"format": 99}')

    with pytest.raises(UsageError, match="cannot be read"):
        read_choosers(tmp_path)
