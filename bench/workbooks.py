"""Questions over uploaded workbooks: exact answers, and sums that are wrong.

    python -m bench.workbooks [--kept | --folder DIR] [--only NAME ...] [--without NAME ...]
        [--misses FILE] [--together] [--with-model] [--draw N] [--seed N] [--at-once N]

Without either the odd workbooks of `bench.tables.odd_workbooks` are asked their own questions.
--kept: those of `bench/reader/kept`, made by somebody else; their misses are not looked at. --folder: of
another folder, as `bench/reader/development`, which is another writer's and may be looked at. --only,
--without: a part of the workbooks, so that one part can be looked at while another is held apart. Each
workbook is alone in its home as a person who uploads it has it; --together: all of them are in one.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.tables import asking
from bench.tables.home import open_tables
from bench.tables.odd_workbooks import write_all
from bench.tables.workbook_answers import Outcome, WorkbookQuestion, judge, read_questions

KEPT = Path(__file__).parent / "reader" / "kept"
DEVELOPMENT = Path(__file__).parent / "tables" / "development.jsonl"


def main() -> None:
    """Ask all questions and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--folder", type=Path, help="workbooks/*.xlsx and workbooks.jsonl")
    parser.add_argument("--misses", type=Path, help="write what went wrong here; not with --kept")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="workbooks by name")
    parser.add_argument("--without", nargs="+", metavar="NAME", help="all other workbooks")
    parser.add_argument("--together", action="store_true")
    asking.add_options(parser)
    options = parser.parse_args()
    asking.require_model(parser, options)
    if options.kept and options.misses:
        parser.error("the misses of the kept questions are not looked at")
    with tempfile.TemporaryDirectory() as folder:
        if options.kept or options.folder:
            source = KEPT if options.kept else options.folder
            files = {path.stem: path for path in sorted((source / "workbooks").glob("*.xlsx"))}
            questions = read_questions(source / "workbooks.jsonl")
        else:
            files = write_all(Path(folder))
            questions = read_questions(DEVELOPMENT)
        wanted = [each for each in files if _is_wanted(each, options.only, options.without)]
        files = {name: files[name] for name in wanted}
        stems = {name.removesuffix(".xlsx") for name in wanted}
        questions = [each for each in questions if each.workbook.removesuffix(".xlsx") in stems]
        questions = asking.drawn(questions, options)
        report(questions, ask_all(files, questions, options), options.misses)


def _is_wanted(name: str, only: Sequence[str] | None, without: Sequence[str] | None) -> bool:
    stem = name.removesuffix(".xlsx")
    return (only is None or stem in only) and (without is None or stem not in without)


def ask_all(
    files: Mapping[str, Path], questions: Sequence[WorkbookQuestion], options: argparse.Namespace
) -> list[tuple[Outcome, float]]:
    """Outcome and milliseconds of each question."""
    found: dict[str, tuple[Outcome, float]] = {}
    named = {name.removesuffix(".xlsx"): path for name, path in files.items()}
    groups: list[dict[str, Path]] = (
        [named] if options.together else [{name: path} for name, path in named.items()]
    )
    for group in groups:
        with open_tables(group) as bench:
            bench.plan("How many rows are there?")
            own = [each for each in questions if each.workbook.removesuffix(".xlsx") in group]
            answers = asking.ask_each(bench, [(each.text, ()) for each in own], options)
            for question, (answer, ms) in zip(own, answers, strict=True):
                found[question.id] = (judge(answer, question.expect), ms)
    return [found[question.id] for question in questions]


def report(
    questions: Sequence[WorkbookQuestion], outcomes: Sequence[tuple[Outcome, float]], misses: Path | None
) -> None:
    """Print the figures, and write the misses where that is wanted."""
    exact = sum(outcome.is_exact for outcome, _ in outcomes)
    wrong = sum(outcome.is_wrong_sum for outcome, _ in outcomes)
    back = sum(outcome.is_asked_back for outcome, _ in outcomes)
    print(
        f"{len(questions)} questions: exact {exact} = {exact / max(1, len(questions)):.3f}, "
        f"wrong sums {wrong}, asked back {back}"
    )
    by_book = Counter(q.workbook for q, (o, _) in zip(questions, outcomes, strict=True) if not o.is_exact)
    print(f"missed in {len(by_book)} workbooks, at most {max(by_book.values(), default=0)} in one")
    times = sorted(ms for _, ms in outcomes)
    if times:
        print(f"ms: p50 {statistics.median(times):.0f}, p95 {times[int(0.95 * (len(times) - 1))]:.0f}")
    if misses is not None:
        lines = [
            json.dumps(
                {
                    "id": q.id,
                    "workbook": q.workbook,
                    "question": q.text,
                    "given": o.given,
                    "wrong_sum": o.is_wrong_sum,
                    "wanted": q.expect,
                },
                ensure_ascii=False,
            )
            for q, (o, _) in zip(questions, outcomes, strict=True)
            if not o.is_exact
        ]
        misses.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
