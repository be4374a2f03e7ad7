"""Plans that run: their events as they happen."""

from __future__ import annotations

import asyncio
import re

from starlette.routing import BaseRoute, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from app import services

TICK_S = 0.02
_NUMBER = re.compile(r"[0-9]{1,9}\Z")


async def events(socket: WebSocket) -> None:
    """What became of each node, from `after` + 1 on; closes after the last one."""
    run = services.plan_runs().get(socket.path_params["id"], services.current_principal())
    await socket.accept()  # also to say 4404: a refused handshake reaches the browser without its code
    if run is None:
        await socket.close(4404)
        return
    after = socket.query_params.get("after", "")
    seen = int(after) + 1 if _NUMBER.match(after) else 0
    try:
        while True:
            ended = run.done  # read before the events: nothing is added after it is set
            while seen < len(run.events):
                await socket.send_json(run.events[seen])
                seen += 1
            if ended:
                break
            await asyncio.sleep(TICK_S)
        await socket.close()
    except WebSocketDisconnect:
        return


ROUTES: list[BaseRoute] = [WebSocketRoute("/plan-runs/{id}/ws", events)]
