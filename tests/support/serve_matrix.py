"""`python -m tests.support.serve_matrix PORT HOME`: the app over a real home of few contracts with cells."""

from __future__ import annotations

import sys
from pathlib import Path

from app.asgi import serve
from tests.support.filled_matrix import fill

if __name__ == "__main__":
    home = Path(sys.argv[2])
    fill(home)
    serve(home=home, port=int(sys.argv[1]))
