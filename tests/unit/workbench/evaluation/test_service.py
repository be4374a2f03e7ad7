"""Suites, runs and what people say of cases, over a real home."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.domain.principal import Principal
from core.domain.trust.review import Flag, FlaggedAnswer, FlagReason, ReviewFilter
from core.errors import NotFoundError, RefusedError, UsageError
from core.evaluate.measured import SuiteKind
from core.evaluate.suite import load_suite
from core.jobs import queue
from core.workbench.evaluation.service import EvaluationService
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.roles import MAY_ASK

QUESTION = "Which contracts are governed by the law of Texas?"
REVIEWER = Principal("rita", MAY_ASK | {"reviewer"}, groups=frozenset({"legal"}))


@pytest.fixture
def contracts(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def own(contracts: Contracts, who: Principal | None = None) -> EvaluationService:
    bench = contracts.bench
    return (bench.local if who is None else bench.for_principal(who)).evaluations


def written(folder: Path, *rows: dict[str, Any], name: str = "own.jsonl") -> Path:
    expect = {"status": "answered", "documents": ["Cobalt.txt", "Glacier.txt"]}
    base = {"shape": "list", "why": "Both say so.", "expect": expect}
    lines = [
        json.dumps({"id": f"case-{n}", "question": QUESTION, **base, **row}) for n, row in enumerate(rows)
    ]
    (folder / name).write_text("".join(f"{line}\n" for line in lines))
    return folder / name


def files(contracts: Contracts) -> list[str]:
    return sorted(each.source for each in contracts.bench.local.documents.list())


def imported(contracts: Contracts, folder: Path) -> None:
    names = [name for name in files(contracts) if name.startswith(("Cobalt", "Glacier", "Kelvin"))]
    row = {"expect": {"status": "answered", "documents": names}}
    own(contracts).import_suite(
        written(folder, row, {"id": "wrong", "question": "Which contracts are there?", **row})
    )


def test_a_suite_is_imported_run_and_measured(contracts: Contracts, tmp_path: Path) -> None:
    imported(contracts, tmp_path)
    evaluations = own(contracts)

    suites = {each.name: each for each in evaluations.suites()}
    found = evaluations.follow(evaluations.start("own"))

    assert (suites["own"].kind, suites["own"].cases, suites["own"].problem) == (SuiteKind.OWN, 2, "")
    assert suites["design"].cases == 250
    assert "are not in this home" in suites["design"].problem
    assert [each.result.exact for each in found.cases] == [True, False]
    assert (found.run.figure("exact").value, found.run.figure("citation_accuracy").value) == (0.5, 1.0)
    assert found.run.figure("abstention_recall").value is None
    assert found.run.versions.data_version == contracts.bench.data_version()
    trace = contracts.bench.local.questions.trace(found.cases[0].trace)  # type: ignore[arg-type]
    assert trace.question == QUESTION
    assert contracts.bench.local.reviews.page(ReviewFilter()).total == 0  # nobody reviews what is measured


def test_a_muted_case_is_kept_and_not_counted(contracts: Contracts, tmp_path: Path) -> None:
    imported(contracts, tmp_path)
    evaluations = own(contracts)
    run = evaluations.follow(evaluations.start("own")).run

    evaluations.mute("own", "wrong", "  Nobody asks   this. ")
    muted = evaluations.run(run.id)
    evaluations.unmute("own", "wrong")

    assert [each.muted for each in muted.cases] == ["", "Nobody asks this."]
    assert (muted.run.figure("exact").value, muted.run.muted) == (1.0, 1)
    assert [each.figure("exact").value for each in evaluations.runs()] == [0.5]
    with pytest.raises(UsageError, match="A reason"):
        evaluations.mute("own", "wrong", " ")
    with pytest.raises(NotFoundError, match="no case 'none'"):
        evaluations.mute("own", "none", "It is wrong.")
    with pytest.raises(NotFoundError, match="no suite 'other'"):
        evaluations.mute("other", "wrong", "It is wrong.")
    with pytest.raises(NotFoundError, match="not muted"):
        evaluations.unmute("own", "wrong")


def test_a_suite_says_why_its_cases_cannot_come_out_right_here(contracts: Contracts, tmp_path: Path) -> None:
    unknown = load_suite(written(tmp_path, {"expect": {"status": "answered", "documents": ["x.txt"]}}))

    said = own(contracts).problem("own", unknown)

    assert said == "1 of its documents are not in this home: x.txt."


def test_cases_of_the_sample_are_skipped_where_other_documents_stand_beside_its_own(
    contracts: Contracts,
) -> None:
    contracts.add("acme-software-license", "Texas")
    evaluations = own(contracts)

    found = evaluations.follow(evaluations.start("multi-hop"))

    [(reason, count)] = found.run.skipped.items()
    assert (found.run.done, count, found.run.figure("exact").value) == (25, 25, None)
    assert "Documents beyond those of the suite" in reason
    assert reason in evaluations.problem("multi-hop", evaluations.cases("multi-hop"))
    assert not any(case.is_asked or case.trace for case in found.cases)
    assert evaluations.compare(found.run.id, found.run.id).cases == ()


def test_a_sampled_answer_is_promoted_to_a_case_of_an_own_suite(contracts: Contracts) -> None:
    answer = contracts.bench.local.questions.ask(QUESTION)
    flag = Flag(FlagReason.SAMPLE, "1 % of all answers")
    contracts.records.review_queue.add(
        FlaggedAnswer(answer.trace_id, "local", QUESTION, "lookup", "answered", 0.9, 1, "f", (), (flag,))
    )
    evaluations = own(contracts)
    [item] = evaluations.sampled()

    case = evaluations.promote(item.id, "from-people")
    evaluations.promote(item.id, "from-people")

    assert [each.id for each in evaluations.cases("from-people")] == [case.id]
    [again] = evaluations.follow(evaluations.start("from-people")).cases
    assert (again.id, again.result.exact) == (case.id, True)


def test_a_run_is_there_for_who_made_it_and_hides_what_they_may_not_see(
    contracts: Contracts, tmp_path: Path
) -> None:
    contracts.add("Kelvin", "Texas")
    imported(contracts, tmp_path)
    of_admin = own(contracts).start("own")
    rita = own(contracts, REVIEWER)
    mine = rita.follow(rita.start("own")).run
    contracts.add("Kelvin", "Texas", acl=("board",))

    seen = rita.run(mine.id)

    assert mine.figure("exact").cases == 2
    assert [each.id for each in seen.cases] == []
    assert (seen.run.hidden, seen.run.figure("exact").value) == (2, None)
    assert [each.id for each in rita.runs()] == [mine.id]
    assert (len(own(contracts).cases("own")), rita.cases("own")) == (2, ())
    with pytest.raises(NotFoundError):
        rita.run(of_admin)
    with pytest.raises(RefusedError):
        own(contracts, replace(REVIEWER, roles=MAY_ASK)).runs()


def test_a_run_that_is_at_work_is_not_removed_and_a_cancelled_one_is(
    contracts: Contracts, tmp_path: Path
) -> None:
    imported(contracts, tmp_path)
    evaluations = own(contracts)
    run = evaluations.start("own")

    with pytest.raises(UsageError, match="at work"):
        evaluations.remove(run)
    evaluations.cancel(run)
    stopped = evaluations.run(run).run
    evaluations.resume(run)
    done = evaluations.follow(run)
    assert done.run.is_complete
    evaluations.remove(run)

    assert stopped.job is not None
    assert (stopped.job.state.value, stopped.is_complete) == ("cancelled", False)
    assert evaluations.runs() == []
    with pytest.raises(NotFoundError):
        contracts.bench.local.questions.trace(done.cases[0].trace)  # type: ignore[arg-type]
    assert queue.live_workers(contracts.records) == []
