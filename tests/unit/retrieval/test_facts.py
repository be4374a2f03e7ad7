"""Searches in the collections of facts, on the embedded engine, fed from records by the change sequence."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.fields import (
    CellStatus,
    Clause,
    Extraction,
    FieldType,
    Financial,
    Finding,
    PartyRow,
    Quote,
    Summary,
    SummaryKind,
    TypedValue,
)
from core.domain.ids import ContentHash, DocumentId
from core.domain.passage import EncodedPassage, Passage
from core.domain.search import SearchQuery
from core.domain.span import PageSpan
from core.encode.base import TextToEncode
from core.errors import UsageError
from core.index.collections import OF_FACTS, Collection, FactFeed
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.records.base import NewVersion
from core.records.store import Records
from core.records.visibility import Visibility
from core.retrieval.facts import FactSearch
from tests.support.hashed_encoder import HashedEncoder

ALL = Visibility.everything()
LEGAL, NOBODY = Visibility(frozenset({"legal"})), Visibility(frozenset())
TEXT = (
    "The tenant keeps the hall insured. Liability is capped at $5,000. Mill Road Holdings LLC lets the hall."
)


class Place:
    """Records with facts, and an engine for each collection."""

    def __init__(self, home: Path) -> None:
        self.records = Records.open(Settings(home=home))
        self.encoder = HashedEncoder()
        self.engines = {
            each: EmbeddedEngine.open(home / "index" / each.value, self.encoder.signature)
            for each in OF_FACTS
        }
        self.facts = FactSearch(self.records, self.engines.__getitem__, lambda: self.encoder, 100)

    def publish(self, name: str, text: str = TEXT, acl: tuple[str, ...] = ()) -> DocumentId:
        ends = [at + 1 for at, sign in enumerate(text) if sign == "."]
        sentences = tuple(zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True))
        passage = Passage(
            DocumentId(""), 0, 0, (PageSpan(1, 0, len(text)),), text, (), len(text) // 4, sentences
        )
        [encoded] = self.encoder.encode_passages([TextToEncode(text, sentences)])
        parsed = ParsedDocument(name, "text/plain", (Page(1, text),))
        return self.records.documents.publish(
            NewVersion(
                "leases",
                name,
                parsed,
                ContentHash(f"{name}{text}"),
                len(text),
                (EncodedPassage(passage, encoded.vector, encoded.sentences),),
                acl,
                self.encoder.signature,
            )
        ).document

    def state(self, document: DocumentId, law: str = "Delaware", text: str = TEXT, version: int = 1) -> None:
        def quote(words: str) -> Quote:
            start = text.index(words)
            return Quote(PageSpan(1, start, start + len(words)), words)

        money = TypedValue(FieldType.MONEY, "5000.0000", int(Decimal(5000).scaleb(4)), "USD")
        insured, capped = quote("The tenant keeps the hall insured."), quote("Liability is capped at $5,000.")
        stated = TypedValue(FieldType.TEXT, law, normal=law.casefold())
        extraction = Extraction(
            "contracts",
            {"governing_law": Finding(CellStatus.PRESENT, (stated,), (insured,), 0.9, "rule")},
            clauses=(
                Clause("insurance", "Cover", insured, ("4. Cover",), confidence=0.9),
                Clause("cap_on_liability", "Cap", capped, ("5. Cap",), confidence=0.8),
            ),
            parties=(
                PartyRow(
                    "Mill Road Holdings LLC",
                    "mill road holdings",
                    quote("Mill Road Holdings LLC"),
                    "landlord",
                ),
            ),
            financials=(Financial("liability_cap", money, quote("$5,000"), effective="2024-03-01"),),
            summaries=(Summary(SummaryKind.LEGAL, (insured, capped), ("Mill Road",)),),
        )
        assert self.records.fields.put(document, version, extraction, "print")

    def index(self) -> None:
        for collection, engine in self.engines.items():
            catch_up(engine, FactFeed(self.records, collection))

    def texts(self, text: str, index: str, *where: str, visible: Visibility = ALL) -> list[str]:
        query = SearchQuery(text, index=index, where=where)
        return [hit.text for hit in self.facts.search(query, visible).hits]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    for engine in made.engines.values():
        engine.close()
    made.records.close()


def test_each_collection_gives_its_facts_with_their_exact_places(place: Place) -> None:
    document = place.publish("lease")
    place.state(document)
    place.index()

    found = {
        index: place.facts.search(SearchQuery(text, index=index), ALL).hits[0]
        for index, text in {
            "clauses": "hall insured",
            "parties": "landlord",
            "financials": "liability cap",
            "summaries": "legal summary",
        }.items()
    }

    page = place.records.documents.page(document, 1, 1, ALL).text
    assert {index: page[hit.start : hit.end] for index, hit in found.items()} == {
        "clauses": "The tenant keeps the hall insured.",
        "parties": "Mill Road Holdings LLC",
        "financials": "$5,000",
        "summaries": "The tenant keeps the hall insured.",
    }
    assert all(hit.text == page[hit.start : hit.end] and hit.index == index for index, hit in found.items())


def test_a_facts_vector_is_the_mean_of_the_sentences_it_overlaps(place: Place) -> None:
    document = place.publish("lease")
    place.state(document)
    [passage] = place.records.passages.of_documents([document])
    sentences = place.records.passages.sentence_vectors([passage.stored.id])[passage.stored.id]

    rows = FactFeed(place.records, Collection.SUMMARIES).of_documents([document])

    mean = sentences[:2].sum(axis=0)
    assert rows[0].vector == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    [party] = FactFeed(place.records, Collection.PARTIES).of_documents([document])
    assert party.vector == pytest.approx(sentences[2] / np.linalg.norm(sentences[2]), abs=1e-5)


@pytest.mark.parametrize(
    ("index", "where", "count"),
    [
        ("clauses", "type = insurance", 2),
        ("clauses", "type = 'Cap on liability'", 2),
        ("clauses", "confidence >= 0.85", 2),
        ("clauses", "type ~ ^cap", 2),
        ("clauses", "governing_law = Delaware", 2),
        ("financials", "amount > 4000 USD", 2),
        ("financials", "amount > 5000 USD", 0),
        ("financials", "amount between 1000 USD and 5000 USD", 2),
        ("financials", "amount > 100 EUR", 0),
        ("financials", "effective < 2024-04-01", 2),
        ("financials", "expires is-missing", 2),
        ("parties", "role in landlord, tenant", 2),
        ("parties", "name contains mill", 2),
        ("summaries", "kind = legal", 2),
    ],
)
def test_conditions_choose_before_the_ranking(place: Place, index: str, where: str, count: int) -> None:
    for name, law in (("one", "Delaware"), ("two", "Nevada")):
        place.state(place.publish(name), law)
    place.index()

    assert len(place.texts("hall liability mill", index, where)) == count


def test_a_condition_that_cannot_be_read_is_refused_with_what_can(place: Place) -> None:
    place.state(place.publish("lease"))
    for where in ("lawyer = x", "type is present", "confidence > much", "confidence contains 1"):
        with pytest.raises(UsageError) as refused:
            place.texts("hall", "clauses", where)
        assert refused.value.next_step
    with pytest.raises(UsageError, match="Unknown index"):
        place.texts("hall", "sentences")


def test_facts_of_hidden_documents_are_not_found(place: Place) -> None:
    place.state(place.publish("secret", acl=("legal",)))
    place.index()

    assert place.texts("hall", "clauses", visible=LEGAL)
    assert place.texts("hall", "clauses", visible=NOBODY) == []
    assert place.texts("hall", "clauses", "type = insurance", visible=NOBODY) == []


def test_a_new_version_takes_its_old_facts_with_it_and_brings_new_ones(
    place: Place,
) -> None:
    document = place.publish("lease")
    place.state(document)
    place.index()
    text = f"A preamble. {TEXT}"
    place.publish("lease", text)
    place.index()
    before = place.texts("hall", "clauses")

    place.state(document, text=text, version=2)
    place.index()

    assert before == []
    [hit, *_] = place.facts.search(SearchQuery("hall insured", index="clauses"), ALL).hits
    assert (hit.version, text[hit.start : hit.end]) == (2, "The tenant keeps the hall insured.")
    place.records.documents.remove([document])
    place.index()
    assert place.texts("hall", "clauses") == []


def test_facts_that_did_not_change_are_not_written_again(place: Place) -> None:
    document = place.publish("lease")
    place.state(document)
    place.index()
    place.state(document)
    place.index()

    engine = place.engines[Collection.CLAUSES]
    assert engine.status().passages == 2
    assert engine._view().rows.state.dead == 0
