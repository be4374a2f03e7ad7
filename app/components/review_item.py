"""A flagged answer under review: its claims, and the verdicts on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app import state
from app.components import mounts


def draw_review_item(data: Mapping[str, Any], **actions: Callable[[Any], None]) -> None:
    """Mount the item; its keys work wherever the focus is, but not while somebody types.

    actions: save its verdicts, step to another, focus a citation, claim, reopen; each gets what was sent.
    """
    key = "review-item"
    mounts.review(key=key, data=dict(data), **state.on_sent(key, actions))
