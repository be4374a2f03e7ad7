from __future__ import annotations

from core.store.database.visibility import Visibility
from core.store.query.vocabulary import Distributions
from core.store.store import Records
from tests.support.stated_values import money, present, put

ALL = Visibility.everything()


def test_amounts_are_read_by_unit_and_only_of_what_may_be_seen(records: Records) -> None:
    for number, (value, unit) in enumerate((("5", "USD"), ("7", "USD"), ("9", "EUR"))):
        put(records, f"{number}.txt", fee=present(money(value, unit)))
    put(records, "secret.txt", acl=("board",), fee=present(money("1", "USD")))
    read = Distributions(records.database)
    found = read.amounts(ALL, "", "fee")
    assert {unit: sorted(amounts) for unit, amounts in found.items()} == {
        "USD": [10_000, 50_000, 70_000],
        "EUR": [90_000],
    }
    assert len(read.amounts(Visibility(frozenset()), "", "fee")["USD"]) == 2
    assert read.amounts(ALL, "no such schema", "fee") == {}
    assert read.amounts(ALL, "", "other") == {}
