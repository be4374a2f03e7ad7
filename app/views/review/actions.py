"""Actions of the page Review: items opened, claimed, judged, stepped through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app import services, state
from app.components.shell import guarded
from app.views.review import queue
from core.errors import ConflictError


def open_item(item: str | None) -> None:
    """Show an item, or none."""
    state.to_address(item=item, n=None)


def sort(by: str, descending: bool) -> None:
    """Put the queue in another order."""
    state.to_address(by=by, down=int(descending), part=None)


def turn(part: int) -> None:
    """Show another part of the queue."""
    state.to_address(part=part if part > 1 else None, item=None)


def step(item: str, by: int) -> None:
    """Open the item after this one, or before it, in the order of the table; at the ends stay."""
    items = services.session().reviews.page(queue.wanted()).items
    at = queue.place_of(items, item) + by
    if 0 <= at < len(items):
        open_item(items[at].id)


def focus(n: int) -> None:
    """Show the page of a citation beside the item."""
    state.to_address(n=n)


@guarded
def claim(item: str, release: bool, over: bool) -> None:
    """Work on an item, or let it go. over: somebody else works on it, which was seen."""
    reviews = services.session().reviews
    if release:
        reviews.assign(item, "")
    else:
        reviews.claim(item, take_over=over)


@guarded
def reopen(item: str) -> None:
    """Take the verdict on an answer back."""
    services.session().reviews.reopen(item)


@guarded
def save(given: Mapping[str, Any]) -> None:
    """Keep verdicts and go on to the next item; where somebody was faster stay, and say who."""
    session, item = services.session(), str(given["item"])
    items = session.reviews.page(queue.wanted()).items
    try:
        session.reviews.resolve(
            item,
            str(given["verdict"]),
            claims={int(number): str(each) for number, each in dict(given["claims"]).items()},
            note=str(given["note"]),
            expected=int(given["revision"]),
        )
    except ConflictError as error:
        state.set_review_message(item, error.explanation)
        return
    at = queue.place_of(items, item)
    following = items[at + 1 : at + 2] or items[at - 1 : at] if at >= 0 else ()
    open_item(following[0].id if following else None)
