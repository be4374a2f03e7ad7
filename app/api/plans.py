"""Plans that run: their events as they happen."""

from __future__ import annotations

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket

from app import services
from app.api.event_stream import send_events

TICK_S = 0.02


async def events(socket: WebSocket) -> None:
    """Outcome of each node as events, from `after` + 1 on; closes after the last one."""
    run = services.plan_runs().get(socket.path_params["id"], services.current_principal())
    await send_events(socket, run, TICK_S)


ROUTES: list[BaseRoute] = [WebSocketRoute("/plan-runs/{id}/ws", events)]
