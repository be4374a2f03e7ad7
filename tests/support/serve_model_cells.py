"""`python -m tests.support.serve_model_cells PORT HOME`: the app over contracts, a scripted model, a worker.

The model waits for the file `go` of the home before its second answer and those after it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from app.asgi import serve
from core.config.load import load_settings
from core.jobs.worker import run
from core.workbench.wiring import Parts
from core.workbench.work.handlers import Handlers
from core.workbench.work.new_reading import NewReading
from tests.support.filled_matrix import fill
from tests.support.reading_cells import ROOT, audits, reading
from tests.support.scripted_llm import ScriptedBatches, ScriptedLlm, Step

PRICE = {"prompt": 0.1, "completion": 0.5}


def main(port: int, home: Path) -> None:
    """Serve until the process is told to stop."""
    fill(home)
    asked = 0

    def answer(body: dict[str, Any]) -> Step:
        nonlocal asked
        asked += 1
        while asked > 1 and not (home / "go").exists():
            time.sleep(0.05)
        return reading(contracts)(body)

    with ScriptedLlm(answer) as server:
        server.batches = ScriptedBatches(reading(contracts))
        environment = {
            "GROUNDWORK_LLM__BASE_URL": server.url,
            "GROUNDWORK_LLM__TOKENS_PER_MINUTE": "0",
            "GROUNDWORK_LLM__PRICES": json.dumps(dict.fromkeys(("openai/gpt-oss-20b", "m"), PRICE)),
        }
        os.environ.update(environment)
        command = [sys.executable, "-m", "tests.support.serve_model_cells", "worker", str(home)]
        worker = subprocess.Popen(command, cwd=ROOT)
        try:
            serve(home=home, port=port)
        finally:
            worker.terminate()
            worker.wait()


def contracts(title: str, evidence: str) -> tuple[str, str, str]:
    """What the contracts state of audits; three cells otherwise than extraction decided."""
    if title == "Contract value" and evidence.count("Cobalt"):
        return "present", "USD 3,250.00", "The contract value is USD 3,250.00."
    if title == "Parties" and evidence.count("Acme"):
        return "present", "Nordwind GmbH", "made between Acme Corporation and Nordwind GmbH."
    if title == "Insurance" and evidence.count("Dune"):
        return "absent", "", ""
    return audits(title, evidence)


def work(home: Path) -> None:
    """Be a worker that does jobs and has new documents read: extraction would replace the made-up cells."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with contextlib.closing(Parts(load_settings(home))) as parts:
        run(parts.records, home, Handlers(parts).make, stop, background=NewReading(parts).look)


if __name__ == "__main__":
    if sys.argv[1] == "worker":
        work(Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]), Path(sys.argv[2]))
