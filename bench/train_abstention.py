"""Fit the abstention and confidence models, and write them with their model card into core/answer/.

Weights: HotpotQA, chunking_eval and ContractNLI, every question with its gold passages in place and with
them taken out. Threshold: the conversations of mtrag_un, some of whose questions really have no answer;
`python -m bench.abstention` reports what that is worth on conversations that did not help to choose it.

    python -m bench.train_abstention --data DIR [--home DIR] [--rows FILE] [--write]
"""

from __future__ import annotations

import argparse
import json
import pickle
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.answers.collection import data_folder, open_collection
from bench.answers.measure import Row, auc, calibration, fit, fit_rising, measure
from bench.answers.sets import SETS
from core.answer.abstain import ARTEFACT

TRAINING = ("hotpot", "chunking", "contractnli")
PRECISION = 0.65  # of refusals: a little above what is asked for, since a threshold loses some elsewhere
REFUSED = 0.08  # of answerable questions, at most
UNANSWERABLE = 0.2  # assumed share among the questions that people ask; the confidence is calibrated to it
NAMES = ("best_cosine", "best_coverage", "top_coverage")


def collect(data: Path, home: Path, names: Sequence[str]) -> list[Row]:
    """The measured rows of several sets."""
    rows: list[Row] = []
    for name in names:
        questions = SETS[name](data)
        with open_collection(home / name, questions.texts) as collection:
            rows += measure(collection, questions)
    return rows


def matrix(rows: Sequence[Row]) -> np.ndarray:
    """(n, 3) features."""
    return np.array([row.features.as_row() for row in rows])


def balanced(rows: Sequence[Row], labels: np.ndarray) -> np.ndarray:
    """Weights under which every set counts alike, and within it both answers."""
    weights = np.zeros(len(rows))
    for name in {row.set for row in rows}:
        for label in (0, 1):
            chosen = np.array([row.set == name for row in rows]) & (labels == label)
            weights[chosen] = 1 / max(1, chosen.sum())
    return weights * len(rows) / weights.sum()


def as_asked(rows: Sequence[Row], labels: np.ndarray) -> np.ndarray:
    """Weights under which every set counts alike, and UNANSWERABLE of it are questions without an answer."""
    share = np.where(labels == 1, 1 - UNANSWERABLE, UNANSWERABLE)
    weights = balanced(rows, labels) * share
    return np.asarray(weights * len(rows) / weights.sum())


def probability(rows: np.ndarray, slopes: np.ndarray, bias: float) -> np.ndarray:
    """Of each row, 0 to 1."""
    return 1 / (1 + np.exp(-(rows @ slopes + bias)))


def held_out(rows: Sequence[Row], labels: np.ndarray) -> list[dict[str, float | str]]:
    """Each set judged by a model of the other sets."""
    report: list[dict[str, float | str]] = []
    for name in dict.fromkeys(row.set for row in rows):
        inside = np.array([row.set == name for row in rows])
        others = [row for row in rows if row.set != name]
        slopes, bias = fit(matrix(others), labels[~inside], balanced(others, labels[~inside]))
        scores = probability(matrix(rows)[inside], slopes, bias)
        report.append({"set": name, "rows": int(inside.sum()), "auc": round(auc(scores, labels[inside]), 3)})
    return report


def choose_threshold(scores: np.ndarray, labels: np.ndarray) -> float:
    """The threshold that refuses most unanswerable questions at a precision and price people accept."""
    best, caught = 0.0, -1
    for candidate in np.arange(0.05, 0.95, 0.005):
        refused = scores < candidate
        hits = int((refused & (labels == 0)).sum())
        if not hits or hits / refused.sum() < PRECISION or refused[labels == 1].mean() > REFUSED:
            continue
        if hits > caught:
            best, caught = float(candidate), hits
    return round(best, 3)


def sets_of(rows: Sequence[Row]) -> np.ndarray:
    """The set of each row."""
    return np.array([row.set for row in rows])


