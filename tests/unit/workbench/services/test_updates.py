"""Answers over documents that are still being read, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.answer import Answer
from core.domain.conversation import Turn
from core.domain.document import Page, ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType, Finding, TypedValue
from core.domain.ids import DocumentId, TurnId, content_hash
from core.domain.principal import Principal
from core.errors import NotFoundError
from core.store.base import NewVersion
from tests.support.contracts_at_hand import Contracts, contracts_at_hand
from tests.support.filled_matrix import BUCKET
from tests.support.roles import MAY_ASK

QUESTION = "How many documents are governed by Texas law?"
NOW = datetime(2026, 3, 1, 14, 3, tzinfo=UTC)


@pytest.fixture
def at_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Contracts]:
    monkeypatch.setenv("GROUNDWORK_ANSWER__USE_PLANS", "true")
    with contracts_at_hand(tmp_path / "home") as found:
        yield found


def publish(at_hand: Contracts, title: str) -> DocumentId:
    """A contract that is not read yet."""
    page = Page(1, f"{title}\nIt is governed by the law of Texas.")
    parsed = ParsedDocument(title, "text/plain", (page,), "en")
    new = NewVersion(BUCKET, f"{title}.txt", parsed, content_hash(page.text.encode()), len(page.text))
    return at_hand.records.documents.publish(new).document


def read(at_hand: Contracts, document: DocumentId) -> None:
    """Read it to the end, as the definitions are now."""
    value = TypedValue(FieldType.TEXT, "Texas", None, "", "Texas", "texas")
    law = Finding(CellStatus.PRESENT, (value,), (), 0.97, "pattern")
    print_ = at_hand.bench._parts.definitions().fingerprint(BUCKET)
    at_hand.records.fields.put(document, 1, Extraction(BUCKET, {"governing_law": law}), print_)


def asked(at_hand: Contracts) -> Turn:
    session = at_hand.bench.local
    conversation = session.conversations.create()
    turn = session.conversations.start_turn(conversation.id, QUESTION)
    return session.conversations.finish_turn(turn.id, session.questions.ask(QUESTION))


def answer_of(turn: Turn) -> Answer:
    assert turn.answer is not None
    return turn.answer


def test_what_is_still_being_read_is_told_from_what_is_not_sure_and_is_read_first(
    at_hand: Contracts,
) -> None:
    late = publish(at_hand, "Kestrel agreement")

    answer = at_hand.bench.local.questions.ask(QUESTION)

    assert answer.ledger is not None
    assert (answer.ledger.pending, answer.ledger.documents.pending) == (1, (late,))
    assert late in answer.ledger.documents.uncertain
    assert any(gap.startswith("Still reading 1 of 11 contracts") for gap in answer.gaps)
    assert not any("not sure enough" in gap for gap in answer.gaps)
    assert at_hand.records.reading_queue.list() == [late]


def test_an_answer_follows_up_once_all_is_read_and_keeps_its_older_text(at_hand: Contracts) -> None:
    late = publish(at_hand, "Kestrel agreement")
    turn, updates = asked(at_hand), at_hand.bench.local.updates
    before = answer_of(turn)
    waiting = updates.progress(before)
    assert waiting is not None
    assert (waiting.documents, waiting.left) == (1, 1)
    assert updates.update(turn.conversation, turn.id, NOW) == turn

    read(at_hand, late)
    later = answer_of(updates.update(turn.conversation, turn.id, NOW))

    assert later.ledger is not None
    assert later.ledger.pending == 0
    assert later.update is not None
    assert later.update.note.startswith("Read to the end at ")
    assert later.update.note.endswith("3 instead of 2.")
    assert later.update.text == before.text
    assert at_hand.records.reading_queue.list() == []
    kept = at_hand.bench.local.conversations.turns(turn.conversation)[-1]
    assert kept.first is None  # nobody changed how the question was read
    assert answer_of(kept) == later
    assert updates.progress(later) is None


def test_a_turn_of_somebody_else_is_not_there(at_hand: Contracts) -> None:
    turn = asked(at_hand)
    with pytest.raises(NotFoundError):
        at_hand.bench.local.updates.update(turn.conversation, TurnId("t999"))
    with pytest.raises(NotFoundError):
        at_hand.bench.for_principal(Principal("ann", MAY_ASK)).updates.update(turn.conversation, turn.id)


def test_an_answer_that_waits_for_nothing_has_no_progress(at_hand: Contracts) -> None:
    session = at_hand.bench.local

    assert session.updates.progress(session.questions.ask("Hello")) is None
