"""Numbers of this process and its home, as Prometheus reads them."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import PlainTextResponse, Response

from app import services
from core.telemetry.prometheus import MEDIA_TYPE, exposition

ROUTER = APIRouter(tags=["Server"])


@ROUTER.get("/metrics", response_class=PlainTextResponse)
def metrics() -> Response:
    """Metrics for Prometheus.

    Of this process since it started, and of the home as it stands now; for admins. 404 where the extra
    `telemetry` is not installed.
    """
    body = exposition(services.session().settings.figures())
    return Response(body, media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store"})
