"""The documents in hand of a conversation, in a line above the question's box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

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


def draw_set_in_hand(found: SetInHand, clear: Callable[[Any], None], place: Callable[[int], None]) -> None:
    """Draw the line; without a set it keeps its place. place: gets the number of a document in it."""
    key = f"in-hand-{found.conversation}"
    actions = {"clear": clear, "place": lambda sent: place(int(sent["number"]))}
    mounts.set_in_hand(key=key, data=asdict(found), **state.on_sent(key, actions))
