from __future__ import annotations

import pytest

from core.agent.scope import read_scope
from core.records.base import BucketSummary

BUCKETS = [BucketSummary("a", 2, 5), BucketSummary("b", 1, 5), BucketSummary("empty", 0, 0)]


@pytest.mark.parametrize(
    ("chosen", "label"),
    [
        ((), "3 documents in “a” and “b”"),
        (("b",), "1 document in “b”"),
        (("empty",), "no documents"),
        (("unknown",), "no documents"),
    ],
)
def test_the_scope_says_how_many_documents_where(chosen: tuple[str, ...], label: str) -> None:
    assert read_scope(BUCKETS, chosen).label == label


def test_many_buckets_are_counted_rather_than_named() -> None:
    assert read_scope([BucketSummary(str(n), 1, 1) for n in range(9)], ()).label == "9 documents in 9 buckets"
