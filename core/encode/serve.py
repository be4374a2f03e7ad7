"""Serves an encoder to other programs, in the protocol of Weaviate's module `text2vec-transformers`.

Source of the protocol: usecases/modulecomponents/clients/transformers of Weaviate 1.39. It asks for one text
at a time, of a passage or of a query; here both are encoded alike.
"""

from __future__ import annotations

import json
import os
import signal
import socket
from dataclasses import asdict
from typing import Any

import uvicorn
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.encode.base import Encoder
from core.errors import UsageError

MAX_BODY_BYTES = 200_000  # as one text 33 s of one busy core, measured; the module waits 50 s
_STOP_WITHIN_S = 5
_AS_OURS = ("", "masked_mean")


def make_app(encoder: Encoder) -> Starlette:
    """The application; errors are JSON with one sentence in `error`, which the server hands on."""
    signature = encoder.signature
    encoding = CapacityLimiter(os.cpu_count() or 1)

    async def alive(_request: Request) -> Response:
        return Response(status_code=204)

    async def meta(_request: Request) -> Response:
        return JSONResponse(asdict(signature))

    async def vectors(request: Request) -> Response:
        text = _text(await _body(request), signature.dimension)
        rows = await to_thread.run_sync(encoder.encode_queries, [text], limiter=encoding)
        if not rows[0].any():
            raise HTTPException(422, "The text holds no words, so it has no vector.")
        return JSONResponse({"text": text, "vector": rows[0].tolist(), "dim": signature.dimension})

    async def explain(_request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            return JSONResponse({"error": error.detail}, error.status_code)
        return JSONResponse({"error": "The encoder failed; its log says more."}, 500)

    return Starlette(
        routes=[
            Route("/.well-known/live", alive),
            Route("/.well-known/ready", alive),
            Route("/meta", meta),
            Route("/vectors", vectors, methods=["POST"]),
            Route("/vectors/", vectors, methods=["POST"]),
        ],
        exception_handlers={HTTPException: explain, Exception: explain},
    )


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on; port 0 chooses a free one. Raises UsageError."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=128)
    except OSError as error:
        raise UsageError(
            f"Cannot listen on {host}:{port}: {error.strerror or error}.",
            next_step=f"Stop what listens there, or choose another, as in --port {port % 65535 + 1}.",
        ) from error


def serve(encoder: Encoder, listening: socket.socket) -> None:
    """Serve until SIGINT or SIGTERM."""
    # The server hands a signal on once it has ended; by default that would end this process with an error.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    config = uvicorn.Config(
        make_app(encoder),
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=_STOP_WITHIN_S,
    )
    uvicorn.Server(config).run(sockets=[listening])


async def _body(request: Request) -> bytes:
    """The body of a request, of bounded size."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            raise HTTPException(413, f"The request is larger than {MAX_BODY_BYTES:,} bytes; send less text.")
    return bytes(body)


def _text(body: bytes, dimension: int) -> str:
    """The text of a request. Raises HTTPException where it asks for something else than we give."""
    try:
        asked: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(400, "The request is not JSON.") from None
    text = asked.get("text") if isinstance(asked, dict) else None
    config = (asked.get("config") or {}) if isinstance(asked, dict) else {}
    if not isinstance(text, str) or not isinstance(config, dict):
        raise HTTPException(400, 'Expected {"text": "...", "config": {...}} with one text.')
    if (config.get("pooling_strategy") or "") not in _AS_OURS:
        raise HTTPException(
            400, "This encoder takes the mean of all words: set poolingStrategy to masked_mean."
        )
    if config.get("dimensions") not in (None, dimension):
        raise HTTPException(400, f"This encoder gives {dimension} numbers: leave out dimensions.")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
