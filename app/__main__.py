"""`python -m app`: the pages and the API alone, without the worker that `groundwork up` runs beside them."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.asgi import serve
from core.config.load import load_settings


def main() -> None:
    """Serve until stopped."""
    parser = argparse.ArgumentParser(prog="python -m app", description=__doc__)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--host")
    parser.add_argument("--port", type=int)
    given = parser.parse_args()
    settings = load_settings(given.home)
    serve(home=settings.home, host=given.host or settings.app.host, port=given.port or settings.app.port)


if __name__ == "__main__":
    main()
