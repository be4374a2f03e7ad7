"""Common ground of the services: a home, and the principal on whose behalf it is used."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from core.domain.answer import Answer
from core.domain.conversation import Turn
from core.domain.fields import PromiseLevel
from core.domain.ids import ConversationId
from core.domain.matrix import Asking
from core.domain.principal import Principal
from core.domain.trust.permission import Action
from core.fields.promise import QuestionPromise
from core.plan.catalogue import Catalogue
from core.plan.ir.nodes import Plan
from core.plan.ir.serialization import plan_of
from core.plan.ir.validate import check
from core.records.database.visibility import Visibility
from core.workbench.door import PolicyDoor
from core.workbench.fields.scope import asking_of
from core.workbench.runs.masking import AnswerMask
from core.workbench.wiring import Parts

if TYPE_CHECKING:
    from core.workbench.work.submission import Writing


class Service:
    """One subject of a home, for one principal. Cheap to make; thread-safe."""

    def __init__(self, parts: Parts, principal: Principal) -> None:
        self._parts = parts
        self._principal = principal

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
