"""Fit the abstention and confidence models, and write them with their model card into core/answer/.

Trained on HotpotQA, chunking_eval and ContractNLI: every question with its gold passages in place and with
them taken out. mtrag_un is never trained on: `python -m bench.abstention` reports on it.

    python -m bench.train_abstention --data DIR [--home DIR] [--write]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.answers.collection import data_folder, open_collection
from bench.answers.measure import Row, auc, fit, measure
from bench.answers.sets import SETS
from core.answer.abstain import ARTEFACT

TRAINING = ("hotpot", "chunking", "contractnli")
REFUSED = 0.05  # of the answerable training questions, at most: the threshold's only knob
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


def threshold_of(rows: Sequence[Row], scores: np.ndarray, labels: np.ndarray) -> float:
    """The largest threshold that refuses at most REFUSED of the answerable, averaged over the sets."""
    best = 0.0
    for candidate in np.arange(0.02, 0.9, 0.01):
        shares = [
            float((scores[(sets_of(rows) == name) & (labels == 1)] < candidate).mean())
            for name in set(sets_of(rows))
        ]
        if np.mean(shares) <= REFUSED:
            best = float(candidate)
    return round(best, 2)


def sets_of(rows: Sequence[Row]) -> np.ndarray:
    """The set of each row."""
    return np.array([row.set for row in rows])


def calibration(scores: np.ndarray, labels: np.ndarray, bins: int = 5) -> list[tuple[float, float, int]]:
    """(mean predicted, share that came true, rows) in bins of equal size, lowest first."""
    order = np.argsort(scores)
    return [
        (float(scores[part].mean()), float(labels[part].mean()), len(part))
        for part in np.array_split(order, bins)
        if len(part)
    ]


def main() -> None:
    """Train, print, and with --write store."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, default=Path(tempfile.gettempdir()) / "groundwork-bench-answers")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = collect(options.data, options.home, TRAINING)
    labels = np.array([row.label for row in rows])
    slopes, bias = fit(matrix(rows), labels, balanced(rows, labels))
    scores = probability(matrix(rows), slopes, bias)
    threshold = threshold_of(rows, scores, labels)
    judged = [row for row in rows if row.is_correct is not None]
    right = np.array([int(bool(row.is_correct)) for row in judged])
    weights = np.array([1 / sum(other.set == row.set for other in judged) for row in judged])
    correct, correct_bias = fit(matrix(judged), right, weights * len(judged) / weights.sum())
    sure = probability(matrix(judged), correct, correct_bias)
    models = {
        "answerable": _model(slopes, bias, threshold),
        "correct": _model(correct, correct_bias, 0.5),
    }
    print(json.dumps(models, indent=1))
    both = probability(matrix(judged), slopes, bias) * sure
    card = write_card(rows, labels, scores, threshold, judged, right, both)
    print(card)
    if options.write:
        ARTEFACT.write_text(json.dumps({"features": list(NAMES), "models": models}, indent=1) + "\n", "utf-8")
        ARTEFACT.with_suffix(".md").write_text(card, "utf-8")


def _model(slopes: np.ndarray, bias: float, threshold: float) -> dict[str, object]:
    return {"weights": [round(float(w), 4) for w in slopes], "bias": round(bias, 4), "threshold": threshold}


def write_card(
    rows: Sequence[Row],
    labels: np.ndarray,
    scores: np.ndarray,
    threshold: float,
    judged: Sequence[Row],
    right: np.ndarray,
    both: np.ndarray,
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
        "collection hold an answer at all. `correct`: is the first sentence it. Confidence is their product.",
        "",
        "Trained on public questions with their gold passages in place and with them taken out; every set",
        "counts alike. The texts do not ship. mtrag_un was not trained on, nor its threshold chosen on it.",
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
        f"Threshold {threshold}: refuses at most {REFUSED:.0%} of the answerable on average over the sets.",
        "Thresholds transfer worse between collections than rankings; `answer.abstain_below` overrides it.",
        "",
        "Calibration of the confidence (questions whose answer is there, fifths by confidence):",
        "",
        "| set | confidence | first sentence right | questions |",
        "|---|---|---|---|",
    ]
    judged_sets = sets_of(judged)
    for name in dict.fromkeys(judged_sets.tolist()):
        inside = judged_sets == name
        for mean, share, count in calibration(both[inside], right[inside]):
            lines.append(f"| {name} | {mean:.2f} | {share:.2f} | {count} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
