"""LegalBench-RAG mini: 43 documents, 582 questions with character spans.

python -m bench.legalbenchrag --data DIR [--home DIR]
"""

from __future__ import annotations

from bench.retrieval.command import read_options, report
from bench.retrieval.home import open_home
from bench.retrieval.measure import measure_spans
from bench.retrieval.sets import legalbench_questions, legalbench_texts

DEPTHS = (1, 8, 64)


def main() -> None:
    """Measure P and R in characters and the first sentence, with and without naming documents."""
    options = read_options("LegalBench-RAG retrieval quality")
    questions = legalbench_questions(options.data)[: options.limit]
    with open_home(legalbench_texts(options.data), options.home) as home:
        runs = {
            "hybrid": measure_spans(home, questions, DEPTHS),
            "names ignored": measure_spans(home, questions, DEPTHS, resolve=False),
        }
    report("LegalBench-RAG, characters", runs, options)


if __name__ == "__main__":
    main()
