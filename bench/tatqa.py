"""TAT-QA, the visible part: arithmetic over the tables of annual reports.

    python -m bench.tatqa --data DIR [--limit N] [--with-model] [--draw N] [--seed N] [--at-once N]

Asked are the questions whose answer is computed from the table alone. Right: the number is the one that is
wanted, at two decimals, a share as percent; signs do not count where a change is asked for. Data:
TAT-QA (Zhu et al. 2021), CC BY 4.0.
"""

from __future__ import annotations

import argparse
import csv
import json
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from bench.answers.collection import data_folder
from bench.tables import asking
from bench.tables.home import open_tables
from core.domain.answer import Answer, Status

_CHANGES = ("change", "difference", "increase", "decrease")


def is_right(question: str, wanted: float, answer: Answer) -> bool:
    """True where the value of an answer is the one that is wanted."""
    if answer.value is None:
        return False
    try:
        given = float(answer.value.value)
    except ValueError:
        return False
    if any(word in question.casefold() for word in _CHANGES):
        wanted, given = abs(wanted), abs(given)
    return any(abs(round(each, 2) - round(wanted, 2)) < 0.011 for each in (given, 100 * given))


def _number(wanted: Any) -> float | None:
    try:
        return float(str(wanted).replace(",", ""))
    except ValueError:
        return None


def _write(table: list[list[str]], path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(table)
    return path


def main() -> None:
    """Ask and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--limit", type=int)
    asking.add_options(parser)
    options = parser.parse_args()
    asking.require_model(parser, options)
    reports = json.loads((options.data / "tatqa" / "dev.json").read_text(encoding="utf-8"))
    cases = [
        (f"report-{number}", each["question"], wanted)
        for number, report in enumerate(reports)
        for each in report["questions"]
        if each["answer_type"] == "arithmetic" and each["answer_from"] == "table"
        if (wanted := _number(each["answer"])) is not None
    ][: options.limit]
    cases = asking.drawn(cases, options)
    outcomes: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as held:
        files = {
            f"report-{number}": _write(report["table"]["table"], Path(held) / f"report-{number}.csv")
            for number, report in enumerate(reports)
        }
        with open_tables(files) as bench:
            asked = [(question, (bucket,)) for bucket, question, _ in cases]
            answers = asking.ask_each(bench, asked, options)
            for (_, question, wanted), (answer, _) in zip(cases, answers, strict=True):
                if is_right(question, wanted, answer):
                    outcomes["right"] += 1
                elif answer.status is Status.ANSWERED and answer.value is not None:
                    outcomes["another number"] += 1
                else:
                    outcomes[answer.status.value] += 1
    for outcome, count in outcomes.most_common():
        print(f"{outcome:16} {count:4} {count / len(cases):.3f}")


if __name__ == "__main__":
    main()
