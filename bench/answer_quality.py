"""The whole answer on public questions: is the first claim right, are quotes exact, what was refused.

P@1 of the first claim counts characters; an answer without a claim counts 0.

    python -m bench.answer_quality --data DIR [--set legalbench chunking] [--home DIR] [--limit N]
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.answers.collection import data_folder
from bench.answers.measure import calibration
from bench.quotes import QuoteCount
from bench.retrieval.home import Home, open_home
from bench.retrieval.measure import PageText
from bench.retrieval.scores import precision
from bench.retrieval.sets import (
    SpanQuestion,
    chunking_questions,
    chunking_texts,
    legalbench_questions,
    legalbench_texts,
)
from core.ask.orchestrator import Orchestrator
from core.ask.request import Question
from core.config.models import Settings
from core.domain.ids import DocumentId
from core.domain.principal import LOCAL_ADMIN
from tests.support.doors import OPEN

Texts = Callable[[Path], dict[str, str]]
Questions = Callable[[Path], list[SpanQuestion]]
SETS: dict[str, tuple[Texts, Questions]] = {
    "legalbench": (legalbench_texts, legalbench_questions),
    "chunking": (chunking_texts, chunking_questions),
}


def run(home: Home, questions: Sequence[SpanQuestion]) -> dict[str, Any]:
    """Every question through the orchestrator."""
    settings = Settings(home=Path("/nowhere"))  # the defaults; records and engine are open already
    orchestrator = Orchestrator(home.records, home.retriever, settings, door=lambda *_: OPEN)
    pages = PageText(home)
    first: list[float] = []
    confidences: list[float] = []
    times: list[float] = []
    statuses: Counter[str] = Counter()
    quotes = QuoteCount()
    for question in questions:
        began = time.perf_counter()
        answer = orchestrator.ask(Question(question.text, LOCAL_ADMIN))
        times.append((time.perf_counter() - began) * 1000)
        statuses[answer.status.value] += 1
        confidences.append(answer.confidence)
        places = [
            pages.place(DocumentId(c.document), c.page, c.start, c.end)
            for claim in answer.claims[:1]
            for c in claim.citations
        ]
        first.append(precision(places, question.gold) if places else 0.0)
        quotes.add(answer, home.records)
    return {
        "questions": len(first),
        "first_claim_p1": round(float(np.mean(first)), 4),
        "statuses": dict(statuses),
        "citations": quotes.citations,
        "citations_wrong": quotes.wrong,
        "p50_ms": round(float(np.percentile(times, 50)), 1),
        "p95_ms": round(float(np.percentile(times, 95)), 1),
        "calibration": [
            {"confidence": round(fifth.confidence, 2), "right": round(fifth.right, 2)}
            for fifth in calibration(np.array(confidences), np.array(first) > 0)
        ],
    }


def main() -> None:
    """Measure every set asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    data_folder(parser)
    parser.add_argument("--set", nargs="+", choices=sorted(SETS), default=sorted(SETS))
    parser.add_argument("--home", type=Path, help="folder with a home for each set")
    parser.add_argument("--limit", type=int)
    options = parser.parse_args()
    reports = {}
    for name in options.set:
        texts, questions = SETS[name]
        folder = options.home / name if options.home else None
        with open_home(texts(options.data), folder) as home:
            reports[name] = run(home, questions(options.data)[: options.limit])
        report = reports[name]
        print(
            f"{name:12} first claim P@1 {report['first_claim_p1']:.3f}  citations {report['citations']} "
            f"(wrong {report['citations_wrong']})  {report['statuses']}  p95 {report['p95_ms']:.0f} ms"
        )
    print(json.dumps(reports))


if __name__ == "__main__":
    main()
