"""Values of queries: names of columns in any case, source rows once each."""

from core.datasets.base import DataType, QueryRows, RowSources
from tests.support.data_tables import SPEND


def test_a_column_is_found_in_any_case() -> None:
    column = SPEND.column("Amount")
    assert column is not None
    assert column.type is DataType.MONEY
    assert SPEND.column("nothing") is None


def test_each_source_row_is_told_once() -> None:
    sources = (RowSources((("t", 1), ("t", 2)), 2), RowSources((("t", 2), ("u", 1)), 2))
    assert QueryRows((), (), sources).cited() == [("t", 1), ("t", 2), ("u", 1)]
