"""All fields of a schema over one document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from core.config.fields import (
    FieldDefinition,
    HeadExtractor,
    HeadingExtractor,
    KeyValueExtractor,
    RuleExtractor,
    Schema,
    SemanticExtractor,
)
from core.config.schema_store import shipped_schemas
from core.domain.evidence.sentence_vectors import SentenceVectors
from core.domain.fields import CellStatus, FieldType, Finding, PromiseLevel
from core.domain.passage import Matrix
from core.extract.base import DocumentText, Thresholds
from core.extract.clauses.classifier import HeadFinding
from core.extract.clauses.head_names import HEADS
from core.extract.document_rules import RULES
from core.extract.extractor import Extractor
from core.extract.jobs.work import ALL_RULES
from tests.support.document_text import document_text

_BODY = "Neither party is liable for a delay that events beyond its control have caused."


class GivenHeads:
    """Heads that say a probability whatever the text is."""

    def __init__(self, probability: float) -> None:
        self._probability = probability
        self.levels: Mapping[PromiseLevel, Mapping[str, Thresholds]] = {}

    def find(self, document: DocumentText) -> dict[str, HeadFinding]:
        quote = document.quote(0, 20)
        return {"insurance": HeadFinding("insurance", self._probability, ((quote, 1.0),))}


def _schema(kind: str, *extractors: Any, **values: Any) -> Schema:
    definition = FieldDefinition(
        name="asked", title="Asked", type=FieldType(kind), extractors=extractors, **values
    )
    return Schema(name="mine", title="Mine", fields=(definition,))


def _asked(extractor: Extractor, document: DocumentText, schema: Schema, **values: Any) -> Finding:
    return extractor.extract(document, schema, **values).findings["asked"]


@pytest.mark.parametrize(
    ("probability", "status"),
    [(0.01, CellStatus.ABSENT), (0.5, CellStatus.UNCERTAIN), (0.95, CellStatus.PRESENT)],
)
def test_a_head_decides_three_ways(probability: float, status: CellStatus) -> None:
    schema = _schema("boolean", HeadExtractor(head="insurance"))

    finding = _asked(Extractor(GivenHeads(probability), {}), document_text(_BODY), schema)

    assert (finding.status, finding.method) == (status, "head")


def test_an_admins_thresholds_count_for_their_field() -> None:
    schema = _schema("boolean", HeadExtractor(head="insurance"))
    extractor = Extractor(GivenHeads(0.5), {})

    finding = _asked(extractor, document_text(_BODY), schema, thresholds={"asked": Thresholds(0.1, 0.4)})

    assert finding.status is CellStatus.PRESENT


def test_a_later_method_decides_where_an_earlier_one_doubts() -> None:
    schema = _schema("boolean", HeadExtractor(head="insurance"), HeadingExtractor(headings=("insurance",)))
    text = f"{'Before. ' * 30}\n\n8. INSURANCE\n{_BODY}"

    finding = _asked(Extractor(GivenHeads(0.5), {}), document_text(text), schema)

    assert (finding.status, finding.method) == (CellStatus.PRESENT, "heading")


def test_without_heads_a_clause_is_uncertain_and_says_why() -> None:
    finding = _asked(
        Extractor(None, {}), document_text(_BODY), _schema("boolean", HeadExtractor(head="insurance"))
    )

    assert finding.status is CellStatus.UNCERTAIN
    assert finding.note == "No trained model is installed."


def test_a_field_that_nothing_finds_is_absent() -> None:
    finding = _asked(
        Extractor(None, {}), document_text(_BODY), _schema("text", KeyValueExtractor(keys=("colour",)))
    )

    assert (finding.status, finding.method) == (CellStatus.ABSENT, "key_value")


def test_a_field_for_candidates_only_never_becomes_a_fact() -> None:
    schema = _schema("text", KeyValueExtractor(keys=("colour",)), candidates_only=True)

    finding = _asked(Extractor(None, {}), document_text("Colour: red"), schema)

    assert finding.status is CellStatus.UNCERTAIN
    assert not finding.values
    assert [each.value.text for each in finding.candidates if each.value] == ["red"]


def test_a_document_without_text_has_unreadable_cells() -> None:
    extraction = Extractor(None, {}).extract(document_text(" "), shipped_schemas()["contracts"])

    assert {each.status for each in extraction.findings.values()} == {CellStatus.UNREADABLE}
    assert len(extraction.findings) == len(shipped_schemas()["contracts"].fields)


def test_a_rule_that_fails_costs_its_own_cell_only() -> None:
    def broken(document: DocumentText) -> Finding:
        raise ValueError(document.title)

    schema = Schema(
        name="mine",
        title="Mine",
        fields=(
            FieldDefinition(
                name="a", title="A", type=FieldType.TEXT, extractors=(RuleExtractor(rule="broken"),)
            ),
            FieldDefinition(
                name="b", title="B", type=FieldType.TEXT, extractors=(KeyValueExtractor(keys=("b",)),)
            ),
        ),
    )

    extraction = Extractor(None, {"broken": broken}).extract(document_text("B: 7", title="odd"), schema)

    assert extraction.findings["a"].status is CellStatus.UNCERTAIN
    assert extraction.findings["b"].status is CellStatus.PRESENT
    assert extraction.notes == ("Field 'a' could not be read (ValueError: odd).",)


def test_only_the_named_fields_are_looked_for() -> None:
    extraction = Extractor(None, RULES).extract(
        document_text("Total: $5.00"), shipped_schemas()["invoices"], fields=["total"]
    )

    assert set(extraction.findings) == {"total"}


def test_a_field_is_found_by_meaning_above_one_likeness_and_unsure_below() -> None:
    document = document_text("The lamp is red. The tyre is flat.")
    vectors = SentenceVectors(np.array([[1, 0, 16], [1, 17, 34]]), np.eye(2, dtype=np.float32))
    schema = _schema("text", SemanticExtractor(examples=("a lamp that is red",)))

    def encode(likeness: float) -> Extractor:
        def near(texts: Sequence[str]) -> Matrix:
            rest = float(np.sqrt(1 - likeness**2))
            return np.array([[likeness, rest * 0.0]] * len(texts), np.float32)

        return Extractor(None, {}, encode=near)

    sure = _asked(encode(0.9), document, schema, vectors=vectors)
    unsure = _asked(encode(0.5), document, schema, vectors=vectors)
    none = _asked(encode(0.1), document, schema, vectors=vectors)

    assert (sure.status, sure.spans[0].quote) == (CellStatus.PRESENT, "The lamp is red.")
    assert unsure.status is CellStatus.UNCERTAIN
    assert none.status is CellStatus.ABSENT


def test_facts_come_with_the_findings() -> None:
    text = (
        "INVOICE\nInvoice date: May 1, 2024\nDue date: June 1, 2024\nBill to: Northwind Utilities LLC\n"
        "Total: $5.00\n"
    )

    extraction = Extractor(None, RULES).extract(document_text(text), shipped_schemas()["invoices"])

    assert [(each.name, each.role) for each in extraction.parties] == [
        ("Northwind Utilities LLC", "customer")
    ]
    total = next(each for each in extraction.financials if each.metric == "total")
    assert (total.value.text, total.effective, total.expires) == ("5.00", "2024-05-01", "2024-06-01")


def test_a_clause_knows_the_headings_above_it() -> None:
    text = f"{'Before. ' * 30}\n\nARTICLE IV\nGENERAL\n\n4.1 FORCE MAJEURE\n{_BODY}\n"

    extraction = Extractor(GivenHeads(0.5), RULES).extract(
        document_text(text), shipped_schemas()["contracts"], fields=["force_majeure"]
    )

    (clause,) = extraction.clauses
    assert clause.type == "force_majeure"
    assert "FORCE MAJEURE" in clause.title
    assert clause.quote.quote == _BODY


def test_every_head_of_the_shipped_schemas_is_known() -> None:
    used = {
        extractor.head
        for schema in shipped_schemas().values()
        for definition in schema.fields
        for extractor in definition.extractors
        if extractor.method == "head"
    }

    assert used <= set(HEADS)


def test_every_rule_of_the_shipped_schemas_is_known() -> None:
    used = {
        extractor.rule
        for schema in shipped_schemas().values()
        for definition in schema.fields
        for extractor in definition.extractors
        if extractor.method == "rule"
    }

    assert used <= set(ALL_RULES)
