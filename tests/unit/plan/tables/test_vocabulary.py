"""Words by which columns, values and titles of invented tables are known, and the tables that match them."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.plan.catalogue import ColumnEntry, DocumentEntry, KnownCatalogue, TableEntry, TablePart
from core.plan.language.interpretation import lexicon_of
from core.plan.language.pieces import stem, stems, tokens_of
from core.plan.tables.header import ColumnKind
from core.plan.tables.vocabulary import (
    UNKNOWN,
    TablesVocabulary,
    TableVocabulary,
    is_nameless,
    tables_vocabulary,
    vocabulary_of,
)
from tests.support.table_catalogue import catalogue, days, numbers, texts, vocabulary


def words_of(*entries: ColumnEntry, rows: int = 4) -> TableVocabulary:
    return vocabulary_of(TableEntry(entries, ("d",), rows=rows), KnownCatalogue())


def named(words: TableVocabulary, word: str) -> list[str]:
    (token,) = tokens_of(word)
    return [column.entry.name for column, _ in words.named_by(token)]


def test_a_column_is_known_by_its_name_as_it_is_written_and_in_plain_words() -> None:
    words = vocabulary(0)
    assert words.names[stems("order number")] == [words.columns[0]]
    assert words.names[stems("Order No")] == [words.columns[0]]


def test_the_last_word_of_a_name_weighs_more_than_the_others() -> None:
    weights = {word: dict(vocabulary(0).aliases[word]) for word in ("order", "date")}
    column = vocabulary(0).columns[2]
    assert weights["order"][column] < weights["date"][column]


def test_words_of_like_meaning_stand_for_a_column() -> None:
    assert named(vocabulary(0), "clients") == ["Customer"]
    assert "Amount (EUR)" in named(vocabulary(0), "revenue")
    assert named(vocabulary(0), "purple") == []


def test_a_text_is_known_whole_and_by_its_words() -> None:
    words = vocabulary(0)
    assert [cell.text for cell in words.cells[stems("Oak panels")]] == ["Oak panel"]
    assert [cell.text for cell in words.cell_words[stem("steel")]] == ["Steel beam"]
    assert words.cells.get(stems("2024")) is None


def test_what_rows_are_called_that_add_up_others_is_known_as_such() -> None:
    words = words_of(texts("City", 4, "Graz", totals=("All cities",)), numbers("Visits", 4, "3"))
    assert [(cell.text, cell.is_total) for cell in words.cells[stems("All cities")]] == [("All cities", True)]


def test_a_flag_is_known_with_its_opposite() -> None:
    flags = words_of(texts("is_paid", 4, "yes", "no")).flags
    assert flags[stems("paid")][1]
    assert not flags[stems("unpaid")][1]
    assert flags[stems("is paid")][1]


def test_a_day_that_is_missing_is_what_was_not_done_yet() -> None:
    flags = words_of(days("Closed", 4, "2024-01-01", "2024-02-01")).flags
    assert flags[stems("open")] == (flags[stems("open")][0], False)


def test_the_subject_is_a_name_or_else_a_code_or_the_first_text() -> None:
    found = [vocabulary(at).subject for at in range(4)]
    assert [each.entry.name for each in found if each] == ["Order No", "Name", "Source", "Team"]
    assert words_of(numbers("Visits", 4, "3", "9")).subject is None


def test_rows_are_called_what_their_sheet_or_their_subject_is() -> None:
    assert vocabulary(0).called_rows == {"order"}
    assert {"team", "club"} <= vocabulary(3).nouns


def test_rows_of_another_sheet_of_the_workbook_are_rivals() -> None:
    assert "order" in vocabulary(1).rivals
    assert vocabulary(4).rivals == frozenset()


def test_values_without_a_name_are_called_what_their_table_is() -> None:
    words = vocabulary(2)
    assert is_nameless(words.columns[2])
    assert named(words, "energy") == ["Value (GWh)"]
    assert not is_nameless(words.columns[0])


def test_titles_are_those_of_the_sheet_its_caption_and_the_document() -> None:
    (title,) = vocabulary(2).titles.values()
    assert title == {"balanc", "energi"}


def test_a_table_without_parts_stands_for_each_of_its_documents() -> None:
    words = vocabulary_of(TableEntry((numbers("Visits", 4, "3"),), ("a", "b"), rows=4), KnownCatalogue())
    assert words.parts == (TablePart("a", UNKNOWN), TablePart("b", UNKNOWN))
    assert words.documents == ()


def test_columns_of_a_kind_keep_their_order() -> None:
    found = vocabulary(0).of_kind(ColumnKind.DAY, ColumnKind.FLAG)
    assert [column.entry.name for column in found] == ["Order Date", "Closed", "Express"]


def test_the_likeliest_tables_have_most_of_the_words() -> None:
    known = TablesVocabulary(catalogue())
    assert known.likeliest({"hamburg"}, (), 3) == [known.tables[1]]
    assert known.likeliest({"oak", "product", "hamburg"}, (), 1) == [known.tables[0]]


def test_words_that_no_table_has_leave_few_tables_and_choose_none_of_many() -> None:
    known = TablesVocabulary(catalogue())
    assert known.likeliest({"purple"}, (), 9) == known.tables
    assert known.likeliest({"purple"}, (), 2) == []


def test_tables_of_other_buckets_are_never_likely() -> None:
    known = TablesVocabulary(catalogue())
    assert known.likeliest({"hamburg"}, ("elsewhere",), 9) == []
    assert known.likeliest({"hamburg"}, ("default",), 9) == [known.tables[1]]


def test_a_column_whose_values_another_table_has_once_is_a_key() -> None:
    known = TablesVocabulary(catalogue())
    orders, customers = known.tables[:2]
    ((key, other),) = known.keys_of(orders)
    assert (key.left.entry.name, key.right.entry.name, key.share) == ("Customer", "Customer ID", 1.0)
    assert other is customers
    assert known.keys_of(customers) == [(key, orders)]
    assert known.keys_of(known.tables[3]) == []


def test_tables_of_other_buckets_share_no_key() -> None:
    left = TableEntry((texts("Part", 4, "A-1", "A-2"),), ("a",), rows=4)
    right = TableEntry((texts("Part", 2, "A-1", "A-2"),), ("b",), rows=2)
    far, near = (
        KnownCatalogue(
            documents=(
                DocumentEntry("a", "a", "a.csv", "one"),
                DocumentEntry("b", "b", "b.csv", bucket),
            ),
            tables=(left, right),
        )
        for bucket in ("two", "one")
    )
    first, second = TablesVocabulary(far), TablesVocabulary(near)
    assert first.keys_of(first.tables[0]) == []
    assert len(second.keys_of(second.tables[0])) == 1


def test_numbers_that_are_alike_by_chance_are_no_key() -> None:
    left = TableEntry((numbers("Quantity", 4, "1", "2"),), ("d",), rows=4)
    right = TableEntry((numbers("Rank", 2, "1", "2"),), ("d",), rows=2)
    found = TablesVocabulary(
        KnownCatalogue(documents=(DocumentEntry("d", "d", "d.xlsx", "one"),), tables=(left, right))
    )
    assert found.keys_of(found.tables[0]) == []


def test_a_table_without_columns_is_left_out() -> None:
    assert TablesVocabulary(KnownCatalogue(tables=(TableEntry((), ("d",)),))).tables == []


def test_texts_of_days_and_numbers_are_no_cells() -> None:
    entry = ColumnEntry("Due", FieldType.DATE, rows=4, texts=("soon",))
    assert not words_of(entry).cells


def test_the_vocabularies_of_a_catalogue_are_made_once() -> None:
    lexicon = lexicon_of(catalogue())
    assert tables_vocabulary(lexicon) is tables_vocabulary(lexicon)
