from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.config.models import ReviewSettings
from core.domain.ids import TraceId
from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.domain.trust.review import AnswerVerdict, FlagReason, ReviewFilter, ReviewState
from core.errors import ConflictError, NotFoundError, RefusedError, UsageError
from core.review.flags import flagged
from core.workbench.session import Session
from tests.support.contracts_at_hand import Contracts, contracts_at_hand

ANN = Principal("ann", frozenset({"analyst", "compliance_officer"}))
BOB = Principal("bob", frozenset({"reviewer"}))
EVE = Principal("eve", frozenset({"reviewer"}))
DOUBTFUL = "Which contracts lack force majeure?"
LAW = "What is the governing law of Cobalt?"


@pytest.fixture
def contracts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_REVIEW__SAMPLE_SHARE", "0")  # by chance it took one of these in a hundred
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def session(contracts: Contracts, who: Principal) -> Session:
    return contracts.bench.for_principal(who)


def ask(contracts: Contracts, question: str = DOUBTFUL, who: Principal = ANN) -> TraceId:
    return TraceId(session(contracts, who).questions.ask(question).trace_id)


def item_of(contracts: Contracts, trace: str) -> str:
    page = session(contracts, BOB).reviews.page(ReviewFilter(state=None, limit=None))
    return next(each.id for each in page.items if each.trace == trace)


def test_a_doubtful_answer_waits_for_reviewers_and_a_sure_one_does_not(contracts: Contracts) -> None:
    ask(contracts, LAW)
    doubtful = ask(contracts)

    [item] = session(contracts, BOB).reviews.page(ReviewFilter()).items

    assert (item.trace, item.asker, item.question) == (doubtful, "ann", DOUBTFUL)
    assert {each.reason for each in item.flags} == {FlagReason.LOW_CONFIDENCE, FlagReason.POLICY}
    found = session(contracts, BOB).reviews.get(item.id)
    assert found.answer is not None
    assert found.answer.question == DOUBTFUL
    assert found.trace is not None
    assert found.trace.terms is not None
    assert found.trace.terms.roles == ("analyst", "compliance_officer")


def test_the_queue_is_for_reviewers(contracts: Contracts) -> None:
    item = item_of(contracts, ask(contracts))
    reviews = session(contracts, ANN).reviews

    for deed in (
        lambda: reviews.page(ReviewFilter()),
        lambda: reviews.get(item),
        lambda: reviews.claim(item),
        lambda: reviews.assign(item, "ann"),
        lambda: reviews.resolve(item, "correct"),
        lambda: reviews.export(ReviewFilter()),
        reviews.kept_cases,
        reviews.agreement,
        reviews.counts,
    ):
        with pytest.raises(RefusedError):
            deed()
    assert reviews.outcomes(["nothing"]) == {}


def test_a_reviewer_sees_no_answer_about_what_they_may_not_see(contracts: Contracts) -> None:
    contracts.add("Secret", "Ohio", acl=("legal",))
    insider = replace(ANN, groups=frozenset({"legal"}))
    trace = ask(contracts, DOUBTFUL, insider)

    assert session(contracts, BOB).reviews.page(ReviewFilter(state=None)).total == 0
    lawyer = session(contracts, replace(BOB, groups=frozenset({"legal"})))
    [item] = lawyer.reviews.page(ReviewFilter()).items
    assert item.trace == trace
    with pytest.raises(NotFoundError):
        session(contracts, BOB).reviews.get(item.id)
    with pytest.raises(NotFoundError):
        session(contracts, BOB).reviews.resolve(item.id, "correct")


