"""HotpotQA's 100 visible questions: are all passages that an answer needs among the first found?

python -m bench.hotpot --data DIR [--home DIR] [--foreign]

--foreign: among some 20,000 passages of the other sets. Each row is also given for two random halves of the
questions, which were drawn once.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from bench.retrieval.home import Home, open_home
from bench.retrieval.hops import HopQuestion, foreign_texts, hotpot_questions, hotpot_texts
from core.domain.ids import DocumentId
from core.domain.search import SearchQuery
from core.search.multi_hop import MultiHop
from core.search.search import Retrieval
from core.store.database.visibility import Visibility
from core.workbench.finder import IndexFinder

DEPTHS = (4, 8, 10)
EVERYTHING = Visibility.everything()
Search = Callable[[str], Sequence[DocumentId]]
"""The documents of the passages that were found, best first."""


def main() -> None:
    """Ingest what the home lacks, then measure one search and several hops."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--home", type=Path, help="keep the ingested home here and use it again")
    parser.add_argument("--foreign", action="store_true")
    options = parser.parse_args()
    if not options.data:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    data = Path(options.data)
    texts = hotpot_texts(data) | (foreign_texts(data) if options.foreign else {})
    questions = hotpot_questions(data)
    with open_home(texts, options.home, extract=False) as home:
        hops = MultiHop(home.retriever)
        made: Counter[int] = Counter()

        finder = IndexFinder(lambda: home.retriever, _no_facts)

        def hopping(text: str) -> Sequence[DocumentId]:
            found = hops.search(SearchQuery(text, top_k=100), EVERYTHING)
            made[len(found.steps)] += 1
            return _documents(found.retrieval)

        def fused(text: str) -> Sequence[DocumentId]:
            return _documents(home.retriever.retrieve(SearchQuery(text, top_k=100), EVERYTHING))

        def searched(text: str) -> Sequence[DocumentId]:
            return [hit.document for hit in finder.search(SearchQuery(text, top_k=100), EVERYTHING).hits]

        print(f"{len(texts):,} documents, {home.passages:,} passages, {len(questions)} questions")
        ways = {"fused": fused, "hops": hopping, "groundwork search": searched}
        figures = {name: measure(home, questions, run) for name, run in ways.items()}
        print(f"hops made: {dict(sorted(made.items()))}")
        print(json.dumps({"passages": home.passages, "figures": figures}))


def _documents(found: Retrieval) -> Sequence[DocumentId]:
    return [each.stored.passage.document for each in found.candidates]


def _no_facts() -> NoReturn:
    raise AssertionError("passages are searched, and no facts")


def measure(home: Home, questions: Sequence[HopQuestion], search: Search) -> dict[str, object]:
    """Shares of questions with all gold among the first passages, and milliseconds."""
    source_of = {DocumentId(document): source for source, document in home.sources.items()}
    within: list[dict[int, bool]] = []
    times: list[float] = []
    for question in questions:
        began = time.perf_counter()
        found = search(question.text)
        times.append(1000 * (time.perf_counter() - began))
        sources = [source_of[each] for each in found[: max(DEPTHS)]]
        within.append({depth: question.gold <= set(sources[:depth]) for depth in DEPTHS})
    order = list(range(len(questions)))
    random.Random(0).shuffle(order)
    parts = {"all": order, "half 1": order[: len(order) // 2], "half 2": order[len(order) // 2 :]}
    scores = {
        name: {depth: round(statistics.mean(within[at][depth] for at in chosen), 3) for depth in DEPTHS}
        for name, chosen in parts.items()
    }
    latency = {"p50": statistics.median(times), "p95": statistics.quantiles(times, n=20)[-1]}
    print(f"{search.__name__}, all gold within {' / '.join(map(str, DEPTHS))}:")
    for part, each in scores.items():
        print(f"    {part:7s} {' / '.join(f'{each[depth]:.2f}' for depth in DEPTHS)}")
    print(f"    p50 {latency['p50']:.1f} p95 {latency['p95']:.1f} ms")
    return {"within": scores, "latency_ms": {name: round(value, 1) for name, value in latency.items()}}


if __name__ == "__main__":
    main()
