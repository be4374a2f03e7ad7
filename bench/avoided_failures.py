"""The shipped suite as it is, with its own failures noted, and with every shape noted as failed.

    python -m bench.avoided_failures HOME

HOME: of the sample collection; it is copied, and stays as it is.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from core.domain.answer import Answer
from core.domain.principal import LOCAL_ADMIN
from core.domain.trust.failures import WRONG, QuestionTry
from core.evaluate.scoring import CaseResult, score, summarise
from core.evaluate.suite import load_suite
from core.review.habits import is_known
from core.store.conversations.tries import sight_key
from core.store.database.visibility import Visibility
from core.workbench import Workbench
from samples import QUESTIONS


def main(home: Path) -> None:
    """Print the figures of three passes, and what the passes changed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "home"
        shutil.copytree(home, copy)
        with Workbench.open(copy) as bench:
            first = _pass(bench, "as it is")
            _told(first, _pass(bench, "its own failures noted"))
            _note_all(bench)
            _told(first, _pass(bench, "every shape noted as failed in fields"))


Answers = dict[str, tuple[bool, Answer]]


def _pass(bench: Workbench, name: str) -> Answers:
    session, results = bench.local, list[CaseResult]()
    given: Answers = {}
    names = {str(each.id): each.source for each in session.documents.list()}

    for case in load_suite(QUESTIONS):
        buckets = (case.bucket,) if case.bucket else ()
        answer = session.questions.ask(case.question, buckets=buckets, offline=True)
        result = score(case, answer, names)
        results.append(result)
        given[case.question] = (result.exact, answer)
    rates = summarise(results).overall
    texts = sum("Asked by text first" in str((each.plan or {}).get("notes")) for _, each in given.values())
    print(
        f"{name}: {rates.cases} questions, exact {rates.exact:.3f}, "
        f"silently wrong {rates.silently_wrong:.3f}, asked by text first {texts}",
        flush=True,
    )
    return given


def _told(before: Answers, now: Answers) -> None:
    for question, (is_exact, answer) in now.items():
        was, old = before[question]
        if is_exact != was:
            print(f"  {'better' if is_exact else 'worse'}: {question} ({old.route} -> {answer.route})")


def _note_all(bench: Workbench) -> None:
    """Three failures in fields of every known shape, and no success."""
    records, seen = bench._parts.records, sight_key(Visibility.everything())
    kept = records.tries.list(LOCAL_ADMIN, limit=100_000)
    for shape in {each.shape for each in kept if each.route == "fields" and is_known(each.shape)}:
        for number in range(20):
            records.tries.note(
                [
                    QuestionTry(
                        f"noted {shape} {number}",
                        0,
                        f"{shape} {number}",
                        shape,
                        LOCAL_ADMIN.user,
                        seen,
                        datetime.now(UTC),
                        "fields",
                        "reader",
                        WRONG,
                        "facts",
                    )
                ]
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
