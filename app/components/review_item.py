"""A flagged answer under review: its claims, and the verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from app import state
from app.components import mounts


@dataclass(frozen=True, slots=True)
class ReviewActions:
    """Actions on the open item: save its verdicts, step to another, point at a citation, claim, reopen."""

    save: Callable[[Mapping[str, Any]], None]
    step: Callable[[str, int], None]
    focus: Callable[[int], None]
    claim: Callable[[str, bool, bool], None]
    reopen: Callable[[str], None]


def draw_review_item(data: Mapping[str, Any], actions: ReviewActions) -> None:
    """Mount the item; its keys work wherever the focus is, but not while somebody types."""
    key = "review-item"

    def sent(name: str) -> Any:
        return state.sent(key, name)

    mounts.review(
        key=key,
        data=dict(data),
        on_save_change=lambda: actions.save(dict(sent("save"))),
        on_step_change=lambda: actions.step(str(sent("step")["item"]), int(sent("step")["by"])),
        on_focus_change=lambda: actions.focus(int(sent("focus")["n"])),
        on_claim_change=lambda: actions.claim(
            str(sent("claim")["item"]), bool(sent("claim")["release"]), bool(sent("claim")["over"])
        ),
        on_reopen_change=lambda: actions.reopen(str(sent("reopen")["item"])),
    )
