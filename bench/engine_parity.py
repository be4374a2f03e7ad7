"""Whether both engines rank alike: Cranfield and the sample collection, once ingested, indexed into each.

    python -m bench.engine_parity --data DIR [--weaviate-server PATH] [--quantizers rq8 none] [--homes DIR]

Cranfield is asked its 225 questions, the sample collection its own questions and the titles of its
documents. Compared are the ten best passages of each engine's keyword, vector and hybrid list, those of the
final ranking, and for Cranfield nDCG@10 of the final ranking. Wanted: an overlap of .9 of keyword and hybrid
lists, nDCG@10 within .01. Where scores differ, by how much: of passages that both lists hold, the largest
relative difference of BM25 and the largest difference of cosines.
Prints a table and then one JSON object; ends with 1 where a target is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.retrieval.home import Home, open_home
from bench.retrieval.measure import EVERYTHING, measure_ranks
from bench.retrieval.sets import RankQuestion, cranfield_questions, cranfield_texts
from bench.servers import add_options, check_options, weaviate
from core.config.models import Settings
from core.domain.search import SearchQuery
from core.encode.load import load_query_encoder
from core.index.base import EngineHit, Mode, SearchEngine
from core.index.embedded import EmbeddedEngine
from core.index.sync import catch_up
from core.index.weaviate import WeaviateEngine
from core.search.query import StageTimer
from core.search.search import Retriever
from core.store.store import Records
from core.workbench import Workbench
from samples import TRUTH
from tests.support.weaviate_server import WeaviateServer

DEPTH = 10
LEAST_OVERLAP, LARGEST_NDCG_DIFFERENCE = 0.9, 0.01
WANTED = ("keyword", "hybrid")  # the lists that must overlap


@dataclass(frozen=True, slots=True)
class Sides:
    """The same records behind both engines."""

    embedded: Home
    served: Home

    @property
    def both(self) -> tuple[Home, Home]:
        """The embedded side first."""
        return self.embedded, self.served


def compare_lists(sides: Sides, questions: Sequence[str]) -> dict[str, dict[str, float]]:
    """Overlap of the engines' lists by mode, and of the final rankings."""
    rows: dict[str, list[dict[str, float]]] = {}
    for question in questions:
        for mode in Mode:
            lists = [engine_list(home, question, mode) for home in sides.both]
            rows.setdefault(mode.value, []).append(_compared(*lists))
        for mode in (Mode.KEYWORD, Mode.HYBRID):
            query = SearchQuery(question, mode=mode.value, top_k=DEPTH)
            ranked = [
                [hit.passage for hit in home.retriever.search(query, EVERYTHING).hits] for home in sides.both
            ]
            rows.setdefault(f"final, {mode.value}", []).append(_overlaps(*ranked))
    return {name: _summary(each) for name, each in rows.items()}


def engine_list(home: Home, question: str, mode: Mode) -> list[EngineHit]:
    """What an engine alone gives for a question, as the product asks it."""
    query = SearchQuery(question, mode=Mode.HYBRID.value, resolve=False)
    reading = home.retriever.read(query, EVERYTHING, StageTimer())
    if reading is None:
        return []
    tier = next(reading.tiers(home.engine))
    return home.engine.search(tier.request(mode))


def _compared(ours: Sequence[EngineHit], theirs: Sequence[EngineHit]) -> dict[str, float]:
    """Overlap of the ten best, and how far the scores of passages in both lists lie apart."""
    row = _overlaps([hit.passage for hit in ours[:DEPTH]], [hit.passage for hit in theirs[:DEPTH]])
    found = {hit.passage: hit for hit in theirs}
    pairs = [(hit, found[hit.passage]) for hit in ours if hit.passage in found]
    bm25 = [abs(a.keyword / b.keyword - 1) for a, b in pairs if a.keyword and b.keyword]
    cosines = [abs(a.cosine - b.cosine) for a, b in pairs if a.cosine is not None and b.cosine is not None]
    return row | {"bm25": max(bm25, default=0.0), "cosine": max(cosines, default=0.0)}


def _overlaps(ours: Sequence[int], theirs: Sequence[int]) -> dict[str, float]:
    longest = max(len(ours), len(theirs))
    return {
        "overlap": len(set(ours) & set(theirs)) / longest if longest else 1.0,
        "same": float(list(ours) == list(theirs)),
    }


def _summary(rows: Sequence[dict[str, float]]) -> dict[str, float]:
    """Means and worst cases over all questions."""
    overlaps = [row["overlap"] for row in rows]
    found = {
        "overlap": float(np.mean(overlaps)),
        "worst overlap": min(overlaps),
        "same order": float(np.mean([row["same"] for row in rows])),
    }
    if "bm25" in rows[0]:
        found |= {
            "largest bm25 difference": max(row["bm25"] for row in rows),
            "largest cosine difference": max(row["cosine"] for row in rows),
        }
    return {name: round(value, 7) for name, value in found.items()}


def compare_quality(sides: Sides, questions: Sequence[RankQuestion]) -> dict[str, dict[str, float]]:
    """nDCG@10 of both engines by mode."""
    found = {}
    for mode in Mode:
        ours, theirs = (
            measure_ranks(home, questions, mode=mode.value).scores["nDCG@10"] for home in sides.both
        )
        found[mode.value] = {
            "embedded": round(ours, 4),
            "weaviate": round(theirs, 4),
            "difference": round(theirs - ours, 4),
        }
    return found


