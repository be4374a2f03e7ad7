from __future__ import annotations

from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.versions import new_version

ALL = Visibility.everything()


def test_buckets_only_narrow_what_may_be_seen() -> None:
    two = ALL.within(["a", "b"])
    assert two.within(["b", "c"]).buckets == {"b"}
    assert two.within([]) == two
    assert (two.has("a"), two.has("c"), ALL.has("c")) == (True, False, True)
    assert two.at(7).buckets == two.buckets
    assert len({ALL.sight, two.sight, two.within(["a"]).sight}) == 3


def test_what_is_outside_or_left_out_is_not_there(records: Records) -> None:
    ids = [
        records.documents.publish(new_version(f"{n}.txt", f"Text {n}.", passages=0, bucket=bucket)).document
        for n, bucket in enumerate(["a"] * 5 + ["b"])
    ]
    assert records.documents.count(ALL.within(["b"])) == 1
    few, many = records.copies.counted_once(ALL), ALL
    assert (few.without, records.documents.count(many)) == (frozenset(), 6)
    records.documents.publish(new_version("again.txt", "Text 3.", passages=0, bucket="b"))
    assert records.documents.count(records.copies.counted_once(ALL)) == 6
    assert records.documents.count(records.copies.counted_once(ALL.within(["b"]))) == 2
    assert records.copies.find(ALL).beside([ids[3]]).keys() == {ids[3]}
