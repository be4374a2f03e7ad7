"""`groundwork encode-server`: the encoder for other programs on a Weaviate server."""

from __future__ import annotations

import click

from core.cli.options import Common, common_options
from core.cli.output import note
from core.cli.serve import LOOPBACK
from core.config.load import load_settings


@click.command("encode-server")
@click.option("--port", type=click.IntRange(0, 65535), default=8090, show_default=True, help="0: a free one.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@common_options
def encode_server(port: int, host: str, common: Common) -> int:
    """Encode texts for Weaviate's module text2vec-transformers."""
    from core.encode.load import load_query_encoder
    from core.encode.serve import listen, serve

    settings = load_settings(common.home)
    with listen(host, port) as listening:
        if host not in LOOPBACK:
            note(f"Listening on {host}: whoever reaches this address can have texts encoded.")
        encoder = load_query_encoder(settings)
        address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}"
        click.echo(f"Encoding with {encoder.signature.name} at {address}  (Ctrl-C stops it)")
        serve(encoder, listening)
    return 0
