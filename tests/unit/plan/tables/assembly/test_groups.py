"""What a result is asked for each of."""

from __future__ import annotations

import pytest

from tests.support.table_catalogue import assembled


@pytest.mark.parametrize(
    ("question", "groups"),
    [
        ("amount per customer", ["customer", "name"]),
        ("amount of every product", ["product"]),
        ("amount per product and status", ["product", "status"]),
        ("amount per month", ["order date.month"]),
    ],
)
def test_groups_are_read(question: str, groups: list[str]) -> None:
    found = assembled(question)
    assert found is not None
    assert [group.key for group in found.groups] == groups
