"""What the fields of a set come to: counts, ends, what is unusual. Over a home: the service's tests."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.answer.computed.digest import compose_digest, fields_for
from core.answer.computed.draft import ComputedDraft
from core.answer.computed.source import AnswerFacts
from core.domain.fields import Cell, FieldType, Finding, SummaryKind
from core.domain.ids import DocumentId
from core.domain.results import Documents
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from tests.support.stated_values import absent, day, money, present, quote, text, uncertain

TYPES = {
    "contract_value": (FieldType.MONEY, "Money"),
    "expiration_date": (FieldType.DATE, "Dates and term"),
    "governing_law": (FieldType.TEXT, "Law"),
    "exclusivity": (FieldType.BOOLEAN, "Restrictions"),
    "note": (FieldType.TEXT, "Basics"),
}
FIELDS = tuple(
    FieldEntry("contracts", name, name.replace("_", " ").capitalize(), kind, group=group, documents=1)
    for name, (kind, group) in TYPES.items()
)
IDS = "abcde"
CATALOGUE = Catalogue(
    schemas=(SchemaEntry("contracts", "Contracts", fields=FIELDS),),
    documents=tuple(DocumentEntry(id, f"Lease {id}", f"{id}.txt", "b", "contracts") for id in IDS),
)
PAGE = "It is $5."
SPAN = (quote(PAGE, "$5"),)


def summary_of(
    kind: SummaryKind, findings: dict[str, Sequence[Finding | None]], ids: str = IDS
) -> ComputedDraft:
    cells = {
        (id, name): Cell(DocumentId(id), name, 1, finding)
        for name, some in findings.items()
        for id, finding in zip(IDS, some, strict=False)
        if finding is not None
    }

    def read(documents: Sequence[str], fields: Sequence[str], schema: str) -> AnswerFacts:
        return AnswerFacts(CATALOGUE, {key: cell for key, cell in cells.items() if key[1] in fields}, schema)

    return compose_digest(Documents(present=frozenset(ids)), kind, CATALOGUE, read, lambda _: ())


def told(draft: ComputedDraft, label: str) -> str:
    return next(line.text for line in draft.lines if line.label == label)


def test_amounts_are_told_by_currency_with_who_states_the_least_and_the_most() -> None:
    values = [money("5"), money("40"), money("7", "EUR"), None, None]
    found = [present(each, spans=SPAN) if each is not None else absent() for each in values[:4]]
    draft = summary_of(SummaryKind.FINANCIAL, {"contract_value": [*found, uncertain()]})

    assert told(draft, "Contract value") == (
        "3 of 5 state it, 1 does not, 1 unclear: from USD 5 (“Lease a”) to USD 40 (“Lease b”); "
        "EUR 7 (“Lease c”)"
    )
    assert draft.table is not None
    assert draft.table.rows == (("Contract value", 3, 1, 1, "USD 5", "USD 40"),)
    assert draft.table.members == (("a", "b", "c"),)


def test_dates_have_ends_and_texts_are_counted_by_value() -> None:
    dates = [present(day(f"20{20 + at}-01-02")) for at in range(5)]
    laws = [present(text(each)) for each in ("Iowa", "Iowa", "Ohio", "Iowa", "Ohio")]
    draft = summary_of(SummaryKind.EXECUTIVE, {"expiration_date": dates, "governing_law": laws})

    assert told(draft, "Expiration date").endswith("from 2 Jan 2020 (“Lease a”) to 2 Jan 2024 (“Lease e”)")
    assert told(draft, "Governing law") == "5 of 5 state it: Iowa (3) and Ohio (2)"


def test_what_each_states_otherwise_stands_in_the_table_alone() -> None:
    notes = [present(text(f"note {at}")) for at in range(5)]
    draft = summary_of(SummaryKind.EXECUTIVE, {"note": notes})
    assert [line.label for line in draft.lines] == []
    assert draft.left_out == 1


@pytest.mark.parametrize(
    ("name", "found", "said"),
    [
        (
            "contract_value",
            [*[present(money("5"))] * 4, absent()],
            "“Lease e” does not state it; the other 4 do",
        ),
        (
            "contract_value",
            [*[present(money("5"))] * 4, present(money("500"))],
            "USD 500 in “Lease e” is 100 times",
        ),
        (
            "exclusivity",
            [present(text("true", FieldType.BOOLEAN)), *[absent()] * 4],
            "“Lease a” alone states it",
        ),
    ],
)
def test_what_one_of_many_lacks_has_alone_or_far_above_the_others_is_unusual(
    name: str, found: list[Finding], said: str
) -> None:
    draft = summary_of(SummaryKind.LEGAL if name == "exclusivity" else SummaryKind.FINANCIAL, {name: found})
    label = f"Unusual, {name.replace('_', ' ')}"
    assert any(line.label == label and line.text.startswith(said) for line in draft.lines)


def test_of_three_nothing_is_unusual() -> None:
    found = [present(money("5")), present(money("500")), absent()]
    draft = summary_of(SummaryKind.FINANCIAL, {"contract_value": found}, "abc")
    assert [line.label for line in draft.lines] == ["Contract value"]


def test_a_document_without_sentences_is_told_by_its_fields_and_tables() -> None:
    draft = summary_of(SummaryKind.FINANCIAL, {"contract_value": [present(money("5"), spans=SPAN)]}, "a")
    assert "no sentences that could be shown" in draft.lead.text
    assert told(draft, "Contract value") == "USD 5"


def test_readers_care_for_different_fields_and_only_so_many_are_told() -> None:
    legal = [each.name for each in fields_for(SummaryKind.LEGAL, CATALOGUE.schemas[0])]
    assert legal[0] == "exclusivity"
    assert "contract_value" not in legal
    many = [
        FieldEntry("c", f"x{at}", f"X{at}", FieldType.BOOLEAN, group="Liability", documents=1)
        for at in (1, 2)
    ]
    mixed = SchemaEntry("c", "C", fields=(*many, FIELDS[2]))
    assert [each.name for each in fields_for(SummaryKind.LEGAL, mixed)] == ["x1", "governing_law", "x2"]
