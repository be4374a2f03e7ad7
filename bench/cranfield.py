"""Cranfield: 1,400 abstracts, 225 questions, through ingest and retrieval of the product.

    python -m bench.cranfield --data DIR [--home DIR]

Grades 1 to 4 count as relevant, all alike (binary).
"""

from __future__ import annotations

from bench.retrieval.command import read_options, report
from bench.retrieval.home import open_home
from bench.retrieval.measure import measure_ranks
from bench.retrieval.sets import cranfield_questions, cranfield_texts


def main() -> None:
    """Measure keyword, semantic and hybrid search."""
    options = read_options("Cranfield retrieval quality")
    questions = cranfield_questions(options.data)[: options.limit]
    with open_home(cranfield_texts(options.data), options.home) as home:
        runs = {mode: measure_ranks(home, questions, mode=mode) for mode in ("keyword", "semantic", "hybrid")}
    report("Cranfield, binary", runs, options)


if __name__ == "__main__":
    main()
