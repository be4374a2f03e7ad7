"""A home of many documents with all cells of a matrix: made-up texts that state the values, and spans."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from core.config.fields import FieldDefinition
from core.config.models import Settings
from core.config.schema_store import shipped_schemas
from core.domain.document import Page, ParsedDocument
from core.domain.fields import (
    MONEY_SCALE,
    NUMBER_SCALE,
    Candidate,
    CellStatus,
    Extraction,
    FieldType,
    Finding,
    Quote,
    ReviewAction,
    TypedValue,
)
from core.domain.ids import ContentHash
from core.domain.passage import EncodedPassage
from core.domain.span import PageSpan
from core.encode.base import EncoderSignature
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records

BUCKET = "contracts"
FIRST = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper", "Larch")
SECOND = ("Robotics", "Logistics", "Energy", "Pharma", "Foods", "Networks", "Marine", "Textiles", "Optics")
KINDS = ("Services Agreement", "Licence", "Lease", "Supply Agreement", "Distribution Agreement")
LAWS = ("New York", "Delaware", "California", "England and Wales", "Ontario", "Texas", "Switzerland")


def fields_of(count: int) -> tuple[FieldDefinition, ...]:
    """The first fields of the contracts."""
    return shipped_schemas()[BUCKET].fields[:count]


def fill(
    home: Path,
    documents: int,
    fields: int,
    seed: int = 7,
    more: Callable[[], tuple[tuple[Page, ...], Sequence[EncodedPassage]]] | None = None,
    encoder: EncoderSignature | None = None,
) -> int:
    """Publish the documents and put their cells; gives how many cells there are.

    more: further pages of a document with its passages, whose vectors are by `encoder`.
    """
    rng, definitions = random.Random(seed), fields_of(fields)
    records = Records.open(Settings(home=home))
    cells = 0
    try:
        for number in range(documents):
            title = f"{rng.choice(FIRST)} {rng.choice(SECOND)} {rng.choice(KINDS)} {number + 1:05d}"
            text, findings = _stated(title, definitions, rng)
            pages, passages = more() if more is not None else ((), ())
            version = NewVersion(
                BUCKET,
                f"{number + 1:05d}.txt",
                ParsedDocument(title, "text/plain", (Page(1, text), *pages), "en"),
                ContentHash(f"{number + 1:064x}"),
                len(text),
                passages,
                encoder=encoder,
            )
            published = records.documents.publish(version)
            records.fields.put(published.document, published.version, Extraction(BUCKET, findings), "bench")
            cells += len(findings)
            if number % 50 == 0:
                _review(records, str(published.document), definitions[0].name)
    finally:
        records.close()
    return cells


def _review(records: Records, document: str, field: str) -> None:
    from core.domain.ids import DocumentId

    cell = records.fields.cell(DocumentId(document), field, Visibility.everything())
    if cell.finding.status is CellStatus.PRESENT:
        records.reviews.review(
            DocumentId(document),
            field,
            ReviewAction.CONFIRM,
            "bench",
            datetime.now(UTC),
            visible=Visibility.everything(),
        )


def _stated(
    title: str, definitions: tuple[FieldDefinition, ...], rng: random.Random
) -> tuple[str, dict[str, Finding]]:
    """A text that says every value that is present, line by line, and the findings."""
    text, findings = f"{title}\n\n", {}
    for definition in definitions:
        chance = rng.random()
        if chance < 0.42:
            findings[definition.name] = Finding(
                CellStatus.ABSENT, confidence=0.985 + rng.random() / 80, method="head"
            )
            continue
        candidates = []
        for value in _values(definition, rng, 1 if chance < 0.8 else 3):
            start = len(text) + len(definition.title) + 2
            text += f"{definition.title}: {value.original}.\n"
            quote = Quote(PageSpan(1, start, start + len(value.original)), value.original)
            candidates.append(Candidate(value, (quote,), round(0.3 + rng.random() / 2, 3), "head"))
        best = candidates[0]
        if chance < 0.8:
            findings[definition.name] = Finding(
                CellStatus.PRESENT, (_of(best),), best.spans, round(0.95 + rng.random() / 20, 3), "pattern"
            )
        else:
            ordered = tuple(sorted(candidates, key=lambda each: -each.confidence))
            findings[definition.name] = Finding(
                CellStatus.UNCERTAIN, confidence=0.5, method="head", candidates=ordered
            )
    return text, findings


def _of(candidate: Candidate) -> TypedValue:
    assert candidate.value is not None
    return candidate.value


def _values(definition: FieldDefinition, rng: random.Random, count: int) -> Iterator[TypedValue]:
    for _ in range(count):
        yield _value(definition, rng)


def _value(definition: FieldDefinition, rng: random.Random) -> TypedValue:
    kind = definition.type
    if kind is FieldType.MONEY:
        whole = rng.randrange(1, 4000) * 250
        unit = rng.choice(("USD", "USD", "USD", "EUR"))
        scaled = int(Decimal(whole).scaleb(MONEY_SCALE))
        return TypedValue(kind, f"{whole}.00", scaled, unit, f"{unit} {whole:,}.00")
    if kind is FieldType.DATE:
        day = date.fromordinal(date(2005, 1, 1).toordinal() + rng.randrange(7000))
        return TypedValue(kind, day.isoformat(), day.toordinal(), "", f"{day:%B} {day.day}, {day.year}")
    if kind is FieldType.DURATION:
        days = rng.choice((30, 60, 90, 180))
        return TypedValue(kind, f"P{days}D", days * 10**NUMBER_SCALE, "", f"{days} days")
    if kind is FieldType.NUMBER:
        number = rng.randrange(1, 500)
        return TypedValue(kind, str(number), number * 10**NUMBER_SCALE, "", str(number))
    if kind is FieldType.BOOLEAN:
        return TypedValue(kind, "true", 1, "", f"The parties agree as to {definition.title.lower()}")
    if kind is FieldType.ENUM:
        option = rng.choice(definition.options)
        return TypedValue(kind, option, None, "", option)
    name = rng.choice(LAWS) if "law" in definition.name else f"{rng.choice(FIRST)} {rng.choice(SECOND)} Inc."
    return TypedValue(kind, name, None, "", name, name.lower())
