"""Abstention on mtrag_un: how well evidence tells answerable questions, and what the product does.

No weight of the shipped model was fitted on mtrag_un (core/answer/abstain.md). Its threshold was chosen on
these conversations, so the line to believe is `cross-validated`: thresholds chosen the same way on four
fifths of the conversations and judged on the rest. Answers come from the real orchestrator, with history.

    python -m bench.abstention --data DIR [--home DIR] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from bench.answers.collection import Collection, data_folder, open_collection
from bench.answers.measure import auc, find, history_of
from bench.answers.sets import Question, QuestionSet, mtrag
from bench.quotes import QuoteCount
from bench.train_abstention import choose_threshold
from core.answer.abstain import answerable_probability, load_models
from core.ask import request
from core.domain.answer import Status
from core.domain.principal import LOCAL_ADMIN
from core.search.evidence.pack import pack
from core.search.evidence.score import features

FOLDS = 5
SPLITS = 20


def run(collection: Collection, questions: QuestionSet) -> dict[str, Any]:
    """Everything measured, as JSON."""
    asked = [q for q in questions.questions if q.kind in ("ANSWERABLE", "UNANSWERABLE")]
    rows, labels, groups, refused = [], [], [], []
    statuses: dict[str, Counter[str]] = {}
    quotes = QuoteCount()
    for question in questions.questions:
        answer = collection.orchestrator.ask(
            request.Question(
                question.text, LOCAL_ADMIN, (question.bucket,), history=tuple(history_of(question))
            )
        )
        statuses.setdefault(question.kind, Counter())[answer.status.value] += 1
        quotes.add(answer, collection.records)
        if question in asked:
            rows.append(_score(collection, question))
            labels.append(int(question.kind == "ANSWERABLE"))
            groups.append(question.group)
            refused.append(answer.status is not Status.ANSWERED)
    truth = np.array(labels)
    scores = np.array(rows)
    return {
        "answerable": int(truth.sum()),
        "unanswerable": int((truth == 0).sum()),
        "auc": round(auc(scores, truth), 4),
        "threshold": load_models()["answerable"].threshold,
        "shipped": point(np.array(refused), truth),
        "cross_validated": cross_validated(scores, truth, np.array(groups)),
        "statuses": {kind: dict(counts) for kind, counts in statuses.items()},
        "citations": quotes.citations,
        "citations_wrong": quotes.wrong,
    }


def _score(collection: Collection, question: Question) -> float:
    retrieval = find(collection, question)
    return 0.0 if retrieval is None else answerable_probability(features(pack(retrieval)))


def point(refused: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Precision and recall of refusing, and the share of answerable questions refused."""
    hits = int((refused & (truth == 0)).sum())
    return {
        "precision": round(hits / max(1, int(refused.sum())), 3),
        "recall": round(hits / max(1, int((truth == 0).sum())), 3),
        "answerable_refused": round(float(refused[truth == 1].mean()), 3),
    }


def cross_validated(scores: np.ndarray, truth: np.ndarray, groups: np.ndarray) -> dict[str, float]:
    """The shipped model with a threshold from four fifths of the conversations, judged on the rest.

    Mean over SPLITS random divisions of the conversations: with 39 positives one division is mostly chance.
    """
    points = []
    names = np.array(sorted(set(groups)))
    for seed in range(SPLITS):
        shuffled = np.random.default_rng(seed).permutation(names)
        folds = {group: at % FOLDS for at, group in enumerate(shuffled)}
        fold = np.array([folds[group] for group in groups])
        refused = np.zeros(len(truth), dtype=bool)
        for at in range(FOLDS):
            inside = fold == at
            refused[inside] = scores[inside] < choose_threshold(scores[~inside], truth[~inside])
        points.append(point(refused, truth))
    return {name: round(float(np.mean([p[name] for p in points])), 3) for name in points[0]}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "groundwork-bench-answers")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    questions = mtrag(options.data)
    with open_collection(options.home / "mtrag", questions.texts) as collection:
        report = run(collection, questions)
    print(
        f"AUC {report['auc']}, {report['answerable']} answerable, {report['unanswerable']} unanswerable turns"
    )
    for name in ("cross_validated", "shipped"):
        part = report[name]
        print(
            f"{name:16} precision {part['precision']:.2f}  recall {part['recall']:.2f}  "
            f"answerable refused {part['answerable_refused']:.3f}"
        )
    print(f"citations {report['citations']}, wrong {report['citations_wrong']}")
    print(json.dumps(report))
    if options.out:
        options.out.write_text(json.dumps(report, indent=1), "utf-8")


if __name__ == "__main__":
    main()
