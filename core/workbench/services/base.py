"""Common ground of the services: a home, and the principal on whose behalf it is used."""

from __future__ import annotations

import time
from collections.abc import Collection, Generator, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from core.domain.answer import Answer, Kind, Route, Status
from core.domain.conversation import Turn
from core.domain.event import Drafted, StageFinished
from core.domain.fields import PromiseLevel
from core.domain.ids import ConversationId
from core.domain.matrix import Asking
from core.domain.principal import Principal
from core.domain.trust.permission import Action
from core.errors import GroundworkError, RefusedError, UsageError
from core.fields.promise import QuestionPromise
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of
from core.plan.ir.validate import check
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.telemetry import tracing
from core.telemetry.measures import (
    DEGRADATIONS,
    OTHER,
    QUESTION_TIMES,
    QUESTIONS,
    STAGE_TIMES,
    TALLY,
    Tally,
    known,
)
from core.workbench.fields.scope import asking_of
from core.workbench.runs.masking import AnswerMask

if TYPE_CHECKING:
    from core.workbench.door import PolicyDoor
    from core.workbench.wiring import Parts
    from core.workbench.work.submission import Writing


class Service:
    """One subject of a home, for one principal. Cheap to make; thread-safe."""

    def __init__(self, parts: Parts, principal: Principal) -> None:
        self._parts = parts
        self._principal = principal
        parts.users.add(self)

    @cached_property
    def _visible(self) -> Visibility:
        """The documents that this principal may see, as their groups open them now."""
        return self._parts.records.access.visibility(self._principal)

    @cached_property
    def _door(self) -> PolicyDoor:
        """Decides what this principal may ask of them."""
        return self._parts.door(self._principal, self._visible)

    def _address(self, given: str = "") -> str:
        """Address of the pages for people: as configured, as given, or else where this home is served."""
        settings = self._parts.settings
        served = settings.home / "up.address"
        known = settings.app.public_url or given
        if not known and served.is_file():
            known = served.read_text().strip()
        return (known or f"http://{settings.app.host}:{settings.app.port}").rstrip("/")

    @property
    def _openable(self) -> Visibility:
        """The documents whose pages may be read: also those that are gone, into which there are citations."""
        return self._visible.including_gone()

    def _in_bucket(self, bucket: str | None) -> Visibility:
        """Visible documents of a bucket, None for all."""
        return self._visible.within([bucket] if bucket else [])

    def _counted_once(self, query: DocumentQuery) -> Visibility:
        """Visible documents of the query's bucket, of copies one: the oldest of those that fit the query."""
        within, records = self._in_bucket(query.bucket), self._parts.records
        alike = records.copies.find(within).alike
        fitting = records.documents.ids(within, replace(query, among=alike)) if alike else ()
        return records.copies.counted_once(within, fitting)

    def _promise(self, level: PromiseLevel | None) -> QuestionPromise | None:
        """Lines of a level over the buckets that may be seen; None for None."""
        if level is None:
            return None
        from core.extract.extractor import question_promise

        buckets = [each.name for each in self._parts.records.documents.buckets(self._visible)]
        definitions = self._parts.definitions()
        return question_promise(level, definitions, self._parts.clause_heads(definitions), buckets)

    @property
    def _catalogue(self) -> Catalogue:
        return self._parts.catalogues.load(self._visible)

    @property
    def _writing(self) -> Writing:
        # Parsers and jobs are imported by what needs them: a question does not, and should not wait for it.
        from core.workbench.work.submission import Writing

        return Writing(self._parts)

    def _asking(self, bucket: str | None) -> Asking:
        return asking_of(self._parts.schemas, self._parts.records, self._visible, bucket)

    def _require_fields(self, fields: Collection[str] | None) -> None:
        """Raises UsageError for a name that no schema has as a field."""
        known = {each.name for schema in self._parts.schemas.schemas() for each in schema.fields}
        for name in sorted(set(fields or ()) - known):
            raise UsageError(f"There is no field {name!r}.", next_step="See the schemas for their fields.")

    def _permit(self, action: Action, deed: str = "") -> None:
        """Raises RefusedError where the policies do not allow a deed; `deed` completes "may not"."""
        self._door.require_deed(action, deed)

    @property
    def _mask(self) -> AnswerMask:
        """Shows kept answers as far as this principal may still see what they rest on."""
        return AnswerMask(self._parts.records, self._visible, self._parts.mask_verdicts)

    def _turns(self, conversation: ConversationId) -> list[Turn]:
        """The turns of one of the principal's conversations, with their answers as they may be seen now."""
        kept = self._parts.records.conversations.turns(conversation, self._principal.user)
        mask = self._mask
        return [mask.turn(turn) for turn in kept]

    def _permit_answer(self, answer: Answer | None) -> None:
        """Raises RefusedError where the plan of an answer, or of a part of it, would be refused now."""
        for each in answer.parts or (answer,) if answer is not None else ():
            if each.plan and each.plan.get("nodes"):
                self._door.require_plan(plan_of(each.plan))
            else:
                self._permit(Action.QUERY)

    def _check(self, plan: Plan) -> None:
        """Raises PlanError where a plan cannot run for this principal."""
        check(plan, self._catalogue)


E = TypeVar("E")
STAGES = frozenset({"understand", "plan", "compute", "retrieve", "search", "write", "verify", "answer"})


def watched(events: Iterator[E], name: str = "question", tally: Tally = TALLY) -> Iterator[E]:
    """The events as they come. name: of the span: a question or a plan. Safe to close at any yield.

    The time is until the answer stands, not until its follow-up questions do.
    """
    began, span = time.perf_counter(), tracing.begin(name)
    answer: Answer | None = None
    lasted, outcome = 0.0, "interrupted"
    try:
        for event in events:
            if isinstance(event, StageFinished):
                stage = known(event.stage, STAGES)
                tally.time(STAGE_TIMES, event.latency_ms / 1000, stage)
                span.part(stage, event.latency_ms / 1000, source=event.source)
            found = _answer_of(event)
            if found is not None:
                answer, lasted = found, lasted or time.perf_counter() - began
            yield event
    except RefusedError:
        outcome = Status.REFUSED.value
        raise
    except GroundworkError:
        outcome = Status.FAILED.value
        raise
    finally:
        if isinstance(events, Generator):
            events.close()
        outcome = answer.status.value if answer is not None else outcome
        kind, model = _kind(answer), "yes" if answer is not None and answer.written_by else "no"
        route = known(answer.route.value, [each.value for each in Route]) if answer is not None else OTHER
        tally.count(QUESTIONS, kind, route, outcome, model)
        tally.time(QUESTION_TIMES, lasted or time.perf_counter() - began, kind, model)
        for each in answer.degradations if answer is not None else ():
            tally.count(DEGRADATIONS, each.code)
        trace = answer.trace_id if answer is not None else ""
        span.end(kind=kind, route=route, outcome=outcome, model=model, trace=trace)


def _answer_of(event: object) -> Answer | None:
    """The answer that an event brings; None of one that a model has still to write anew."""
    found = getattr(event, "answer", None)
    return found if isinstance(found, Answer) and not isinstance(event, Drafted) else None


def _kind(answer: Answer | None) -> str:
    return known(answer.kind.value, [each.value for each in Kind]) if answer is not None else OTHER
