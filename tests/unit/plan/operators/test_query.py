"""SQL over rows of documents: figures, citations, access."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.datasets.engine import RowEngine
from core.datasets.sql.process import QueryProcess
from core.domain.fields import AnnotationRow, Extraction, FieldType, Quote, RowCell, TypedValue
from core.domain.ids import DocumentId
from core.domain.results import QueryTable
from core.domain.span import PageSpan
from core.errors import RefusedError, UsageError
from core.plan.ir.nodes import Query
from core.plan.operators import RecordOperators
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.operating import ASKING, Desk, NoIndex, values_in

PAGE = "City Spend\nOslo EUR 10.10\nRome EUR 20.20\nOslo EUR 30.00\nTotal EUR 60.30"


def _row(number: int, line: str, *, is_total: bool = False, unit: str = "EUR") -> AnnotationRow:
    start = PAGE.index(line)
    city, _, amount = line.split(" ")

    def quote(text: str) -> Quote:
        at = start + line.index(text)
        return Quote(PageSpan(1, at, at + len(text)), text)

    money = TypedValue(FieldType.MONEY, amount, int(amount.replace(".", "")) * 100, unit)
    cells = (
        RowCell("City", TypedValue(FieldType.TEXT, city), quote(city)),
        RowCell("Spend (2024)", money, quote(amount)),
    )
    return AnnotationRow(0, number, cells, is_total)


ROWS = tuple(
    _row(at, line, is_total=line.startswith("Total")) for at, line in enumerate(PAGE.splitlines()[1:], 1)
)


class QueryDesk(Desk):
    """Records with operators that may run SQL."""

    def __init__(self, records: Records, engine: RowEngine) -> None:
        super().__init__(records)
        self.operators = RecordOperators(
            records, NoIndex(), lambda _visible: ASKING, values_in, engine=lambda: engine
        )


@pytest.fixture(scope="module")
def process() -> Iterator[QueryProcess]:
    with QueryProcess() as process:
        yield process


@pytest.fixture
def asking(desk: Desk, tmp_path: Path, process: QueryProcess) -> QueryDesk:
    made = QueryDesk(desk.records, RowEngine(desk.records, tmp_path, process))
    made.put("spend.xlsx", PAGE, rows=ROWS)
    return made


def _query(desk: Desk, sql: str, *sources: str) -> Query:
    places = [f"{desk.ids[each]}|0" for each in sources or ("spend.xlsx",)]
    return Query.model_validate(
        {"id": "q", "purpose": "p", "sql": sql, "tables": [{"name": "spend", "places": places}]}
    )


def _run(desk: Desk, sql: str, *sources: str, visible: Visibility | None = None) -> QueryTable:
    found = desk.run(_query(desk, sql, *sources), visible=visible or Visibility.everything())
    assert isinstance(found, QueryTable)
    return found


def test_groups_cite_the_characters_of_their_rows_and_leave_totals_out(asking: QueryDesk) -> None:
    found = _run(asking, 'select city, sum("Spend (2024)") as spent from spend group by city order by 2 desc')
    assert [row.values for row in found.rows] == [("Oslo", "40.1"), ("Rome", "20.2")]
    assert (found.columns[1].kind, found.columns[1].unit) == ("money", "EUR")
    assert [row.total for row in found.rows] == [2, 1]
    assert [each.quote for each in found.rows[0].citations] == ["Oslo", "10.10", "Oslo", "30.00"]
    assert all(PAGE[c.start : c.end] == c.quote for row in found.rows for c in row.citations)
    assert found.documents.present == {asking.ids["spend.xlsx"]}


def test_rows_of_several_documents_are_one_table_that_names_them(asking: QueryDesk) -> None:
    asking.put("other.xlsx", f"{PAGE}\nmore", rows=ROWS[:2])
    both = ("spend.xlsx", "other.xlsx")
    found = _run(asking, "select document, count(*) n from spend group by 1 order by n", *both)
    assert [row.values[1] for row in found.rows] == ["2", "3"]
    assert {row.citations[0].document for row in found.rows} == {asking.ids[each] for each in both}


def test_a_document_that_is_hidden_changes_no_figure_and_is_no_table(asking: QueryDesk) -> None:
    asking.put("secret.xlsx", f"{PAGE}\nsecret", rows=ROWS, acl=("board",))
    visible = Visibility(groups=frozenset({"staff"}))
    assert _run(asking, "select count(*) from spend", visible=visible).rows[0].values == ("3",)
    with pytest.raises(RefusedError, match="no table"):
        _run(asking, "select count(*) from spend", "spend.xlsx", "secret.xlsx", visible=visible)
    with pytest.raises(RefusedError, match="no table"):
        _run(asking, "select count(*) from spend", "secret.xlsx", visible=visible)


def test_rows_that_were_read_anew_are_asked_anew(asking: QueryDesk) -> None:
    assert _run(asking, "select count(*) from spend").rows[0].values == ("3",)
    again = Extraction("contracts", {}, ROWS[:1])
    asking.records.fields.put(DocumentId(asking.ids["spend.xlsx"]), 1, again, "another")
    assert _run(asking, "select count(*) from spend").rows[0].values == ("1",)


def test_amounts_in_several_currencies_have_a_column_of_them(asking: QueryDesk) -> None:
    mixed = (ROWS[0], _row(2, "Rome EUR 20.20", unit="USD"))
    asking.put("mixed.xlsx", f"{PAGE}\nmixed", rows=mixed)
    with pytest.raises(RefusedError, match="several currencies"):
        _run(asking, "select sum(spend_2024) from spend", "mixed.xlsx")
    found = _run(
        asking,
        "select spend_2024_currency c, sum(spend_2024) s from spend group by 1 order by 1",
        "mixed.xlsx",
    )
    assert [row.values for row in found.rows] == [("EUR", "10.1"), ("USD", "20.2")]


def test_what_is_no_select_is_refused_and_without_an_engine_nothing_runs(asking: QueryDesk) -> None:
    with pytest.raises(RefusedError):
        _run(asking, "drop table spend")
    with pytest.raises(UsageError):
        Desk(asking.records).run(_query(asking, "select 1"))


def test_its_json_is_the_node_again(asking: QueryDesk) -> None:
    node = _query(asking, "select 1 as one from spend")
    assert Query.model_validate(json.loads(node.model_dump_json())) == node
