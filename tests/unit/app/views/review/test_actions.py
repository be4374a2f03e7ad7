from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from app import state
from app.views.review import actions
from core.domain.principal import LOCAL_ADMIN
from core.domain.trust.review import AnswerVerdict, ReviewFilter, ReviewItem
from core.workbench import Workbench


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The query parameters and what a session remembers, without a browser."""
    kept: dict[str, Any] = {}

    def put(**values: Any) -> None:
        kept.update(values)

    monkeypatch.setattr(state, "to_address", put)
    monkeypatch.setattr(state, "from_address", lambda name: str(kept.get(name) or ""))
    monkeypatch.setattr(state, "set_review_message", lambda item, said: kept.update(said=said))
    monkeypatch.setattr(state, "complain", lambda said, _next: kept.update(complaint=said))
    monkeypatch.setattr(state, "st", SimpleNamespace(session_state={}))
    return kept


def items(bench: Workbench) -> tuple[ReviewItem, ...]:
    return bench.local.reviews.page(ReviewFilter()).items


def given(item: ReviewItem, verdict: str = "correct") -> dict[str, Any]:
    return {
        "item": item.id,
        "verdict": verdict,
        "claims": {"0": verdict},
        "note": "",
        "revision": item.revision,
    }


def test_a_saved_verdict_leads_to_the_next_answer(bench: Workbench, address: dict[str, Any]) -> None:
    first, second = items(bench)

    actions.save(given(first))

    assert address["item"] == second.id
    assert bench.local.reviews.get(first.id).item.verdict is AnswerVerdict.CORRECT
    actions.save(given(second, "wrong"))
    assert address["item"] is None


def test_who_comes_second_stays_and_is_told(bench: Workbench, address: dict[str, Any]) -> None:
    first, _ = items(bench)
    bench.for_principal(replace(LOCAL_ADMIN, user="eve")).reviews.resolve(first.id, "wrong")

    actions.save(given(first))

    assert "'eve' has found this answer wrong" in address["said"]
    assert "item" not in address


def test_steps_stop_at_the_ends(bench: Workbench, address: dict[str, Any]) -> None:
    first, second = items(bench)
    actions.step(first.id, -1)
    assert "item" not in address

    actions.step(first.id, 1)
    assert address["item"] == second.id


def test_an_item_is_claimed_released_and_opened_again(bench: Workbench, address: dict[str, Any]) -> None:
    first, _ = items(bench)
    actions.claim(first.id, release=False, over=False)
    assert items(bench)[0].assignee == "admin"
    actions.claim(first.id, release=True, over=False)
    assert items(bench)[0].assignee == ""
    bench.local.reviews.resolve(first.id, "wrong")

    actions.reopen(first.id)

    assert len(items(bench)) == 2


def test_what_cannot_be_done_is_said_on_the_page(bench: Workbench, address: dict[str, Any]) -> None:
    first, _ = items(bench)
    cobalt = next(each for each in bench.local.documents.list() if each.title.startswith("Cobalt"))

    actions.correct_cell(first.id, str(cobalt.id), "no_such_field", "correct", "Ohio")

    assert "no_such_field" in address["complaint"]
