"""Files with the same columns as one table: which are, what keeps others apart, what SQL takes."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest

from core.datasets.base import ROWS_OF_FILE, QueryRefusedError
from core.datasets.families import apart, families, family_of, file_names, near_remark, row_files
from core.domain.ids import DocumentId
from core.domain.rows.dataset import Bar, Dataset, DatasetColumn, DatasetState

AMOUNT = DatasetColumn("amount", "Amount", "money", unit="EUR", filled=2, distinct=2)
REGION = DatasetColumn(
    "region", "Region", "text", filled=2, distinct=2, often=(Bar("North", 1), Bar("East", 1))
)


def dataset(name: str, *columns: DatasetColumn, folder: str = "/data/sales", sheet: str = "") -> Dataset:
    """A registered file of two rows."""
    path = f"{folder}/{name}.csv"
    return Dataset(
        id=DocumentId(f"id-{name}{sheet}"), name=name, table=name.replace("-", "_"), source=path, path=path,
        sheet=sheet, bucket="b", acl=(), owner="u", version=1, rows=2, columns=columns, problems=(),
        file=f"{name}.parquet", content_hash="h", size_bytes=10, modified_ns=0,
        registered_at=datetime(2026, 1, 1, tzinfo=UTC),
    )  # fmt: skip


def test_files_with_the_same_columns_in_any_order_are_one_with_a_column_of_files() -> None:
    one, other = dataset("sales-01", REGION, AMOUNT), dataset("sales-02", AMOUNT, REGION)
    (family,) = families([one, other])
    assert (family.name, family.table, family.rows) == ("sales", "sales_files", 4)
    assert [each.name for each in family.columns] == ["file", "region", "amount"]
    assert [each.label for each in family.columns[0].often] == ["sales-01.csv", "sales-02.csv"]
    assert family.columns[1].often == (Bar("North", 2), Bar("East", 2))
    assert family.files == (one, other)


def test_a_file_with_other_columns_or_types_stays_apart_and_it_is_said_why() -> None:
    first, second = dataset("a", REGION, AMOUNT), dataset("b", REGION, AMOUNT)
    text = dataset("c", REGION, replace(AMOUNT, type="text", unit=""))
    more = dataset("d", REGION, AMOUNT, DatasetColumn("day", "Day", "date", filled=2))
    found = families([first, second, text, more])
    assert [len(each.files) for each in found] == [2, 0, 0]
    assert [(each.name, reason) for each, reason in apart(found[0], found)] == [
        ("c", "Amount is text, and money there"),
        ("d", "it has Day beside"),
    ]


def test_files_that_are_not_alike_any_more_are_refused_and_those_that_nearly_are_are_said() -> None:
    first, text = dataset("a", REGION, AMOUNT), dataset("c", REGION, replace(AMOUNT, type="text", unit=""))
    with pytest.raises(QueryRefusedError, match="have changed since"):
        family_of([first, text], "sales_files")
    assert "“c” (Amount is text, and money there)" in next(near_remark(apart(first, [first, text])))
    assert list(near_remark([])) == []


def test_a_column_without_a_value_is_of_every_type_and_other_buckets_are_other_tables() -> None:
    empty = dataset("c", REGION, DatasetColumn("amount", "Amount", "text"))
    assert len(families([dataset("a", REGION, AMOUNT), empty])) == 1
    assert (
        len(families([dataset("a", REGION, AMOUNT), replace(dataset("b", REGION, AMOUNT), bucket="x")])) == 2
    )


def test_files_of_one_table_are_not_kept_apart() -> None:
    one, other, third = (dataset(f"sales-{n}", REGION, AMOUNT) for n in range(3))
    (pair,), (every,) = families([one, other]), families([one, other, third])
    assert apart(pair, [one, other, third]) == apart(one, [every]) == []


def test_values_are_counted_only_where_each_file_says_all_of_them() -> None:
    many = replace(REGION, filled=9, distinct=7)
    region = families([dataset("a", REGION), dataset("b", many)])[0].column("region")
    assert region is not None
    assert region.often == (Bar("North", 0), Bar("East", 0))


def test_the_state_of_several_files_is_the_worst_of_theirs() -> None:
    one, other = dataset("a", REGION), replace(dataset("b", REGION), state=DatasetState.CHANGED)
    assert families([one, other])[0].state is DatasetState.CHANGED


def test_names_of_files_tell_sheets_and_folders_apart() -> None:
    sheets = [replace(dataset("book", REGION), sheet=sheet) for sheet in ("Jan", "Feb")]
    assert file_names(sheets) == ["book.csv · Jan", "book.csv · Feb"]
    folders = [dataset("jan", REGION, folder=f"/data/{year}") for year in (2023, 2024)]
    assert file_names(folders) == ["2023/jan.csv", "2024/jan.csv"]
    assert families(folders)[0].name == "jan"


def test_rows_are_put_below_each_other_with_the_currency_of_each(tmp_path: Path) -> None:
    dollars = replace(AMOUNT, unit="USD")
    mixed = replace(AMOUNT, unit="", currency="amount_currency")
    beside = DatasetColumn(
        "amount_currency", "Amount (currency)", "text", often=(Bar("GBP", 1), Bar("EUR", 1))
    )
    files = [dataset("a", AMOUNT), dataset("b", dollars), dataset("c", mixed, beside)]
    with duckdb.connect() as db:
        for at, each in enumerate(files):
            currency = ", 'GBP' AS amount_currency" if each.column("amount_currency") else ""
            db.execute(f"COPY (SELECT 2 AS _row, {at}.5 AS amount{currency}) TO '{tmp_path / each.file}'")
        (family,) = families(files)
        taken = row_files(family, tmp_path, file_names(files))
        parts = (f"SELECT {f.columns} FROM '{f.path}'" for f in taken)
        rows = " UNION ALL BY NAME ".join(parts)
        columns = f"file, amount, amount_currency, _row % {ROWS_OF_FILE}"
        found = db.execute(f"SELECT {columns} FROM ({rows})").fetchall()
    assert [(file, float(amount), currency, row) for file, amount, currency, row in found] == [
        ("a.csv", 0.5, "EUR", 2), ("b.csv", 1.5, "USD", 2), ("c.csv", 2.5, "GBP", 2),
    ]  # fmt: skip
    amount = family.column("amount")
    assert amount is not None
    assert (amount.unit, amount.currency) == ("", "amount_currency")


def test_a_column_of_the_files_never_is_where_the_currencies_of_several_stand() -> None:
    own = DatasetColumn(
        "amount_currency", "Amount currency", "text", filled=2, distinct=1, often=(Bar("local", 2),)
    )
    (family,) = families([dataset("a", AMOUNT, own), dataset("b", replace(AMOUNT, unit="USD"), own)])
    said = {
        each.name: (each.currency, [(bar.label, bar.rows) for bar in each.often])
        for each in family.columns[1:]
    }
    assert said == {
        "amount": ("amount_currency_2", []),
        "amount_currency": ("", [("local", 4)]),
        "amount_currency_2": ("", [("EUR", 2), ("USD", 2)]),
    }


def test_currencies_are_counted_only_where_those_of_each_file_are_all_known() -> None:
    mixed = replace(AMOUNT, unit="", currency="amount_currency")
    beside = DatasetColumn("amount_currency", "Amount (currency)", "text", filled=2, distinct=2)
    (family,) = families([dataset("a", AMOUNT), dataset("b", mixed, beside)])
    holder = family.column("amount_currency")
    assert holder is not None
    assert holder.often == ()
