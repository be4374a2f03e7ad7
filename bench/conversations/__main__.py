"""Follow-ups, turn by turn: the set, count, value or groups of every answer against what is true.

Over labelled contracts their labels are the cells, so that only reading is measured; over the sample
collection the cells are those that extraction finds. A turn is asked after those before it as they were
answered, right or wrong. Data: CUAD v1, CC BY 4.0; no text of it is in the questions.

    python -m bench.conversations --data DIR [--home DIR] [--file FILE --labels DIR] [--only sample|contracts]
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench.answers.collection import data_folder
from bench.clauses.figures import table
from bench.conversations.gold import ConversationGold, LabelTruth, SampleTruth, Truth, TurnGold, conversations
from bench.conversations.scoring import TurnScorer
from bench.plans.gold import Labels
from core.domain.answer import Answer
from core.domain.conversation import Turn, TurnState
from core.domain.ids import ConversationId, TurnId
from core.workbench import Workbench
from samples import TRUTH

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ScoredTurn:
    """How one turn went; problem: "" where it is right."""

    conversation: str
    number: int
    gold: TurnGold
    answer: Answer
    problem: str
    ms: float


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--home", type=Path, help="folder for the homes; kept for the next run")
    parser.add_argument("--file", type=Path, help="conversations over labelled contracts")
    parser.add_argument("--labels", default="cuad", help="folder of the labels below the data")
    parser.add_argument("--only", choices=("sample", "contracts"))
    parser.add_argument("--show", action="store_true", help="print each turn that went wrong")
    parser.add_argument("--id", help="only conversations that begin so; prints every turn")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        homes = arguments.home or Path(folder)
        if arguments.only != "sample":
            labels = Labels(arguments.data / arguments.labels)
            with Workbench.open(_labelled_home(homes / Path(arguments.labels).name, labels)) as bench:
                file = arguments.file or HERE / "contracts.jsonl"
                _measured(file.stem, bench, conversations(file), LabelTruth(labels), arguments)
        if arguments.only != "contracts" and arguments.file is None:
            truth = SampleTruth(json.loads(TRUTH.read_text(encoding="utf-8"))["contracts"])
            with Workbench.open(_sample_home(homes / "sample")) as bench:
                for name in ("sample", "threads"):
                    _measured(name, bench, conversations(HERE / f"{name}.jsonl"), truth, arguments)


def _labelled_home(home: Path, labels: Labels) -> Path:
    from bench.plans.home import fill_from_labels

    if not home.exists():
        home.mkdir(parents=True)
        fill_from_labels(home, labels)
    return home


def _sample_home(home: Path) -> Path:
    if not home.exists():
        home.mkdir(parents=True)
        with Workbench.open(home) as bench:
            bench.local.documents.ingest_sample()
    return home


def _measured(
    name: str,
    bench: Workbench,
    asked: Iterable[ConversationGold],
    truth: Truth,
    arguments: argparse.Namespace,
) -> None:
    chosen = [each for each in asked if not arguments.id or each.id.startswith(arguments.id)]
    scored = [turn for each in chosen for turn in talk(bench, each, truth)]
    if scored:
        is_one = bool(arguments.id)
        report(name, scored, show=arguments.show or is_one, all_of_them=is_one)


def talk(bench: Workbench, gold: ConversationGold, truth: Truth) -> list[ScoredTurn]:
    """Ask the turns of a conversation, each after the answers before it."""
    names = {str(each.id): each.source for each in bench.documents()}
    scorer = TurnScorer(truth, names)
    history: list[Turn] = []
    scored = []
    for number, turn in enumerate(gold.turns, 1):
        started = time.perf_counter()
        answer = bench.ask(turn.question, history=history)
        ms = 1000 * (time.perf_counter() - started)
        id = TurnId(f"{gold.id}-{number}")
        at = datetime(2026, 1, 1, tzinfo=UTC)
        history.append(Turn(id, ConversationId(gold.id), number, turn.question, TurnState.DONE, answer, at))
        scored.append(ScoredTurn(gold.id, number, turn, answer, scorer.problem(turn, answer), ms))
    return scored


def report(name: str, scored: list[ScoredTurn], *, show: bool, all_of_them: bool = False) -> None:
    """Print the share of turns that are right, by number and by what they give."""
    counted = [each for each in scored if each.gold.gives != "skip"]
    by: dict[str, list[ScoredTurn]] = defaultdict(list)
    for each in counted:
        by[f"turn {each.number}"].append(each)
    for each in sorted(counted, key=lambda one: one.gold.gives):
        by[each.gold.gives].append(each)
    wrong = {(each.conversation, each.number) for each in counted if each.problem}
    by["follow-ups behind right turns"] = [
        each
        for each in counted
        if each.number > 1 and not any((each.conversation, n) in wrong for n in range(1, each.number))
    ]
    by["follow-ups"] = [each for each in counted if each.number > 1]
    by["all"] = counted
    rows = [
        {"turns": label, "asked": len(some), "right": sum(not each.problem for each in some) / len(some)}
        for label, some in by.items()
        if some
    ]
    print(f"\n{name}\n\n{table(rows)}")
    times = sorted(each.ms for each in scored)
    print(f"\np50 {times[len(times) // 2]:.0f} ms, p95 {times[int(0.95 * len(times))]:.0f} ms")
    for each in scored if show else ():
        if each.problem or all_of_them:
            print(f"{each.conversation}.{each.number} {each.gold.question!r}: {each.problem or 'right'}")
        if all_of_them:
            _show(each.answer)


def _show(answer: Answer) -> None:
    print(f"      {answer.status.value} | {answer.question!r} | {answer.text[:200]!r}")
    for node in (answer.plan or {}).get("nodes", ()):
        print(f"      {node['id']}: {node['purpose'][:160]} <- {node['inputs']}")
    if answer.conversation is not None:
        print(f"      in hand: {len(answer.conversation.documents)} {answer.conversation.label}")


if __name__ == "__main__":
    main()
