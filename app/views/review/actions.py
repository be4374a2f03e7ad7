"""Actions of the page Review: items opened, claimed, judged, stepped through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app import services, state
from app.components.shell import guarded
from app.views.review import queue
from core.domain.ids import DocumentId, TraceId
from core.errors import ConflictError
from core.plan.ir.serialization import plan_of


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


@guarded
def correct_cell(item: str, document: str, field: str, deed: str, value: str) -> None:
    """Decide a cell that an answer went wrong by. value: as written, for the deed `correct`."""
    given = value.strip() if deed == "correct" else None
    services.session().reviews.correct_cell(item, DocumentId(document), field, deed, value=given)
    state.flash("The cell is corrected: answers use it from now on.")


@guarded
def correct_word(item: str, phrase: str, field: str, schema: str) -> None:
    """Let words of the question mean a field."""
    services.session().reviews.correct_word(item, phrase, field, schema=schema)
    state.flash("The words are known from the next question on.")


@guarded
def correct_plan(item: str, plan: Mapping[str, Any]) -> None:
    """Have questions like this one read so."""
    services.session().reviews.correct_plan(item, plan_of(plan))
    state.flash("Questions like this one are read so from now on.")


@guarded
def keep_case(item: str, trace: str) -> None:
    """Keep the answer as it is now as an evaluation case."""
    session = services.session()
    found = session.replays.replay(TraceId(trace))
    if found.after is not None:
        session.reviews.keep_case(item, found.after)
        state.flash("The answer is an evaluation case now.")


@guarded
def remove_case(case: str) -> None:
    """Forget an evaluation case."""
    services.session().reviews.remove_case(case)
