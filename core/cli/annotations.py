"""`groundwork annotations`: search and compute over what documents state."""

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.domain.annotation import AggregateResult, AnnotationHit, AnnotationSource, Calculation, Excluded
from core.domain.fields import TypedValue
from core.domain.ids import DocumentId
from core.domain.wire.annotations import aggregate_json, decimal_text, hits_json
from core.domain.wire.fields import value_json
from core.errors import UsageError

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
        print_json(hits_json(found))
        return 0
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