def test_a_choice_that_names_a_hidden_document_is_shown_to_no_reviewer(contracts: Contracts) -> None:
    contracts.add("Zorro Basic", "Texas")
    contracts.add("Zorro Secret", "Ohio", acl=("legal",))
    insider = replace(ANN, groups=frozenset({"legal"}))
    trace = ask(contracts, "What is the governing law of Zorro?", insider)
    session(contracts, insider).feedback.give(trace, "down")

    lawyer = session(contracts, replace(BOB, groups=frozenset({"legal"})))
    [item] = lawyer.reviews.page(ReviewFilter()).items
    assert "Zorro Secret" in str(lawyer.reviews.get(item.id).answer)
    assert session(contracts, BOB).reviews.page(ReviewFilter(state=None)).total == 0
    with pytest.raises(NotFoundError):
        session(contracts, BOB).reviews.get(item.id)


def test_an_answer_that_tells_of_a_hidden_document_by_name_alone_is_not_shown(contracts: Contracts) -> None:
    contracts.add("Zorro Secret", "Ohio", acl=("legal",))
    insider = replace(ANN, groups=frozenset({"legal"}))
    trace = ask(contracts, DOUBTFUL)
    item = item_of(contracts, trace)
    kept, answer = contracts.bench.local.replays.answer_of(trace)
    told = answer.model_copy(update={"text": "See “Zorro Secret”.", "trace_id": "f" * 32})
    last = kept.events[-1].model_copy(update={"answer": told})
    other = kept.model_copy(update={"trace_id": "f" * 32, "events": (last,)})
    contracts.records.traces.save(other)
    flagged_answer = flagged(other, ReviewSettings())
    assert flagged_answer is not None
    contracts.records.review_queue.add(flagged_answer)

    hidden = item_of(contracts, "f" * 32)
    found = session(contracts, BOB).reviews.get(hidden)

    assert (found.answer, found.trace) == (None, None)
    assert "may not see" in found.missing
    with pytest.raises(NotFoundError):
        session(contracts, BOB).reviews.resolve(hidden, "correct")
    assert session(contracts, replace(BOB, groups=insider.groups)).reviews.get(hidden).answer == told
    assert session(contracts, BOB).reviews.get(item).answer is not None


def test_a_verdict_reaches_the_asker_and_becomes_a_case(contracts: Contracts) -> None:
    trace = ask(contracts)
    item = item_of(contracts, trace)

    session(contracts, BOB).reviews.resolve(item, "correct", note=" well  done ")

    outcome = session(contracts, ANN).reviews.outcomes([trace])[trace]
    assert (outcome.verdict, outcome.reviewer, outcome.note) == (AnswerVerdict.CORRECT, "bob", "well done")
    [case] = session(contracts, BOB).reviews.cases()
    assert case.question == DOUBTFUL
    evaluations = contracts.bench.local.evaluations
    [again] = evaluations.follow(evaluations.start("reviews")).cases
    assert (again.id, again.result.exact) == (case.id, True)
    session(contracts, replace(BOB, roles=frozenset({"admin"}))).reviews.remove_case(case.id)
    assert session(contracts, BOB).reviews.cases() == ()


def test_a_wrong_answer_is_no_case(contracts: Contracts) -> None:
    item = item_of(contracts, ask(contracts))

    session(contracts, BOB).reviews.resolve(item, "wrong", claims={})

    assert session(contracts, BOB).reviews.kept_cases() == []


def test_the_second_of_two_reviewers_is_told_and_both_are_compared(contracts: Contracts) -> None:
    item = item_of(contracts, ask(contracts))
    seen = session(contracts, EVE).reviews.get(item).item.revision
    session(contracts, BOB).reviews.resolve(item, "wrong")

    with pytest.raises(ConflictError, match="'bob'"):
        session(contracts, EVE).reviews.resolve(item, "correct", expected=seen)
    session(contracts, EVE).reviews.resolve(item, "correct")

    [pair] = session(contracts, BOB).reviews.agreement()
    assert (pair.one, pair.other, pair.judged, pair.agreed) == ("bob", "eve", 1, 0)
    found = {each.reason: each.found for each in session(contracts, BOB).reviews.precision()}
    assert (found[FlagReason.POLICY].right, found[FlagReason.POLICY].checked) == (0, 1)


