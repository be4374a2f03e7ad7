from __future__ import annotations

import pytest

from core.agent.scope import read_scope
from core.records.base import BucketSummary, DocumentQuery
from core.records.database.visibility import Visibility
from tests.support.library import Library

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


def test_documents_without_text_are_not_searched_and_said_so() -> None:
    library = Library()
    library.add("scan.pdf", "", bucket="b")
    unread = library.list(Visibility.everything(), DocumentQuery())
    scope = read_scope(BUCKETS, (), unread)
    assert scope.label == "2 documents in “a” and “b”"
    assert "1 more document" in scope.unread_note
    assert not read_scope(BUCKETS, ("a",), unread).unread_note
