from __future__ import annotations

from pathlib import Path

import pytest

from core.datasets.sources import sources_of
from core.errors import InputError
from tests.support.row_files import written


def rows(path: Path) -> tuple[tuple[str, ...], list[tuple[int, list[str]]]]:
    (found,) = [(each.heads, [(no, list(row)) for no, row in each.rows]) for each in sources_of(path)]
    return found


def test_rows_keep_their_place_whatever_is_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "sep=;\nn;x\n1;a\n\n2;b;\nTotal;7\n3;c\n")
    heads, found = rows(path)

    assert heads[:2] == ("n", "x")
    assert [(no, row[:2]) for no, row in found] == [(2, ["1", "a"]), (4, ["2", "b"]), (6, ["3", "c"])]


def test_tabs_part_the_cells_of_a_tsv(tmp_path: Path) -> None:
    heads, found = rows(written(tmp_path, "a.tsv", "n\tx, y\n1\ta,b\n"))

    assert heads == ("n", "x, y")
    assert found == [(2, ["1", "a,b"])]


def test_a_list_of_objects_is_read_as_lines_are(tmp_path: Path) -> None:
    heads, found = rows(written(tmp_path, "a.json", '[{"n": 1, "x": null}, {"x": [1, 2]}]'))

    assert heads == ("n", "x")
    assert found == [(1, ["1", ""]), (2, ["", "[1, 2]"])]


def test_what_is_no_text_is_refused_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    with pytest.raises(InputError, match="no text"):
        rows(tmp_path / "picture.csv")
    (tmp_path / "few.csv").write_bytes(b"a,b\n1\0,x\0y\n2,z\n")
    assert [cells for _, cells in rows(tmp_path / "few.csv")[1]] == [["1", "x y"], ["2", "z"]]


def test_an_ending_that_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file of rows"):
        rows(written(tmp_path, "a.docx", "x"))
