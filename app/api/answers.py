"""Running and finished answers: the event stream of a turn, its trace, and its export as a file."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from app import services
from app.api.event_stream import send_events
from app.export import answer_markdown
from core.domain.conversation import Turn
from core.domain.ids import ConversationId, TraceId
from core.errors import NotFoundError

TICK_S = 0.03
PRIVATE = {"Cache-Control": "private, no-cache"}


async def events(socket: WebSocket) -> None:
    """The events of a turn from `after` + 1 on, as they come; closes after the last one.

    A WebSocket, because a browser allows six open event streams an origin and the seventh blocks the page.
    """
    turn = services.turns().get(socket.path_params["id"])
    is_own = turn is not None and turn.principal.user == services.current_principal().user
    await send_events(socket, turn if is_own else None, TICK_S)


def trace(request: Request) -> Response:
    """What was done for a question, step by step."""
    found = services.bench().trace(TraceId(request.path_params["id"]), services.current_principal())
    return JSONResponse(found.model_dump(mode="json"), headers=PRIVATE)


def export(request: Request) -> Response:
    """An answer as a file: `.md` to read and paste, `.json` as the interface defines it."""
    turn = _turn(request.path_params["conversation"], request.path_params["turn"])
    if turn.answer is None:
        raise NotFoundError("This turn has no answer.", next_step="Ask again.")
    kind = request.path_params["kind"]
    name = re.sub(r"[^a-z0-9]+", "-", turn.question.lower()).strip("-")[:60] or "answer"
    if kind == "json":
        body, media = turn.answer.model_dump_json(indent=2, by_alias=True), "application/json"
    elif kind == "md":
        body, media = answer_markdown(turn.answer), "text/markdown; charset=utf-8"
    else:
        raise NotFoundError(f"No export as {kind!r}. Expected md or json.")
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(body, media_type=media, headers=headers)


def _turn(conversation: str, turn: str) -> Turn:
    turns = services.bench().turns(ConversationId(conversation), services.current_principal())
    found = next((t for t in turns if t.id == turn), None)
    if found is None:
        raise NotFoundError(f"No turn {turn!r} in this conversation.")
    return found


ROUTES = [
    WebSocketRoute("/turns/{id}/ws", events),
    Route("/traces/{id}", trace),
    Route("/conversations/{conversation}/turns/{turn}.{kind}", export),
]
