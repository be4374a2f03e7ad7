"""Does accuracy hold when the collection grows fifty-fold? One vector index beside Groundwork whole.

    python -m bench.collapse --data DIR --homes DIR [--sizes 1000 10000 50000] [--half tuned] [--out FILE]

Questions of six public sets whose places are known, among 1,000, 10,000 and 50,000 documents; the small
collection is in the large one. Papers that questions name or are about stay whole, and their fields are
extracted; abstracts and passages stay as their sets have them; all else is divided into documents of 600
to 900 characters, without fields. Copies of what answers are left out. Vectors are kept in the cache by the
text that they are of, homes in --homes: a second run encodes nothing.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from bench.collapse.collection import arranged
from bench.collapse.figures import Line, parts, table
from bench.collapse.homes import fill_homes
from bench.collapse.judging import is_right, recall
from bench.collapse.questions import CollapseQuestion, all_questions
from bench.collapse.systems import Groundwork, OneVectorIndex
from bench.collapse.texts import all_texts
from core.workbench import Workbench

_T = TypeVar("_T")
CACHE = Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "groundwork-bench"


def main() -> None:
    """Make what is missing of the homes, ask, and print the table."""
    options = _options()
    options.cache.mkdir(parents=True, exist_ok=True)
    texts = all_texts(options.data, options.cache)
    pieces = [piece for text in texts for piece in text.pieces()]
    questions = all_questions(options.data, pieces)
    ordered = arranged(pieces, questions)
    print(f"{len(ordered):,} documents, {len(questions)} questions", file=sys.stderr)
    chosen = [each for each in questions if options.half in ("all", each.half) and options.part in each.part]
    lines: list[Line] = []
    for size, home in fill_homes(ordered, options.sizes, options.homes, options.cache):
        if not options.fill:
            lines += measure(size, home, chosen, options.systems)
    if lines:
        print(table(lines), "", parts(lines), sep="\n")
    if options.out is not None:
        rows = (json.dumps(dataclasses.asdict(line)) for line in lines)
        options.out.write_text("\n".join(rows) + "\n", encoding="utf-8")


def measure(
    size: int, home: Path, questions: Sequence[CollapseQuestion], systems: Sequence[str]
) -> Iterator[Line]:
    """All questions to both systems over one home."""
    if "vectors" in systems:
        yield from _asked(size, "one vector index", OneVectorIndex(home), questions)
    if "groundwork" not in systems:
        return
    began = time.perf_counter()
    with Workbench.open(home) as bench:
        bench.warm()
        opened = time.perf_counter()
        system = Groundwork(bench)
        system.answer(questions[0].text)
        print(
            f"{size:,} documents: opened in {opened - began:.1f} s, first question"
            f" {time.perf_counter() - opened:.1f} s, memory {_memory_mb()} MB",
            flush=True,
        )
        yield from _asked(size, "Groundwork", system, questions)
        print(f"{size:,} documents: memory at the end {_memory_mb()} MB", flush=True)


def _asked(
    size: int, name: str, system: OneVectorIndex | Groundwork, questions: Sequence[CollapseQuestion]
) -> Iterator[Line]:
    for question in questions:
        answer, ms = _timed(lambda asked=question: system.answer(asked.text))
        found, search_ms = _timed(lambda asked=question: system.search(asked.text))
        yield Line(
            size=size,
            system=name,
            part=question.part,
            half=question.half,
            question=question.text,
            right=is_right(question, answer.cited, answer.words),
            recall=recall(question, found),
            ms=ms,
            search_ms=search_ms,
            status=answer.status,
            said=answer.words[:300],
        )


def _timed(run: Callable[[], _T]) -> tuple[_T, float]:
    began = time.perf_counter()
    return run(), 1000 * (time.perf_counter() - began)


def _memory_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    data = os.environ.get("GROUNDWORK_BENCH_DATA")
    parser.add_argument("--data", type=Path, default=data, required=data is None)
    parser.add_argument(
        "--homes", type=Path, required=True, help="folder of the homes, kept for the next run"
    )
    parser.add_argument("--cache", type=Path, default=CACHE, help="folder of vectors and pages of filings")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 50_000])
    parser.add_argument("--half", choices=["tuned", "apart", "all"], default="all")
    parser.add_argument("--part", default="", help="only questions of this set")
    parser.add_argument("--systems", nargs="+", default=["vectors", "groundwork"])
    parser.add_argument("--fill", action="store_true", help="make the homes, and ask nothing")
    parser.add_argument("--out", type=Path, help="write a line for each question here as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    main()
