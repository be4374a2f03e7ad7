"""Planning and end to end on CUAD's 200 contracts: 150 generated and 50 written questions of clauses.

First the labels are the cells, so that only planning is measured: the set, count or groups of every answer
against those that the labels give. Then the cells are those that extraction finds, with models that saw
nothing of a contract's fold. Data: CUAD v1, CC BY 4.0; no text of it is in the questions.

    python -m bench.plans_cuad --data DIR [--home DIR] [--scores FILE] [--only labels|extracted] [--show]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bench.answers.collection import data_folder
from bench.clauses.figures import table
from bench.plans.asking import Asked, Decided, ask_all
from bench.plans.gold import SUITES, Labels, questions
from core.config.models import AnswerSettings, Settings
from core.workbench import Workbench


@contextmanager
def opened(home: Path) -> Iterator[Workbench]:
    """The home, answering by plans."""
    settings = Settings(home=home, answer=AnswerSettings(use_plans=True))
    bench = Workbench.open(home, settings)
    try:
        yield bench
    finally:
        bench.close()


def extract(home: Path, data: Path, scores: Path | None) -> None:
    """Fill a home by extraction; takes minutes."""
    from bench.clauses.source import KEEP, held_scores, labelled, shipped_patterns
    from bench.fields_cuad import nested
    from bench.plans.home import fill_by_extraction, said_by_others

    found = labelled([data / "cuad"], shipped_patterns(None))
    held = held_scores(found, KEEP, scores)
    result = nested(found, held)
    fill_by_extraction(home, found, said_by_others(found, held, result))


def report(name: str, asked: Sequence[Asked], *, is_extracted: bool, show: bool) -> None:
    """Print the figures of one suite."""
    by_shape: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        by_shape[each.question.shape].append(each)
    rows = [_row(shape, some, is_extracted) for shape, some in [*by_shape.items(), ("all", list(asked))]]
    print(f"\n{name}: {'extracted cells' if is_extracted else 'labels as cells'}\n")
    print(table(rows))
    times = sorted(each.ms for each in asked)
    print(f"\np50 {times[len(times) // 2]:.0f} ms, p95 {times[int(0.95 * len(times))]:.0f} ms")
    if show:
        for each in asked:
            failed = each.problem if not is_extracted else "" if each.holds_count else _why(each)
            if failed:
                print(f"{each.question.id} {each.question.question!r}: {failed}")


def _row(shape: str, asked: list[Asked], is_extracted: bool) -> dict[str, object]:
    sums = [each.ledger_adds_up for each in asked if each.ledger_adds_up is not None]
    row: dict[str, object] = {"shape": shape, "questions": len(asked)}
    if not is_extracted:
        row |= {"exact": sum(each.exact for each in asked) / len(asked)}
    else:
        decided = Decided()
        for each in asked:
            if each.present is not None:
                decided.add(each)
        row |= {
            "F1 decided": decided.f1,
            "true count within": sum(each.holds_count for each in asked) / len(asked),
            "uncertain": sum(len(each.uncertain) for each in asked) / len(asked),
        }
    return row | {"ledgers that add up": sum(sums) / max(1, len(sums)), "with ledger": len(sums)}


def _why(asked: Asked) -> str:
    if asked.present is None:
        return asked.problem
    most = len(asked.present) + len(asked.uncertain)
    lost = len(asked.fulfil - asked.present - asked.uncertain)
    wrong = len(asked.present - asked.fulfil)
    return f"{len(asked.fulfil)} not within {len(asked.present)} to {most}; {lost} lost, {wrong} wrong"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, help="where the homes are kept between runs")
    parser.add_argument("--scores", type=Path, help="cross-fitted scores: written, or read where they are")
    parser.add_argument("--only", choices=("labels", "extracted"), help="one of the two measurements")
    parser.add_argument("--show", action="store_true", help="print the questions that were missed")
    options = parser.parse_args()
    labels = Labels(options.data / "cuad")
    with tempfile.TemporaryDirectory() as folder:
        homes = options.home or Path(folder)
        for kind in ("labels", "extracted"):
            if options.only not in (None, kind):
                continue
            home = homes / kind
            if not home.exists():
                started = time.perf_counter()
                home.mkdir(parents=True)
                if kind == "labels":
                    from bench.plans.home import fill_from_labels

                    fill_from_labels(home, labels)
                else:
                    extract(home, options.data, options.scores)
                print(f"filled in {time.perf_counter() - started:.0f} s")
            with opened(home) as bench:
                found = {name: ask_all(bench, questions(name), labels) for name in SUITES}
            for name, asked in found.items():
                report(name, asked, is_extracted=kind == "extracted", show=options.show)
            together = [each for asked in found.values() for each in asked]
            report("together", together, is_extracted=kind == "extracted", show=False)


if __name__ == "__main__":
    main()