def test_verdicts_are_of_claims_that_there_are(contracts: Contracts) -> None:
    trace = ask(contracts, LAW)
    session(contracts, ANN).feedback.give(trace, "down", citation=1, reason="not_supported")
    reviews, item = session(contracts, BOB).reviews, item_of(contracts, trace)
    details = reviews.get(item)

    assert [(each.word.value, each.citation) for each in details.feedback] == [("down", 1)]
    assert details.item.flags[0].note == "citation 1: the quote does not say this"
    with pytest.raises(UsageError, match="no claim 7"):
        reviews.resolve(item, "partly", claims={7: "wrong"})
    with pytest.raises(UsageError, match="no verdict"):
        reviews.resolve(item, "great")
    with pytest.raises(UsageError, match="at most"):
        reviews.resolve(item, "wrong", note="x" * 3000)
    kept = reviews.resolve(item, "partly", claims={0: "correct"})
    assert (kept.verdict, kept.state) == (AnswerVerdict.PARTLY, ReviewState.RESOLVED)
    assert reviews.reopen(item).state is ReviewState.OPEN


def test_a_corrected_cell_changes_the_next_answer_and_is_kept_with_the_item(contracts: Contracts) -> None:
    trace = ask(contracts, LAW)
    session(contracts, ANN).feedback.give(trace, "down", reason="wrong_value")
    reviews, item = session(contracts, BOB).reviews, item_of(contracts, trace)

    reviews.correct_cell(item, contracts.made["Cobalt agreement"], "governing_law", "correct", value="Ohio")

    assert reviews.get(item).item.corrections[0]["field"] == "governing_law"
    again = session(contracts, ANN).questions.ask(LAW)
    assert again.value is not None
    assert again.value.value == "Ohio"
    reviews.resolve(item, "wrong")
    kept = reviews.keep_case(item, again)
    assert kept.case["expect"]["value"]["value"] == "Ohio"


def test_an_item_is_claimed_given_on_and_exported(contracts: Contracts) -> None:
    item = item_of(contracts, ask(contracts))
    bob, eve = session(contracts, BOB).reviews, session(contracts, EVE).reviews

    assert bob.claim(item).assignee == "bob"
    with pytest.raises(ConflictError):
        eve.claim(item)
    assert eve.claim(item, take_over=True).assignee == "eve"
    assert eve.assign(item, "").assignee == ""
    with pytest.raises(UsageError, match="no reviewer"):
        bob.assign(item, "nobody")
    assert bob.reviewers() == ["bob"]
    heads, lines = bob.export(ReviewFilter())
    [line] = list(lines)
    assert dict(zip(heads, line, strict=True))["reasons"] == "low_confidence, policy"
    deeds = {each.deed.name for each in contracts.records.audit_log.entries(AuditQuery(account="bob"))}
    assert {"review.claim", "review.export"} <= deeds


def test_verdicts_of_simulated_reviewers_lower_the_flag_rate_of_a_re_run(contracts: Contracts) -> None:
    questions = [
        DOUBTFUL,
        "Which contracts lack a limitation of liability?",
        "Which contracts lack an audit right?",
    ]

    def flag_rate() -> float:
        doubts = {FlagReason.LOW_CONFIDENCE, FlagReason.CONFLICT, FlagReason.STRUCK}
        traces = [ask(contracts, each) for each in questions]
        every = session(contracts, BOB).reviews.page(ReviewFilter(limit=None)).items
        flagged = [each for each in every if each.trace in traces and doubts & {f.reason for f in each.flags}]
        return len(flagged) / len(traces)

    before = flag_rate()
    for item in session(contracts, BOB).reviews.page(ReviewFilter(limit=None)).items:
        session(contracts, BOB).reviews.resolve(item.id, "correct")

    assert before == 1
    assert flag_rate() == 0
    contracts.add("Newcomer", "Ohio")  # another answer is another matter
    assert flag_rate() > 0
