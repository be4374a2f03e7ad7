"""chunking_eval: questions with character spans over three documents.

python -m bench.chunking_eval --data DIR [--home DIR]
"""

from __future__ import annotations

from bench.retrieval.command import read_options, report
from bench.retrieval.home import open_home
from bench.retrieval.measure import measure_spans
from bench.retrieval.sets import chunking_questions, chunking_texts


def main() -> None:
    """Measure P and R in characters, and the first sentence."""
    options = read_options("chunking_eval retrieval quality")
    questions = chunking_questions(options.data)[: options.limit]
    with open_home(chunking_texts(options.data), options.home) as home:
        runs = {"hybrid": measure_spans(home, questions, (1, 4, 8))}
    report("chunking_eval, characters", runs, options)


if __name__ == "__main__":
    main()
