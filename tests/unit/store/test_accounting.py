"""Exchange rates in the store: by base, never half written."""

from __future__ import annotations

from datetime import date

import pytest

from core.errors import UsageError
from core.store.store import Records
from core.values.accounting import read_rate

USD, GBP = (read_rate(code, "0.9", "2024-01-01", "ECB") for code in ("USD", "GBP"))


def test_rates_belong_to_their_base_and_every_change_has_a_version_of_its_own(records: Records) -> None:
    rates = records.accounting
    with pytest.raises(UsageError, match="No base currency"):
        rates.put([USD], "ann")
    versions = [
        rates.choose("ann", base="EUR", dated_by=("end",)).version,
        rates.put([USD, GBP], "ann").version,
    ]
    assert [e.currency for e in rates.now().rates] == ["GBP", "USD"]
    assert rates.choose("ann", base="CHF").rates == ()
    versions += [rates.choose("ann", base="EUR").version]
    assert (rates.now().rates, rates.now().dated_by) == ((GBP, USD), ("end",))
    assert rates.remove("USD", date(2024, 1, 2), "ann") == 0
    assert rates.remove("USD", None, "ann") == 1
    assert rates.put([USD], "ann", instead=True).rates == (USD,)
    assert len({*versions, rates.now().version}) == 4


def test_rates_that_contradict_each_other_change_nothing(records: Records) -> None:
    records.accounting.choose("ann", base="EUR")
    records.accounting.put([USD], "ann")
    with pytest.raises(UsageError, match="GBP has two rates"):
        records.accounting.put([GBP, read_rate("GBP", "1", "2024-01-01")], "ann", instead=True)
    assert records.accounting.now().rates == (USD,)
