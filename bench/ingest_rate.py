"""Ingest against the bare encoder, over the same passages in the same run.

    python -m bench.ingest_rate --data DIR [--files 30] [--rounds 3]

Ingests contracts from DIR/cuad/contracts into a fresh home (hash, keep the original, parse, chunk, passage
and sentence vectors, one transaction a document, search index), reads the passages back, and runs
SentenceTransformer.encode over exactly those texts, in the precision that the ingest used. Rounds alternate;
the ratio of each round is printed beside the best, since other work on the machine moves both. Loading the
model is in neither, nor is starting the parsers, which a worker keeps as long. Prints a table and then one
JSON object.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: our own threads must not multiply

import argparse
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from core.config.models import EncodeSettings, Settings
from core.domain.job import IngestItem
from core.encode.sentence_transformer import SentenceTransformerEncoder
from core.index.embedded import EmbeddedEngine
from core.ingest.intake import IngestInput
from core.ingest.parse_pool import ParsePool
from core.ingest.pipeline import Pipeline
from core.store.database.visibility import Visibility
from core.store.store import Records


class Calm:
    """A control that never interrupts."""

    def check(self) -> None:
        """Go on."""

    def should_yield(self) -> bool:
        """Go on to the end."""
        return False


def ingest(
    paths: list[Path], encoder: SentenceTransformerEncoder, settings: Settings, pool: ParsePool
) -> tuple[float, list[str]]:
    """Seconds from the first file to a current index, and the texts of all passages."""
    outcomes: dict[int, IngestItem] = {}

    def note(found: Mapping[int, IngestItem]) -> None:
        outcomes.update(found)

    with Records.open(settings) as records:
        engine = EmbeddedEngine.open(settings.home / "index", encoder.signature)
        pipeline = Pipeline(records, encoder, engine, settings, pool)
        inputs = [IngestInput(number, path, path.name, "bench") for number, path in enumerate(paths)]
        begin = time.perf_counter()
        pipeline.run(inputs, note, Calm())
        seconds = time.perf_counter() - begin
        documents = [row.id for row in records.documents.list(Visibility.everything())]
        texts = [row.stored.passage.text for row in records.passages.of_documents(documents)]
        assert len(outcomes) == len(documents) == len(paths)
        assert engine.status().passages == len(texts)
        engine.close()
    return seconds, texts


def measure(paths: list[Path], rounds: int, batch_size: int) -> dict[str, object]:
    """Both rates in passages/s, a round each."""
    threads = os.cpu_count() or 1
    encoder = SentenceTransformerEncoder.load("minilm", batch_size, threads)
    bare = encoder._model  # the same weights in the same precision
    bare.encode(["warm"] * batch_size)
    ratios, ingest_s, bare_s, count = [], [], [], 0
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as home:
            settings = Settings(home=Path(home), encode=EncodeSettings(batch_size=batch_size))
            with ParsePool(settings) as pool:
                for starting in pool.warm(pool.size):
                    starting.join()
                seconds, texts = ingest(paths, encoder, settings, pool)
        begin = time.perf_counter()
        bare.encode(texts, batch_size=batch_size, show_progress_bar=False)
        alone = time.perf_counter() - begin
        count = len(texts)
        ingest_s.append(seconds)
        bare_s.append(alone)
        ratios.append(alone / seconds)
    return {
        "files": len(paths),
        "passages": count,
        "batch_size": batch_size,
        "threads": threads,
        "ingest_passages_per_s": round(count / min(ingest_s), 2),
        "bare_passages_per_s": round(count / min(bare_s), 2),
        "ratio_of_best": round(min(bare_s) / min(ingest_s), 3),
        "ratio_by_round": [round(ratio, 3) for ratio in ratios],
        "ratio_median": round(statistics.median(ratios), 3),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000,
        "load_average": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--files", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=16)
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    folder = Path(options.data) / "cuad" / "contracts"
    paths = sorted(folder.glob("*.txt"))[: options.files]
    if not paths:
        parser.error(f"no .txt files under {str(folder)!r}")
    result = measure(paths, options.rounds, options.batch_size)
    print(f"{'ingest, all of it':<34}{result['ingest_passages_per_s']:>8} passages/s")
    print(f"{'bare SentenceTransformer.encode':<34}{result['bare_passages_per_s']:>8} passages/s")
    print(f"{'ratio, median of rounds':<34}{result['ratio_median']:>8}")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
