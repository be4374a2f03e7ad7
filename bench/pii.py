"""Personal data in questions: findings held against the typed spans of sentences that nobody here wrote.

    python -m bench.pii --data DIR

Rules were made with the even sentences in view; the odd ones are the report. A finding is right where type,
first and last character are those of a label. Exit 1 where precision or recall of the claimed types misses
its target.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.guard.personal_data import find_personal_data

LABELS = {
    "EMAIL_ADDRESS": "email",
    "CREDIT_CARD": "card",
    "IBAN_CODE": "iban",
    "US_SSN": "national_id",
    "IP_ADDRESS": "ip_address",
    "PHONE_NUMBER": "phone",
    "US_DRIVER_LICENSE": "licence",
}
CLAIMED = ("email", "card", "iban", "national_id", "ip_address", "phone")
"""Types with at least five labels in each half. Licences (5 in all) are masked and shown, and not claimed."""
PRECISION, RECALL = 0.98, 0.90


@dataclass
class Score:
    """Counts of one type. missed, wrong: their words, to look at."""

    right: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Part of the findings that are labels; 1 of none."""
        return self.right / ((self.right + len(self.wrong)) or 1) if self.right or self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Part of the labels that were found; 1 of none."""
        return self.right / ((self.right + len(self.missed)) or 1) if self.right or self.missed else 1.0


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--show", action="store_true", help="print what the even half misses")
    given = parser.parse_args()
    if given.data is None:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    rows = json.loads((Path(given.data) / "pii" / "synth_dataset_v2.json").read_text("utf-8"))
    print("even half (rules were made on it)")
    made = measure(rows[0::2])
    report(made)
    if given.show:
        for kind, score in made.items():
            print(kind, "missed", score.missed, "wrong", score.wrong)
    print("odd half")
    return 0 if report(measure(rows[1::2])) else 1


def measure(rows: Sequence[dict[str, Any]]) -> dict[str, Score]:
    """Scores by type over labelled sentences."""
    scores = {kind: Score() for kind in LABELS.values()}
    for row in rows:
        text = row["full_text"]
        wanted = {
            (span["start_position"], span["end_position"], LABELS[span["entity_type"]])
            for span in row["spans"]
            if span["entity_type"] in LABELS
        }
        found = {(span.start, span.end, span.kind) for span in find_personal_data(text)}
        for start, end, kind in wanted | found:
            score = scores.setdefault(kind, Score())
            here = text[max(0, start - 25) : start] + "[" + text[start:end] + "]" + text[end : end + 12]
            if (start, end, kind) in wanted & found:
                score.right += 1
            elif (start, end, kind) in wanted:
                score.missed.append(here)
            else:
                score.wrong.append(here)
    return scores


def report(scores: dict[str, Score]) -> bool:
    """Print the scores; True where those of the claimed types reach the targets."""
    whole = Score()
    for kind, score in scores.items():
        note = "" if kind in CLAIMED else "  (not claimed)"
        found = score.right + len(score.wrong)
        print(
            f"  {kind:12} labels {score.right + len(score.missed):4} found {found:4} "
            f"precision {score.precision:.3f} recall {score.recall:.3f}{note}"
        )
        if kind in CLAIMED:
            whole.right += score.right
            whole.missed += score.missed
            whole.wrong += score.wrong
    print(f"  claimed types: precision {whole.precision:.3f} recall {whole.recall:.3f}")
    return whole.precision >= PRECISION and whole.recall >= RECALL


if __name__ == "__main__":
    sys.exit(main())
