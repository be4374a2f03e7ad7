"""The documents in hand of a conversation, in a line above the question's box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app import state
from app.components import mounts
from core.domain.conversation import Turn


@dataclass(frozen=True, slots=True)
class SetInHand:
    """The set as it is shown; count 0: there is none. shown: the document of it that is open as evidence."""

    label: str
    count: int
    shown: int | None = None


@dataclass(frozen=True, slots=True)
class SetActions:
    """Actions of a page on the set; place gets the number of a document in it."""

    clear: Callable[[], None]
    place: Callable[[int], None]


def draw_set_in_hand(turn: Turn, found: SetInHand, actions: SetActions) -> None:
    """Draw the line; turn: the one whose answer has the set."""
    key = f"in-hand-{turn.conversation}"
    mounts.set_in_hand(
        key=key,
        data={
            "conversation": turn.conversation,
            "turn": turn.id,
            "label": found.label,
            "count": found.count,
            "shown": found.shown,
        },
        on_clear_change=actions.clear,
        on_place_change=lambda: actions.place(int(state.sent(key, "place")["number"])),
    )
