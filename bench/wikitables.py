"""WikiTableQuestions, the visible part: how often an answer has the right denotation.

    python -m bench.wikitables --data DIR [--part development|test|all] [--limit N] [--misses FILE]
        [--with-model] [--draw N] [--seed N] [--at-once N]

Every fifth table is the test part: nothing was looked at or tuned there. Published: 57.5 of TAPEX (large,
trained on the 14,152 questions of the training set; test set), 37.1 of the parser of Pasupat & Liang 2015.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.tables import asking
from bench.tables.denotation import denotation, is_denoted
from bench.tables.home import open_tables
from core.domain.answer import Status

PUBLISHED = 0.575
_EVERY = 5


@dataclass(frozen=True, slots=True)
class TableQuestion:
    """A question with its table and the values wanted."""

    id: str
    text: str
    table: str
    wanted: tuple[str, ...]
    is_test: bool


def main() -> None:
    """Ask the questions of the chosen part and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("GROUNDWORK_BENCH_DATA"))
    parser.add_argument("--part", choices=("development", "test", "all"), default="all")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--misses", type=Path, help="write what went wrong in the development part here")
    asking.add_options(parser)
    options = parser.parse_args()
    asking.require_model(parser, options)
    if not options.data:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    folder = Path(options.data)
    folder = folder / "wikitables" if (folder / "wikitables").is_dir() else folder
    questions = [
        each
        for each in read_questions(folder)
        if options.part == "all" or each.is_test is (options.part == "test")
    ][: options.limit]
    misses = measure(folder, asking.drawn(questions, options), options)
    if options.misses:
        options.misses.write_text("\n".join(json.dumps(miss, ensure_ascii=False) for miss in misses) + "\n")


def read_questions(folder: Path) -> list[TableQuestion]:
    """All questions, in order."""
    with (folder / "questions.tsv").open(encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    tables = sorted({row[2] for row in rows})
    test = set(tables[::_EVERY])
    return [
        TableQuestion(
            row[0], _unescaped(row[1]), row[2], tuple(map(_unescaped, row[3].split("|"))), row[2] in test
        )
        for row in rows
    ]


def _unescaped(text: str) -> str:
    return text.replace("\\n", "\n").replace("\\p", "|").replace("\\\\", "\\")


def bucket_of(table: str) -> str:
    """The bucket of a table."""
    return table.removeprefix("csv/").removesuffix(".csv").replace("/", "-")


def measure(
    folder: Path, questions: Sequence[TableQuestion], options: argparse.Namespace
) -> list[dict[str, object]]:
    """Ask and print; gives what went wrong outside the test part."""
    misses: list[dict[str, object]] = []
    right: Counter[bool] = Counter()
    asked: Counter[bool] = Counter()
    said: Counter[str] = Counter()
    times: list[float] = []
    with tempfile.TemporaryDirectory() as held:
        files = {
            bucket_of(table): _plain_csv(folder / table, Path(held)) for table in {q.table for q in questions}
        }
        with open_tables(files) as bench:
            bench.plan("warm up")
            asked_of = [(each.text, (bucket_of(each.table),)) for each in questions]
            answers = asking.ask_each(bench, asked_of, options)
            for question, (answer, ms) in zip(questions, answers, strict=True):
                times.append(ms)
                given = denotation(answer)
                is_right = is_denoted(question.wanted, given)
                asked[question.is_test] += 1
                right[question.is_test] += is_right
                sure = answer.status is Status.ANSWERED and bool(given)
                said["answered right" if sure and is_right else "answered wrong" if sure else
                     "doubted right" if is_right else "doubted wrong"] += 1  # fmt: skip
                if not is_right and not question.is_test:
                    misses.append({"id": question.id, "question": question.text, "table": question.table,
                                   "wanted": question.wanted, "given": given[:6],
                                   "status": answer.status.value})  # fmt: skip
    for is_test in (False, True):
        if asked[is_test]:
            name = "test" if is_test else "development"
            print(f"{name}: {right[is_test]} of {asked[is_test]} = {right[is_test] / asked[is_test]:.3f}")
    total = sum(right.values()) / max(1, sum(asked.values()))
    print(f"all: {total:.3f} (published, TAPEX: {PUBLISHED})")
    print(json.dumps(dict(said)))
    ordered = sorted(times)
    print(f"ms: p50 {statistics.median(ordered):.0f}, p95 {ordered[int(0.95 * (len(ordered) - 1))]:.0f}")
    return misses


def _plain_csv(path: Path, folder: Path) -> Path:
    """The table with quotes doubled, where the data set writes them with a backslash."""
    text = path.read_text(encoding="utf-8")
    rows = list(csv.reader(io.StringIO(text), escapechar="\\", doublequote=False))
    copy = folder / f"{path.parent.name}-{path.name}"
    with copy.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    return copy


if __name__ == "__main__":
    main()
