"""How fast records give pages, counts and computations over a matrix of many documents and fields.

    python -m bench.matrix_records --documents 5000 --fields 60 [--home FOLDER] [--rows 200000]

Each figure is the median of `--repeat` calls, the first one not counted; the worst stands beside it.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.matrix_home import BUCKET, fields_of, fill
from core.config.models import Settings
from core.domain.document import Page, ParsedDocument
from core.domain.fields import AnnotationRow, Extraction, FieldType, Quote, RowCell, TypedValue
from core.domain.ids import ContentHash
from core.domain.matrix import MatrixQuery
from core.domain.predicate import Predicate, parse_condition
from core.domain.span import PageSpan
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records

ALL = Visibility.everything()
NOBODY = Visibility(frozenset())


def main() -> None:
    """Fill a home unless it is there, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=5_000)
    parser.add_argument("--fields", type=int, default=60)
    parser.add_argument("--home", type=Path)
    parser.add_argument(
        "--rows", type=int, default=0, help="Rows of one table to write and compute over, too."
    )
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    home = options.home or Path(tempfile.mkdtemp(prefix="gw-matrix-"))
    if not (home / "records.sqlite").exists():
        started = time.perf_counter()
        cells = fill(home, options.documents, options.fields)
        seconds = time.perf_counter() - started
        print(f"filled {cells:,} cells in {seconds:.1f} s: {options.documents / seconds:.0f} documents/s")
    with Records.open(Settings(home=home)) as records:
        names = [each.name for each in fields_of(options.fields)]
        for label, call in _calls(records, names):
            print(f"{label:58s} {_timed(call, options.repeat)}")
        if options.rows:
            _measure_rows(records, options.rows, options.repeat)


def _calls(records: Records, names: list[str]) -> Iterator[tuple[str, Callable[[], object]]]:
    fields, annotations = records.fields, records.annotations

    def page(visible: Visibility = ALL, **options: object) -> Callable[[], object]:
        return lambda: fields.matrix_page(
            visible,
            MatrixQuery(BUCKET, BUCKET, tuple(names), limit=50, **options),  # type: ignore[arg-type]
        )

    yield "page of 50 by title", page()
    yield "page of 50, the last", page(offset=4_950)
    yield "the same for who sees documents without an acl", page(NOBODY, offset=2_500)
    yield "page by a date, descending", page(order_field="expiration_date", descending=True)
    yield "page by money", page(order_field="contract_value")
    yield "page by text", page(order_field="governing_law", offset=2_500)
    yield "page by status", page(order_field="indemnification@status")
    yield "page where a cell is uncertain", page(where=(Predicate("indemnification", "is", "uncertain"),))
    yield "page where law = Texas", page(where=(Predicate("governing_law", "=", "Texas"),))
    yield "page where law contains 'ew'", page(where=(Predicate("governing_law", "contains", "ew"),))
    yield (
        "page where value > 500000 USD, by it",
        page(where=(Predicate("contract_value", ">", "500000 USD"),), order_field="contract_value"),
    )
    yield "page with a text in the title", page(text="robotics")
    yield "counts of all fields", lambda: fields.counts(ALL, BUCKET, names)
    yield "counts for who sees documents without an acl", lambda: fields.counts(NOBODY, BUCKET, names)
    yield "work list of 50", lambda: fields.worklist(ALL, BUCKET, names, 50)
    law = parse_condition("governing_law ~ ^(new|tex)")
    value = parse_condition("contract_value > 100000 USD")
    yield "search by two conditions", lambda: annotations.search(ALL, BUCKET, [law, value], 10)
    yield "count by law", lambda: annotations.aggregate(ALL, BUCKET, "governing_law")
    yield (
        "sum of money by law and unit",
        lambda: annotations.aggregate(
            ALL, BUCKET, ("governing_law", "contract_value.unit"), (), "sum", "contract_value"
        ),
    )
    yield (
        "median of money where law matches",
        lambda: annotations.aggregate(ALL, BUCKET, (), [law, value], "median", "contract_value"),
    )


def _measure_rows(records: Records, count: int, repeat: int) -> None:
    parsed = ParsedDocument("Rows", "text/csv", (Page(1, "item"),))
    new = NewVersion("rows", "rows.csv", parsed, ContentHash("f" * 64), 4)
    published = records.documents.publish(new)
    started = time.perf_counter()
    records.fields.put(
        published.document, published.version, Extraction("generic", {}), "b", rows=_rows(count)
    )
    seconds = time.perf_counter() - started
    print(f"wrote {count:,} rows of 4 columns in {seconds:.1f} s: {count / seconds:,.0f} rows/s")
    annotations = records.annotations
    paid = parse_condition("amount > 900 USD")
    calls: list[tuple[str, Callable[[], object]]] = [
        ("rows: sum of money", lambda: annotations.aggregate(ALL, "rows", (), (), "sum", "amount")),
        ("rows: sum by vendor", lambda: annotations.aggregate(ALL, "rows", "vendor", (), "sum", "amount")),
        ("rows: search amount > 900 USD", lambda: annotations.search(ALL, "rows", [paid], 10)),
    ]
    for label, call in calls:
        print(f"{label:58s} {_timed(call, min(repeat, 3))}")


def _rows(count: int) -> Iterator[AnnotationRow]:
    where = Quote(PageSpan(1, 0, 4), "item")
    for at in range(count):
        amount = TypedValue(FieldType.MONEY, f"{at % 1000}.00", (at % 1000) * 10_000, "USD", "item")
        yield AnnotationRow(
            0,
            at,
            (
                RowCell("Item", TypedValue(FieldType.TEXT, f"Item {at}", original="item"), where),
                RowCell("Vendor", TypedValue(FieldType.TEXT, f"Vendor {at % 50}", original="item"), where),
                RowCell("Amount", amount, where),
                RowCell("Remark", TypedValue(FieldType.TEXT, "", original="item"), where),
            ),
        )


def _timed(call: Callable[[], object], repeat: int) -> str:
    call()
    times = []
    for _ in range(repeat):
        started = time.perf_counter()
        call()
        times.append((time.perf_counter() - started) * 1_000)
    return f"{statistics.median(times):7.1f} ms   worst {max(times):7.1f}"


if __name__ == "__main__":
    main()
