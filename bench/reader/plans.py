"""Plans of the questions by which a training is judged, held against the plans of their true readings.

    python -m bench.reader.plans [--artefact FOLDER] [--rules] [--show]

The catalogue has the shipped schemas and made-up documents, so that questions which name documents or parties
take no part. Right: the judge's plan finds the same and leaves out no word; flagged: another plan, which says
what it leaves out; wrong: another one that says nothing. Of questions back, those that offer the right plan
are told.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bench.planner_latency import made_up
from bench.reader.examples import Item
from bench.reader.writers import DEVELOPMENT, written
from core.domain.answer import Route
from core.encode.identity import BUILT_IN, find_model
from core.encode.minilm import MiniLm
from core.plan.catalogue import NoTexts
from core.plan.clarify import Clarify
from core.plan.ir.hashing import result_hash
from core.plan.ir.nodes import Plan
from core.plan.judge import JudgedPlanner, Judgement
from core.plan.language.interpretation import lexicon_of
from core.plan.language.lexicon.meaning import Known
from core.plan.planner import RulePlanner
from core.plan.reader.proposal import propose
from core.plan.reader.reading import SpanRole
from core.plan.reader.trained import TrainedReader

TODAY = date(2026, 11, 20)


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """A question with what became of it, and the reader's probability."""

    item: Item
    outcome: str
    probability: float
    judged: Judgement
    due: Plan | None


def outcome_of(planned: Plan | Clarify, due: Plan | None) -> str:
    """The outcome of a question. due: None where only text answers it."""
    if isinstance(planned, Clarify):
        plans = [each.plan for each in planned.options if each.plan is not None]
        holds = due is not None and result_hash(due) in {result_hash(each) for each in plans}
        return "asked, right offered" if holds else "asked"
    if due is None:
        return "right" if planned.route is not Route.STRUCTURED else "wrong: computed instead of text"
    if planned.route is not Route.STRUCTURED:
        return "text instead of computed"
    if result_hash(planned) == result_hash(due):
        return "right, partial" if planned.uncovered else "right"
    return "flagged" if planned.uncovered else "wrong"


def verdicts(reader: TrainedReader, *, rules_alone: bool = False) -> Iterator[PlanVerdict]:
    """What becomes of each question."""
    catalogue = made_up(60, 40)
    rules = RulePlanner(catalogue, today=TODAY)
    planner = JudgedPlanner(catalogue, rules, reader, today=TODAY)
    known = Known(lexicon_of(catalogue), None, NoTexts())
    for item in written():
        if item.source not in DEVELOPMENT or item.reading.of(SpanRole.DOCUMENT, SpanRole.PARTY):
            continue
        question = item.reading.question
        due = propose(item.reading, known, TODAY)
        if due.plan is None and not due.is_text:
            continue
        judged = Judgement(rules.plan(question)) if rules_alone else planner.judged(question)
        probability = reader.read(question, catalogue).probability
        yield PlanVerdict(
            item,
            outcome_of(judged.planned, None if due.is_text else due.plan),
            probability,
            judged,
            due.plan,
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--artefact", type=Path)
    parser.add_argument("--rules", action="store_true", help="the rules alone")
    parser.add_argument("--show", action="store_true", help="questions that did not come out right")
    options = parser.parse_args()
    reader = TrainedReader.load(MiniLm.load(find_model(BUILT_IN)), options.artefact)
    found = list(verdicts(reader, rules_alone=options.rules))
    for writer in DEVELOPMENT:
        some = [each.outcome for each in found if each.item.source == writer]
        print(f"{writer}: {len(some)} questions")
        for outcome, count in Counter(some).most_common():
            print(f"  {outcome:32} {count:4} {count / max(1, len(some)):.3f}")
    if options.show:
        for each in found:
            if each.outcome != "right":
                print(f"{each.outcome} {each.probability:.2f} {each.item.reading.question!r}")
                print(f"    due    {_steps(each.due)}")
                planned = each.judged.planned
                print(f"    judged {_steps(planned) if isinstance(planned, Plan) else planned.reason}")


def _steps(plan: Plan | None) -> str:
    return " · ".join(node.purpose for node in plan.nodes) if plan is not None else "text"


if __name__ == "__main__":
    main()
