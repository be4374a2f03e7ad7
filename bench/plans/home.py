"""Homes of the labelled contracts: with the labels as cells, and with the cells that extraction finds.

Extraction is honest: the clause heads of a contract, its document stage, calibration and thresholds saw
nothing of its fold (as in `bench.fields_cuad`). The rules that read values are as shipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.clauses.crossfit import Held
from bench.clauses.source import Labelled
from bench.fields_cuad import Nested
from bench.plans.gold import DATES, LENGTHS, Labels, day_of, days_of, names_of, places_of
from core.config.models import Settings
from core.config.schema_store import shipped_schemas
from core.domain.document import Page, ParsedDocument
from core.domain.fields import (
    DEFAULT_LEVEL,
    CellStatus,
    Extraction,
    FieldType,
    Finding,
    PromiseLevel,
    Quote,
    Special,
    TypedValue,
)
from core.domain.ids import ContentHash, DocumentId
from core.domain.passage import EncodedPassage
from core.domain.span import PageSpan
from core.encode.base import TextToEncode
from core.encode.load import load_query_encoder, load_token_counter
from core.extract.base import DocumentText, Thresholds
from core.extract.clauses.classifier import MAX_SPANS, HeadFinding
from core.extract.clauses.head_names import CUAD_YES_NO
from core.extract.extractor import Extractor
from core.extract.jobs.work import ALL_RULES
from core.ingest.chunk import chunk
from core.store.base import NewVersion
from core.store.store import Records
from core.values import parse_duration
from core.values.names import normal_name
from core.values.places import canonical_place

BUCKET = "contracts"
ASKED = (*CUAD_YES_NO, *DATES, "document_name", "document_kind", "parties", "governing_law")


@dataclass(frozen=True, slots=True)
class HeldOut:
    """What models of the other folds say of the contracts of one fold."""

    levels: Mapping[PromiseLevel, Mapping[str, Thresholds]]
    found: Mapping[DocumentId, Mapping[str, HeadFinding]]

    def find(self, document: DocumentText) -> Mapping[str, HeadFinding]:
        """What every head says of a document."""
        return self.found[document.document]


def fill_from_labels(
    home: Path,
    labels: Labels,
    openings: Mapping[str, str] | None = None,
    fields: Sequence[str] = ASKED,
) -> None:
    """Publish a made-up text for each contract that states its labels line by line, and put them as cells.

    openings: by file name, the text of the contract that comes before; with it, passages can be searched.
    """
    settings = Settings(home=home)
    encoded = PassageMaker(settings) if openings else None
    with Records.open(settings) as records:
        for number, (name, said) in enumerate(labels.said.iterrows()):
            text, findings = _stated(dict(said), (openings or {}).get(str(name), ""), fields)
            title = said["Document Name-Answer"]
            extraction = Extraction(BUCKET, findings)
            _put(records, number, str(name), title, (Page(1, text),), extraction, encoded)


def _stated(said: Mapping[str, str], opening: str, fields: Sequence[str]) -> tuple[str, dict[str, Finding]]:
    definitions = {each.name: each for each in shipped_schemas()[BUCKET].fields}
    text, findings = f"{opening}\n\n{said['Document Name-Answer']}\n\n".lstrip("\n"), {}
    for name in fields:
        values = _labelled(name, said)
        if not values and name in LENGTHS and said[LENGTHS[name]].strip():
            findings[name] = Finding(CellStatus.UNCERTAIN, method="label")  # several, or none that is clear
            continue
        if not values:
            findings[name] = Finding(CellStatus.ABSENT, confidence=1.0, method="label")
            continue
        quotes = []
        for value in values:
            start = len(text) + len(definitions[name].title) + 2
            text += f"{definitions[name].title}: {value.original}.\n"
            quotes.append(Quote(PageSpan(1, start, start + len(value.original)), value.original))
        findings[name] = Finding(CellStatus.PRESENT, tuple(values), tuple(quotes), 1.0, "label")
    return text, findings


def _labelled(name: str, said: Mapping[str, str]) -> list[TypedValue]:
    if name in CUAD_YES_NO:
        is_there = said[f"{CUAD_YES_NO[name]}-Answer"].strip() == "Yes"
        return [TypedValue(FieldType.BOOLEAN, "true", 1, "", "yes")] if is_there else []
    if name in DATES:
        return [_day(label) for label in said[DATES[name]].split(";")[:1] if label.strip()]
    if name in LENGTHS:
        value = parse_duration(said[LENGTHS[name]]) if days_of(said[LENGTHS[name]]) else None
        return [value] if value is not None else []
    if name == "governing_law":
        return [_text(canonical_place(place) or place) for place in places_of(said["Governing Law-Answer"])]
    if name == "parties":
        names = names_of(said["Parties-Answer"])
        return [TypedValue(FieldType.PARTY, each, None, "", each, normal_name(each)) for each in names]
    if name == "document_kind":
        return [TypedValue(FieldType.ENUM, "agreement", None, "", "agreement")]
    return [_text(said["Document Name-Answer"])]


def _day(label: str) -> TypedValue:
    day = day_of(label)
    if day is None:
        special = Special.PERPETUAL if label.strip().lower() == "perpetual" else Special.REDACTED
        return TypedValue(FieldType.DATE, label, None, "", label, special=special)
    return TypedValue(FieldType.DATE, day, date.fromisoformat(day).toordinal(), "", label)


def _text(text: str) -> TypedValue:
    return TypedValue(FieldType.TEXT, text, None, "", text, text.casefold())


def fill_by_extraction(home: Path, data: Labelled, said: Mapping[int, HeldOut]) -> None:
    """Publish the contracts and put what extraction finds. said: by fold, of the contracts in it."""
    schema = shipped_schemas()[BUCKET]
    with Records.open(Settings(home=home)) as records:
        for number, contract in enumerate(data.contracts):
            extractor = Extractor(said[int(data.fold[number])], ALL_RULES)
            extraction = extractor.extract(contract.document, schema, fields=ASKED)
            document = contract.document
            _put(records, number, contract.name, document.title, document.pages, extraction)


def said_by_others(data: Labelled, held: Held, result: Nested) -> dict[int, HeldOut]:
    """By fold what models of the other folds say of its contracts; thresholds are the same in one fold."""
    said = {}
    for fold, scores in held.outer.items():
        some = next(iter(scores))
        thresholds = {
            name: Thresholds(*map(float, result.limits[DEFAULT_LEVEL][:, some, head]))
            for head, name in enumerate(CUAD_YES_NO)
        }
        found = {
            data.contracts[index].document.document: {
                name: HeadFinding(
                    name, float(result.probabilities[index, head]), _spans(data, index, score, head)
                )
                for head, name in enumerate(CUAD_YES_NO)
            }
            for index, (score, _) in scores.items()
        }
        said[fold] = HeldOut({DEFAULT_LEVEL: thresholds}, found)
    return said


def _spans(
    data: Labelled, index: int, scores: NDArray[np.float32], head: int
) -> tuple[tuple[Quote, float], ...]:
    """The best segments of a contract for a head."""
    segments, document = data.documents[index].document.segments, data.contracts[index].document
    best = np.argsort(-scores[:, head], kind="stable")[:MAX_SPANS]
    return tuple(
        (document.quote(segments[at].start, segments[at].end), float(scores[at, head])) for at in best
    )


class PassageMaker:
    """Makes passages of pages, with their vectors."""

    def __init__(self, settings: Settings) -> None:
        self._encoder = load_query_encoder(settings)
        self._counter = load_token_counter(settings)
        self.signature = self._encoder.signature

    def passages(self, pages: tuple[Page, ...]) -> list[EncodedPassage]:
        """The passages of a document, in order."""
        found = chunk(pages, self._counter)
        rows = self._encoder.encode_passages([TextToEncode(p.text, p.sentences) for p in found])
        return [
            EncodedPassage(passage, row.vector, row.sentences)
            for passage, row in zip(found, rows, strict=True)
        ]


def _put(
    records: Records,
    number: int,
    name: str,
    title: str,
    pages: tuple[Page, ...],
    extraction: Extraction,
    encoded: PassageMaker | None = None,
) -> None:
    version = NewVersion(
        BUCKET,
        name,
        ParsedDocument(title, "text/plain", pages, "en"),
        ContentHash(f"{number + 1:064x}"),
        sum(len(page.text) for page in pages),
        passages=encoded.passages(pages) if encoded is not None else (),
        encoder=encoded.signature if encoded is not None else None,
    )
    published = records.documents.publish(version)
    records.fields.put(published.document, published.version, extraction, "bench")
