"""Running work followed from a browser: its events over a WebSocket, as they come."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from app.api.http import NUMBER


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
                await socket.send_json(run.events[seen])
                seen += 1
            if ended:
                break
            await asyncio.sleep(tick_s)
        await socket.close()
    except WebSocketDisconnect:
        return
