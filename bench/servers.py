"""Real servers for a bench, each in a temporary folder and on free loopback ports, stopped at its end."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.config.load import FILE_NAME
from tests.support.postgres_server import PostgresServer
from tests.support.weaviate_server import WeaviateServer, find_binary


def add_options(parser: argparse.ArgumentParser) -> None:
    """--data and --weaviate-server, with the variables of the environment that stand for them."""
    parser.add_argument(
        "--data", type=Path, default=os.environ.get("GROUNDWORK_BENCH_DATA"), help="folder of public data"
    )
    parser.add_argument(
        "--weaviate-server", type=Path, help="the server's program; default: GROUNDWORK_WEAVIATE_SERVER"
    )


def check_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """End the program where the data folder is not named or there is no server to start."""
    if options.data is None:
        parser.error("name the data folder with --data or GROUNDWORK_BENCH_DATA")
    options.data = Path(options.data)
    if options.weaviate_server is not None:
        os.environ["GROUNDWORK_WEAVIATE_SERVER"] = str(options.weaviate_server.absolute())
    if find_binary() is None:
        parser.error("name the server's program with --weaviate-server or GROUNDWORK_WEAVIATE_SERVER")


def write_settings(home: Path, server: WeaviateServer, *, records_url: str = "") -> None:
    """The settings file of a home that searches on `server`, and keeps records in Postgres where named."""
    records = f'[records]\nurl = "{records_url}"\n\n' if records_url else ""
    index = f'[index]\nengine = "weaviate"\nurl = "{server.url}"\ngrpc_port = {server.grpc_port}\n'
    (home / FILE_NAME).write_text(records + index, encoding="utf-8")


@contextmanager
def weaviate(*, asynchronous: bool = True) -> Iterator[WeaviateServer]:
    """A Weaviate server of its own; `asynchronous`: how it indexes vectors."""
    with tempfile.TemporaryDirectory(prefix="groundwork-weaviate-", ignore_cleanup_errors=True) as folder:
        server = WeaviateServer(Path(folder), asynchronous=asynchronous)
        try:
            yield server.start()
        finally:
            server.stop()


@contextmanager
def postgres_address() -> Iterator[str]:
    """The address of an empty database on a PostgreSQL server of its own."""
    server = PostgresServer()
    try:
        yield server.address(server.create_database())
    finally:
        server.close()