@contextmanager
def served(
    home: Home, settings: Settings, server: WeaviateServer, name: str, quantizer: str
) -> Iterator[Sides]:
    """The home with its records indexed into a collection of the server too."""
    index = server.settings(name, quantizer=quantizer)
    with closing(WeaviateEngine.open(index, home.encoder.signature)) as engine:
        began = time.perf_counter()
        catch_up(engine, home.records)
        print(f"{name}: {home.passages} passages in {time.perf_counter() - began:.1f} s", file=sys.stderr)
        yield Sides(home, _behind(home, engine, settings))


def _behind(home: Home, engine: SearchEngine, settings: Settings) -> Home:
    retriever = Retriever(home.records, engine, home.encoder, settings)
    retriever.warm()
    return Home(home.records, engine, home.encoder, retriever, home.sources, home.passages)


@contextmanager
def open_sample(folder: Path) -> Iterator[Home]:
    """The sample collection, ingested into `folder` as a newcomer does it."""
    settings = Settings(home=folder)
    with Workbench.open(folder, settings) as bench:
        if bench.is_empty():
            bench.local.documents.ingest_sample()
    with Records.open(settings) as records:
        encoder = load_query_encoder(settings)
        with closing(EmbeddedEngine.open(folder / "index", encoder.signature)) as engine:
            listed = records.documents.list(EVERYTHING)
            retriever = Retriever(records, engine, encoder, settings)
            retriever.warm()
            sources = {document.source: document.id for document in listed}
            yield Home(records, engine, encoder, retriever, sources, sum(one.passages for one in listed))


def sample_questions(home: Home) -> list[str]:
    """The collection's questions, and the titles of its documents."""
    asked = json.loads(TRUTH.read_text(encoding="utf-8"))["questions"]
    titles = [document.title for document in home.records.documents.list(EVERYTHING) if document.title]
    return list(dict.fromkeys([*asked, *titles]))


def measure(options: argparse.Namespace, homes: Path) -> dict[str, Any]:
    """Every set with every quantizer."""
    found: dict[str, Any] = {}
    questions = cranfield_questions(options.data)[: options.limit]
    with ExitStack() as stack:
        server = stack.enter_context(weaviate())
        cranfield = stack.enter_context(open_home(cranfield_texts(options.data), homes / "cranfield"))
        sample = stack.enter_context(open_sample(homes / "sample"))
        for quantizer in options.quantizers:
            name = f"Cranfield{quantizer.title()}"
            with served(cranfield, Settings(home=homes / "cranfield"), server, name, quantizer) as sides:
                found[f"cranfield, {quantizer}"] = {
                    "passages": cranfield.passages,
                    "questions": len(questions),
                    "lists": compare_lists(sides, [question.text for question in questions]),
                    "nDCG@10": compare_quality(sides, questions),
                }
            name = f"Sample{quantizer.title()}"
            with served(sample, Settings(home=homes / "sample"), server, name, quantizer) as sides:
                texts = sample_questions(sample)
                found[f"sample, {quantizer}"] = {
                    "passages": sample.passages,
                    "questions": len(texts),
                    "lists": compare_lists(sides, texts),
                }
    return found


def misses(found: dict[str, Any]) -> list[str]:
    """The targets that were missed."""
    missed = []
    for name, one in found.items():
        overlaps = {mode: one["lists"][mode]["overlap"] for mode in WANTED}
        missed += [
            f"{name}: overlap of {mode} lists {overlap:.3f}"
            for mode, overlap in overlaps.items()
            if overlap < LEAST_OVERLAP
        ]
        for mode, scores in one.get("nDCG@10", {}).items():
            if abs(scores["difference"]) > LARGEST_NDCG_DIFFERENCE:
                missed.append(f"{name}: nDCG@10 by {mode} differs by {scores['difference']:+.4f}")
    return missed


def print_table(found: dict[str, Any]) -> None:
    """The figures for a person."""
    for name, one in found.items():
        print(f"{name}: {one['passages']} passages, {one['questions']} questions")
        print(f"  {'list':<16}{'overlap':>9}{'worst':>7}{'same order':>12}{'BM25 differs':>14}{'cosine':>10}")
        for mode, row in one["lists"].items():
            bm25, cosine = (row.get(f"largest {kind} difference") for kind in ("bm25", "cosine"))
            scores = "" if bm25 is None or cosine is None else f"{bm25:>14.2%}{cosine:>10.1e}"
            agreed = f"{row['overlap']:>9.4f}{row['worst overlap']:>7.1f}{row['same order']:>12.3f}"
            print(f"  {mode:<16}{agreed}{scores}")
        for mode, scores in one.get("nDCG@10", {}).items():
            ours, theirs = scores["embedded"], scores["weaviate"]
            print(f"  nDCG@10, {mode:<10} embedded {ours:.4f}, Weaviate {theirs:.4f}")


def main() -> None:
    """Measure, print and judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_options(parser)
    parser.add_argument(
        "--quantizers", nargs="+", default=["rq8", "none"], choices=["rq8", "none", "rq1", "bq"]
    )
    parser.add_argument(
        "--homes", type=Path, help="keep the ingested homes below this folder and use them again"
    )
    parser.add_argument("--limit", type=int, help="only so many questions of Cranfield")
    parser.add_argument("--out", type=Path, help="write the figures here as JSON too")
    options = parser.parse_args()
    check_options(parser, options)
    with tempfile.TemporaryDirectory(prefix="groundwork-bench-") as folder:
        found = measure(options, options.homes or Path(folder))
    print_table(found)
    missed = misses(found)
    text = json.dumps({"bench": "engine_parity", "sets": found, "missed": missed})
    print(text)
    if options.out is not None:
        options.out.write_text(text + "\n", encoding="utf-8")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
