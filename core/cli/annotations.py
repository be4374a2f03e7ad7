"""`groundwork annotations`: search and compute over what documents state. `groundwork rates`: their rates."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.domain.annotation import (
    Accounting,
    AggregateResult,
    AnnotationHit,
    AnnotationSource,
    Calculation,
    Excluded,
)
from core.domain.fields import TypedValue
from core.domain.ids import DocumentId
from core.domain.wire.accounting import AccountingRecord
from core.domain.wire.annotations import aggregate_json, decimal_text, hits_json
from core.domain.wire.fields import value_json
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.values.accounting import read_rate

_WHERE = "A condition, such as 'amount >= 100000 USD'; several must all hold."
_OVER = "Cells of documents, or rows of their tables (default: as the names say)."


@click.group()
def annotations() -> None:
    """Search and compute over fields of documents and rows of their tables."""


@annotations.command()
@click.option("--bucket", help="Only this bucket.")
@click.option("--where", multiple=True, metavar="'FIELD OP VALUE'", help=_WHERE)
@click.option("--top-k", type=click.IntRange(1, 100_000), default=10, show_default=True)
@click.option("--document", help="Only this document.")
@click.option("--over", type=click.Choice([each.value for each in AnnotationSource]), help=_OVER)
@common_options
def search(
    bucket: str | None,
    where: tuple[str, ...],
    top_k: int,
    document: str | None,
    over: str | None,
    common: Common,
) -> int:
    """List the documents, or rows of tables, that fulfil all conditions."""
    with common.open() as session:
        common.require_bucket(session, bucket)
        only = DocumentId(document) if document else None
        found = session.matrix.search(bucket, where, top_k, only, source=over)
    if common.as_json:
        return print_json(hits_json(found))
    print_table(("document", "title", "states"), (_shown(hit) for hit in found.hits), widest=60)
    what = "rows" if found.source is AnnotationSource.ROWS else "documents"
    note(f"{found.total:,} of {found.scope:,} {what} fulfil the conditions.")
    _note_excluded(found.excluded)
    return 0


@annotations.command()
@click.option("--bucket", help="Only this bucket.")
@click.option("--where", multiple=True, metavar="'FIELD OP VALUE'", help=_WHERE)
@click.option(
    "--aggregate",
    "wanted",
    default=Calculation.COUNT.value,
    show_default=True,
    metavar="WHAT:FIELD",
    help="count, sum, min, max, avg, median or distinct, and of what: sum:amount.",
)
@click.option(
    "--group-by", multiple=True, metavar="FIELD", help="A field, or FIELD.unit, .year, .quarter, .month."
)
@click.option("--document", help="Only this document.")
@click.option("--over", type=click.Choice([each.value for each in AnnotationSource]), help=_OVER)
@click.option("--rate", multiple=True, metavar="UNIT=NUMBER", help="What one unit is worth: EUR=1.08.")
@click.option("--into", default="", metavar="UNIT", help="The currency or unit that the rates lead to.")
@common_options
def aggregate(
    bucket: str | None,
    where: tuple[str, ...],
    wanted: str,
    group_by: tuple[str, ...],
    document: str | None,
    over: str | None,
    rate: tuple[str, ...],
    into: str,
    common: Common,
) -> int:
    """Compute a count, a sum, a median, ... over the values of a field."""
    what, _, field = wanted.partition(":")
    rates = parse_rates(rate)
    with common.open() as session:
        common.require_bucket(session, bucket)
        found = session.matrix.aggregate(
            bucket,
            group_by,
            where,
            what.strip(),
            field.strip(),
            document=DocumentId(document) if document else None,
            source=over,
            rates=rates,
            into=into,
        )
    if common.as_json:
        print_json(aggregate_json(found))
    else:
        _print(found)
    return 0


def parse_rates(given: Iterable[str]) -> dict[str, Decimal]:
    """The rates of `EUR=1.08`. Raises UsageError."""
    rates: dict[str, Decimal] = {}
    for text in given:
        unit, _, number = text.partition("=")
        try:
            rate = Decimal(number.strip())
        except InvalidOperation:
            rate = Decimal(0)
        if not unit.strip() or not rate.is_finite() or rate <= 0:
            raise UsageError(
                f"The rate {text!r} cannot be read.",
                next_step="Write UNIT=NUMBER with a number above 0, such as --rate EUR=1.08 --into USD.",
            )
        rates[unit.strip()] = rate
    return rates


def _print(found: AggregateResult) -> None:
    what = f"{found.aggregate.value} of {found.field}" if found.field else found.aggregate.value
    print_table(
        (*found.group_by, what, "unit", "rows", "documents"),
        (
            (
                *group.key,
                decimal_text(group.value) or "-",
                group.unit,
                f"{group.rows:,}",
                f"{group.documents:,}",
            )
            for group in found.groups
        ),
        widest=60,
    )
    things = "rows" if found.source is AnnotationSource.ROWS else "documents"
    note(f"Computed of {found.rows:,} values in {found.scope:,} {things} that you may see.")
    _note_excluded(found.excluded)


def _note_excluded(excluded: Iterable[Excluded]) -> None:
    for each in excluded:
        note(f"{each.rows:,} could not take part: {each.field} {each.reason}.")


def _shown(hit: AnnotationHit) -> tuple[str, str, str]:
    if hit.row is not None:
        stated = "; ".join(f"{cell.column}: {_text(cell.value)}" for cell in hit.row.cells)
    else:
        stated = "; ".join(
            f"{cell.field}: " + (", ".join(map(_text, cell.finding.values)) or cell.finding.status.value)
            for cell in hit.cells
        )
    return (hit.document.id, hit.document.name, stated)


def _text(value: TypedValue) -> str:
    return f"{value_json(value)} {value.unit}".strip()


_INSTEAD = click.option("--instead", is_flag=True, help="In place of all rates of the base.")


@click.group()
def rates() -> None:
    """Exchange rates, which are never fetched, and the fiscal year."""


@rates.command(name="list")
@common_options
def list_(common: Common) -> int:
    """The base currency, its rates with their days and sources, and the fiscal year."""
    with common.open(verify_encoder=False) as session:
        return _show(session.accounting.now(), common)


@rates.command()
@common_options
@click.option("--base", help="The currency that rates lead to; an empty one takes it back.")
@click.option("--dated-by", multiple=True, metavar="FIELD", help="Dates that choose the rate; latest: none.")
@click.option("--fiscal-month", type=click.IntRange(1, 12), help="First month of the fiscal year.")
def choose(common: Common, base: str | None, dated_by: tuple[str, ...], fiscal_month: int | None) -> int:
    """Choose the base, which rate an amount has, and the fiscal year."""
    names = None if not dated_by else [name for name in dated_by if name != "latest"]
    with common.open(verify_encoder=False) as session:
        return _show(session.accounting.choose(base, names, fiscal_month), common)


@rates.command(name="set")
@common_options
@click.argument("pairs", nargs=-1, required=True, metavar="CURRENCY=RATE…")
@click.option("--day", default="", metavar="DATE", help="From when on it holds; today where not given.")
@click.option("--source", default="", help="Who says so.")
def set_(common: Common, pairs: tuple[str, ...], day: str, source: str) -> int:
    """Set what one of a currency is worth in the base: USD=0.92. An empty rate takes out a currency."""
    said = [(pair.partition("=")[0], pair.partition("=")[2]) for pair in pairs]
    with common.open(verify_encoder=False) as session:
        read = [read_rate(currency, rate, day, source) for currency, rate in said if rate]
        for currency in (currency for currency, rate in said if not rate):
            session.accounting.remove_rates(currency, date.fromisoformat(day) if day else None)
        return _show(session.accounting.set_rates(read) if read else session.accounting.now(), common)


@rates.command(name="import")
@common_options
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_INSTEAD
def import_(common: Common, file: Path, instead: bool) -> int:
    """Set the rates of a CSV with the columns currency, rate, source, day."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"{file.name!r} is no text in UTF-8.", next_step="Save it as CSV in UTF-8."
        ) from error
    with common.open(verify_encoder=False) as session:
        return _show(session.accounting.import_rates(text, instead=instead), common)


def _show(now: Accounting, common: Common) -> int:
    if common.as_json:
        return print_json(envelope(**AccountingRecord.of(now).model_dump(mode="json")))
    dated = f"by the date of {', '.join(now.dated_by)}" if now.dated_by else "the latest"
    base = f"Rates lead to {now.base}; the rate of an amount is {dated}" if now.base else "No base currency"
    note(f"{base}. The fiscal year begins in month {now.fiscal_month}.")
    rows = [(r.currency, f"{r.rate:f}", r.day.isoformat(), r.source) for r in now.rates]
    print_table(("currency", "rate", "day", "source"), rows)
    return 0
