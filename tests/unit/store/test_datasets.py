from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.rows.dataset import Bar, DatasetColumn, DatasetProblem, DatasetState, ReadTable
from core.errors import NotFoundError
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.store.datasets import RegisteredFile
from core.store.store import Records

ALL = Visibility.everything()
FILE = RegisteredFile("a.csv", "/data/a.csv", "default", ("finance",), "ann", "h" * 64, 9, 7)
COLUMN = DatasetColumn(
    "n", "N", "money", examples=("1",), chart=(Bar("1", 2),), sketch=(3, 2**52), currencies=("EUR", "")
)
TABLE = ReadTable("", 2, (COLUMN,), (DatasetProblem("odd", "N", (2,)),), "f1/0.parquet", ("N\n1",))


def test_a_table_is_kept_with_all_that_is_known_and_found_by_id_and_name(records: Records) -> None:
    id = records.datasets.put(FILE, "A", "a", TABLE)
    found = records.datasets.get("a", ALL)

    assert (found.id, found.columns, found.problems) == (id, TABLE.columns, TABLE.problems)
    assert records.datasets.put(FILE, "A", "a", TABLE) == id, "done again it changes nothing"
    assert records.datasets.get(id, ALL).version == 1
    assert records.documents.page(id, 1, 1, ALL).text == "N\n1"


def test_a_new_file_is_a_new_version_and_the_old_one_stays(records: Records) -> None:
    id = records.datasets.put(FILE, "A", "a", TABLE)
    records.datasets.put(FILE, "A", "a", replace(TABLE, rows=5, file="f2/0.parquet"))

    assert [records.datasets.get(id, ALL, version).rows for version in (None, 1)] == [5, 2]


def test_names_in_sql_are_taken_once(records: Records) -> None:
    records.datasets.put(FILE, "A", "a", TABLE)
    records.datasets.put(replace(FILE, path="/b/a.csv"), "A", "a", replace(TABLE, file="f3/0.parquet"))

    assert {each.table for each in records.datasets.list(ALL)} == {"a", "a_2"}


def test_its_document_is_in_no_list_and_opened_by_those_whom_its_acl_names(records: Records) -> None:
    id = records.datasets.put(FILE, "A", "a", TABLE)
    ann, bob = Visibility(frozenset({"finance"})), Visibility(frozenset({"legal"}))

    for visible in (ALL, ann, ALL.including_gone()):
        assert records.documents.list(visible) == []
        assert records.documents.count(visible, DocumentQuery()) == 0
    assert records.documents.get(id, ann).id == id
    assert [each.id for each in records.datasets.list(ann)] == [id]
    assert records.datasets.list(bob) == []
    with pytest.raises(NotFoundError):
        records.documents.get(id, bob)
    with pytest.raises(NotFoundError):
        records.datasets.get(id, bob)


def test_a_removed_one_is_kept_apart_and_comes_back(records: Records) -> None:
    id = records.datasets.put(FILE, "A", "a", TABLE)
    before = records.changes.data_version()
    records.datasets.set_removed(id, datetime.now(UTC))

    assert records.datasets.list(ALL) == []
    assert records.datasets.get(id, ALL).state is DatasetState.REMOVED
    assert records.changes.data_version() > before, "whoever keeps a catalogue has to see it"
    records.datasets.set_removed(id, None)
    assert records.datasets.list(ALL, removed=True) == []
