"""Yes or no, with the reason, over sets of documents and over named ones."""

from __future__ import annotations

import pytest

from core.answer.computed.decisions import Decides, decided, decided_by_count, documents_read
from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.source import AnswerFacts
from core.domain.answer import Value
from core.domain.fields import Candidate, Cell, CellStatus, FieldType, Finding, Quote, TypedValue
from core.domain.ids import DocumentId
from core.domain.predicate import Operator
from core.domain.results import Documents
from core.domain.span import PageSpan
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from core.plan.ir.nodes import Condition, Scope, Select

YES, NO = Value(type="boolean", value="true"), Value(type="boolean", value="false")
FIELDS = (
    FieldEntry("contracts", "cap", "Cap", FieldType.BOOLEAN),
    FieldEntry("contracts", "law", "Governing law", FieldType.TEXT),
)
CATALOGUE = Catalogue(
    schemas=(SchemaEntry("contracts", "Contracts", fields=FIELDS),),
    documents=tuple(DocumentEntry(id, f"Paper {id}", f"{id}.txt", "contracts") for id in "abc"),
)
QUOTE = Quote(
    PageSpan(
        1,
        0,
        8,
    ),
    "Damages.",
)
TRUE = TypedValue(FieldType.BOOLEAN, "true", 1, "", "yes")
IOWA = TypedValue(FieldType.TEXT, "Iowa", None, "", "Iowa", "iowa")
HAS_CAP = Condition(field="cap", op=Operator.EQUAL, value="true")
LACKS_CAP = Condition(field="cap", op=Operator.MISSING)
IN_IOWA = Condition(field="law", op=Operator.EQUAL, value="Iowa")


def cell(id: str, field: str, status: CellStatus, *values: TypedValue) -> tuple[tuple[str, str], Cell]:
    candidates = (Candidate(None, (QUOTE,), 0.6, "head"),) if status is CellStatus.UNCERTAIN else ()
    finding = Finding(status, values, (QUOTE,) if values else (), 0.9, "head", candidates)
    return (id, field), Cell(DocumentId(id), 1, field, finding)


FACTS = AnswerFacts(
    CATALOGUE,
    dict(
        [
            cell("a", "cap", CellStatus.PRESENT, TRUE),
            cell("b", "cap", CellStatus.ABSENT),
            cell("c", "cap", CellStatus.UNCERTAIN),
            cell("a", "law", CellStatus.PRESENT, IOWA),
        ]
    ),
    "contracts",
)


def given(
    decides: Decides, found: Documents, *conditions: Condition, fields: tuple[str, ...] = ()
) -> ComputedDraft:
    node = Select(
        id="s", purpose="", scope=Scope(schema_name="contracts"), conditions=conditions, fields=fields
    )
    draft = ComputedDraft(lead=DraftLine("None of 3 contracts lacks cap."))
    return decided(decides, node, found, FACTS, draft, "contracts")


def documents(present: str = "", absent: str = "", uncertain: str = "") -> Documents:
    return Documents(present=frozenset(present), absent=frozenset(absent), uncertain=frozenset(uncertain))


def test_any_is_yes_where_one_is_known() -> None:
    draft = given("any", documents("a", "b", "c"), HAS_CAP)
    assert draft.value == YES
    assert draft.lead.text.startswith("Yes: ")


def test_any_is_no_only_where_all_is_known() -> None:
    draft = given("any", documents("", "ab"), LACKS_CAP)
    assert (draft.lead.text, draft.value) == ("No: none of 3 contracts lacks cap.", NO)


def test_any_is_open_where_something_is_not_known_and_that_is_named_and_shown() -> None:
    draft = given("any", documents("", "ab", "c"), HAS_CAP)
    assert draft.value is None
    assert draft.lead.text == (
        "Not for sure: none of 3 contracts lacks cap. It is not known of 1 contract: “Paper c”."
    )
    assert [line.text for line in draft.lines] == ["it may be here: “Damages.”"]
    assert draft.confidence < 0.4


def test_all_is_no_with_those_of_which_it_is_not_so() -> None:
    draft = given("all", documents("a", "b", "c"), HAS_CAP)
    assert draft.value == NO
    assert [line.label for line in draft.lines] == ["Paper b"]
    assert draft.table is not None
    assert draft.table.documents == ("b",)


@pytest.mark.parametrize(("uncertain", "value"), [("", YES), ("c", None)])
def test_all_is_yes_where_all_is_known(uncertain: str, value: Value | None) -> None:
    assert given("all", documents("a", "", uncertain), HAS_CAP).value == value


@pytest.mark.parametrize(
    ("decides", "id", "lead", "value"),
    [
        ("there", "a", "Yes: “Paper a” has cap.", YES),
        ("there", "b", "No: “Paper b” has no cap.", NO),
        ("missing", "a", "No: “Paper a” has cap.", NO),
        ("missing", "b", "Yes: “Paper b” has no cap.", YES),
        ("there", "c", "Not for sure: what “Paper c” states about cap is not sure enough.", None),
    ],
)
def test_a_named_document_has_or_lacks_what_is_shown(
    decides: Decides, id: str, lead: str, value: Value | None
) -> None:
    draft = given(decides, documents(id), fields=("cap",))
    assert (draft.lead.text, draft.value) == (lead, value)


def test_a_value_that_is_another_is_given_as_the_reason() -> None:
    draft = given("there", documents("", "a"), IN_IOWA)
    assert (draft.lead.text, draft.value) == ("No: the governing law of “Paper a” is Iowa.", NO)
    assert draft.lines[0].spans


def test_several_named_documents_must_all_be_so() -> None:
    draft = given("there", documents("a", "b"), HAS_CAP)
    assert draft.value == NO
    assert draft.lead.text == "No: it holds of 1 of 2 contracts, and not of “Paper b”."


def test_nothing_is_decided_of_an_empty_scope() -> None:
    draft = given("any", documents(), HAS_CAP)
    assert (draft.value, draft.lead.text.startswith("No: ")) == (None, True)


def test_rows_and_groups_decide_by_their_number() -> None:
    draft = ComputedDraft(lead=DraftLine("No row fulfils this."))
    assert decided_by_count(draft, 3, is_open=True).value == YES
    assert decided_by_count(draft, 0, is_open=False).value == NO
    assert decided_by_count(draft, 0, is_open=True).value is None


def test_reasons_are_read_only_of_what_is_told() -> None:
    found = documents("a", "b", "c")
    assert documents_read("any", found) == frozenset()
    assert documents_read("any", documents("", "b", "c")) == frozenset("c")
    assert documents_read("all", found) == frozenset("b")
    assert documents_read("there", found) == frozenset("abc")
    assert documents_read("", found) == frozenset()
