"""How fast the embedded engine answers, and what it costs: latency, build time, disk, memory.

Passages are windows of real text (all .txt and .md files below --data, or GROUNDWORK_BENCH_DATA) taken at
random places; questions are the real ones of LegalBench-RAG and chunking_eval; vectors are random unit
vectors around 400 centres. Encoding a question is not measured.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python -m bench.search_latency --data DIR --sizes 5000 50000
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

# Before numpy is imported: one BLAS thread a search. With several, searches that run at once fight
# for the cores (p95 986 ms against 140 ms under load, 2 cores).
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from core.domain.ids import DocumentId, PassageId
from core.domain.passage import Passage, StoredPassage, Vector
from core.domain.span import PageSpan
from core.encode.base import EncoderSignature
from core.index.base import Filter, IndexBatch, Mode, SearchEngine, SearchRequest
from core.index.embedded import EmbeddedEngine
from core.store.base import IndexedPassage
from core.text.analyse import analyse, analyse_query

SIGNATURE = EncoderSignature("bench", 384, "0" * 64)
PER_DOCUMENT, PER_BATCH = 20, 2000


def read_texts(data: Path) -> list[list[str]]:
    """The words of every text file, longest first."""
    paths = sorted(path for path in data.rglob("*") if path.suffix in {".txt", ".md"} and path.is_file())
    texts = [path.read_text("utf-8", "replace").split() for path in paths]
    return sorted((text for text in texts if len(text) > 400), key=len, reverse=True)


def read_questions(data: Path) -> list[str]:
    """Real questions over such texts."""
    questions: list[str] = []
    for path in sorted((data / "legalbenchrag").glob("mini_*.json")):
        questions += [test["query"] for test in json.loads(path.read_text("utf-8"))["tests"]]
    with (data / "chunking_eval" / "questions.csv").open(encoding="utf-8", newline="") as file:
        questions += [row["question"] for row in csv.DictReader(file)]
    return questions


def make_passages(size: int, texts: list[list[str]], rng: np.random.Generator) -> Iterator[IndexedPassage]:
    """`size` passages, twenty to a document; every tenth document has an access list."""
    centres = rng.normal(size=(400, SIGNATURE.dimension)).astype(np.float32)
    weights = np.array([len(text) for text in texts], float)
    weights /= weights.sum()
    for number in range(1, size + 1):
        text = texts[int(rng.choice(len(texts), p=weights))]
        start = int(rng.integers(0, len(text) - 230))
        body = " ".join(text[start : start + int(rng.integers(120, 230))])
        document = number // PER_DOCUMENT
        passage = Passage(
            DocumentId(f"d{document:020x}"), 1, number % PER_DOCUMENT, (PageSpan(1, 0, len(body)),), body,
            (f"Section {number % 7}",), 200, ((0, len(body)),),
        )  # fmt: skip
        acl = ("legal",) if document % 10 == 0 else ()
        bucket = ("contracts", "filings", "reports")[document % 3]
        stored = StoredPassage(PassageId(number), passage, bucket, f"Document {document}", "s", "text", acl)
        yield IndexedPassage(stored, near(centres, rng))


def near(centres: np.ndarray, rng: np.random.Generator) -> Vector:
    """A unit vector around a random centre."""
    vector = centres[int(rng.integers(len(centres)))] + rng.normal(size=centres.shape[1]) * 0.7
    unit: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
    return unit


def build(place: Path, size: int, texts: list[list[str]]) -> float:
    """Index `size` passages; gives the seconds spent in the engine, not in making them up."""
    rng, spent, engine = np.random.default_rng(1), 0.0, EmbeddedEngine.open(place, SIGNATURE)
    group: list[IndexedPassage] = []
    sequence = 0
    for one in make_passages(size, texts, rng):
        if len(group) >= PER_BATCH and one.stored.passage.ordinal == 0:
            sequence, spent, group = sequence + 1, spent + apply(engine, sequence + 1, group), []
        group.append(one)
    spent += apply(engine, sequence + 1, group)
    started = time.perf_counter()
    engine.close()
    return spent + time.perf_counter() - started


def apply(engine: SearchEngine, sequence: int, group: list[IndexedPassage]) -> float:
    """Apply one batch; gives the seconds."""
    started = time.perf_counter()
    documents = frozenset(one.stored.passage.document for one in group)
    engine.apply(IndexBatch(sequence, documents, tuple(group)))
    return time.perf_counter() - started


def measure(action: Callable[[int], object], times: int) -> dict[str, float]:
    """Milliseconds of `times` runs after five to warm up."""
    for at in range(5):
        action(at)
    spent = []
    for at in range(times):
        started = time.perf_counter()
        action(at)
        spent.append((time.perf_counter() - started) * 1000)
    return {
        "p50": round(float(np.percentile(spent, 50)), 2),
        "p95": round(float(np.percentile(spent, 95)), 2),
    }


def search_all(place: Path, size: int, questions: list[str], runs: int) -> dict[str, object]:
    """Latency of every kind of search in this process, and its memory."""
    started = time.perf_counter()
    engine = EmbeddedEngine.open(place, SIGNATURE)
    engine.status()
    opened_ms = (time.perf_counter() - started) * 1000
    rng = np.random.default_rng(2)
    picked = [questions[int(at)] for at in rng.integers(0, len(questions), size=runs + 5)]
    terms = [analyse_query(text).terms for text in picked]
    centres = np.random.default_rng(1).normal(size=(400, SIGNATURE.dimension)).astype(np.float32)
    vectors = [near(centres, rng) for _ in picked]
    documents = [DocumentId(f"d{number:020x}") for number in range(size // PER_DOCUMENT)]
    few = frozenset(documents[:: max(len(documents) // max(len(documents) // 100, 1), 1)])
    many = frozenset(documents[: len(documents) // 2]) | {DocumentId(f"x{n:020x}") for n in range(50_000)}
    kinds: dict[str, tuple[Mode, Filter]] = {
        "keyword": (Mode.KEYWORD, Filter()),
        "semantic": (Mode.SEMANTIC, Filter()),
        "hybrid": (Mode.HYBRID, Filter()),
        "hybrid, 1 % of documents": (Mode.HYBRID, Filter(documents=few)),
        "hybrid, access groups": (Mode.HYBRID, Filter(groups=frozenset({"finance"}))),
        "hybrid, one bucket of three": (Mode.HYBRID, Filter(buckets=frozenset({"filings"}))),
        "hybrid, 50,000 documents named": (Mode.HYBRID, Filter(documents=frozenset(many))),
    }
    times: dict[str, dict[str, float]] = {}
    for name, (mode, wanted) in kinds.items():

        def run(at: int, mode: Mode = mode, wanted: Filter = wanted) -> object:
            return engine.search(
                SearchRequest(terms[at], vectors[at], mode, top_k=100, pool=100, filter=wanted)
            )

        times[name] = measure(run, runs)
    times["document frequencies"] = measure(
        lambda at: engine.document_frequencies([term for term, _ in terms[at]]), runs
    )
    times["analyse a question"] = measure(lambda at: analyse_query(picked[at]), runs)
    engine.close()
    return {"opened_ms": round(opened_ms, 1), "memory_mb": memory_mb(), "ms": times}


def memory_mb() -> dict[str, int]:
    """Resident memory of this process: all of it, and what is its own (not a mapped file)."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    values = {line.split(":")[0]: int(line.split()[1]) // 1024 for line in lines if line.startswith("Rss")}
    total = next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))
    return {"all": total, "own": values.get("RssAnon", 0)}


