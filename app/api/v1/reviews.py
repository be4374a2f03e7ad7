"""Flagged answers by REST: listed and judged."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.cursors import Cursor, Limit, cursor_of, offset_of
from app.api.v1.requests import VerdictRequest
from core.domain.trust.review import ReviewFilter, ReviewState
from core.domain.wire.reviews import review_json
from core.domain.wire.shapes import envelope

ROUTER = APIRouter(tags=["Reviews"])
State = Annotated[Literal["open", "resolved", "all"], Query(description="Which of them.")]


@ROUTER.get("/reviews", response_model=responses.ReviewList)
def list_reviews(state: State = "open", limit: Limit = 50, cursor: Cursor = None) -> Response:
    """Flagged answers, newest first."""
    offset = offset_of(cursor, state)
    part = ReviewFilter(state=None if state == "all" else ReviewState(state), offset=offset, limit=limit)
    page = services.session().reviews.page(part)
    end = offset + len(page.items)
    return reply(
        envelope(
            reviews=list(map(review_json, page.items)),
            total=page.total,
            next_cursor=cursor_of(end, state) if end < page.total else None,
        )
    )


@ROUTER.post("/reviews/{id}", response_model=responses.OneReview)
def judge(id: str, body: VerdictRequest) -> Response:
    """Keep a verdict on a flagged answer, and on its claims where they differ.

    409 where somebody changed it since `revision` was seen.
    """
    claims = {each.claim: each.verdict for each in body.claims}
    kept = services.session().reviews.resolve(
        id, body.verdict, claims=claims, note=body.note, expected=body.revision
    )
    return reply(envelope(review=review_json(kept)))
