"""Sentences and fragments of documents, and questions with words changed, asked as they are: none may fail.

    python -m bench.any_text --data DIR --home HOME [--texts 2000] [--mutations 1000] [--seed 0]

Texts are from CUAD's contracts, Cranfield's abstracts and SROIE's receipts; changed are writers' questions
(`bench/reader/questions`): words left out, doubled, in another order, cut off, in capitals, with signs in
between. Printed are how they ended, each that failed, and times.
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.answers.collection import data_folder
from bench.reader.marks import all_questions
from core.domain.answer import Status
from core.workbench import Workbench

SOURCES = ("cuad/contracts/*.txt", "cranfield/cran.all.1400", "sroie/box/*")
_SIGNS = ("?", "!!", "%", "$", "'", '"', ";", "--", "/*", "<b>", "\\", "{}", "\t", "№", "💡", "()", "[1]")


def pieces(data: Path, count: int, rng: random.Random) -> list[str]:
    """Sentences, lines and parts of sentences from documents."""
    files = [file for pattern in SOURCES for file in sorted(data.glob(pattern))]
    found: list[str] = []
    while len(found) < count:
        text = rng.choice(files).read_text(encoding="utf-8", errors="replace")
        units = [each.strip() for each in re.split(r"(?<=[.;:])\s|\n", text) if each.strip()]
        chosen = rng.choice(units)
        words = chosen.split()
        if len(words) > 4 and rng.random() < 0.4:
            start = rng.randrange(len(words) - 2)
            chosen = " ".join(words[start : start + rng.randint(2, 8)])
        found.append(chosen[:3900])
    return found


def mutated(questions: Sequence[str], count: int, rng: random.Random) -> list[str]:
    """Questions with one to three changes."""
    changes: tuple[Callable[[list[str]], list[str]], ...] = (
        lambda words: [each for each in words if rng.random() > 0.2],
        lambda words: [each for each in words for _ in range(rng.choice((1, 1, 1, 2)))],
        lambda words: rng.sample(words, len(words)),
        lambda words: words[: rng.randint(1, len(words))],
        lambda words: [*words, *rng.choice(questions).split()[-5:]],
        lambda words: [each.upper() for each in words],
        lambda words: [part for each in words for part in (each, *rng.sample(_SIGNS, rng.randint(0, 1)))],
        lambda words: [each if rng.random() > 0.3 else each[::-1] for each in words],
        lambda words: ["not", *words, "not"],
    )
    found = []
    for _ in range(count):
        words = rng.choice(questions).split()
        for change in rng.sample(changes, rng.randint(1, 3)):
            words = change(words) or words
        found.append(" ".join(words))
    return found


def main() -> None:
    """Ask, and print how it ended."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--texts", type=int, default=2_000)
    parser.add_argument("--mutations", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    questions = [each.reading.question for each in all_questions()]
    kinds = {
        "texts": pieces(options.data, options.texts, rng),
        "mutations": mutated(questions, options.mutations, rng),
    }
    with Workbench.open(options.home) as bench:
        for kind, asked in kinds.items():
            outcomes: Counter[str] = Counter()
            times = []
            for question in asked:
                started = time.perf_counter()
                try:
                    status, text = (answer := bench.ask(question)).status.value, answer.text
                except Exception as error:  # an exception is what this looks for
                    status, text = "exception", repr(error)
                times.append(1_000 * (time.perf_counter() - started))
                outcomes[status] += 1
                if status in ("exception", Status.FAILED.value):
                    print(f"{status}: {question!r}: {text[:200]}")
            shares = ", ".join(f"{name} {count}" for name, count in outcomes.most_common())
            p95 = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
            print(f"{len(asked):,} {kind}: {shares}; p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms")


if __name__ == "__main__":
    main()
