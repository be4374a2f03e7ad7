"""How long a question takes from its words to its plan without a model, over a large catalogue, once warm.

    python -m bench.planner_latency [--documents 2000] [--parties 3000] [--repeats 5]

The catalogue is made up from a seed: documents by the shipped schemas, names from syllables. Each question is
planned once to warm up; then every repeat is timed by itself.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from datetime import date
from pathlib import Path

from core.config.models import Settings
from core.config.schema_store import shipped_schemas
from core.encode.load import load_query_encoder, load_token_counter
from core.plan.catalogue import (
    Catalogue,
    DocumentEntry,
    FieldEntry,
    PartyEntry,
    SchemaEntry,
    ValueEntry,
)
from core.plan.clarify import Clarify
from core.plan.readers.trained.trained import load_reader
from core.plan.reading_planner import ReadingPlanner
from core.values.places import STATES
from core.workbench.catalogue import nouns_of

QUESTIONS = Path(__file__).parent / "planner_questions.txt"
_SYLLABLES = ("ka", "lo", "mi", "ran", "tor", "vel", "sun", "dar", "pe", "quo", "zen", "bri", "nox", "ula")
_FORMS = ("Corporation", "LLC", "Inc.", "Ltd", "GmbH")
_KINDS = ("Supply", "Services", "License", "Consulting", "Maintenance", "Distribution", "Lease", "Hosting")


def made_up(documents: int, parties: int, seed: int = 7) -> Catalogue:
    """A catalogue of that size."""
    draw = random.Random(seed)
    names = ["Halden", "Brightwater", "Castor", "Orion", "Meridian", "Tessera"]
    while len(names) < parties:
        names.append("".join(draw.choices(_SYLLABLES, k=draw.randint(2, 3))).title())
    both = (
        ("contracts", "customer"),
        ("contracts", "parties"),
        ("contracts", "vendor"),
        ("invoices", "vendor"),
    )
    entries = tuple(
        PartyEntry(f"{name} {draw.choice(_FORMS)}", f"{name.lower()}{at if at > 5 else ''}", 2, both)
        for at, name in enumerate(names)
    )
    papers = []
    for at in range(documents):
        vendor, customer = draw.choice(entries), draw.choice(entries)
        title = f"{draw.choice(_KINDS)} Agreement {at}"
        papers.append(
            DocumentEntry(
                f"d{at}",
                title,
                f"{vendor.normal}-{at}.pdf",
                "contracts",
                "contracts",
                "policy" if at == 0 else "agreement",
                (vendor.normal, customer.normal),
            )
        )
    values = tuple(ValueEntry("contracts", "governing_law", state, 9) for state in sorted(STATES))
    schemas = tuple(
        SchemaEntry(
            name,
            schema.title,
            schema.buckets,
            (),
            tuple(
                FieldEntry(
                    name,
                    f.name,
                    f.title,
                    f.type,
                    f.many,
                    f.unit,
                    f.description,
                    f.synonyms,
                    f.options,
                    9,
                    (),
                    f.verbs,
                    f.loose_verbs,
                )
                for f in schema.fields
            ),
            documents if name == "contracts" else 1,
            nouns_of(schema),
        )
        for name, schema in shipped_schemas().items()
    )
    return Catalogue(f"bench-{documents}-{parties}", schemas, entries, tuple(papers), values)


def planner_of(catalogue: Catalogue) -> ReadingPlanner:
    """The planner of a process without a model."""
    settings = Settings(home=Path.cwd())
    reader = load_reader(load_query_encoder(settings))
    return ReadingPlanner(catalogue, reader, load_token_counter(settings), today=date(2024, 11, 22))


def questions() -> list[str]:
    """The questions that are planned."""
    return QUESTIONS.read_text(encoding="utf-8").splitlines()


def main() -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--parties", type=int, default=3_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    catalogue = made_up(options.documents, options.parties)
    planner = planner_of(catalogue)
    asked = questions()
    started = time.perf_counter()
    planner.plan(asked[0])
    first = time.perf_counter() - started
    for question in asked[1:]:
        planner.plan(question)
    taken: list[tuple[float, str]] = []
    asked_back = 0
    for _ in range(options.repeats):
        for question in asked:
            began = time.perf_counter()
            planned = planner.plan(question)
            taken.append((1000 * (time.perf_counter() - began), question))
            asked_back += isinstance(planned, Clarify)
    times = sorted(ms for ms, _ in taken)
    print(
        json.dumps(
            {
                "documents": options.documents,
                "parties": options.parties,
                "fields": sum(len(schema.fields) for schema in catalogue.schemas),
                "questions": len(asked),
                "runs": len(taken),
                "asked_back": asked_back // options.repeats,
                "first_s": round(first, 3),
                "p50_ms": round(statistics.median(times), 2),
                "p95_ms": round(times[int(0.95 * len(times))], 2),
                "max_ms": round(times[-1], 2),
                "slowest": max(taken)[1],
            },
            indent=1,
        )
    )


if __name__ == "__main__":
    main()
