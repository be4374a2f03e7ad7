"""Files that leave the workbench: each is in the audit log before its first byte is sent."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import services


class Downloads:
    """ASGI middleware that keeps every answer that a browser saves as a file, whichever route gives it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; of an attachment the entry is written first."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 300:
                how = Headers(raw=message["headers"]).get("content-disposition", "")
                if how.startswith("attachment"):
                    await run_in_threadpool(services.session().audit_log.note, "file.export", scope["path"])
            await send(message)

        await self._app(scope, receive, send_noted)
