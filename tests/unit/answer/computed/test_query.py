"""Answers of SQL: one value, a table, and nothing."""

from core.answer.computed.query import compose_query
from core.domain.answer import Citation
from core.domain.results import Documents, QueryColumn, QueryRow, QueryTable

WORDS = Citation(n=0, document="d", title="T", source="t", version=1, page=1, start=0, end=2, quote="10")
TOTAL = QueryColumn(name="total", kind="money", unit="EUR")
HELD = Documents(present=frozenset({"d"}))


def test_one_row_with_one_column_is_a_value_on_the_words_it_rests_on() -> None:
    row = QueryRow(values=("10.5",), sources=("d|0|1", "d|0|2"), total=2, citations=(WORDS,))
    draft = compose_query(QueryTable(columns=(TOTAL,), rows=(row,), total=1, documents=HELD))
    assert draft.value is not None
    assert (draft.value.value, draft.value.unit) == ("10.50", "EUR")
    assert draft.lead.text == "total is EUR 10.50, over 2 rows."
    assert [span.quote for span in draft.lead.spans] == ["10"]
    assert draft.table is not None
    assert draft.table.documents == ("d",)


def test_rows_are_a_table_with_a_line_each_and_say_what_is_not_shown() -> None:
    columns = (QueryColumn(name="city"), TOTAL)
    rows = tuple(QueryRow(values=(f"c{at}", None), sources=("d|0|1",), total=1) for at in range(30))
    draft = compose_query(QueryTable(columns=columns, rows=rows, total=40, documents=HELD, is_cut=True))
    assert draft.value is None
    assert draft.lines[0].text == "city: c0"
    assert (len(draft.lines), draft.left_out) == (25, 5)
    assert "first 30 rows" in draft.gaps[0]


def test_no_row_and_rows_of_no_table_are_said() -> None:
    assert compose_query(QueryTable(columns=(TOTAL,))).lead.text == "No row fulfils this."
    row = QueryRow(values=("1",))
    assert "rest on no row" in compose_query(QueryTable(columns=(TOTAL,), rows=(row,), total=1)).gaps[0]


def test_rows_without_words_are_said_and_those_with_words_are_not() -> None:
    far = QueryRow(values=("1",), sources=("d|0|200000",), total=1)
    near = QueryRow(values=("1",), sources=("d|0|1",), total=1, citations=(WORDS,))
    assert "no words" in compose_query(QueryTable(columns=(TOTAL,), rows=(near, far), total=2)).gaps[0]
    assert compose_query(QueryTable(columns=(TOTAL,), rows=(near,), total=1)).gaps == ()


def test_it_is_said_how_many_of_its_rows_are_shown() -> None:
    row = QueryRow(values=("10.5",), sources=("d|0|1",), total=212, cited=5, citations=(WORDS,))
    draft = compose_query(QueryTable(columns=(TOTAL,), rows=(row,), total=1, documents=HELD))
    assert draft.lead.text == "total is EUR 10.50, over 212 rows; 5 of 212 rows shown."
    groups = compose_query(QueryTable(columns=(QueryColumn(name="city"), TOTAL), rows=(
        row.model_copy(update={"values": ("Ulm", "1")}), QueryRow(values=("Hof", "2"), total=1, cited=1),
    ), total=2))  # fmt: skip
    assert [each.text.endswith("(5 of 212 rows shown)") for each in groups.lines] == [True, False]


def test_a_row_without_a_value_says_so() -> None:
    draft = compose_query(QueryTable(columns=(TOTAL,), rows=(QueryRow(values=(None,)),), total=1))
    assert (draft.lead.text, draft.value) == ("total: no value.", None)
