"""What extraction adds to an ingest, and how fast older documents are filled.

    python -m bench.extract_rate --data DIR [--files 30] [--rounds 2]

Ingests contracts from DIR/cuad/contracts into a fresh home as a worker does (parse, chunk, passage and
sentence vectors, one transaction a document, search index), then fills the cells of all fields as the same
job does (child processes, one transaction a document). `added` is the second time over the first; the
target is .60. Then a back-fill of all fields over the same documents, and one of a single new field, from
records alone. Loading the encoder and starting parsers and extractors is in none of these: a worker keeps
them. Prints a table and then one JSON object.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: our own threads must not multiply

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from pathlib import Path

from bench.ingest_rate import Calm
from core.config.fields import FieldDefinition, PatternExtractor
from core.config.models import EncodeSettings, Settings
from core.config.schema_store import SchemaStore
from core.domain.fields import FieldType
from core.encode.sentence_transformer import SentenceTransformerEncoder
from core.extract.base import Definitions
from core.extract.jobs.service import Extractions, Filled, Only
from core.index.embedded import EmbeddedEngine
from core.ingest.intake import IngestInput
from core.ingest.parse_pool import ParsePool
from core.ingest.pipeline import Pipeline
from core.store.database.visibility import Visibility
from core.store.store import Records

ALL = Visibility.everything()
BUCKET = "contracts"
NEW_FIELD = FieldDefinition(
    name="new_field",
    title="New field",
    type=FieldType.TEXT,
    extractors=(PatternExtractor(patterns=(r"(?i)\bexhibit\s+[a-z0-9.]+",)),),
)


class Round:
    """One fresh home, filled."""

    def __init__(self, home: Path, encoder: SentenceTransformerEncoder) -> None:
        self.settings = Settings(home=home, encode=EncodeSettings())
        self.records = Records.open(self.settings)
        self.encoder = encoder
        self.store = SchemaStore(home)
        self.extractions = Extractions(
            self.records, self.settings, lambda: Definitions(tuple(self.store.schemas()))
        )
        self.filled: list[Filled] = []

    def ingest(self, paths: list[Path]) -> float:
        """Seconds from the first file to a current index."""
        engine = EmbeddedEngine.open(self.settings.home / "index", self.encoder.signature)
        with ParsePool(self.settings) as pool:
            for starting in pool.warm(pool.size):
                starting.join()
            pipeline = Pipeline(self.records, self.encoder, engine, self.settings, pool)
            inputs = [IngestInput(number, path, path.name, BUCKET) for number, path in enumerate(paths)]
            begin = time.perf_counter()
            pipeline.run(inputs, lambda _noted: None, Calm())
            seconds = time.perf_counter() - begin
        engine.close()
        return seconds

    def fill(self, only: dict[str, Only] | None = None) -> float:
        """Seconds for the cells of all documents; the extractors run before."""
        documents = [row.id for row in self.records.documents.list(ALL)]
        self.filled.clear()
        begin = time.perf_counter()
        self.extractions.fill(documents, self.filled.append, Calm(), only=only)  # type: ignore[arg-type]
        assert len(self.filled) == len(documents)
        return time.perf_counter() - begin

    def warm(self) -> None:
        """Start every extractor, with a document each that is forgotten."""
        pool = self.extractions._pool_for(self.extractions.definitions())
        for starting in pool.warm(pool.size):
            starting.join()

    def add_field(self) -> float:
        """Seconds to fill one new field."""
        self.store.add_field("contracts", NEW_FIELD)
        self.warm()
        after = self.extractions.definitions().fingerprint(BUCKET)
        documents = self.records.documents.list(ALL)
        return self.fill({row.id: Only((NEW_FIELD.name,), after, "contracts") for row in documents})

    def close(self) -> None:
        """Let go of the home."""
        self.extractions.close()
        self.records.close()


def measure(paths: list[Path], rounds: int) -> dict[str, object]:
    """All times, a round each in a fresh home; the figures are medians."""
    encoder = SentenceTransformerEncoder.load("minilm", EncodeSettings().batch_size, os.cpu_count() or 1)
    encoder._model.encode(["warm"] * 16)
    ingest_s, fill_s, backfill_s, field_s = [], [], [], []
    statuses: Counter[str] = Counter()
    pages = characters = failed = 0
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as home:
            place = Round(Path(home), encoder)
            ingest_s.append(place.ingest(paths))
            place.warm()
            fill_s.append(place.fill())
            backfill_s.append(place.fill())
            field_s.append(place.add_field())
            failed = sum(bool(each.reason) for each in place.filled)
            documents = place.records.documents.list(ALL)
            pages = sum(row.pages for row in documents)
            characters = sum(row.size_bytes for row in documents)
            statuses = Counter(cell.finding.status.value for cell in place.records.fields.cells(ALL))
            place.close()
    count = len(paths)
    added = [fill / ingest for fill, ingest in zip(fill_s, ingest_s, strict=True)]
    return {
        "files": count,
        "pages": pages,
        "characters": characters,
        "ingest_s": round(statistics.median(ingest_s), 2),
        "extract_s": round(statistics.median(fill_s), 2),
        "added": round(statistics.median(added), 3),
        "added_by_round": [round(each, 3) for each in added],
        "backfill_documents_per_s": round(count / statistics.median(backfill_s), 2),
        "new_field_documents_per_s": round(count / statistics.median(field_s), 2),
        "cells": dict(statuses),
        "failed": failed,
        "processes": os.cpu_count(),
        "load_average": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--files", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    folder = Path(options.data) / "cuad" / "contracts"
    paths = sorted(folder.glob("*.txt"))[: options.files]
    if not paths:
        parser.error(f"no .txt files under {str(folder)!r}")
    result = measure(paths, options.rounds)
    print(f"{'ingest with embeddings':<34}{result['ingest_s']:>8} s")
    print(f"{'extraction of all fields':<34}{result['extract_s']:>8} s")
    print(f"{'added to the ingest':<34}{result['added']:>8}")
    print(f"{'back-fill, all fields':<34}{result['backfill_documents_per_s']:>8} documents/s")
    print(f"{'back-fill, one new field':<34}{result['new_field_documents_per_s']:>8} documents/s")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
