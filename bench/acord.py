"""ACORD: 57 clause-search queries with lawyers' grades over 2,291 clauses; judged clauses only are ranked.

python -m bench.acord --data DIR [--home DIR]
"""

from __future__ import annotations

from bench.retrieval.command import read_options, report
from bench.retrieval.home import open_home
from bench.retrieval.measure import measure_ranks
from bench.retrieval.sets import acord_questions, acord_texts


def main() -> None:
    """Measure keyword, semantic and hybrid search."""
    options = read_options("ACORD clause retrieval quality")
    questions = acord_questions(options.data)[: options.limit]
    with open_home(acord_texts(options.data), options.home) as home:
        runs = {
            mode: measure_ranks(home, questions, mode=mode, judged_only=True)
            for mode in ("keyword", "semantic", "hybrid")
        }
    report("ACORD, judged clauses", runs, options)


if __name__ == "__main__":
    main()