def analyser_speed(texts: list[list[str]]) -> dict[str, float]:
    """Megabytes of text a second, with an empty cache of words and with a full one."""
    text = " ".join(word for words in texts for word in words)[:8_000_000]
    size, speeds = len(text.encode()) / 1e6, []
    for _ in range(2):
        started = time.perf_counter()
        analyse(text)
        speeds.append(size / (time.perf_counter() - started))
    return {"cold_mb_s": round(speeds[0], 2), "warm_mb_s": round(speeds[1], 2)}


def report_one(arguments: argparse.Namespace, size: int, texts: list[list[str]]) -> dict[str, object]:
    """Build an index of `size` passages and search it from a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        seconds = build(place, size, texts)
        disk = sum(path.stat().st_size for path in place.rglob("*") if path.is_file())
        command = [
            sys.executable, "-m", "bench.search_latency", "--data", str(arguments.data), "--runs",
            str(arguments.runs), "--search", str(place), "--sizes", str(size),
        ]  # fmt: skip
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {"passages": size, "build_s": round(seconds, 1), "disk_mb": disk // 1_000_000, **json.loads(found)}


def print_table(reports: list[dict[str, object]]) -> None:
    """The figures for a person: p50 / p95 in milliseconds."""
    print(f"| passages | {' | '.join(str(report['passages']) for report in reports)} |")
    print("|---|" + "---|" * len(reports))
    for name in reports[0]["ms"]:  # type: ignore[attr-defined]
        cells = (report["ms"][name] for report in reports)  # type: ignore[index]
        print(f"| {name} | " + " | ".join(f"{cell['p50']} / {cell['p95']}" for cell in cells) + " |")
    for name in ("build_s", "disk_mb", "opened_ms", "memory_mb"):
        print(f"| {name} | {' | '.join(str(report[name]) for report in reports)} |")


def main() -> None:
    """Measure and print a table and one line of JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--sizes", type=int, nargs="+", default=[5_000, 50_000, 200_000])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--search", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.data is None:
        parser.error("--data or GROUNDWORK_BENCH_DATA must name the evaluation data")
    arguments.data = Path(arguments.data)
    questions = read_questions(arguments.data)
    if arguments.search is not None:
        print(json.dumps(search_all(arguments.search, arguments.sizes[0], questions, arguments.runs)))
        return
    texts = read_texts(arguments.data)
    speed = analyser_speed(texts)
    reports = [report_one(arguments, size, texts) for size in arguments.sizes]
    print_table(reports)
    print(json.dumps({"analyser": speed, "cores": os.cpu_count(), "sizes": reports}))


if __name__ == "__main__":
    main()
