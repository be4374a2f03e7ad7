"""How long an offline answer takes, retrieval and the encoding of the question included.

The real orchestrator on real records and the real engine. Passages are windows of real text (all .txt and .md
files below --data), twenty to a document; questions are the real ones of LegalBench-RAG and chunking_eval.
Passage and sentence vectors are random unit vectors around 400 centres: they cost what real ones cost, and
need no hours of encoding. Abstention is off, so that every question gets its claims composed and checked. The
question is encoded by the real encoder.

    OMP_NUM_THREADS=1 python -m bench.answer_latency --data DIR [--sizes 5000 50000] [--runs 100] [--home DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.ask.request import Question

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from bench.answers.collection import Collection, data_folder, open_collection
from bench.quotes import QuoteCount
from bench.search_latency import read_questions, read_texts
from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.ids import DocumentId, content_hash
from core.domain.passage import EncodedPassage, Passage, Vector
from core.domain.principal import LOCAL_ADMIN
from core.domain.span import PageSpan
from core.encode.base import EncoderSignature
from core.encode.load import load_query_encoder
from core.store.base import NewVersion
from core.store.store import Records
from core.text.sentences import split_sentences

PER_DOCUMENT = 20
WORDS = 180
WARM = 10


def fill(home: Path, data: Path, size: int) -> None:
    """Publish `size` passages; a home that holds them is left as it is."""
    settings = Settings(home=home)
    records = Records.open(settings)
    try:
        have = records.passages.count()
        if have >= size:
            return
        signature = load_query_encoder(settings).signature
        rng = np.random.default_rng(size)
        centres = _units(rng.normal(size=(400, signature.dimension)))
        texts = read_texts(data)
        for number in range(have // PER_DOCUMENT, size // PER_DOCUMENT):
            records.documents.publish(_document(number, texts, rng, centres, signature))
            if number % 100 == 0:
                print(f"\r{number * PER_DOCUMENT} passages", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
    finally:
        records.close()


def _document(
    number: int,
    texts: list[list[str]],
    rng: np.random.Generator,
    centres: Vector,
    signature: EncoderSignature,
) -> NewVersion:
    words = texts[int(rng.integers(len(texts)))]
    windows = []
    for _ in range(PER_DOCUMENT):
        start = int(rng.integers(0, max(1, len(words) - WORDS)))
        windows.append(" ".join(words[start : start + WORDS]))
    text = "\n\n".join(windows)
    title = " ".join(word.capitalize() for word in rng.choice(words, 4))
    return NewVersion(
        bucket=f"bucket-{number % 5}",
        source=f"folder/{number:06d} {title}.txt"[:120],
        parsed=ParsedDocument(title=title, media_type="text/plain", pages=(Page(1, text),)),
        content_hash=content_hash(f"{number}{text}".encode("utf-8", "replace")),
        size_bytes=len(text),
        passages=list(_passages(windows, rng, centres)),
        encoder=signature,
    )


def _passages(windows: list[str], rng: np.random.Generator, centres: Vector) -> Iterator[EncodedPassage]:
    start = 0
    for ordinal, window in enumerate(windows):
        sentences = tuple(split_sentences(window))
        centre = centres[int(rng.integers(len(centres)))]
        vectors = _units(
            centre + 0.7 * rng.normal(size=(len(sentences) + 1, len(centre))) / len(centre) ** 0.5
        )
        passage = Passage(
            DocumentId(""),
            0,
            ordinal,
            (PageSpan(1, start, start + len(window)),),
            window,
            (),
            WORDS,
            sentences,
        )
        yield EncodedPassage(passage, vectors[0], vectors[1:])
        start += len(window) + 2


def _units(rows: Vector) -> Vector:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def run(collection: Collection, questions: list[str]) -> dict[str, Any]:
    """Milliseconds per stage and in all, with what became of the questions.

    cpu: processor time, which other work on the machine hardly changes.
    """
    for question in questions[:WARM]:
        collection.orchestrator.ask(Question(question, LOCAL_ADMIN))
    times: list[float] = []
    busy: list[float] = []
    stages: dict[str, list[float]] = {}
    statuses: Counter[str] = Counter()
    quotes = QuoteCount()
    for question in questions[WARM:]:
        started, cpu = time.perf_counter(), time.process_time()
        answer = collection.orchestrator.ask(Question(question, LOCAL_ADMIN))
        times.append((time.perf_counter() - started) * 1000)
        busy.append((time.process_time() - cpu) * 1000)
        statuses[answer.status.value] += 1
        for stage, spent in answer.timings_ms.items():
            stages.setdefault(stage, []).append(spent)
        quotes.add(answer, collection.records)
    p50, p95 = (round(float(np.percentile(times, q)), 1) for q in (50, 95))
    return {
        "passages": collection.engine.status().passages,
        "questions": len(times),
        "p50_ms": p50,
        "p95_ms": p95,
        "max_ms": round(max(times), 1),
        "cpu_p50_ms": round(float(np.percentile(busy, 50)), 1),
        "cpu_p95_ms": round(float(np.percentile(busy, 95)), 1),
        "stages_p50_ms": {stage: round(float(np.median(spent)), 1) for stage, spent in stages.items()},
        "statuses": dict(statuses),
        "citations": quotes.citations,
        "citations_wrong": quotes.wrong,
    }


def main() -> None:
    """Measure every size and print a table and JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5_000, 50_000, 200_000])
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "groundwork-bench-latency")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    questions = read_questions(options.data)
    step = max(1, len(questions) // (options.runs + WARM))
    chosen = questions[::step][: options.runs + WARM]
    reports = []
    for size in options.sizes:
        home = options.home / str(size)
        fill(home, options.data, size)
        with open_collection(home, None, abstain_below=0.0) as collection:
            reports.append(run(collection, chosen))
        report = reports[-1]
        print(
            f"{report['passages']:>8,} passages  p50 {report['p50_ms']:.0f} p95 {report['p95_ms']:.0f} ms  "
            f"cpu p95 {report['cpu_p95_ms']:.0f} ms  "
            f"{report['stages_p50_ms']}"
        )
    print(json.dumps(reports))
    if options.out:
        options.out.write_text(json.dumps(reports, indent=1), "utf-8")


if __name__ == "__main__":
    main()
