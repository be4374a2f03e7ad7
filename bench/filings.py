"""Questions over filings: the rank of the page that answers, and how many are refused before a search.

python -m bench.filings --data DIR --home HOME [--show]
HOME: `groundwork ingest DIR/financebench/pdf --home HOME`, once.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from core.domain.search import SearchQuery
from core.workbench import Workbench

DEPTHS = (1, 5, 10)
_HITS = 40  # several may stand on one page


def main() -> None:
    """Print the share of questions whose page is among the first, and how the answers ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="a line for each question")
    given = parser.parse_args()
    path = given.data / "financebench" / "questions.jsonl"
    questions = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    ends: Counter[str] = Counter()
    ranks: list[int] = []
    with Workbench.open(home=given.home) as bench:
        for each in questions:
            gold = {(place["file"], place["page"]) for place in each["gold"]}
            rank = rank_of(gold, bench, each["question"])
            ranks.append(rank)
            answer = bench.ask(each["question"])
            is_searched = bool(answer.evidence or answer.nearest)
            ends[f"{answer.status.value} {answer.confidence_label.value}"] += 1
            ends["without a search"] += not is_searched
            if given.show:
                print(
                    rank, answer.status.value, "" if is_searched else "NOT SEARCHED", each["question"][:150]
                )
    for depth in DEPTHS:
        print(f"page@{depth}: {share(ranks, depth):.3f}")
    print(f"MRR: {sum(1 / rank for rank in ranks if rank) / len(ranks):.3f} of {len(ranks)}")
    print(", ".join(f"{name}: {count}" for name, count in sorted(ends.items())))


def rank_of(gold: set[tuple[str, int]], bench: Workbench, question: str) -> int:
    """The place of the first gold page among the pages found, from 1; 0 where none is among them."""
    report = bench.search(SearchQuery(question, top_k=_HITS))
    pages = dict.fromkeys((hit.source.rsplit("/", 1)[-1], hit.page) for hit in report.hits)
    return next((at for at, page in enumerate(pages, 1) if page in gold), 0)


def share(ranks: Sequence[int], depth: int) -> float:
    """The share of ranks up to a depth."""
    return sum(0 < rank <= depth for rank in ranks) / len(ranks)


if __name__ == "__main__":
    main()