def main() -> None:
    """Train, print, and with --write store."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "groundwork-bench-answers")
    parser.add_argument("--rows", type=Path, help="measured rows: written, or read where the file is there")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    everything = read_rows(options.rows) if options.rows and options.rows.exists() else None
    if everything is None:
        everything = collect(options.data, options.home, (*TRAINING, "mtrag"))
        if options.rows:
            options.rows.write_bytes(pickle.dumps(everything))
    rows = [row for row in everything if row.set != "mtrag"]
    labels = np.array([row.label for row in rows])
    slopes, bias = fit_rising(matrix(rows), labels, balanced(rows, labels))
    scores = probability(matrix(rows), slopes, bias)
    judged = [row for row in everything if row.question.kind in ("ANSWERABLE", "UNANSWERABLE")]
    judged_labels = np.array([row.label for row in judged])
    threshold = choose_threshold(probability(matrix(judged), slopes, bias), judged_labels)
    right = np.array([int(bool(row.is_correct)) for row in rows])
    sure_slopes, sure_bias = fit_rising(matrix(rows), right, as_asked(rows, labels))
    sure = probability(matrix(rows), sure_slopes, sure_bias)
    models = {
        "answerable": _model(slopes, bias, threshold),
        "confidence": _model(sure_slopes, sure_bias, 0.5),
    }
    print(json.dumps(models, indent=1))
    card = write_card(rows, labels, scores, threshold, right, sure)
    print(card)
    if options.write:
        ARTEFACT.write_text(json.dumps({"features": list(NAMES), "models": models}, indent=1) + "\n", "utf-8")
        ARTEFACT.with_suffix(".md").write_text(card, "utf-8")


def read_rows(path: Path) -> list[Row]:
    """Rows that an earlier run measured; the file is our own, from the same machine."""
    rows: list[Row] = pickle.loads(path.read_bytes())
    return rows


def _model(slopes: np.ndarray, bias: float, threshold: float) -> dict[str, object]:
    return {"weights": [round(float(w), 4) for w in slopes], "bias": round(bias, 4), "threshold": threshold}


def write_card(
    rows: Sequence[Row],
    labels: np.ndarray,
    scores: np.ndarray,
    threshold: float,
    right: np.ndarray,
    sure: np.ndarray,
) -> str:
    """The model card, as Markdown."""
    lines = [
        "# The abstention and confidence models",
        "",
        "Written by `python -m bench.train_abstention --write`.",
        "",
    ]
    lines += [
        "Two logistic regressions over three features of the evidence: cosine of the best sentence, its",
        "idf coverage of the question, and the coverage of the three best passages. `answerable`: does the",
        "collection hold an answer at all. `confidence`: does the first sentence touch the answer.",
        "",
        "Trained on public questions with their gold passages in place and with them taken out; every set",
        "counts alike. The texts do not ship. No weight was fitted on mtrag_un.",
        "",
        "| set | answerable | not | AUC | AUC, trained on the other sets | answerable refused |",
        "|---|---|---|---|---|---|",
    ]
    outside = {str(part["set"]): part["auc"] for part in held_out(rows, labels)}
    for name in dict.fromkeys(row.set for row in rows):
        inside = sets_of(rows) == name
        yes = inside & (labels == 1)
        lines.append(
            f"| {name} | {yes.sum()} | {(inside & (labels == 0)).sum()} "
            f"| {auc(scores[inside], labels[inside]):.3f} | {outside[name]:.3f} "
            f"| {(scores[yes] < threshold).mean():.3f} |"
        )
    lines += [
        "",
        f"Threshold {threshold}, from all mtrag_un conversations: most recall at precision >= {PRECISION},",
        f"at most {REFUSED:.0%} of the answerable refused. docs/performance.md says what such a threshold is",
        "worth on conversations that did not help to choose it. Thresholds transfer worse than",
        "rankings; `answer.abstain_below` overrides it.",
        "",
        f"The confidence assumes that {UNANSWERABLE:.0%} of the questions have no answer in the collection.",
        "Calibration, on those that have one (fifths by confidence):",
        "",
        "| set | confidence | first sentence right | questions |",
        "|---|---|---|---|",
    ]
    for name in dict.fromkeys(row.set for row in rows):
        inside = (sets_of(rows) == name) & (labels == 1)
        lines += [
            f"| {name} | {fifth.confidence:.2f} | {fifth.right:.2f} | {fifth.rows} |"
            for fifth in calibration(sure[inside], right[inside])
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
