"""How soon names, parties and dates of a document stand after its publication.

    python -m bench.opening_latency --data DIR [--files 30]

Ingests contracts from DIR/cuad/contracts into a fresh home by the job of a worker: parsers, encoder and
extractors as they are there. For each document the seconds from its publication to the moment at which its
first fields stand, and to that at which all do; the target for the first is 2 s. Prints one JSON object,
with the load of the machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.config.load import load_settings
from core.domain.ids import DocumentId
from core.store.database.visibility import Visibility
from core.workbench import Workbench
from core.workbench.wiring import Parts

ALL = Visibility.everything()


def measure(paths: list[Path]) -> dict[str, Any]:
    """Seconds of all documents, in a fresh home."""
    with tempfile.TemporaryDirectory() as home:
        parts = Parts(load_settings(Path(home)))
        opened: dict[DocumentId, datetime] = {}
        whole: dict[DocumentId, datetime] = {}
        put = parts.records.fields.put

        def timed(document: DocumentId, *given: Any, **named: Any) -> bool:
            kept = put(document, *given, **named)
            now = datetime.now(UTC)
            opened.setdefault(document, now)
            if not named.get("is_opening"):
                whole[document] = now
            return kept

        parts.records.fields.put = timed  # type: ignore[method-assign]
        with Workbench(parts) as bench:
            began = time.perf_counter()
            bench.local.documents.ingest(paths, bucket="contracts")
            seconds = time.perf_counter() - began
            published = {each.id: each.updated_at for each in parts.records.documents.list(ALL)}
    return {
        "documents": len(published),
        "seconds": round(seconds, 1),
        "first_fields_s": spread([(opened[id] - at).total_seconds() for id, at in published.items()]),
        "all_fields_s": spread([(whole[id] - at).total_seconds() for id, at in published.items()]),
        "load": os.getloadavg()[0],
    }


def spread(seconds: list[float]) -> dict[str, float]:
    """Median, 95th percentile and maximum."""
    found = sorted(seconds)
    return {
        "median": round(statistics.median(found), 2),
        "p95": round(found[min(len(found) - 1, int(0.95 * len(found)))], 2),
        "max": round(found[-1], 2),
    }


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--files", type=int, default=30)
    given = parser.parse_args()
    paths = sorted((given.data / "cuad" / "contracts").glob("*.txt"))[: given.files]
    print(json.dumps(measure(paths), indent=2))


if __name__ == "__main__":
    main()
