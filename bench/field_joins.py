"""Contracts joined with a list of names by SQL: what is found, missed and invented, and how it is cited.

CUAD's contracts as offline extraction reads them, without trained heads. The list has names that the labels
say are parties, each written otherwise than there, and as many of companies that are in none of them.
A pair of contract and name is right where a label of the contract is that name without its legal form.

    python -m bench.field_joins --data CUAD --home DIR [--seed 1] [--names 30]
"""

from __future__ import annotations

import argparse
import csv
import random
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from bench.field_checks import contracts
from bench.plans.gold import names_of
from core.config.models import Settings
from core.config.schema_store import shipped_schemas
from core.domain.document import ParsedDocument
from core.domain.ids import ContentHash, DocumentId
from core.extract.extractor import Extractor
from core.extract.jobs.work import ALL_RULES
from core.store.base import NewVersion
from core.store.store import Records
from core.values.names import legal_form, normal_name
from core.workbench import Workbench

FIELDS = (
    "document_name", "document_kind", "parties", "vendor", "customer", "agreement_date", "contract_value",
)  # fmt: skip
_FORMS = {"corporation": "Corp.", "limited liability company": "L.L.C.", "limited company": "Limited"}
QUERY = """SELECT DISTINCT s.name, f.document, f.source FROM watch_list s
JOIN fields_contracts_parties f ON name_key(f.parties) = name_key(s.name) ORDER BY 1, 3"""


def fill(home: Path, data: Path) -> None:
    """Publish the contracts and put what the rules read of their fields."""
    schema, extractor = shipped_schemas()["contracts"], Extractor(None, ALL_RULES)
    with Records.open(Settings(home=home)) as records:
        for number, each in enumerate(contracts(data)):
            found = extractor.extract(each.text, schema, fields=FIELDS)
            parsed = ParsedDocument(each.text.title, "text/plain", each.text.pages, "en")
            source, digest = str(each.text.source), ContentHash(f"{number + 1:064x}")
            size = sum(len(page.text) for page in each.text.pages)
            published = records.documents.publish(NewVersion("contracts", source, parsed, digest, size))
            records.fields.put(published.document, published.version, found, "bench")


def labelled(data: Path) -> dict[str, list[str]]:
    """The parties of each contract, by its file."""
    csv.field_size_limit(10**9)
    with (data / "labels.csv").open(encoding="utf-8", newline="") as file:
        return {row["File"]: list(names_of(row["Parties-Answer"])) for row in csv.DictReader(file)}


def written_otherwise(name: str, rng: random.Random) -> str:
    """The name with another legal form, or in capitals, or without its commas."""
    form = legal_form(name)
    bare = " ".join(name.split()[:-1]).rstrip(",") if form else name
    forms = [f"{bare} {_FORMS[form]}"] if form in _FORMS else []
    return rng.choice([*forms, name.upper(), name.replace(",", "").replace(".", "")])


def drawn(own: Iterable[str], others: Iterable[str], count: int, rng: random.Random) -> list[str]:
    """So many names of the contracts, and as many that are none of theirs."""
    mine = sorted({name for name in own if len(normal_name(name)) > 3})
    known = set(map(normal_name, mine))
    foreign = sorted({name for name in others if normal_name(name) not in known and len(name) > 5})
    return [written_otherwise(each, rng) for each in rng.sample(mine, count)] + rng.sample(foreign, count)


def main() -> None:
    """Fill the home where it is empty, ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--names", type=int, default=30)
    options = parser.parse_args()
    if not (options.home / "records.sqlite").exists():
        fill(options.home, options.data)
    labels, more = labelled(options.data), labelled(options.data / "more")
    rng = random.Random(options.seed)
    names = drawn(
        (name for each in labels.values() for name in each),
        (name for each in more.values() for name in each),
        options.names,
        rng,
    )
    report(options.home, names, labels)


def report(home: Path, names: Sequence[str], labels: dict[str, list[str]]) -> None:
    """Register the list, run the query and its plan, and print what came of it."""
    keys = {file: set(map(normal_name, own)) for file, own in labels.items()}
    due = {(name, file) for name in names for file, own in keys.items() if normal_name(name) in own}
    listed = home / "watch list.csv"
    with listed.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["Name"], *([each] for each in names)])
    with Workbench.open(home=home) as bench:
        bench.local.datasets.register([listed])
        started = time.perf_counter()
        result = bench.local.datasets.query(QUERY)
        first, started = time.perf_counter() - started, time.perf_counter()
        bench.local.datasets.query(QUERY)
        again = time.perf_counter() - started
        found = {(str(row[0]), Path(str(row[2])).name) for row in result.rows}
        print(f"names {len(names)}, pairs due {len(due)}, found {len(found)}")
        print(f"right {len(found & due)}, missed {len(due - found)}, invented {len(found - due)}")
        print(f"seconds: first {first:.2f}, again {again:.2f}")
        print(*result.notes, sep="\n")
        answer = bench.local.plans.run(bench.local.datasets.plan(QUERY, "Contracts with a listed name"))
        quotes = [each for claim in answer.claims for each in claim.citations]
        texts = {
            each: bench.local.documents.page(DocumentId(each[0]), *each[1:]).text
            for each in {(c.document, c.version, c.page) for c in quotes}
        }
        right = sum(texts[c.document, c.version, c.page][c.start : c.end] == c.quote for c in quotes)
        print(f"citations {len(quotes)}, of them the characters of their page {right}")
        print("missed:", *sorted(due - found), sep="\n  ")
        print("invented:", *sorted(found - due), sep="\n  ")


if __name__ == "__main__":
    main()
