"""Exchange rates and the fiscal year by REST."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app import services
from app.api.http import reply
from app.api.v1 import responses
from app.api.v1.requests import AccountingRequest, RatesRequest
from core.domain.annotation import Accounting
from core.domain.wire.accounting import AccountingRecord
from core.domain.wire.shapes import envelope
from core.errors import UsageError
from core.values.accounting import read_rate

ROUTER = APIRouter(tags=["Rates"])


@ROUTER.get("/rates", response_model=responses.OneAccounting)
def list_rates() -> Response:
    """The base currency with its rates, and the fiscal year."""
    return _reply(services.session().accounting.now())


@ROUTER.put("/rates", response_model=responses.OneAccounting)
def set_rates(body: RatesRequest) -> Response:
    """Set rates, one by one or as the text of a CSV; `instead` of all that there are."""
    accounting = services.session().accounting
    if (body.csv is None) == (body.rates is None):
        raise UsageError("Which rates are to be set?", next_step="Send `rates`, or `csv`.")
    if body.csv is not None:
        return _reply(accounting.import_rates(body.csv, instead=body.instead))
    read = [read_rate(each.currency, each.rate, each.day, each.source) for each in body.rates or ()]
    return _reply(accounting.set_rates(read, instead=body.instead))


@ROUTER.patch("/rates", response_model=responses.OneAccounting)
def choose(body: AccountingRequest) -> Response:
    """Choose the base, which rate an amount has, and the first month of the fiscal year."""
    return _reply(services.session().accounting.choose(body.base, body.dated_by, body.fiscal_month))


def _reply(now: Accounting) -> Response:
    return reply(envelope(**AccountingRecord.of(now).model_dump(mode="json")))
