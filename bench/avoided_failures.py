"""The shipped suite as it is, with its own failures noted, and its look-ups all noted as failed in fields.

    python -m bench.avoided_failures HOME [--worst]

--worst: the look-ups alone.
HOME: of the sample collection; it is copied, and stays as it is.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from core.ask.clarification import is_about_one
from core.domain.answer import Answer, Route
from core.domain.principal import LOCAL_ADMIN
from core.domain.trust.failures import WRONG, QuestionTry
from core.evaluate.scoring import CaseResult, score
from core.evaluate.suite import Case, load_suite
from core.plan.ir.nodes import Plan
from core.review.habits import is_known
from core.store.conversations.tries import sight_key
from core.store.database.visibility import Visibility
from core.workbench import Workbench
from samples import QUESTIONS


def main(home: Path) -> None:
    """Print the figures of each pass, and what the passes changed."""
    cases = load_suite(QUESTIONS)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "home"
        shutil.copytree(home, copy)
        with Workbench.open(copy) as bench:
            if "--worst" not in sys.argv:
                first = _pass(bench, cases, "as it is")
                _told(first, _pass(bench, cases, "its own failures noted"))
            alone = [case for case in cases if _is_about_one(bench, case)]
            usual = _pass(bench, alone, "look-ups of one document as they are")
            _note_all(bench, alone)
            _told(usual, _pass(bench, alone, "each shape of these noted as failed in fields"))


Answers = dict[str, tuple[bool, Answer]]


def _is_about_one(bench: Workbench, case: Case) -> bool:
    """True of a question whose plan over fields is about one document: no other is put off."""
    plan = bench.local.plans.make(case.question, buckets=_buckets(case))
    return isinstance(plan, Plan) and plan.route is Route.STRUCTURED and bool(is_about_one(plan))


def _buckets(case: Case) -> tuple[str, ...]:
    return (case.bucket,) if case.bucket else ()


def _pass(bench: Workbench, cases: Sequence[Case], name: str) -> Answers:
    session, results = bench.local, list[CaseResult]()
    given: Answers = {}
    names = {str(each.id): each.source for each in session.documents.list()}
    for case in cases:
        answer = session.questions.ask(case.question, buckets=_buckets(case), offline=True)
        result = score(case, answer, names)
        results.append(result)
        given[case.question] = (result.exact, answer)
    exact = sum(each.exact for each in results) / len(results)
    silent = sum(each.silently_wrong for each in results) / len(results)
    texts = sum("Asked by text first" in str((each.plan or {}).get("notes")) for _, each in given.values())
    print(
        f"{name}: {len(results)} questions, exact {exact:.3f}, silently wrong {silent:.3f}, "
        f"asked by text first {texts}",
        flush=True,
    )
    return given


def _told(before: Answers, now: Answers) -> None:
    for question, (is_exact, answer) in now.items():
        was, old = before[question]
        if is_exact != was:
            print(f"  {'better' if is_exact else 'worse'}: {question} ({old.route} -> {answer.route})")


def _note_all(bench: Workbench, cases: Sequence[Case]) -> None:
    """Twenty failures in fields of every shape, whose last tries hide what succeeded."""
    records, at = bench._parts.records, datetime.now(UTC)
    seen = {case.bucket: sight_key(Visibility.everything().within(_buckets(case))) for case in cases}
    shapes = {bench.local.learning.shape(case.question).text for case in cases}
    for shape in filter(is_known, shapes):
        for number, sight in ((n, sight) for n in range(20) for sight in seen.values()):
            trace, asked = f"noted {shape} {sight} {number}", f"{shape} {number}"
            user = LOCAL_ADMIN.user
            tried = QuestionTry(trace, 0, asked, shape, user, sight, at, "fields", "reader", WRONG, "facts")
            records.tries.note([tried])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
