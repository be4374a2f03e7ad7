"""Who is asked for a field: by schema, by bucket, and by both."""

from __future__ import annotations

import pytest

from core.domain.matrix import Asking

ASKING = Asking(
    {"fee": frozenset({"deals", "bills"}), "room": frozenset({"deals"})},
    {"leases": frozenset({"deals", "bills"}), "sales": frozenset({"deals"})},
    places=frozenset({("fee", "deals", frozenset({"leases"})), ("room", "deals", frozenset({"sales"}))}),
)


@pytest.mark.parametrize(
    ("name", "bucket", "kind", "asks"),
    [
        ("fee", "leases", "deals", True),
        ("fee", "leases", "bills", True),
        ("fee", "sales", "deals", False),  # bills ask for it everywhere, and there are none
        ("fee", "sales", None, False),
        ("fee", "attic", None, True),
        ("room", "leases", "deals", False),
        ("room", "leases", None, False),
        ("room", "sales", None, True),
        ("room", "attic", None, False),
        ("tenant", "attic", None, True),
    ],
)
def test_a_field_of_some_buckets_is_asked_there_alone(
    name: str, bucket: str, kind: str | None, asks: bool
) -> None:
    assert ASKING.asks(name, bucket, kind) is asks


def test_the_same_asked_elsewhere_is_not_the_same() -> None:
    assert ASKING.key != Asking(ASKING.fields, ASKING.buckets).key
