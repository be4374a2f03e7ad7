"""Further wordings of a search, good and bad ones: what they change of the ranking of public questions.

Run: python -m bench.wordings --data DIR [--home DIR]

No model: `terms` are telling words of the question, `short` its second half, `foreign` the whole of another
question, which is the worst that a planner could add.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bench.retrieval.command import read_options, report
from bench.retrieval.home import open_home
from bench.retrieval.measure import Wordings, measure_ranks, measure_spans, no_wordings
from bench.retrieval.sets import chunking_questions, chunking_texts, cranfield_questions, cranfield_texts
from core.text.analyse import text_terms


def main() -> None:
    """Measure Cranfield by documents, then chunking_eval by characters."""
    options = read_options("Further wordings of a search")
    ranks = cranfield_questions(options.data)[: options.limit]
    with open_home(cranfield_texts(options.data), options.home) as home:
        runs = {
            name: measure_ranks(home, ranks, wordings=given)
            for name, given in _kinds([each.text for each in ranks]).items()
        }
    report("Cranfield, binary", runs, options)
    spans = chunking_questions(options.data)[: options.limit]
    with open_home(chunking_texts(options.data), None) as home:
        runs = {
            name: measure_spans(home, spans, (1, 4, 8), wordings=given)
            for name, given in _kinds([each.text for each in spans]).items()
        }
    report("chunking_eval, characters", runs, options)


def _kinds(questions: Sequence[str]) -> dict[str, Wordings]:
    after = dict(zip(questions, (*questions[1:], *questions[:1]), strict=True))
    kinds: dict[str, Callable[[str], str]] = {
        "terms": _terms,
        "short": lambda text: " ".join(text.split()[len(text.split()) // 2 :]),
        "foreign": after.__getitem__,
    }
    given: dict[str, Wordings] = {name: _one(kind) for name, kind in kinds.items()}
    return {"none": no_wordings, **given}


def _one(kind: Callable[[str], str]) -> Wordings:
    return lambda text: (kind(text),)


def _terms(text: str) -> str:
    return " ".join(word for word in text.split() if text_terms(word))


if __name__ == "__main__":
    main()
