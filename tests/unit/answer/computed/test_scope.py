"""What an answer says of its scope: which documents were asked, and which are not known, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from core.answer.computed.compose import _text, compose
from core.answer.computed.draft import ComputedDraft
from core.answer.computed.rows import RowKey
from core.domain.answer import Kind, Ledger, OtherKind, Route
from core.domain.document import FilePart
from core.domain.fields import AnnotationRow, Cell, CellStatus, FieldType, Finding, TypedValue
from core.domain.ids import DocumentId
from core.domain.predicate import Operator
from core.domain.results import ComparedRow, Comparison, Documents, Group, Groups, Result, Unknown
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from core.plan.ir.nodes import (
    Aggregate,
    Compare,
    Condition,
    Hop,
    Node,
    Plan,
    Reference,
    Scope,
    Select,
)
from core.store.database.visibility import Visibility

FIELDS = (
    FieldEntry("contracts", "contract_value", "Contract value", FieldType.MONEY),
    FieldEntry("contracts", "governing_law", "Governing law", FieldType.TEXT),
    FieldEntry("contracts", "document_kind", "Kind of document", FieldType.TEXT),
)
KINDS = {"a": "agreement", "b": "agreement", "c": "policy", "d": ""}
CATALOGUE = Catalogue(
    schemas=(SchemaEntry("contracts", "Contracts", fields=FIELDS),),
    documents=tuple(
        DocumentEntry(id, f"Paper {id}", f"{id}.txt", "contracts", "contracts", kind)
        for id, kind in KINDS.items()
    ),
)
SCOPE = Scope(schema_name="contracts")
KIND = Condition(field="document_kind", op=Operator.EQUAL, value="agreement", narrows=True)
DEAR = Condition(field="contract_value", op=Operator.GREATER, value="100 EUR")


class Held:
    """Cells by document of the contract value; what is not there is no cell."""

    def __init__(self, **cells: CellStatus) -> None:
        self.held = cells

    def unread(self, visible: Visibility, documents: Collection[DocumentId]) -> frozenset[DocumentId]:
        """None."""
        del visible, documents
        return frozenset()

    def cells(
        self,
        visible: Visibility,
        *,
        bucket: str | None = None,
        documents: Collection[DocumentId] | None = None,
        fields: Collection[str] | None = None,
    ) -> Iterable[Cell]:
        """Those of the documents."""
        for id, status in self.held.items():
            if documents is None or id in documents:
                value = TypedValue(FieldType.MONEY, "50", None, "USD", "USD 50", "")
                values = (value,) if status is CellStatus.PRESENT else ()
                yield Cell(DocumentId(id), 1, "contract_value", Finding(status, values, (), 0.9, "x"))


class NoRows:
    """No tables."""

    def read(self, keys: Sequence[RowKey]) -> dict[RowKey, AnnotationRow]:
        """None."""
        return {}

    def versions(self, within: Collection[str]) -> dict[str, int]:
        """None."""
        return {}

    def missing_parts(self, versions: Mapping[str, int]) -> dict[str, tuple[FilePart, ...]]:
        """None."""
        return {}


def composed(result: Result, *nodes: Node, cells: Held | None = None) -> tuple[ComputedDraft, Ledger]:
    plan = Plan(
        question="q", kind=Kind.AGGREGATE, route=Route.STRUCTURED, nodes=nodes, answer_node=nodes[-1].id
    )
    given = {nodes[-1].id: result}
    draft = compose(plan, given, cells or Held(), CATALOGUE, Visibility(None), NoRows())
    assert draft is not None
    assert draft.ledger is not None
    return draft, draft.ledger


def test_an_amount_in_another_currency_is_not_called_unsure() -> None:
    node = Select(id="s", purpose="", scope=SCOPE, conditions=(KIND, DEAR))
    found = Documents(
        absent=frozenset("a"),
        uncertain=frozenset("b"),
        unknown={"b": Unknown(field="contract_value", reason="USD")},
    )
    draft, _ = composed(found, node)
    assert draft.lead.text == (
        "None of 2 contracts is known to have a contract value above EUR 100: "
        "1 contract states it in USD, which is not compared."
    )
    assert draft.gaps == (
        "1 contract is uncertain: contract value is stated in USD, which is not compared with other units. "
        "Ask in USD to compare.",
    )


def test_none_is_none_where_all_is_known() -> None:
    node = Select(id="s", purpose="", scope=SCOPE, conditions=(KIND, DEAR))
    draft, _ = composed(Documents(absent=frozenset("ab")), node)
    assert draft.lead.text == "None of 2 contracts has a contract value above EUR 100."


def test_groups_of_documents_of_several_kinds_say_which_are_in_scope() -> None:
    select = Select(id="s", purpose="", scope=SCOPE)
    node = Aggregate(
        id="g", purpose="", inputs=("s",), function="avg", field="contract_value", group_by=("governing_law",)
    )
    group = Group(key=("Iowa",), value="50", unit="USD", rows=1, documents=("a",))
    asked = Documents(present=frozenset("a"), absent=frozenset("bc"), unreadable=frozenset("d"))
    found = Groups(
        function="avg",
        field="contract_value",
        group_by=("governing_law",),
        value_type="money",
        groups=(group,),
        rows=1,
        documents=asked,
    )
    draft, ledger = composed(found, select, node)
    said = (
        "4 documents are counted, of every kind. In scope are 2 agreements, 1 policy and 1 of unknown kind."
    )
    assert draft.scope == ledger.scope_said == said
    assert "of documents" in draft.lead.text
    assert (ledger.scope, ledger.total, ledger.other_kinds) == (4, 4, ())


def test_kinds_that_are_not_asked_for_are_counted_beside_the_scope_and_said() -> None:
    node = Select(id="s", purpose="", scope=SCOPE, conditions=(KIND, DEAR))
    found = Documents(present=frozenset("a"), absent=frozenset("b"), uncertain=frozenset("d"))
    draft, ledger = composed(found, node)
    said = "3 agreements are counted, of 4 documents in “contracts”: 1 policy is left out."
    assert draft.lead.text == "1 of 3 contracts has a contract value above EUR 100."
    assert draft.scope == ledger.scope_said == said
    assert ledger.other_kinds == (OtherKind(schema_name="contracts", kind="policy", documents=1),)
    assert f"\n\n{said}" in _text(draft, [draft.lead.text])


def test_what_the_question_narrows_is_no_kind_that_is_left_out() -> None:
    within = Select(id="w", purpose="", scope=SCOPE, conditions=(KIND,))
    policy = Select(
        id="p", purpose="", scope=SCOPE, conditions=(KIND.model_copy(update={"value": "policy"}),)
    )
    limit = Hop(id="h", purpose="", inputs=("p",), field="contract_value")
    above = DEAR.model_copy(update={"value": Reference(node="h")})
    node = Select(id="s", purpose="", inputs=("w", "h"), scope=Scope(), conditions=(above,))
    _, ledger = composed(Documents(present=frozenset("a")), within, policy, limit, node)
    assert ledger.scope_said == (
        "1 agreement is counted, of 4 documents in “contracts”: 1 policy is left out; "
        "2 more are not what is asked about."
    )
    assert (ledger.outside, ledger.total) == (2, 4)


def test_one_document_that_is_named_leaves_nothing_out() -> None:
    named = Select(id="s", purpose="", scope=Scope(schema_name="contracts", documents=("a",)))
    _, ledger = composed(Documents(present=frozenset("a")), named)
    assert (ledger.scope_said, ledger.other_kinds, ledger.total) == ("", (), 0)


def test_the_ledger_of_a_comparison_is_of_its_sides() -> None:
    sides = [Select(id=id, purpose="", scope=SCOPE, conditions=(KIND,)) for id in ("x", "y")]
    node = Compare(id="c", purpose="", inputs=("x", "y"), labels=("X", "Y"), fields=("contract_value",))
    found = Comparison(
        labels=("X", "Y"),
        fields=("contract_value",),
        rows=(
            ComparedRow(side="X", document="a", values=("50 USD",)),
            ComparedRow(side="Y", document="b", values=(None,)),
            ComparedRow(side="Y", document="d", values=(None,)),
        ),
        documents=Documents(present=frozenset("abd"), absent=frozenset("c")),
    )
    cells = Held(a=CellStatus.PRESENT, b=CellStatus.ABSENT, d=CellStatus.UNCERTAIN)
    draft, ledger = composed(found, *sides, node, cells=cells)
    assert draft.table is not None
    assert ledger.documents.present == draft.table.documents == ("a",)
    assert (ledger.scope, ledger.documents.absent, ledger.documents.uncertain) == (3, ("b",), ("d",))
    assert ledger.reasons["d"] == "Contract value: it is not sure what it states"


def test_a_side_of_which_nothing_is_known_is_said_and_costs_confidence() -> None:
    sides = [Select(id=id, purpose="", scope=SCOPE, conditions=(KIND,)) for id in ("x", "y")]
    node = Compare(id="c", purpose="", inputs=("x", "y"), labels=("X", "Y"), fields=("contract_value",))
    row = ComparedRow(side="X", document="a", values=("50 USD",))
    found = Comparison(
        labels=("X", "Y"),
        fields=("contract_value",),
        rows=(row,),
        documents=Documents(present=frozenset("a")),
    )
    draft, _ = composed(found, *sides, node, cells=Held(a=CellStatus.PRESENT))

    assert "Nothing was found for Y." in draft.gaps
    assert draft.confidence < 0.5


def test_of_an_empty_scope_nothing_is_said_but_that_it_is_empty() -> None:
    node = Select(id="s", purpose="", scope=SCOPE, conditions=(KIND, DEAR))
    draft, _ = composed(Documents(), node)
    assert draft.lead.text == "There are no contracts here, so nothing can be said of them."
    assert draft.confidence < 0.4
