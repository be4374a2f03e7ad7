"""Answers that wait for documents being read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.ids import TurnId
from core.domain.principal import Principal
from core.errors import NotFoundError
from tests.support.contracts_at_hand import Contracts, contracts_at_hand


@pytest.fixture
def at_hand(tmp_path: Path) -> Iterator[Contracts]:
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def test_an_answer_that_still_waits_stays_as_it_is(at_hand: Contracts) -> None:
    session = at_hand.bench.local
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, "Which contracts are governed by Texas law?")
    waits = session.questions.ask(turn.question)
    kept = session.conversations.finish_turn(turn.id, waits)

    progress = session.updates.progress(waits)

    assert progress is not None
    assert (progress.documents, progress.left) == (2, 2)
    assert session.updates.update(conversation.id, turn.id).answer == kept.answer


def test_an_answer_that_waits_for_nothing_has_no_progress(at_hand: Contracts) -> None:
    session = at_hand.bench.local

    assert session.updates.progress(session.questions.ask("Hello")) is None


def test_the_answer_of_somebody_else_is_not_given_anew(at_hand: Contracts) -> None:
    session = at_hand.bench.local
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, "Which contracts are governed by Texas law?")

    with pytest.raises(NotFoundError):
        session.updates.update(conversation.id, TurnId("t999"))
    with pytest.raises(NotFoundError):
        at_hand.bench.for_principal(Principal("bob")).updates.update(conversation.id, turn.id)
