"""A collection of texts, stored, encoded and indexed as the product does it, kept for the next run."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from core.ask.orchestrator import Orchestrator
from core.config.models import AnswerSettings, Settings
from core.domain.document import Page, ParsedDocument
from core.domain.ids import content_hash
from core.domain.passage import EncodedPassage, Passage
from core.encode.base import Encoder, TextToEncode
from core.encode.load import load_query_encoder, load_token_counter
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.ingest.chunk import chunk
from core.ingest.clean import normalise
from core.search.search import Retriever
from core.store.base import NewVersion
from core.store.store import Records
from tests.support.doors import OPEN

BATCH = 256
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Text:
    """A document to be."""

    bucket: str
    source: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Collection:
    """An open home and what answers from it."""

    settings: Settings
    records: Records
    engine: EmbeddedEngine
    encoder: Encoder
    retriever: Retriever
    orchestrator: Orchestrator


@contextmanager
def open_collection(
    home: Path, texts: Sequence[Text] | None, *, abstain_below: float | None = None
) -> Iterator[Collection]:
    """A collection with these texts in it, None for what the home holds; what is there is kept."""
    settings = Settings(home=home, answer=AnswerSettings(abstain_below=abstain_below))
    records = Records.open(settings)
    if texts is not None:
        fill(settings, records, texts)
    encoder = load_query_encoder(settings)
    engine = EmbeddedEngine.open(home / "index", encoder.signature)
    catch_up(engine, records)
    retriever = Retriever(records, engine, encoder, settings)
    orchestrator = Orchestrator(records, retriever, settings, door=lambda *_: OPEN)
    try:
        yield Collection(settings, records, engine, encoder, retriever, orchestrator)
    finally:
        engine.close()
        records.close()


def fill(settings: Settings, records: Records, texts: Sequence[Text]) -> None:
    """Chunk, encode and publish the texts."""
    encoder = load_query_encoder(settings)  # torch-free: a bench that fills its home once needs no torch
    counter = load_token_counter(settings)
    missing = [text for text in texts if records.documents.find(text.bucket, text.source) is None]
    pages = [(text, (Page(1, normalise(text.text)),)) for text in missing]
    done = 0
    for group in batched(((t, p, chunk(p, counter)) for t, p in pages), 32):
        passages = [passage for _, _, found in group for passage in found]
        vectors = iter(_encoded(encoder, passages))
        for text, page, found in group:
            parsed = ParsedDocument(title=text.title, media_type="text/plain", pages=page)
            records.documents.publish(
                NewVersion(
                    bucket=text.bucket,
                    source=text.source,
                    parsed=parsed,
                    content_hash=content_hash(text.text.encode("utf-8", "replace")),
                    size_bytes=len(text.text),
                    passages=[next(vectors) for _ in found],
                    encoder=encoder.signature,
                )
            )
        done += len(passages)
        print(f"\r{done} passages", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def _encoded(encoder: Encoder, passages: Iterable[Passage]) -> Iterator[EncodedPassage]:
    for group in batched(passages, BATCH):
        rows = encoder.encode_passages([TextToEncode(p.text, p.sentences) for p in group])
        for passage, row in zip(group, rows, strict=True):
            yield EncodedPassage(passage, row.vector, row.sentences)


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of `size`, the last one shorter."""
    group: list[T] = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group


def data_folder(parser: argparse.ArgumentParser) -> None:
    """The option that says where the public data is."""
    default = os.environ.get("GROUNDWORK_BENCH_DATA", "")
    parser.add_argument("--data", type=Path, default=Path(default) if default else None, required=not default)
