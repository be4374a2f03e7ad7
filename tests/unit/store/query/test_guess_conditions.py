from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.domain.fields import CellStatus, Finding, ReviewAction
from core.domain.ids import DocumentId
from core.domain.matrix import MatrixQuery
from core.domain.predicate import Predicate
from core.errors import UsageError
from core.store.database.visibility import Visibility
from core.store.query.guess_conditions import split
from core.store.store import Records
from tests.support.stated_values import ALL, absent, money, present, put, text, uncertain

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FEES = {
    "sure100": present(money("100.00"), confidence=0.98),
    "sure300": present(money("300.00"), confidence=0.96),
    "maybe200": uncertain(0.62, money("200.00")),
    "maybe900": uncertain(0.3, money("900.00")),
    "nothing": Finding(CellStatus.UNCERTAIN),
    "none": absent(0.99),
}


@pytest.fixture
def filled(records: Records) -> Records:
    for name, finding in FEES.items():
        clause = uncertain(0.8 if name == "nothing" else 0.2)
        put(records, f"{name}.txt", fee=finding, audit=clause)
    return records


def titles(records: Records, *where: Predicate, by: str = "", falling: bool = False) -> list[str]:
    query = MatrixQuery("b", "", ("fee", "audit"), where=where, order_field=by, descending=falling)
    return [row.document.source.removesuffix(".txt") for row in records.fields.matrix_page(ALL, query).rows]


def test_a_page_brings_the_guesses_of_undecided_cells(filled: Records) -> None:
    page = filled.fields.matrix_page(ALL, MatrixQuery("b", "", ("fee", "audit")))
    found = {row.document.source: row.guesses for row in page.rows}

    assert found["maybe200.txt"]["fee"][0].value.text == "200.00"
    assert [each.value.text for each in found["maybe200.txt"]["audit"]] == ["false", "true"]
    assert "fee" not in found["nothing.txt"]
    assert "fee" not in found["sure100.txt"]


def test_guesses_stand_behind_decided_values_or_among_them(filled: Records) -> None:
    rising = titles(filled, by="fee")
    falling = titles(filled, by="fee", falling=True)
    together = titles(filled, by="fee@any")

    assert rising[:4] == ["sure100", "sure300", "maybe200", "maybe900"]
    assert falling[:4] == ["sure300", "sure100", "maybe900", "maybe200"]
    assert together[:4] == ["sure100", "maybe200", "sure300", "maybe900"]
    assert set(rising[4:]) == set(together[4:]) == {"nothing", "none"}


def test_sureness_orders_by_probability_with_what_is_unknown_last(filled: Records) -> None:
    filled.documents.record_failure("b", "broken.txt", "It is damaged.")

    falling = titles(filled, by="fee@sure", falling=True)

    assert falling[:4] == ["none", "sure100", "sure300", "maybe200"]
    assert falling[-2:] == ["nothing", "broken"]


def test_rows_are_filtered_by_a_guess_by_either_and_by_how_sure_they_are(filled: Records) -> None:
    def only(field: str, operator: str, value: str) -> set[str]:
        return set(titles(filled, Predicate(field, operator, value)))

    assert only("fee", ">=", "200 USD") == {"sure300"}
    assert only("fee@guess", ">=", "200 USD") == {"maybe200", "maybe900"}
    assert only("fee@any", "<=", "200 USD") == {"sure100", "maybe200"}
    assert only("fee@sure", ">=", "0.6") == {"sure100", "sure300", "none", "maybe200"}
    assert only("fee@sure", "<", "0.6") == {"maybe900", "nothing"}
    assert only("audit@guess", "=", "true") == {"nothing"}


def test_undecided_cells_come_most_likely_first(filled: Records) -> None:
    found = titles(filled, Predicate("fee", "is", "uncertain"), by="fee@sure", falling=True)

    assert found == ["maybe200", "maybe900", "nothing"]


@pytest.mark.parametrize(
    "predicate",
    [
        Predicate("fee@sure", ">=", "much"),
        Predicate("fee@sure", ">=", "7"),
        Predicate("fee@sure", "contains", "0.5"),
        Predicate("fee@guess", "is", "uncertain"),
        Predicate("fee@luck", "=", "1 USD"),
    ],
)
def test_conditions_that_mean_nothing_are_refused_in_words(filled: Records, predicate: Predicate) -> None:
    with pytest.raises(UsageError) as refused:
        titles(filled, predicate)

    assert refused.value.next_step


def test_guesses_are_counted_beside_what_is_uncertain(filled: Records) -> None:
    counts = filled.fields.counts(ALL, "b", ["fee", "audit"])

    assert (counts["fee"].guessed, counts["fee"].statuses[CellStatus.UNCERTAIN]) == (2, 3)
    assert counts["audit"].guessed == 6


def test_a_verdict_is_no_guess_any_more(filled: Records) -> None:
    page = filled.fields.matrix_page(ALL, MatrixQuery("b", "", ("fee",), text="maybe200"))
    document = DocumentId(page.rows[0].document.id)
    filled.reviews.review(document, "fee", ReviewAction.CONFIRM, "carol", NOW, visible=ALL)

    assert filled.fields.counts(ALL, "b", ["fee"])["fee"].guessed == 1
    assert titles(filled, Predicate("fee@guess", ">=", "1 USD")) == ["maybe900"]
    assert titles(filled, Predicate("fee", "=", "200 USD")) == ["maybe200"]


def test_what_one_may_not_see_is_neither_counted_nor_found(filled: Records) -> None:
    put(filled, "hidden.txt", acl=("legal",), fee=uncertain(0.9, money("50.00")))
    nobody = Visibility(frozenset())
    query = MatrixQuery("b", "", ("fee",), where=(Predicate("fee@guess", ">=", "1 USD"),))

    assert filled.fields.counts(nobody, "b", ["fee"])["fee"].guessed == 2
    assert filled.fields.matrix_page(nobody, query).total == 2
    assert filled.fields.matrix_page(ALL, query).total == 3


def test_values_of_texts_are_guessed_too(records: Records) -> None:
    put(records, "a.txt", law=uncertain(0.6, text("New York")))
    put(records, "b.txt", law=present(text("Texas")))

    assert titles(records, Predicate("law@guess", "contains", "york")) == ["a"]


def test_a_name_is_split_into_its_field_and_what_of_it_is_meant() -> None:
    assert split("fee@any") == ("fee", "any")
    assert split("fee") == ("fee", "")
