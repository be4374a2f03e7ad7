"""Train the choosers of values on every labelled contract that is not set aside, and write the artefact.

Data: CUAD v1 (The Atticus Project, CC BY 4.0) and SROIE (ICDAR 2019). Limits come from folds by family that
the words and trees had not seen; `python -m bench.values` reports the strictly nested figures, the model card
is `docs/models/values.md`.

    python -m bench.train_values --data DIR [--out FOLDER] [--date ISO]
"""

from __future__ import annotations

import argparse
import time
from datetime import UTC, date, datetime
from pathlib import Path

from bench.answers.collection import data_folder
from bench.values.artefact_file import to_files
from bench.values.cases import contracts, effective_cases, party_cases, term_cases, total_cases
from bench.values.crossfit import fit_chooser
from bench.values.party_sets import fit_parties
from bench.values.report import TARGETS
from core.extract.chooser.model import SHIPPED, Choosers

SOURCES = ("CUAD v1, The Atticus Project, CC BY 4.0", "SROIE, ICDAR 2019: receipts")


def main() -> None:
    """Train, and store."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    data_folder(parser)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    parser.add_argument("--date", type=date.fromisoformat, default=datetime.now(UTC).date())
    given = parser.parse_args()
    began = time.monotonic()
    everything = contracts(given.data)
    seen = [each for each in everything if each.fold >= 0]
    fields = {}
    for field, cases in (
        ("effective_date", effective_cases(everything)),
        ("expiration_date", term_cases(everything)),
        ("total", total_cases(given.data)),
    ):
        fields[field] = fit_chooser([case for case in cases if case.fold >= 0], TARGETS[field])
        print(f"{field}: {fields[field].limits}, {time.monotonic() - began:.0f} s")
    cases = [case for case in party_cases(everything) if case.fold >= 0]
    models = fit_parties(cases, {each.name: each for each in everything})
    fields["parties"] = models.names
    facts = {"sources": list(SOURCES), "contracts": len(seen), "trained": given.date.isoformat()}
    choosers = Choosers(fields, models.sets, models.limits, facts)
    given.out.mkdir(parents=True, exist_ok=True)
    for name, content in to_files(choosers).items():
        (given.out / name).write_bytes(content)
        print(f"{given.out / name}: {len(content):,} bytes, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
