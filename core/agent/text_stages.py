"""Stages of an answer from the text: retrieve, answer, verify, each with the events that tell of it."""

from __future__ import annotations

from collections.abc import Generator

from core.agent.conversation.clarification import which_thing
from core.agent.conversation.follow_up import FollowUp
from core.agent.gather import Gathering, SearchedPassages, has_hops, node_events
from core.agent.text_answer import Composer
from core.config.models import RetrievalSettings
from core.domain.answer import Answer, Clarification, Degradation
from core.domain.event import ClaimAdded, Degraded, Event, PlanDrawn, StageStarted
from core.errors import IndexUnavailableError
from core.evidence.base import Evidence, EvidenceFinder
from core.plan.ir.nodes import Plan
from core.plan.text.classify import Classification
from core.retrieval.sentences import TOP_PASSAGES


def answer_from_text(
    composer: Composer,
    found: Classification,
    plan: Plan,
    follow_up: FollowUp,
    finder: EvidenceFinder,
    settings: RetrievalSettings,
) -> Generator[Event, None, Answer]:
    """The answer from what the searches of a plan find; one that says so where the search engine is down.

    Raises RefusedError.
    """
    run = composer.run
    run.require(plan)
    began = run.clock.at()
    yield StageStarted(at_ms=began, stage="retrieve", label=f"Searching {composer.scope.label}")
    if has_hops(plan):
        yield PlanDrawn(at_ms=began, plan=plan.model_dump(mode="json"))
    try:
        searches = Gathering(follow_up, finder, composer.documents, run.visibility, settings.pool)
        gathered = searches.gather(plan)
    except IndexUnavailableError as error:
        degradation = Degradation(code="E003", message=error.explanation)
        yield Degraded(at_ms=run.clock.at(), degradation=degradation)
        yield run.finish_stage("retrieve", "The search engine did not answer", began, "engine", {})
        return composer.fail(found, plan, degradation)
    run.clock.timings.update({f"retrieve.{name}": ms for name, ms in gathered.timings_ms.items()})
    if has_hops(plan):
        yield from node_events(gathered.plan, run.clock.at())
    yield from run.degrade(*gathered.degradations)
    evidence = gathered.evidence
    count = len(evidence.candidates)
    counts = {"passages": count, "named_documents": len(evidence.named_documents)}
    yield run.finish_stage("retrieve", f"Found {count:,} passages", began, "index", counts)
    asked = _open_thing(composer, follow_up, evidence)
    if asked is not None:
        return composer.ask_which(found, gathered.plan, asked)
    return (yield from _composed(composer, found, gathered, settings.deadline_s * 1000))


def _open_thing(composer: Composer, follow_up: FollowUp, evidence: Evidence) -> Clarification | None:
    """A question back about what has no name; None where one is named, or none is to be asked."""
    names_document = bool(evidence.named_documents) and evidence.named_documents != follow_up.documents
    if composer.run.question.way in ("text", "whatever") or names_document:
        return None
    told = f"{follow_up.question} {follow_up.carried}"
    return which_thing(follow_up.question, follow_up.unnamed, evidence, told)


def _composed(
    composer: Composer, found: Classification, gathered: SearchedPassages, deadline_ms: float
) -> Generator[Event, None, Answer]:
    """The answer that was composed, of the claims that hold.

    The first is checked even when time has run out: late is not "no answer".
    """
    run, evidence = composer.run, gathered.evidence
    began = run.clock.at()
    label = f"Reading {min(TOP_PASSAGES, len(evidence.candidates))} passages"
    yield StageStarted(at_ms=began, stage="answer", label=label)
    outcome = composer.compose(found, gathered)
    total = len(outcome.layout.drafts)
    counts = {"sentences": len(evidence.sentences), "claims": total}
    yield run.finish_stage("answer", "Composed from quotes", began, "extractive", counts)
    began = run.clock.at()
    label = f"Checking {total} claim{'s' if total != 1 else ''}"
    yield StageStarted(at_ms=began, stage="verify", label=label)
    for at, draft in enumerate(outcome.layout.drafts):
        if at and run.clock.at() > deadline_ms:
            outcome.stop_late()
            break
        claim = outcome.verify(draft)
        if claim is not None:
            yield ClaimAdded(at_ms=run.clock.at(), index=len(outcome.claims) - 1, claim=claim)
    yield from run.degrade(*outcome.degradations)
    counts = {"claims": len(outcome.claims), "struck": total - len(outcome.claims)}
    yield run.finish_stage("verify", "Compared with the stored pages", began, "records", counts)
    return composer.conclude(outcome)
