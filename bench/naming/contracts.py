"""Contracts with what their labels say of their names: parties, kind and day.

Data: CUAD v1, CC BY 4.0.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.config.models import Settings
from core.config.schema_store import SchemaStore
from core.domain.ids import document_id
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.plan.catalogue import DocumentEntry
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.values.naming.opening import opening_names
from core.workbench.catalogue import CatalogueLoader

BUCKET = "contracts"
OPENING_CHARS = 20_000
_PARTY = re.compile(r"([^;(]+?)\s*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?\s*(?:;|$)")
_SHORT = re.compile(r"[\"“”]([^\"“”]{2,40})[\"“”]")


@dataclass(frozen=True, slots=True)
class LabelledParty:
    """A party by its name and what it is called for short."""

    name: str
    short: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LabelledContract:
    """A contract. kind: what it calls itself; day: (year, month, day) of the agreement, () for none."""

    file: str
    text: str
    parties: tuple[LabelledParty, ...]
    kind: str
    day: tuple[int, ...]


def labelled(cuad: Path) -> list[LabelledContract]:
    """The contracts of a folder with `labels.csv`, by file name."""
    csv.field_size_limit(sys.maxsize)
    with (cuad / "labels.csv").open(encoding="utf-8-sig", newline="") as read:
        rows = list(csv.DictReader(read))
    found = [_contract(cuad, row) for row in rows]
    return sorted(found, key=lambda each: each.file)


def _contract(cuad: Path, row: dict[str, str]) -> LabelledContract:
    text = (cuad / "contracts" / row["File"]).read_text(encoding="utf-8", errors="replace")
    kind = " ".join(row["Document Name-Answer"].split("\n")[-1].split())
    day = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d\d)", row["Agreement Date-Answer"].strip())
    when = () if day is None else (_year(int(day[3])), int(day[1]), int(day[2]))
    return LabelledContract(row["File"], text, tuple(_parties(row["Parties-Answer"])), kind, when)


def _year(digits: int) -> int:
    return 1900 + digits if digits > 60 else 2000 + digits


def _parties(said: str) -> Iterator[LabelledParty]:
    for match in _PARTY.finditer(" ".join(said.split())):
        name = match[1].strip(' ,;:."“”')
        if len(name) > 2 and not name.islower():
            yield LabelledParty(name, tuple(_SHORT.findall(match[2] or "")))


def contract_files(data: Path) -> list[Path]:
    """The contracts of both folders, as files."""
    folders = (data / "cuad" / "contracts", data / "cuad" / "more" / "contracts")
    return sorted(file for folder in folders for file in folder.glob("*.txt"))


def plain_entries(files: list[Path]) -> list[DocumentEntry]:
    """Documents as a catalogue has them where nothing was extracted: title and opening, no parties."""
    entries = []
    for file in files:
        parsed = parse_file(file, file.name, ParseLimits())
        opening = "\n".join(page.text for page in parsed.pages[:8])[:OPENING_CHARS]
        entries.append(
            DocumentEntry(
                document_id(BUCKET, file.name),
                parsed.title,
                file.name,
                BUCKET,
                opening=opening_names(opening),
            )
        )
    return entries


def entries_of(home: Path) -> list[DocumentEntry]:
    """The documents of a home, as its catalogue has them."""
    with Records.open(Settings(home=home)) as records:
        return list(CatalogueLoader(records, SchemaStore(home)).load(Visibility.everything()).documents)
