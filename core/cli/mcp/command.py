"""`groundwork mcp`: the tools of the workbench for programs that speak the Model Context Protocol."""

from __future__ import annotations

import os

import click

from core.cli.options import Common, common_options
from core.cli.output import note


@click.command()
@click.option("--http", "port", type=click.IntRange(1, 65535), help="Serve streamable HTTP on this port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on, with --http.")
@common_options
def mcp(port: int | None, host: str, common: Common) -> int:
    """Serve the collection to programs with a language model, over stdio or streamable HTTP.

    Where there are accounts, stdio acts for the account of the token in GROUNDWORK_TOKEN (or of --as), and
    over HTTP every request needs a bearer token.
    """
    from core.cli.mcp.identity import TOKEN, caller_of_process
    from core.cli.mcp.server import PATH, serve_http, serve_stdio
    from core.workbench import Workbench

    with Workbench.open(home=common.home) as bench:
        if port is None:
            caller = caller_of_process(bench, common.user, os.environ.get(TOKEN, "").strip())
            serve_stdio(bench, caller)
            return 0
        bench.sign_in.require_for(host)
        note(f"Groundwork speaks MCP at http://{host}:{port}{PATH}  (Ctrl-C stops it)")
        serve_http(bench, host=host, port=port, public_url=bench.settings.app.public_url)
    return 0
