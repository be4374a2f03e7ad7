"""Files on their way in: one PUT each, streamed to disk, never held in memory."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shutil
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from app import services
from app.running.uploads import refusing
from core.errors import InputError

FLUSH_BYTES = 1 << 20
RESERVE_BYTES = 100_000_000  # that an upload leaves to records and index
_LENGTH = re.compile(r"[0-9]{1,15}")


async def receive(request: Request) -> Response:
    """Store the body under the file's safe name; it appears only when it has arrived whole."""
    await run_in_threadpool(services.session().documents.require_ingest)
    staging, name = services.staging(), request.query_params.get("name", "")
    target = staging.place(request.path_params["batch"], name)
    limit = services.bench().settings.ingest.max_file_mb * 1_000_000
    if target.suffix.lower() == ".zip":
        limit = services.bench().settings.ingest.zip_max_mb * 1_000_000
    _require_room(target.parent, request.headers.get("content-length", ""), name)
    part = target.with_name(target.name + ".part")
    try:
        with refusing(name):
            size = await _write(request, part, limit, name)
            await asyncio.to_thread(part.replace, target)
    except BaseException as error:  # half a file must not stay
        with contextlib.suppress(OSError):
            part.unlink()
        if isinstance(error, ClientDisconnect):
            return Response(status_code=400)  # to nobody: the browser went away
        raise
    relative = target.relative_to(staging.folder(request.path_params["batch"])).as_posix()
    return JSONResponse({"name": relative, "size_bytes": size}, 201)


def _require_room(folder: Path, length: str, name: str) -> None:
    """Raises InputError where a body of that length would fill the disk, so that nothing could be kept."""
    size = int(length) if _LENGTH.fullmatch(length) else 0
    if shutil.disk_usage(folder).free - size < RESERVE_BYTES:
        raise InputError(
            "the disk of this server is nearly full",
            source=name,
            next_step="Free some space where the home folder is, then upload it again.",
        )


async def _write(request: Request, part: Path, limit: int, name: str) -> int:
    size, buffer = 0, bytearray()
    with part.open("wb") as file:
        async for piece in request.stream():
            size += len(piece)
            if size > limit:
                raise InputError(
                    f"the file is larger than {limit // 1_000_000:,} MB",
                    source=name,
                    next_step="Split it, or raise ingest.max_file_mb.",
                )
            buffer += piece
            if len(buffer) >= FLUSH_BYTES:
                await asyncio.to_thread(file.write, bytes(buffer))
                buffer.clear()
        await asyncio.to_thread(file.write, bytes(buffer))
    return size


ROUTES = [Route("/uploads/{batch}", receive, methods=["PUT"])]
