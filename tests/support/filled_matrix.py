"""A real home with a bucket of contracts, two of them PDFs, and made-up cells over what their pages say."""

from __future__ import annotations

import atexit
import shutil
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.fields import (
    MONEY_SCALE,
    NUMBER_SCALE,
    Candidate,
    CellStatus,
    Extraction,
    FieldType,
    Finding,
    Quote,
    TypedValue,
)
from core.domain.ids import ContentHash, DocumentId, content_hash
from core.domain.span import PageSpan
from core.ingest.parse.base import ParseLimits
from core.ingest.parse.dispatch import parse_file
from core.store.base import NewVersion
from core.store.store import Records
from tests.support.files import pdf

BUCKET = "contracts"
LAWS = ("Delaware", "New York", "Texas", "England")
NAMES = ("Acme", "Borealis", "Cobalt", "Dune", "Ember", "Fathom", "Glacier", "Harbor", "Iris", "Juno")
LATER = "Kelvin"
"""Name of the document that `add` adds."""

_EVERY_NAME = (*NAMES, LATER)
FIELDS = (
    "governing_law",
    "effective_date",
    "contract_value",
    "termination_notice",
    "audit_rights",
    "parties",
)
CLAUSE = "insurance"
"""A clause that a head calls present in every document that can be read."""

GUESSED, TIED = "Ember", "Harbor"
"""The contract value of the one is a guess, the notice of the other two readings that are equally likely."""


def fill(home: Path) -> dict[str, DocumentId]:
    """Fill it; gives the documents by title, in the order of their names. The first two are PDFs.

    One home is filled in each process; others are copies of that.
    """
    original, made = _original()
    shutil.copytree(original, home, dirs_exist_ok=True)
    return dict(made)


@cache
def _original() -> tuple[Path, dict[str, DocumentId]]:
    folder = TemporaryDirectory(prefix="contracts-")
    atexit.register(folder.cleanup)
    home = Path(folder.name) / "home"
    return home, _fill(home)


def _fill(home: Path) -> dict[str, DocumentId]:
    records, made = Records.open(Settings(home=home)), {}
    try:
        for number, name in enumerate(NAMES):
            title = f"{name} agreement"
            document, text_of_page = _publish(records, title, number)
            records.fields.put(document, 1, Extraction(BUCKET, _findings(text_of_page, number)), "test")
            made[title] = document
    finally:
        records.close()
    return made


def add(home: Path) -> DocumentId:
    """Publish one more contract, extracted like the others."""
    with Records.open(Settings(home=home)) as records:
        document, pages = _publish(records, f"{LATER} agreement", len(NAMES))
        records.fields.put(document, 1, Extraction(BUCKET, _findings(pages, len(NAMES))), "test")
    return document


def body(name: str, number: int) -> list[str]:
    """The pages of one contract."""
    first = (
        f"{name} agreement\n\nThis agreement is made between {name} Corporation and Nordwind GmbH.\n"
        f"It is effective on {2015 + number}-03-01.\n"
        f"The contract value is USD {number + 1},250.00.\n"
    )
    second = (
        f"9. Termination\n\nEither party may terminate on {30 * (1 + number % 3)} days written notice.\n"
        "The customer may inspect the books of the supplier once a year.\n"
        "Each party keeps records of its costs.\n"
        f"11. Law\n\nThis agreement is governed by the laws of {LAWS[number % 4]}.\n"
    )
    return [first, second]


def _publish(records: Records, title: str, number: int) -> tuple[DocumentId, tuple[Page, ...]]:
    pages = body(_EVERY_NAME[number], number)
    if number < 2:
        data = pdf(pages, title=title)
        path = records.blobs.path(records.blobs.put(data))
        parsed = replace(parse_file(path, f"{title}.pdf", ParseLimits()), title=title)
        hashed: ContentHash = content_hash(data)
    else:
        data = "\f".join(pages).encode()
        parsed = ParsedDocument(
            title, "text/plain", tuple(Page(at, page) for at, page in enumerate(pages, 1)), "en"
        )
        hashed = content_hash(data)
    suffix = "pdf" if number < 2 else "txt"
    published = records.documents.publish(NewVersion(BUCKET, f"{title}.{suffix}", parsed, hashed, len(data)))
    return published.document, parsed.pages


def _findings(pages: tuple[Page, ...], number: int) -> dict[str, Finding]:
    if number == 9:
        return {name: Finding(CellStatus.UNREADABLE) for name in FIELDS}

    def quoted(piece: str) -> Quote:
        page = next(page for page in pages if piece in page.text)
        start = page.text.index(piece)
        return Quote(PageSpan(page.page_no, start, start + len(piece)), piece)

    def found(value: TypedValue, piece: str) -> Finding:
        return Finding(CellStatus.PRESENT, (value,), (quoted(piece),), 0.97, "pattern")

    law, notice = LAWS[number % 4], 30 * (1 + number % 3)
    company = f"{_EVERY_NAME[number]} Corporation"
    clause = TypedValue(FieldType.BOOLEAN, "true", 1)
    candidates = tuple(
        Candidate(clause, (quoted(piece),), odds, "head")
        for piece, odds in (
            ("The customer may inspect the books of the supplier once a year.", 0.55),
            ("Each party keeps records of its costs.", 0.31),
        )
    )
    sure = Finding(CellStatus.PRESENT, (clause,), (quoted("Each party keeps records"),), 0.999, "head")
    stated = {
        CLAUSE: sure,
        "governing_law": found(TypedValue(FieldType.TEXT, law, None, "", law, law.lower()), law),
        "effective_date": found(_day(2015 + number), f"{2015 + number}-03-01"),
        "contract_value": Finding(CellStatus.ABSENT, confidence=0.99, method="head")
        if number % 3 == 2
        else found(_dollars(number + 1), f"USD {number + 1},250.00"),
        "termination_notice": found(_days(notice), f"{notice} days"),
        "audit_rights": Finding(CellStatus.UNCERTAIN, confidence=0.5, method="head", candidates=candidates),
        "parties": found(
            TypedValue(FieldType.PARTY, company, None, "", company, _EVERY_NAME[number].lower()), company
        ),
    }
    value = _dollars(number + 1)
    if _EVERY_NAME[number] == GUESSED:
        stated["contract_value"] = _open(Candidate(value, (quoted(value.original[:-3]),), 0.62, "rule"))
    if _EVERY_NAME[number] == TIED:
        places = ((_days(notice), f"{notice} days"), (_days(365), "once a year"))
        readings = (Candidate(each, (quoted(piece),), 0.5, "rule") for each, piece in places)
        stated["termination_notice"] = _open(*readings)
    return stated


def _open(*candidates: Candidate) -> Finding:
    return Finding(CellStatus.UNCERTAIN, confidence=0.5, method="rule", candidates=candidates)


def _day(year: int) -> TypedValue:
    iso = f"{year}-03-01"
    return TypedValue(FieldType.DATE, iso, date.fromisoformat(iso).toordinal(), "", iso)


def _dollars(thousands: int) -> TypedValue:
    amount = thousands * 1000 + 250
    return TypedValue(FieldType.MONEY, f"{amount}.00", amount * 10**MONEY_SCALE, "USD", f"USD {amount:,}.00")


def _days(count: int) -> TypedValue:
    return TypedValue(FieldType.DURATION, f"P{count}D", count * 10**NUMBER_SCALE, "", f"{count} days")
