"""`python -m tests.support.serve_fake PORT HOME [empty] [gate]`: the app over a workbench in memory."""

from __future__ import annotations

import sys
from pathlib import Path

from app import services
from app.asgi import serve
from tests.support.fake_workbench import FakeWorkbench
from tests.support.gate import FileGate

if __name__ == "__main__":
    home = Path(sys.argv[2])
    gate = FileGate(home / "gate") if "gate" in sys.argv[3:] else None
    workbench = FakeWorkbench(home, samples="empty" not in sys.argv[3:], gate=gate)
    services.use(workbench)  # type: ignore[arg-type]
    serve(home=home, port=int(sys.argv[1]))
