"""The documents in hand of a conversation, in a line above the question's box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from app import state
from app.components import mounts


@dataclass(frozen=True, slots=True)
class SetInHand:
    """The set as it is shown; count 0: there is none. shown: the document of it that is open as evidence.

    turn: the id of the turn, or of one of its questions, whose answer holds it.
    """

    conversation: str
    turn: str
    label: str
    count: int
    shown: int | None = None


@dataclass(frozen=True, slots=True)
class SetActions:
    """Actions of a page on the set; place gets the number of a document in it."""

    clear: Callable[[], None]
    place: Callable[[int], None]


def draw_set_in_hand(found: SetInHand, actions: SetActions) -> None:
    """Draw the line; without a set it keeps its place."""
    key = f"in-hand-{found.conversation}"
    mounts.set_in_hand(
        key=key,
        data=asdict(found),
        on_clear_change=actions.clear,
        on_place_change=lambda: actions.place(int(state.sent(key, "place")["number"])),
    )
