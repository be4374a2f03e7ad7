from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from core.errors import UsageError
from core.workbench.trust.files import SUMS, csv_bytes, new_zip, put_files


def test_an_archive_has_the_checksums_of_its_files(tmp_path: Path) -> None:
    files = {"b.txt": b"two", "a.txt": b"one"}
    with new_zip(tmp_path / "made.zip") as archive:
        put_files(archive, files)
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        sums = archive.read(SUMS).decode().splitlines()
        assert archive.read("b.txt") == b"two"
    assert sums == [f"{hashlib.sha256(files[name]).hexdigest()}  {name}" for name in ("a.txt", "b.txt")]


def test_a_file_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "made.zip").write_bytes(b"")
    with pytest.raises(UsageError, match="there already"):
        new_zip(tmp_path / "made.zip")
    with pytest.raises(UsageError, match="cannot be written"):
        new_zip(tmp_path / "none" / "made.zip")


def test_a_table_holds_no_formula() -> None:
    assert csv_bytes(("name", "n"), [("=1+1", None)]) == b"name,n\r\n'=1+1,\r\n"
