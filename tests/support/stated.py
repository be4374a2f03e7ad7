"""A home with two sentences of facts, and an embedded engine for each collection of them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

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
from core.index.collections import OF_FACTS, FactFeed
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.search.facts import FactSearch
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.hashed_encoder import HashedEncoder

ALL = Visibility.everything()
TEXT = (
    "The tenant keeps the hall insured. Liability is capped at $5,000. Mill Road Holdings LLC lets the hall."
)


class Stating:
    """Records with facts, and an engine for each collection."""

    def __init__(self, home: Path, settings: Settings | None = None) -> None:
        self.records = Records.open(settings or Settings(home=home))
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

    def close(self) -> None:
        for engine in self.engines.values():
            engine.close()
        self.records.close()
