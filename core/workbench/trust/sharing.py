"""Sharing: an answer, a conversation or an audit by link, for people who may see what it rests on.

A link opens no document to anybody. What it leads to is shown as far as the one who opens it may see it;
where that is nothing, and where there is no such link, they get one sentence.
"""

from __future__ import annotations

import builtins
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from core.domain.conversation import Turn
from core.domain.ids import ConversationId, TurnId
from core.domain.principal import Principal
from core.domain.trust.access import LinkKind, SharedLink, SharedView
from core.domain.trust.permission import Action
from core.errors import NotFoundError, RefusedError, UsageError
from core.plan.ir.serialization import plan_of
from core.workbench.people import principal_of
from core.workbench.recorded import note_opened, recorded
from core.workbench.runs.comparison import seen_by
from core.workbench.services.base import Service

LONGEST_DAYS = 366
DAYS = 30


class SharingService(Service):
    """Links of the principal, and those of others that they were sent."""

    @recorded("link.share", "conversation", "turn", "days")
    def share_answer(
        self, conversation: ConversationId, turn: TurnId, *, days: int = DAYS
    ) -> tuple[str, SharedLink]:
        """A link to one of one's own answers, and its secret, which is given here and never again.

        Raises NotFoundError, and UsageError where the turn has no answer or days is not 1 to 366.
        """
        found = next((each for each in self._turns(conversation) if each.id == turn), None)
        if found is None:
            raise NotFoundError(
                f"There is no turn {turn!r} of yours.", next_step="Open its conversation again."
            )
        if found.answer is None or found.answer.is_masked:
            raise UsageError("There is no answer to share.", next_step="Ask the question again.")
        return self._add("answer", f"{conversation}/{turn}", days)

    @recorded("link.share", "conversation", "days")
    def share_conversation(self, conversation: ConversationId, *, days: int = DAYS) -> tuple[str, SharedLink]:
        """A link to one of one's own conversations, with what is asked in it later; see `share_answer`."""
        if not self._turns(conversation):
            raise UsageError("There is nothing to share yet.", next_step="Ask a question first.")
        return self._add("conversation", conversation, days)

    @recorded("link.share", "audit", "days")
    def share_audit(self, audit: str, *, days: int = DAYS) -> tuple[str, SharedLink]:
        """A link to an audit that one may see, with its last run; see `share_answer`."""
        self._parts.records.plans.get(audit, self._principal)
        return self._add("audit", audit, days)

    def open(self, secret: str) -> SharedView:
        """What a link leads to, as far as this principal may see it.

        Raises NotFoundError, with the same sentence for a link that is none, ended, or rests on what may not
        be seen, and RefusedError where a policy does not allow what it asks for.
        """
        link = self._parts.records.shared_links.find(secret)
        if link is None:
            raise _leads_nowhere()
        try:
            found = self._audit(link) if link.kind == "audit" else self._answers(link)
        except (NotFoundError, UsageError):
            raise _leads_nowhere() from None
        note_opened(self._parts.records, self._principal, link.id)
        return found

    @recorded("link.revoke", "link")
    def revoke(self, link: str) -> None:
        """End a link: one's own, or, for an admin, anybody's. Raises NotFoundError."""
        owner = None if self._door.may(Action.PEOPLE) else self._principal.user
        self._parts.records.shared_links.revoke(link, owner)

    def list(self, *, everybody: bool = False) -> builtins.list[SharedLink]:
        """One's own links, newest first, or everybody's. Raises RefusedError."""
        if everybody:
            self._permit(Action.PEOPLE, "see links of others")
        return self._parts.records.shared_links.list(None if everybody else self._principal.user)

    def title_of(self, link: SharedLink) -> str:
        """Question, conversation or audit that a link of one's own leads to; "" where it is gone."""
        kept, (target, _, turn) = self._parts.records, link.target.partition("/")
        try:
            if link.kind == "audit":
                audit = kept.plans.get(target, self._principal)
                return audit.name or audit.question
            id = ConversationId(target)
            if not turn:
                return kept.conversations.get(id, self._principal.user).title
            return next((each.question for each in self._turns(id) if each.id == turn), "")
        except NotFoundError:
            return ""

    def _add(self, kind: LinkKind, target: str, days: int) -> tuple[str, SharedLink]:
        if not 1 <= days <= LONGEST_DAYS:
            raise UsageError(f"A link lasts 1 to {LONGEST_DAYS} days, not {days}.", next_step="Choose fewer.")
        until = datetime.now(UTC) + timedelta(days=days)
        return self._parts.records.shared_links.add(kind, target, self._principal.user, until)

    def _answers(self, link: SharedLink) -> SharedView:
        conversation, _, turn = link.target.partition("/")
        id, kept, mask = ConversationId(conversation), self._parts.records.conversations, self._mask
        told = kept.get(id, link.account)
        answered = [
            _plain(mask.turn(each))
            for each in kept.turns(id, link.account)
            if each.answer is not None and (not turn or each.id == turn)
        ]
        if not any(each.answer is not None and not each.answer.is_masked for each in answered):
            raise _leads_nowhere()
        answered = self._allowed(answered)
        title = answered[0].question if turn else told.title
        return SharedView(link, title, tuple(answered))

    def _allowed(self, turns: builtins.list[Turn]) -> builtins.list[Turn]:
        """The turns whose plans the policies allow to who looks. Raises RefusedError where there is none."""
        allowed, refusal = [], None
        for turn in turns:
            try:
                self._permit_answer(turn.answer)
            except RefusedError as error:
                refusal = error
            else:
                allowed.append(turn)
        if refusal is not None and not allowed:
            raise refusal
        return allowed

    def _audit(self, link: SharedLink) -> SharedView:
        records, owner = self._parts.records, self._owner(link.account)
        audit = records.plans.get(link.target, owner)
        if self._mask.tells({"plan": audit.plan, "question": audit.question}):
            raise _leads_nowhere()
        self._door.require_plan(plan_of(audit.plan))
        last = next(iter(records.plans.runs(audit.id, owner, 1)), None)
        if last is None:
            return SharedView(link, audit.name or audit.question, audit=audit)
        whole = records.plans.run(last.id, owner)
        seen = seen_by(records, [whole], self._principal)[0]
        if whole.result is not None and (
            seen.result is None
            or len(seen.result.documents) < len(whole.result.documents)
            or len(seen.result.sources) < len(whole.result.sources)
            or self._mask.tells(whole.result.model_dump(mode="json"))
        ):
            raise _leads_nowhere()
        return SharedView(link, audit.name or audit.question, audit=audit, run=seen)

    def _owner(self, account: str) -> Principal:
        return principal_of(self._parts.records.accounts, self._parts.settings, account)


def _plain(turn: Turn) -> Turn:
    """A turn for others: its answer as it stands, without what only its asker can go on with."""
    answer = turn.answer
    if answer is None:
        return turn
    less = {"follow_ups": (), "other_readings": (), "conversation": None, "clarification": None}
    return replace(turn, answer=answer.model_copy(update=less), feedback="", first=None)


def _leads_nowhere() -> NotFoundError:
    return NotFoundError(
        "This link leads to nothing that you may see.",
        next_step="It may have ended, or rest on documents that are not open to you: ask whoever sent it.",
    )
