"""Contradictions between documents: 40 planted among 200 papers, beside 40 things that only look like one.

    python -m bench.contradictions [--set look|kept] [--labels] [--home DIR] [--show] [--rows N]

Papers are made as people write them (prose, PDF, DOCX, CSV, tables), ingested and extracted by the product
without a model, then the report of the bucket is held against what was planted. A contradiction is found
where an open one has both papers and both values as they are written. A missed one was not read where no fact
of the papers holds a value of it, else not compared. --set: `look` was looked at while the rules were made;
`kept`, worded otherwise, was measured once before its misses were looked at. --labels: what papers say is
put as their cells. --rows N: no papers, but the time over N documents of made-up cells.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.papers.files import write
from bench.papers.plant import Plant, make
from bench.papers.wording import Paper
from core.config.fields import Schema
from core.config.models import Settings
from core.config.schema_store import shipped_schemas
from core.domain.certainty.contradiction import ContradictionState
from core.domain.document import Page, ParsedDocument
from core.domain.fields import (
    AnnotationRow,
    CellStatus,
    Extraction,
    FieldType,
    Finding,
    Quote,
    RowCell,
    TypedValue,
)
from core.domain.ids import ContentHash
from core.domain.principal import LOCAL_ADMIN
from core.domain.span import PageSpan
from core.fields.typed import value_of
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench import Workbench
from core.workbench.session import Session

BUCKET = "papers"


def fill(session: Session, papers: Sequence[Paper]) -> None:
    """Put what the papers say as their cells, each on its words."""
    records = session._parts.records
    schemas = {each.name: each for each in session.schemas.list()}
    known = {Path(each.source).name: each for each in session.documents.list(bucket=BUCKET)}
    for paper in papers:
        document, schema = known[paper.name], schemas[paper.schema]
        findings = {}
        for name, text in paper.labels.items():
            definition = schema.field(name)
            if definition is None:
                continue
            read = [value_of(each, definition) for each in text.split("|")]
            values = tuple(each.value for each in read if each is not None)
            assert len(values) == len(read), (name, text)
            quotes = tuple(Quote(PageSpan(1, 0, len(each)), each) for each in text.split("|"))
            findings[name] = Finding(CellStatus.PRESENT, values, quotes, 1.0, "label")
        extraction = Extraction(paper.schema, findings)
        records.fields.put(document.id, document.version, extraction, "bench", fields=set(findings))


PAPERS_SCHEMA = """name = "house"
title = "Papers of the house"
recognise = []

[subject]
fields = ["matter"]
since = ["document_date"]
""" + "".join(
    f"""
