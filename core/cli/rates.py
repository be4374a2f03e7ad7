"""`groundwork rates`: exchange rates to the base currency, and the fiscal year."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from core.cli.options import Common, common_options
from core.cli.output import note, print_json, print_table
from core.domain.accounting import Accounting
from core.domain.wire.accounting import AccountingRecord
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.values.accounting import read_rate

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
        print_json(envelope(**AccountingRecord.of(now).model_dump(mode="json")))
        return 0
    dated = f"by the date of {', '.join(now.dated_by)}" if now.dated_by else "the latest"
    base = f"Rates lead to {now.base}; the rate of an amount is {dated}" if now.base else "No base currency"
    note(f"{base}. The fiscal year begins in month {now.fiscal_month}.")
    rows = [(r.currency, f"{r.rate:f}", r.day.isoformat(), r.source) for r in now.rates]
    print_table(("currency", "rate", "day", "source"), rows)
    return 0
