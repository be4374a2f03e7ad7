"""Stages of an answer from the text: retrieve, answer, verify, each with the events that tell of it."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from core.agent.base import AnswerRecords
from core.agent.conversation.clarification import which_thing
from core.agent.conversation.follow_up import FollowUp
from core.agent.gather import SearchedPassages, gather
from core.agent.multi_hop import has_hops, node_events
from core.agent.run import Run
from core.agent.text_answer import Composer, TextOutcome
from core.config.models import RetrievalSettings
from core.domain.answer import Answer, Claim, Clarification, Degradation
from core.domain.event import ClaimAdded, Degraded, Event, PlanDrawn, StageStarted
from core.errors import IndexUnavailableError
from core.evidence.base import Evidence, EvidenceFinder
from core.plan.ir.nodes import Plan
from core.plan.text.classify import Classification
from core.retrieval.sentences import TOP_PASSAGES


def _open_thing(run: Run, follow_up: FollowUp, evidence: Evidence) -> Clarification | None:
    """A question back about what has no name; None where one is named, or none is to be asked."""
    names_document = bool(evidence.named_documents) and evidence.named_documents != follow_up.documents
    if run.question.way in ("text", "whatever") or names_document:
        return None
    told = f"{follow_up.question} {follow_up.carried}"
    return which_thing(follow_up.question, follow_up.unnamed, evidence, told)


class TextStages:
    """Answers from what the searches of a plan find. Thread-safe."""

    def __init__(
        self, records: AnswerRecords, retriever: EvidenceFinder, settings: RetrievalSettings
    ) -> None:
        self._records = records
        self._retriever = retriever
        self._settings = settings

    def answer(
        self, run: Run, composer: Composer, found: Classification, plan: Plan, follow_up: FollowUp
    ) -> Generator[Event, None, Answer]:
        """The answer; one that says so where the search engine is down. Raises RefusedError."""
        if (refused := run.door.refusal(plan)) is not None:
            raise refused
        began = run.clock.at()
        yield StageStarted(at_ms=began, stage="retrieve", label=f"Searching {composer.scope.label}")
        if has_hops(plan):
            yield PlanDrawn(at_ms=began, plan=plan.model_dump(mode="json"))
        try:
            gathered = gather(
                plan,
                follow_up,
                self._retriever,
                self._records.documents,
                run.visibility,
                pool=self._settings.pool,
            )
        except IndexUnavailableError as error:
            message = error.explanation
            degradation = Degradation(code="E003", message=message)
            yield Degraded(at_ms=run.clock.at(), degradation=degradation)
            yield run.finish_stage("retrieve", "The search engine did not answer", began, "engine", {})
            return composer.fail(found, plan, degradation)
        run.clock.timings.update({f"retrieve.{name}": ms for name, ms in gathered.timings_ms.items()})
        if has_hops(plan):
            yield from node_events(gathered.plan, run.clock.at())
        run.degradations += gathered.degradations
        for degradation in gathered.degradations:
            yield Degraded(at_ms=run.clock.at(), degradation=degradation)
        counts = {
            "passages": len(gathered.evidence.candidates),
            "named_documents": len(gathered.evidence.named_documents),
        }
        label = f"Found {counts['passages']:,} passages"
        yield run.finish_stage("retrieve", label, began, "index", counts)
        asked = _open_thing(run, follow_up, gathered.evidence)
        if asked is not None:
            return composer.ask_which(found, gathered.plan, asked)
        return (yield from self._compose(run, composer, found, gathered))

    def _compose(
        self, run: Run, composer: Composer, found: Classification, gathered: SearchedPassages
    ) -> Generator[Event, None, Answer]:
        began = run.clock.at()
        evidence = gathered.evidence
        yield StageStarted(
            at_ms=began,
            stage="answer",
            label=f"Reading {min(TOP_PASSAGES, len(evidence.candidates))} passages",
        )
        outcome = composer.compose(found, gathered)
        counts = {"sentences": len(evidence.sentences), "claims": len(outcome.layout.drafts)}
        yield run.finish_stage("answer", "Composed from quotes", began, "extractive", counts)
        began = run.clock.at()
        total = len(outcome.layout.drafts)
        yield StageStarted(
            at_ms=began, stage="verify", label=f"Checking {total} claim{'s' if total != 1 else ''}"
        )
        for claim in self._verified(run, composer, outcome):
            yield ClaimAdded(at_ms=run.clock.at(), index=len(outcome.claims) - 1, claim=claim)
        for degradation in outcome.degradations:
            yield Degraded(at_ms=run.clock.at(), degradation=degradation)
        run.degradations += tuple(outcome.degradations)
        counts = {"claims": len(outcome.claims), "struck": total - len(outcome.claims)}
        yield run.finish_stage("verify", "Compared with the stored pages", began, "records", counts)
        return composer.conclude(found, gathered, outcome)

    def _verified(self, run: Run, composer: Composer, outcome: TextOutcome) -> Iterator[Claim]:
        """The claims that hold; the first is checked even when time has run out: late is not "no answer"."""
        deadline_ms = self._settings.deadline_s * 1000
        for at, draft in enumerate(outcome.layout.drafts):
            if at and run.clock.at() > deadline_ms:
                outcome.stop_late()
                return
            claim = composer.verify(draft, outcome)
            if claim is not None:
                yield claim
