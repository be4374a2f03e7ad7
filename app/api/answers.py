"""Running and finished answers: events of turns and of plans, traces, readings, and answers as files."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from app import services
from app.api.http import NUMBER, PRIVATE, file_name
from app.presenting.answer_markdown import answer_markdown
from app.running.turns import RunningTurn
from core.domain.answer import LEDGER_LISTS
from core.domain.conversation import Turn, find_turn
from core.domain.fields import SummaryKind
from core.domain.ids import ConversationId, DocumentId, TraceId, TurnId
from core.domain.wire.documents import answer_with_standings
from core.errors import NotFoundError


class Running(Protocol):
    """Something with events; `done` is set behind the last one."""

    @property
    def events(self) -> Sequence[Mapping[str, Any]]:
        """Events so far."""
        ...

    @property
    def done(self) -> bool:
        """True where nothing more will happen."""
        ...


async def send_events(socket: WebSocket, run: Running | None, tick_s: float) -> None:
    """Send the events from `after` + 1 on and close after the last one; None is closed with 4404."""
    await socket.accept()  # also to say 4404: a refused handshake reaches the browser without its code
    if run is None:
        await socket.close(4404)
        return
    after = socket.query_params.get("after", "")
    seen = int(after) + 1 if NUMBER.match(after) else 0
    try:
        while True:
            ended = run.done  # read before the events: nothing is added after it is set
            while seen < len(run.events):
                await socket.send_json(_without_lists(run.events[seen]))
                seen += 1
            if ended:
                break
            await asyncio.sleep(tick_s)
        await socket.close()
    except WebSocketDisconnect:
        return


def _without_lists(event: Mapping[str, Any]) -> Mapping[str, Any]:
    """An event for a page, which asks for the documents of a ledger by parts, where somebody opens one."""
    answer = event.get("answer")
    if not isinstance(answer, Mapping):
        return event
    return {**event, "answer": {**_bare(answer), "parts": [_bare(each) for each in answer["parts"]]}}


def _bare(answer: Mapping[str, Any]) -> dict[str, Any]:
    ledger = answer["ledger"] and {
        k: v for k, v in answer["ledger"].items() if k not in LEDGER_LISTS["ledger"]
    }
    return {**answer, "ledger": ledger}


TICK_S = 0.03


async def events(socket: WebSocket) -> None:
    """The events of a turn from `after` + 1 on, as they come; closes after the last one.

    A WebSocket, because a browser allows six open event streams an origin and the seventh blocks the page.
    """
    turn = services.turns().get(socket.path_params["id"])
    is_own = turn is not None and turn.principal.user == services.current_principal().user
    await send_events(socket, turn if is_own and turn is not None and not _is_hidden(turn) else None, TICK_S)


def _is_hidden(turn: RunningTurn) -> bool:
    """True of a turn whose answer rests on what its asker may not see any more: its events tell of it."""
    if not turn.is_answered:
        return False
    turns = services.session().conversations.turns(turn.conversation)
    kept = next((each.answer for each in turns if each.id == turn.id), None)
    return kept is not None and kept.is_masked


def trace(request: Request) -> Response:
    """Trace of a question: everything done for it, step by step."""
    found = services.session().questions.trace(TraceId(request.path_params["id"]))
    return JSONResponse(found.model_dump(mode="json"), headers=PRIVATE)


def export(request: Request) -> Response:
    """An answer as a file: `.md` to read and paste, `.json` as the interface defines it.

    `.json?standings=true`: each citation says how it stands in its document as it is now.
    """
    turn = _turn(request.path_params["conversation"], request.path_params["turn"])
    if turn.answer is None:
        raise NotFoundError("This turn has no answer.", next_step="Ask again.")
    kind = request.path_params["kind"]
    name = file_name(turn.question)
    if kind == "json":
        body, media = turn.answer.model_dump_json(indent=2, by_alias=True), "application/json"
        if request.query_params.get("standings") == "true":
            noted = answer_with_standings(turn.answer, services.standings(turn.answer))
            body = json.dumps(noted, indent=2, ensure_ascii=False)
    elif kind == "md":
        body, media = answer_markdown(turn.answer, services.standings), "text/markdown; charset=utf-8"
    else:
        raise NotFoundError(f"No export as {kind!r}. Expected md or json.")
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return Response(body, media_type=media, headers=headers)


def summary(request: Request) -> Response:
    """A summary as Markdown: of `document`, as often as wanted, or else of `bucket`; kind: for whom."""
    asked = request.query_params
    documents = [DocumentId(id) for id in asked.getlist("document")]
    if asked.get("kind") not in set(SummaryKind) or bool(documents) == bool(asked.get("bucket")):
        raise NotFoundError("There is no such summary.", next_step="Name documents or a bucket, and a kind.")
    answer = services.session().summaries.show(SummaryKind(asked["kind"]), documents, asked.get("bucket"))
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{file_name(answer.question)}.md"'}
    return Response(answer_markdown(answer), media_type="text/markdown; charset=utf-8", headers=headers)


def reading(request: Request) -> Response:
    """The choices of the reading of an answer: `{fields, subjects, parts}`, as its menus offer them.

    fields: by the name of a list, [name, title, type, documents] each; parts: in the order of the reading.
    """
    whole, _, number = request.path_params["turn"].partition(".")
    found = services.session().readings.choices(
        ConversationId(request.path_params["conversation"]),
        TurnId(whole),
        int(number) if number.isdecimal() else None,
    )
    fields = {
        name: [[each.name, each.title, each.type.value, each.documents] for each in listed]
        for name, listed in found.fields.items()
    }
    body = {
        "fields": fields,
        "subjects": [[each.to, each.label, each.documents] for each in found.subjects],
        "parts": [{"fields": p.fields, "near": p.near, "values": p.values} for p in found.parts],
    }
    return JSONResponse(body, headers=PRIVATE)


def _turn(conversation: str, turn: str) -> Turn:
    turns = services.session().conversations.turns(ConversationId(conversation))
    found = find_turn(turns, turn)
    if found is None:
        raise NotFoundError(f"No turn {turn!r} in this conversation.")
    return found


PLAN_TICK_S = 0.02


async def plan_events(socket: WebSocket) -> None:
    """Outcome of each node as events, from `after` + 1 on; closes after the last one."""
    run = services.plan_runs().get(socket.path_params["id"], services.current_principal())
    await send_events(socket, run, PLAN_TICK_S)


ROUTES: list[BaseRoute] = [
    WebSocketRoute("/turns/{id}/ws", events),
    WebSocketRoute("/plan-runs/{id}/ws", plan_events),
    Route("/summaries", summary),
    Route("/traces/{id}", trace),
    Route("/conversations/{conversation}/turns/{turn}/reading", reading),
    Route("/conversations/{conversation}/turns/{turn}.{kind}", export),
]