[[fields]]
name = "{name}"
title = "{name.replace("_", " ").capitalize()}"
type = "{kind}"
"""
    for name, kind in (
        ("matter", "text"),
        ("document_date", "date"),
        ("amount", "money"),
        ("period", "duration"),
        ("deadline", "date"),
    )
)


def measure(plant: Plant, session: Session, *, show: bool) -> None:
    """Hold the report of the bucket against what was planted."""
    names = {each.id: Path(each.source).name for each in session.documents.list(bucket=BUCKET)}
    report = session.matrix.contradictions(BUCKET).contradictions
    expected = {frozenset(each.papers): each for each in plant.planted}
    found: dict[ContradictionState, set[frozenset[str]]] = {state: set() for state in ContradictionState}
    wrong = []
    for each in report:
        papers = frozenset(names[side.document.id] for side in each.sides)
        pair = expected.get(papers)
        quotes = [
            " ".join((side.quote.quote if side.quote else side.value.text).split()) for side in each.sides
        ]
        fits = pair is not None and all(any(_says(quote, said) for quote in quotes) for said in pair.said)
        if fits:
            found[each.state].add(papers)
        elif each.state is not ContradictionState.RESOLVED:
            wrong.append((each.state, papers, each.about, quotes))
    opened = len(found[ContradictionState.OPEN])
    possible = len(found[ContradictionState.POSSIBLE] - found[ContradictionState.OPEN])
    false = sum(state is ContradictionState.OPEN for state, *_ in wrong)
    doubtful = len(wrong) - false
    print(f"{len(plant.planted)} planted: {opened} found, {possible} more as possible;")
    print(f"  false: {false} of {opened + false} open, {doubtful} of {possible + doubtful} possible;")
    resolved = sum(each.state is ContradictionState.RESOLVED for each in report)
    planted = len(found[ContradictionState.RESOLVED])
    print(f"  {resolved} resolved by a later document, {planted} of them planted")
    missed: Counter[tuple[str, str]] = Counter()
    for papers, pair in expected.items():
        if papers in found[ContradictionState.OPEN]:
            continue
        unread = [said for said in pair.said if not _is_read(session, names, papers, said)]
        why = "not read" if unread else "not compared"
        missed[pair.sort, why] += 1
        if show:
            print("  missed", why, sorted(papers), pair.said)
    for (sort, why), count in sorted(missed.items()):
        print(f"  missed: {count} {sort}, {why}")
    for line in wrong if show else ():
        print("  false", *line)


def _says(quote: str, said: str) -> bool:
    return quote in said or said in quote


def _is_read(session: Session, names: Mapping[str, str], papers: frozenset[str], said: str) -> bool:
    """True where a fact of one value of one of the papers, or a cell of its tables, has these words."""
    ids = [id for id, name in names.items() if name in papers]
    everything, fields = Visibility.everything(), session._parts.records.fields
    lists = {each.name for schema in session.schemas.list() for each in schema.fields if each.many}
    facts = [
        each.finding
        for each in fields.cells(everything, documents=ids)
        if each.finding.status is CellStatus.PRESENT and each.field not in lists
    ]
    quotes = [each.spans[0].quote for each in facts if each.spans]
    quotes += [cell.quote.quote for id in ids for row in fields.rows(id, everything) for cell in row.cells]
    return any(said == " ".join(quote.split()).rstrip(".") for quote in quotes)


def growth(count: int) -> None:
    """Time over so many documents of eight made-up cells and a list of three rows; a tenth have a twin."""
    schemas = shipped_schemas()
    with tempfile.TemporaryDirectory() as folder, Records.open(Settings(home=Path(folder))) as records:
        for number in range(count):
            twin = number % 10 == 0
            bill = {
                "vendor": f"Vendor {number // 2 * 2 if twin or number % 10 == 1 else number} GmbH",
                "invoice_number": f"A-{number - number % 10 if number % 10 < 2 else number}",
                "document_kind": "invoice",
                "invoice_date": "3 May 2024",
                "due_date": "2 June 2024",
                "subtotal": f"USD {1_000 + number}",
                "tax": "USD 7",
                "total": f"USD {1_007 + number}",
            }
            _publish(records, schemas["invoices"], number, bill)
        began = time.perf_counter()
        report = records.contradictions.find(Visibility.everything(), tuple(schemas.values()))
        seconds = time.perf_counter() - began
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        found, whole = len(report.contradictions), report.is_whole
        print(f"{count} documents: {seconds:.2f} s, {found} contradictions, whole: {whole}, {size} MB")


def _publish(records: Records, schema: Schema, number: int, said: Mapping[str, str]) -> None:
    text = f"Bill {number}\n" + "\n".join(said.values())
    parsed = ParsedDocument(f"Bill {number}", "text/plain", (Page(1, text),), "en")
    version = NewVersion(BUCKET, f"{number}.txt", parsed, ContentHash(f"{number:064x}"), len(text), ())
    findings = {}
    for name, words in said.items():
        definition = schema.field(name)
        read = value_of(words, definition) if definition is not None else None
        assert read is not None, (name, words)
        quote = Quote(PageSpan(1, text.index(words), text.index(words) + len(words)), words)
        findings[name] = Finding(CellStatus.PRESENT, (read.value,), (quote,), 1.0, "label")
    rows = []
    for row in range(3):
        cells = {"code": f"T{number // 10}-{row}-{number % 10}", "place": "Hall", "colour": "red"}
        made_cells = tuple(RowCell(name, _word(words), quote) for name, words in cells.items())
        rows.append(AnnotationRow(0, row, made_cells))
    made = records.documents.publish(version)
    records.fields.put(made.document, made.version, Extraction(schema.name, findings, tuple(rows)), "bench")


def _word(text: str) -> TypedValue:
    return TypedValue(FieldType.TEXT, text, original=text, normal=text.casefold())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", choices=("look", "kept"), default="look")
    parser.add_argument("--labels", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--home", type=Path, help="keep it, or use what is there")
    parser.add_argument("--rows", type=int)
    options = parser.parse_args()
    if options.rows:
        growth(options.rows)
        return
    plant = make(("look", "kept").index(options.set))
    with tempfile.TemporaryDirectory() as folder:
        home, files = options.home or Path(folder) / "home", Path(folder) / "papers"
        files.mkdir()
        write(files, plant.papers)
        (home / "schemas").mkdir(parents=True, exist_ok=True)
        (home / "schemas" / "house.toml").write_text(PAPERS_SCHEMA)
        with Workbench.open(home) as bench:
            session = bench.for_principal(LOCAL_ADMIN)
            if bench.is_empty():
                session.documents.ingest([files], bucket=BUCKET)
            if options.labels:
                fill(session, plant.papers)
            measure(plant, session, show=options.show)


if __name__ == "__main__":
    main()
