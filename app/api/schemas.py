"""Schemas as files."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app import services
from app.api.http import PRIVATE


def schema_file(request: Request) -> Response:
    """A schema as TOML, which a file in another home's folder `schemas` understands."""
    name = request.path_params["name"]
    text = services.session().schemas.export(name)
    headers = {**PRIVATE, "Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(text, media_type="application/toml", headers=headers)


ROUTES = [Route("/schemas/{name}.toml", schema_file)]
