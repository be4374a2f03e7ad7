"""Products and contacts of web pages against labels made by reading the pages.

    python -m bench.fields_pages --docs DIR... [--each]

Labels: `bench/custom/pages.tsv`, 40 pages drawn at random (seed 1) of documentation trees (Debian's
postgresql-doc-15, python3.11-doc, sqlite3-doc) and of what else stands below /usr/share/doc: a path
below any DIR, its contacts and products, each divided by "; ". A contact is an e-mail address, a
telephone number or a postal address that the page gives, in its text or its markup. A product is
software that the page's own text names, the prominent ones; modules and functions of a library are no
products.

Right: a present cell without a value that is not labelled, an absent one where there is nothing to find.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from importlib.resources import files
from pathlib import Path

from core.config.fields import FieldDefinition, Schema
from core.domain.document import HTML
from core.domain.fields import CellStatus, Finding
from core.domain.ids import DocumentId
from core.extract.absence import settle
from core.extract.base import DocumentText
from core.extract.values.rules import RULES
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.html.document import decode_html, document_from_html

LABELS = Path(__file__).parent / "custom" / "pages.tsv"
FIELDS = {"contact": "page_contact", "products": "page_products"}


def main() -> None:
    """Measure both fields over the labelled pages and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--docs", type=Path, nargs="+", required=True, help="folders as /usr/share/doc")
    parser.add_argument("--each", action="store_true", help="print each cell that is not right")
    asked = parser.parse_args()
    text = files("core.config").joinpath("schemas", "pages.toml").read_text("utf-8")
    definitions = {each.name: each for each in Schema.model_validate(tomllib.loads(text)).fields}
    counts: dict[str, Counter[str]] = {name: Counter() for name in FIELDS}
    for line in LABELS.read_text("utf-8").splitlines()[1:]:
        path, *labels = line.split("\t")
        found = next((folder / path for folder in asked.docs if (folder / path).is_file()), None)
        if found is None:
            print(f"not there: {path}")
            continue
        document = read(found)
        for (name, rule), label in zip(FIELDS.items(), labels, strict=True):
            finding = cell(document, definitions[name], rule)
            wanted = {each.strip().casefold() for each in label.split(";")} - {""}
            outcome = outcome_of(finding, wanted)
            counts[name].update(
                [outcome, f"all {outcome.split(',')[0]}", "stated" if wanted else "not stated"]
            )
            if asked.each and not outcome.endswith("right"):
                print(f"{name}: {outcome}: {path}: {[value.text for value in finding.values]} {label}")
    for name, counted in counts.items():
        report(name, counted)


def read(path: Path) -> DocumentText:
    """The page as extraction sees it."""
    parsed = document_from_html(decode_html(path.read_bytes()), path.name, ParseLimits())
    return DocumentText(
        DocumentId("d"), 1, "", parsed.title, path.name, "", HTML, parsed.language, parsed.pages
    )


def cell(document: DocumentText, definition: FieldDefinition, rule: str) -> Finding:
    """The cell as it is shown: an absence is settled by the field's words."""
    finding = RULES[rule](document)
    return settle(document, definition, finding) if finding.status is CellStatus.ABSENT else finding


def outcome_of(finding: Finding, wanted: set[str]) -> str:
    """Status of a cell, and whether it is right."""
    if finding.status is CellStatus.PRESENT:
        said = {value.text.casefold() for value in finding.values}
        return "present, right" if said and said <= wanted else "present, wrong"
    if finding.status is CellStatus.ABSENT:
        return "absent, wrong" if wanted else "absent, right"
    return "uncertain, of a stated" if wanted else "uncertain, of none"


def report(name: str, counted: Counter[str]) -> None:
    """Print a field's row."""
    present, stated = counted["all present"], counted["stated"]
    print(f"{name}: {stated} pages state one, {counted['not stated']} none")
    print(
        f"  present {present}: precision {counted['present, right'] / max(1, present):.2f}, "
        f"recall {counted['present, right'] / max(1, stated):.2f}"
    )
    print(f"  absent {counted['all absent']}, of these wrong {counted['absent, wrong']}")
    print(f"  uncertain {counted['all uncertain']}, of these stated {counted['uncertain, of a stated']}")


if __name__ == "__main__":
    main()
