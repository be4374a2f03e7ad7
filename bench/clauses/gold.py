"""CUAD's contracts as the product reads them, with the lawyers' quotes as spans of that text.

Data: CUAD v1, The Atticus Project, CC BY 4.0.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain.document import Page
from core.domain.ids import document_id
from core.extract.base import DocumentText
from core.extract.clauses.head_names import CUAD_YES_NO
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file

CUAD_VALUES = {
    "document_name": "Document Name",
    "parties": "Parties",
    "agreement_date": "Agreement Date",
    "effective_date": "Effective Date",
    "expiration_date": "Expiration Date",
    "renewal_term": "Renewal Term",
    "notice_period_to_terminate_renewal": "Notice Period To Terminate Renewal",
    "governing_law": "Governing Law",
}
"""Heads that only rank sentences, for the rules that read values from them."""

NEAR_CHARS = 6_000
"""Parts of a quote with `<omitted>` lie this near to its longest part."""

_OMITTED = re.compile(r"<\s*omitted\s*>", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Contract:
    """A labelled contract. spans: by head, of `document.text`, in order. yes: which of the 33 it has."""

    name: str
    document: DocumentText
    spans: dict[str, tuple[tuple[int, int], ...]]
    yes: dict[str, bool]
    missed: int


def read_document(path: Path, bucket: str = "contracts") -> DocumentText:
    """A file as extraction sees it after ingest."""
    parsed = parse_file(path, path.name, ParseLimits())
    return as_document(path.name, parsed.pages, bucket, parsed.title)


def as_document(name: str, pages: Sequence[Page], bucket: str = "contracts", title: str = "") -> DocumentText:
    """Pages as a document."""
    return DocumentText(
        document_id(bucket, name), 1, bucket, title or name, name, "", "text/plain", "en", tuple(pages)
    )


def read_contracts(*folders: Path) -> list[Contract]:
    """The contracts of DATA/cuad and of folders like it, by file name."""
    found: list[Contract] = []
    for folder in folders:
        with (folder / "labels.csv").open(encoding="utf-8", newline="") as file:
            found += [_contract(folder, row) for row in csv.DictReader(file)]
    return sorted(found, key=lambda each: each.name)


def _contract(folder: Path, row: dict[str, str]) -> Contract:
    document = read_document(folder / "contracts" / row["File"])
    squeezed, places = squeeze(document.text)
    spans: dict[str, tuple[tuple[int, int], ...]] = {}
    missed = 0
    for head, category in {**CUAD_YES_NO, **CUAD_VALUES}.items():
        found: set[tuple[int, int]] = set()
        for quote in ast.literal_eval(row[category] or "[]"):
            matched = find_quote(quote, squeezed, places)
            missed += not matched
            found.update(matched)
        spans[head] = tuple(sorted(found))
    yes = {head: row[f"{title}-Answer"] == "Yes" for head, title in CUAD_YES_NO.items()}
    return Contract(row["File"], document, spans, yes, missed)


def squeeze(text: str) -> tuple[str, list[int]]:
    """`text` without white space and in lower case, and where each character stands in `text`."""
    places = [index for index, char in enumerate(text) if not char.isspace()]
    return "".join(text[index] for index in places).lower(), places


def find_quote(quote: str, squeezed: str, places: Sequence[int]) -> list[tuple[int, int]]:
    """The spans of a quote, one for each part between `<omitted>`; [] where it cannot be found."""
    parts = [_SPACE.sub("", part).lower() for part in _OMITTED.split(quote)]
    parts = [part for part in parts if len(part) >= 3]
    if not parts:
        return []
    longest = max(parts, key=len)
    anchor = squeezed.find(longest)
    if anchor < 0:
        return []
    found = [(places[anchor], places[anchor + len(longest) - 1] + 1)]
    for part in parts:
        if part is longest:
            continue
        near = [
            match.start()
            for match in re.finditer(
                re.escape(part), squeezed[max(0, anchor - NEAR_CHARS) : anchor + NEAR_CHARS]
            )
        ]
        if near:
            start = max(0, anchor - NEAR_CHARS)
            best = min(near, key=lambda at: abs(start + at - anchor)) + start
            found.append((places[best], places[best + len(part) - 1] + 1))
    return sorted(found)
