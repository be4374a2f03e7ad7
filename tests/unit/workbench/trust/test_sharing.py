from __future__ import annotations

import pytest

from core.domain.ids import TurnId
from core.domain.principal import Principal
from core.domain.trust.deed import AuditQuery
from core.errors import NotFoundError, RefusedError, UsageError
from core.workbench.facade import Workbench
from tests.unit.workbench.runs.test_masking import ANN, answer, home, kept_turn

__all__ = ["home"]

BOB = Principal("bob", frozenset({"analyst"}), frozenset({"board"}))


def opens(home: Workbench, who: Principal, secret: str) -> list[str]:
    view = home.for_principal(who).sharing.open(secret)
    return [each.answer.text for each in view.turns if each.answer is not None]


def test_an_answer_is_shared_with_who_may_see_what_it_rests_on(home: Workbench) -> None:
    first = home.documents()[0].id
    ann = home.for_principal(ANN)
    turn = kept_turn(ann, answer(first, follow_ups=("What next?",)))
    secret, link = ann.sharing.share_answer(turn.conversation, turn.id)

    view = home.for_principal(BOB).sharing.open(secret)
    assert (view.title, link.kind, link.account) == (turn.question, "answer", "ann")
    shared = view.turns[0].answer
    assert shared is not None
    assert (shared.text, shared.follow_ups, shared.citations[0].document) == ("First [1]", (), first)

    home.local.access.set_document(first, ["legal"])
    with pytest.raises(NotFoundError) as refused:
        opens(home, BOB, secret)
    with pytest.raises(NotFoundError) as unknown:
        opens(home, BOB, "A" * 43)
    assert str(refused.value) == str(unknown.value)
    assert opens(home, ANN, secret) == ["First [1]"]


def test_of_a_conversation_those_answers_are_shown_that_may_be_seen(home: Workbench) -> None:
    first, second = (each.id for each in home.documents())
    ann = home.for_principal(ANN)
    turn = kept_turn(ann, answer(first))
    other = ann.conversations.start_turn(turn.conversation, "And then?")
    ann.conversations.finish_turn(other.id, answer(second).model_copy(update={"trace_id": "trace-2"}))
    secret, _ = ann.sharing.share_conversation(turn.conversation)
    home.local.access.set_document(first, ["legal"])

    shown = [each.answer for each in home.for_principal(BOB).sharing.open(secret).turns]
    assert [each is not None and each.is_masked for each in shown] == [True, False]
    home.local.access.set_document(second, ["legal"])
    with pytest.raises(NotFoundError):
        opens(home, BOB, secret)


def test_links_end_and_only_their_owner_ends_them(home: Workbench) -> None:
    ann = home.for_principal(ANN)
    turn = kept_turn(ann, answer(home.documents()[0].id))
    secret, link = ann.sharing.share_answer(turn.conversation, turn.id, days=1)
    bob = home.for_principal(BOB).sharing
    with pytest.raises(NotFoundError):
        bob.revoke(link.id)
    with pytest.raises(RefusedError):
        bob.list(everybody=True)
    assert (bob.list(), [each.id for each in ann.sharing.list()]) == ([], [link.id])
    assert opens(home, BOB, secret) == ["First [1]"]
    ann.sharing.revoke(link.id)
    with pytest.raises(NotFoundError):
        opens(home, BOB, secret)
    names = [each.deed.name for each in home.local.audit_log.entries(AuditQuery())]
    assert [name for name in reversed(names) if name.startswith("link.")] == [
        "link.share",
        "link.open",
        "link.revoke",
    ]


def test_only_what_is_ones_own_and_answered_can_be_shared(home: Workbench) -> None:
    ann, bob = home.for_principal(ANN), home.for_principal(BOB)
    turn = kept_turn(ann, answer(home.documents()[0].id))
    with pytest.raises(NotFoundError):
        bob.sharing.share_answer(turn.conversation, turn.id)
    with pytest.raises(NotFoundError):
        bob.sharing.share_conversation(turn.conversation)
    with pytest.raises(NotFoundError):
        ann.sharing.share_answer(turn.conversation, TurnId("t0"))
    with pytest.raises(NotFoundError):
        ann.sharing.share_audit("p0")
    with pytest.raises(UsageError):
        ann.sharing.share_conversation(ann.conversations.create().id)
    with pytest.raises(UsageError):
        ann.sharing.share_answer(turn.conversation, turn.id, days=0)
    running = ann.conversations.start_turn(turn.conversation, "And?")
    with pytest.raises(UsageError):
        ann.sharing.share_answer(turn.conversation, running.id)


def test_a_link_of_ones_own_is_called_by_what_it_leads_to(home: Workbench) -> None:
    ann = home.for_principal(ANN)
    turn = kept_turn(ann, answer(home.documents()[0].id))
    _, one = ann.sharing.share_answer(turn.conversation, turn.id)
    _, whole = ann.sharing.share_conversation(turn.conversation)

    titles = [ann.sharing.title_of(one), ann.sharing.title_of(whole)]
    assert titles == [turn.question, ann.conversations.get(turn.conversation).title]
    assert home.for_principal(BOB).sharing.title_of(one) == ""
    ann.conversations.delete(turn.conversation)
    assert ann.sharing.title_of(whole) == ""
