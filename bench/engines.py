"""Both search engines side by side: rate of indexing, latency, memory, and how much their answers agree.

    python -m bench.engines --data DIR [--weaviate-server PATH] [--sizes 5000 50000 200000]

The passages, vectors and questions are those of bench.search_latency: windows of real text, real questions,
random unit vectors around 400 centres. Each engine is filled in batches of 2,000 passages and then searched
from a process of its own, for the 100 best. Encoding a question is not measured. Memory is that of the
process that searches, and of the server beside it. Such vectors are a hard case for an approximate index:
all neighbours beyond a passage's centre are equally far, which real text is not.
Prints a table and then one JSON object.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy: see bench.search_latency
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from bench.search_latency import (
    PER_BATCH,
    SIGNATURE,
    apply,
    make_passages,
    measure,
    memory_mb,
    near,
    read_questions,
    read_texts,
)
from bench.servers import add_options, check_options, weaviate
from core.config.models import IndexSettings
from core.index.base import Filter, Mode, SearchEngine, SearchRequest
from core.index.embedded import EmbeddedEngine
from core.store.base import IndexedPassage
from core.text.analyse import analyse_query
from tests.support.weaviate_server import WeaviateServer

ENGINES = ("embedded", "weaviate")
COMPARED = 100  # searches of which the ten best are compared
KINDS: Mapping[str, tuple[Mode, Filter]] = {
    "keyword": (Mode.KEYWORD, Filter()),
    "vector": (Mode.SEMANTIC, Filter()),
    "hybrid": (Mode.HYBRID, Filter()),
    "hybrid, access groups": (Mode.HYBRID, Filter(groups=frozenset({"finance"}))),
}


def open_engine(place: Mapping[str, Any]) -> SearchEngine:
    """The engine that `place` tells of: a folder, or settings of a server."""
    if "folder" in place:
        return EmbeddedEngine.open(Path(place["folder"]), SIGNATURE)
    from core.index.weaviate import WeaviateEngine

    return WeaviateEngine.open(IndexSettings.model_validate(place), SIGNATURE)


def fill(engine: SearchEngine, size: int, texts: list[list[str]]) -> float:
    """Index `size` passages; gives the seconds spent in the engine, not in making them up."""
    rng, spent, sequence = np.random.default_rng(1), 0.0, 0
    group: list[IndexedPassage] = []
    for one in make_passages(size, texts, rng):
        if len(group) >= PER_BATCH and one.stored.passage.ordinal == 0:
            sequence, spent, group = sequence + 1, spent + apply(engine, sequence + 1, group), []
            print(f"  {sequence * PER_BATCH} passages, {spent:.0f} s", file=sys.stderr)
        group.append(one)
    return spent + apply(engine, sequence + 1, group)


def search_all(place: Mapping[str, Any], questions: Sequence[str], runs: int) -> dict[str, Any]:
    """Latency of every kind of search in this process, its memory, and the ten best of some searches."""
    rng = np.random.default_rng(2)
    picked = [questions[int(at)] for at in rng.integers(0, len(questions), size=max(runs, COMPARED) + 5)]
    terms = [analyse_query(text).terms for text in picked]
    centres = np.random.default_rng(1).normal(size=(400, SIGNATURE.dimension)).astype(np.float32)
    vectors = [near(centres, rng) for _ in picked]

    def ask(engine: SearchEngine, at: int, kind: str) -> list[int]:
        mode, wanted = KINDS[kind]
        request = SearchRequest(terms[at], vectors[at], mode, top_k=100, pool=100, filter=wanted)
        return [int(hit.passage) for hit in engine.search(request)]

    with closing(open_engine(place)) as engine:
        times = {
            kind: measure(lambda at, kind=kind: ask(engine, at, kind), runs)  # type: ignore[misc]
            for kind in KINDS
        }
        best = {kind: [ask(engine, at, kind)[:10] for at in range(COMPARED)] for kind in KINDS}
        return {
            "ms": times,
            "memory_mb": memory_mb()["all"],
            "own_memory_mb": memory_mb()["own"],
            "best": best,
        }


def search_elsewhere(options: argparse.Namespace, place: Mapping[str, Any]) -> dict[str, Any]:
    """`search_all` in a process of its own."""
    command = [
        sys.executable, "-m", "bench.engines", "--data", str(options.data), "--runs", str(options.runs),
        "--search", json.dumps(place),
    ]  # fmt: skip
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    return dict(json.loads(found))


def measure_one(
    options: argparse.Namespace, size: int, place: Mapping[str, Any], texts: list[list[str]]
) -> dict[str, Any]:
    """Fill one engine and search it."""
    with closing(open_engine(place)) as engine:
        began = time.perf_counter()
        seconds = fill(engine, size, texts)
        closed = time.perf_counter()
    seconds += time.perf_counter() - closed  # what the embedded engine leaves to its end
    print(f"{size} passages in {seconds:.0f} of {closed - began:.0f} s: {place}", file=sys.stderr)
    return {
        "passages_per_s": round(size / seconds),
        "build_s": round(seconds, 1),
        **search_elsewhere(options, place),
    }


def measure_size(options: argparse.Namespace, size: int, texts: list[list[str]]) -> dict[str, Any]:
    """Both engines over the same passages, and the overlap of their ten best."""
    with tempfile.TemporaryDirectory(prefix="groundwork-bench-") as folder:
        found = {"embedded": measure_one(options, size, {"folder": folder}, texts)}
    with weaviate() as server:
        place = server.settings(quantizer=options.quantizer).model_dump(mode="json")
        found["weaviate"] = measure_one(options, size, place, texts)
        found["weaviate"]["server_memory_mb"] = server_memory_mb(server)
    best = {name: engine.pop("best") for name, engine in found.items()}
    overlap = {
        kind: round(
            float(
                np.mean(
                    [
                        len(set(one) & set(other)) / max(len(one), len(other), 1)
                        for one, other in zip(best["embedded"][kind], best["weaviate"][kind], strict=True)
                    ]
                )
            ),
            3,
        )
        for kind in KINDS
    }
    return {"passages": size, **found, "overlap_at_10": overlap}


def server_memory_mb(server: WeaviateServer) -> int:
    """Resident memory of the server's process."""
    lines = Path(f"/proc/{server.pid}/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


def print_table(reports: Sequence[Mapping[str, Any]]) -> None:
    """The figures for a person: p50 / p95 in milliseconds."""
    columns = [(report, name) for report in reports for name in ENGINES]
    print("| passages | " + " | ".join(f"{report['passages']}, {name}" for report, name in columns) + " |")
    print("|---|" + "---|" * len(columns))
    print("| indexed, passages/s | " + " | ".join(str(r[n]["passages_per_s"]) for r, n in columns) + " |")
    for kind in KINDS:
        cells = (report[name]["ms"][kind] for report, name in columns)
        print(f"| {kind}, ms | " + " | ".join(f"{cell['p50']} / {cell['p95']}" for cell in cells) + " |")
    for key in ("memory_mb", "own_memory_mb", "server_memory_mb"):
        print(f"| {key} | " + " | ".join(str(report[name].get(key, "")) for report, name in columns) + " |")
    for kind in KINDS:
        cells = (report["overlap_at_10"][kind] if name == "weaviate" else "" for report, name in columns)
        print(f"| {kind}, ten best in common | " + " | ".join(map(str, cells)) + " |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument("--sizes", type=int, nargs="+", default=[5_000, 50_000, 200_000])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--quantizer", default="rq8", choices=["rq8", "none", "rq1", "bq"])
    parser.add_argument("--out", type=Path, help="write the figures here as JSON too")
    parser.add_argument("--search", type=json.loads, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search is not None:
        print(json.dumps(search_all(options.search, read_questions(Path(options.data)), options.runs)))
        return
    check_options(parser, options)
    texts = read_texts(options.data)
    reports = [measure_size(options, size, texts) for size in options.sizes]
    print_table(reports)
    text = json.dumps(
        {"bench": "engines", "quantizer": options.quantizer, "cores": os.cpu_count(), "sizes": reports}
    )
    print(text)
    if options.out is not None:
        options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
