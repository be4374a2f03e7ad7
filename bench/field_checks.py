"""Cells that the checks between fields make uncertain, and how many of these were wrong.

CUAD's contracts with its lawyers' dates, and SROIE's receipts with their keys: the shipped schemas, offline
extraction without trained heads. Wrong means: another value than the label has, or a value where it has none.
Twice: of the facts as they are shown, and with the best guess of every uncertain cell taken for a fact, which
stands for a reader that is wrong more often than our rules are.

    python -m bench.field_checks --data DIR [--show]
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from bench.fields_values import CHECKS, COLUMNS, document, is_right, receipts
from core.config.fields import Schema
from core.config.schema_store import shipped_schemas
from core.domain.fields import CellStatus, Finding
from core.extract.base import DocumentText
from core.extract.extractor import Extractor
from core.extract.jobs.work import ALL_RULES
from core.fields.consistency import broken_checks, consistent
from core.values.dates import parse_date

_KEYS = {"invoice_date": "date", "total": "total"}  # what SROIE labels of our fields


@dataclass(slots=True)
class Effect:
    """Counts of one field. shown: facts before the checks; doubted: of these by a check."""

    shown: int = 0
    wrong: int = 0
    doubted: int = 0
    doubted_wrong: int = 0
    unlabelled: int = 0


@dataclass(frozen=True, slots=True)
class Read:
    """A document with the labels of its fields; labels that nobody gave are left out."""

    text: DocumentText
    labels: Mapping[str, str]


def contracts(folder: Path) -> Iterator[Read]:
    """The contracts of one folder of CUAD."""
    csv.field_size_limit(10**9)
    with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            text = (folder / "contracts" / row["File"]).read_bytes().decode("utf-8", "replace")
            labels = {name: row[column].strip() for name, column in COLUMNS.items()}
            yield Read(document(text, row["File"], "contract"), labels)


def is_wrong(name: str, finding: Finding, label: str) -> bool:
    """True where a shown value is not the label's."""
    value = finding.values[0]
    if name == "invoice_date":
        gold = parse_date(label, "dmy") or parse_date(label, "mdy")
        return gold is None or value.text != gold.text
    if name == "total":
        try:
            return value.decimal != Decimal("".join(each for each in label if each in "0123456789."))
        except InvalidOperation:
            return True
    return not is_right(CHECKS[name], value, label)


def with_guesses(findings: Mapping[str, Finding]) -> dict[str, Finding]:
    """The findings, uncertain ones with their best candidate as their value."""
    found = dict(findings)
    for name, each in findings.items():
        best = each.candidates[0] if each.candidates else None
        if each.status is CellStatus.UNCERTAIN and best is not None and best.value is not None:
            found[name] = Finding(CellStatus.PRESENT, (best.value,), best.spans, best.confidence, best.method)
    return found


def measure(schema: Schema, documents: Iterable[Read], shows: bool, guesses: bool) -> dict[str, Effect]:
    """Count the fields that have checks or stand in one."""
    names = {name for each in schema.fields for check in each.checks for name in (each.name, check.field)}
    bare = schema.model_copy(
        update={"fields": tuple(each.model_copy(update={"checks": ()}) for each in schema.fields)}
    )
    extractor, effects = Extractor(None, ALL_RULES), defaultdict[str, Effect](Effect)
    for each in documents:
        before = extractor.extract(each.text, bare, fields=sorted(names)).findings
        before = with_guesses(before) if guesses else before
        after = consistent(schema.fields, before, {})
        for broken in broken_checks(schema.fields, before):
            effects[f"{broken.field} {broken.relation} {broken.other}"].doubted += 1
            if shows:
                golds = {name: each.labels.get(name) for name in (broken.field, broken.other)}
                print(f"{each.text.source[:50]}: {broken.said} labels: {golds}")
        for name in sorted(names):
            if before[name].status is not CellStatus.PRESENT:
                continue
            effect, label = effects[name], each.labels.get(name)
            is_doubted = after[name].status is not CellStatus.PRESENT
            effect.shown += 1
            effect.doubted += is_doubted
            if label is None:
                effect.unlabelled += 1
                continue
            wrong = is_wrong(name, before[name], label)
            effect.wrong += wrong
            effect.doubted_wrong += wrong and is_doubted
    return effects


def main() -> int:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print every broken check")
    args = parser.parse_args()
    schemas = shipped_schemas()
    slips = [
        Read(text, {name: str(keys.get(key, "")) for name, key in _KEYS.items()})
        for text, keys in receipts(args.data)
    ]
    cuad = args.data / "cuad"
    sets = (
        ("CUAD, 200", schemas["contracts"], list(contracts(cuad))),
        ("CUAD, 145 further", schemas["contracts"], list(contracts(cuad / "more"))),
        ("SROIE, 252", schemas["invoices"], slips),
    )
    for guesses in (False, True):
        for title, schema, documents in sets:
            of = "facts and best guesses" if guesses else "facts"
            print(f"\n{title}: {of}\n{'':44}shown  wrong  doubted  of these wrong  without label")
            for name, each in sorted(measure(schema, documents, args.show, guesses).items()):
                print(
                    f"{name:44}{each.shown:5}  {each.wrong:5}  {each.doubted:7}  {each.doubted_wrong:14}"
                    f"  {each.unlabelled:13}"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
