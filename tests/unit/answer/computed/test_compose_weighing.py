"""What an answer rests on: the fields cited, those that other documents contradict, and repetitions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from core.answer.computed.compose import Weighed, weigh
from core.domain.answer import Citation, Claim, Kind, Route, Verdict
from core.domain.document import OpeningNames
from core.domain.fields import Cell, CellStatus, FieldType, Finding, TypedValue
from core.domain.ids import DocumentId
from core.domain.results import PassageHit, Passages
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, SchemaEntry
from core.plan.ir.nodes import Plan, Select
from core.store.database.visibility import Visibility
from tests.support.stated_values import day, money, quote

PAGE = "The cap is USD 500,000. The cap is USD 900,000."
CATALOGUE = Catalogue(
    "f",
    (
        SchemaEntry(
            "contracts",
            "Contracts",
            (),
            (),
            (FieldEntry("contracts", "cap", "Liability cap", FieldType.MONEY),),
            4,
        ),
    ),
    (),
    tuple(
        DocumentEntry(id, title, f"{id}.pdf", "deals", "contracts", "agreement", parties)
        for id, title, parties in (
            ("a", "Hosting Agreement", ("orion",)),
            ("b", "Hosting Agreement", ("orion",)),
            ("c", "Hosting Agreement", ("castor",)),
            ("d", "Lease", ("orion",)),
        )
    ),
    (),
)


class Cells:
    """A cell source over what a test states."""

    def __init__(self, **stated: Mapping[str, TypedValue]) -> None:
        self._stated = stated

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
        for id in sorted(documents or ()):
            for name, value in self._stated.get(id, {}).items():
                if fields is None or name in fields:
                    at = quote(PAGE, "USD 500,000" if value.text == "500000" else "USD 900,000")
                    found = Finding(CellStatus.PRESENT, (value,), (at,), 0.9, "pattern")
                    yield Cell(DocumentId(id), 1, name, found)


LOW, HIGH = money("500000"), money("900000")


def weighed(
    cells: Cells,
    shown: Collection[str] = ("a",),
    replaced: Mapping[str, Mapping[str, str]] | None = None,
    catalogue: Catalogue = CATALOGUE,
) -> Weighed:
    node = Select(id="s", purpose="p", fields=("cap",))
    plan = Plan(question="q", kind=Kind.LOOKUP, route=Route.STRUCTURED, nodes=(node,), answer_node="s")
    at = PAGE.index("USD 500,000")
    cited = Citation(
        n=1, document="a", title="", source="", version=1, page=1, start=at, end=at + 11, quote="USD 500,000"
    )
    claim = Claim(text="t", verdict=Verdict.COMPUTED, citations=(cited,))
    visible = Visibility.everything()
    return weigh(
        plan, {}, shown, (claim,), cells, catalogue, visible, lambda _visible, _fields: replaced or {}
    )


def states(found: Weighed) -> dict[str, str]:
    return {item.document: item.state for item in found.evidence}


def test_a_document_alike_that_states_another_value_is_a_conflict() -> None:
    found = weighed(Cells(a={"cap": LOW}, b={"cap": HIGH}))
    (conflict,) = found.conflicts
    assert (conflict.subject, conflict.field) == ("Hosting Agreement", "Liability cap")
    assert set(conflict.documents) == {"a", "b"}
    assert len(set(conflict.values)) == 2
    assert states(found) == {"a": "contradicted", "b": "contradicted"}


def test_documents_of_one_title_and_of_different_days_are_different_documents() -> None:
    days = {"a": ("2023-03-14",), "b": ("2024-02-09",)}
    documents = tuple(
        replace(each, opening=OpeningNames(days=days.get(each.id, ()))) for each in CATALOGUE.documents
    )
    nameless = tuple(replace(each, parties=()) for each in CATALOGUE.documents)
    cells = Cells(a={"cap": LOW}, b={"cap": HIGH})

    assert not weighed(cells, catalogue=replace(CATALOGUE, documents=documents)).conflicts
    assert not weighed(cells, catalogue=replace(CATALOGUE, documents=nameless)).conflicts


def test_equal_values_and_other_subjects_are_none() -> None:
    found = weighed(Cells(a={"cap": LOW}, b={"cap": LOW}, c={"cap": HIGH}, d={"cap": HIGH}), ("a", "d"))
    assert not found.conflicts
    assert states(found) == {"a": "used", "d": "unused"}


def test_values_that_hold_at_different_times_do_not_conflict() -> None:
    early = {"cap": LOW, "expiration_date": day("2020-12-31")}
    late = {"cap": HIGH, "effective_date": day("2021-01-01")}
    assert not weighed(Cells(a=early, b=late)).conflicts
    assert weighed(Cells(a=early, b={**late, "effective_date": day("2020-12-31")})).conflicts


def test_what_an_amendment_replaces_is_no_conflict() -> None:
    cells = Cells(a={"cap": LOW}, b={"cap": HIGH})
    assert not weighed(cells, replaced={"cap": {"a": "x"}}).conflicts


def test_passages_of_searches_stand_beside_the_fields() -> None:
    plan = Plan(
        question="q",
        kind=Kind.LOOKUP,
        route=Route.STRUCTURED,
        nodes=(Select(id="s", purpose="p"),),
        answer_node="s",
    )
    hits = tuple(
        PassageHit(
            passage=at, document=id, version=1, page=1, start=0, end=23, text=PAGE[:23], score=0.5 - at / 10
        )
        for at, id in enumerate(("a", "b"))
    )
    found = weigh(
        plan,
        {"f": Passages(hits=hits)},
        (),
        (),
        Cells(),
        CATALOGUE,
        Visibility.everything(),
        lambda _visible, _fields: {},
    )
    assert [(item.kind, item.document, item.state) for item in found.evidence] == [
        ("passage", "a", "unused"),
        ("passage", "b", "duplicate"),
    ]
