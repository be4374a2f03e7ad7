"""Remarks on results: tables that were asked as one, those that are left out, files that changed, names."""

from core.datasets.base import CheckedQuery, DataTable, QueryRows
from core.datasets.engine import Asked, Mount
from core.datasets.remarks import query_notes
from core.domain.rows.place import TablePlace

ALIKE = {TablePlace(f"d{at}"): f"May {at}" for at in range(3)}


def notes(*parts: TablePlace, remarks: tuple[str, ...] = (), has_names: bool = False) -> tuple[str, ...]:
    """Remarks on a query over some of three tables with the same columns."""
    query = CheckedQuery("", "", ("t",), (), has_names=has_names)
    mount = Mount(DataTable("t", (), 0), (), parts, alike=ALIKE, remarks=remarks)
    return query_notes(Asked(query, QueryRows((), (), ()), {"t": mount}))


def test_tables_that_were_asked_as_one_are_named() -> None:
    (said,) = notes(*ALIKE)
    assert said == "3 tables with the same columns were asked as one: “May 0”, “May 1”, “May 2”."


def test_what_is_left_out_is_named_with_the_way_to_ask_all() -> None:
    (said,) = notes(TablePlace("d1"))
    assert said.startswith("“May 1” is one of 3 tables with these columns; this leaves out “May 0”, “May 2”.")
    assert notes(*list(ALIKE)[:2])[0].startswith("“May 0”, “May 1” are 2 of 3 tables")


def test_files_and_compared_names_are_remarked_on() -> None:
    found = notes(*ALIKE, remarks=("It changed.",), has_names=True)
    assert found[1] == "It changed."
    assert "legal form" in found[2]
