"""Families of documents: found in either order, by what may be seen, and through an index."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from core.domain.fields import (
    Extraction,
    Family,
    FamilyMarks,
    Fit,
    Identity,
    IdentityPart,
    NamedParent,
    Quote,
)
from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.domain.span import PageSpan
from core.errors import NotFoundError
from core.store.database.field_tables import family_marks, family_references
from core.store.database.visibility import Visibility
from core.store.documents.family import MOST_CHILDREN, candidates_statement, references_statement
from core.store.store import Records
from tests.support.databases import on_sqlite
from tests.support.versions import new_version

EVERYTHING = Visibility.everything()
STRANGER = Visibility.of(Principal("eve", groups=frozenset(["sales"])))
PARTIES = ("Acme Inc.", "Beta Works LLC")
DAY = "2024-03-01"
QUOTE = Quote(PageSpan(1, 0, 4), "Text")


def _put(
    records: Records,
    source: str,
    title: str,
    day: str = "",
    *references: NamedParent,
    parties: tuple[str, ...] = PARTIES,
    bucket: str = "default",
    acl: tuple[str, ...] = (),
) -> DocumentId:
    published = records.documents.publish(new_version(source, "Text.", bucket=bucket, acl=acl))
    version = records.documents.get(published.document, EVERYTHING).version
    identity = Identity(source, parties=tuple(IdentityPart(each, 0.9, (), each) for each in parties))
    marks = FamilyMarks(title, day, references)
    records.fields.put(
        published.document, version, Extraction("contracts", {}, identity=identity, marks=marks), "f"
    )
    return published.document


def _names(title: str = "supply agreement", day: str = DAY) -> NamedParent:
    return NamedParent("amends", title, day, QUOTE)


def _family(records: Records, document: DocumentId, visible: Visibility = EVERYTHING) -> Family:
    return records.documents.family(document, visible)


def test_an_amendment_that_comes_before_its_agreement_finds_it_later(records: Records) -> None:
    amendment = _put(records, "amendment.txt", "amendment 1", "2024-06-01", _names())
    assert _family(records, amendment) == Family()

    master = _put(records, "master.txt", "supply agreement", DAY)

    (parent,) = _family(records, amendment).parents
    assert (parent.id, parent.name, parent.fit, parent.quote) == (master, "master.txt", Fit.STATED, QUOTE)
    (child,) = _family(records, master).children
    assert (child.id, child.kinship, child.quote) == (amendment, "amends", QUOTE)


def test_what_is_removed_or_read_again_without_the_words_is_no_relative(records: Records) -> None:
    master = _put(records, "master.txt", "supply agreement", DAY)
    one = _put(records, "one.txt", "amendment 1", "", _names())
    two = _put(records, "two.txt", "amendment 2", "", _names())
    assert _family(records, master).count == 2

    records.documents.remove([one])
    _put(records, "two.txt", "amendment 2")

    assert (_family(records, master), _family(records, two)) == (Family(), Family())
    with records.database.read() as connection:
        kept = connection.execute(sa.select(family_references.c.document)).all()
        assert (kept, len(connection.execute(sa.select(family_marks)).all())) == ([], 2)


def test_another_bucket_is_another_collection(records: Records) -> None:
    _put(records, "master.txt", "supply agreement", DAY, bucket="b")
    assert _family(records, _put(records, "one.txt", "amendment 1", "", _names(), bucket="c")) == Family()


def test_two_of_one_title_and_day_are_not_told_apart(records: Records) -> None:
    for source in ("one.txt", "two.txt"):
        _put(records, source, "supply agreement", DAY)
    assert _family(records, _put(records, "amendment.txt", "amendment 1", "", _names())).parents == ()


def test_what_may_not_be_seen_is_not_there(records: Records) -> None:
    master = _put(records, "master.txt", "supply agreement", DAY)
    hidden = _put(records, "hidden.txt", "supply agreement", DAY, acl=("board",))
    secret = _put(records, "secret.txt", "amendment 1", "", _names(), acl=("board",))
    amendment = _put(records, "amendment.txt", "amendment 2", "", _names())

    assert [each.id for each in _family(records, amendment, STRANGER).parents] == [master]
    assert _family(records, amendment).parents == ()  # who sees both cannot tell them apart
    assert [each.id for each in _family(records, master, STRANGER).children] == [amendment]
    for each in (hidden, secret, DocumentId("nothing")):
        with pytest.raises(NotFoundError):
            _family(records, each, STRANGER)


def test_two_that_name_one_another_are_both_shown_and_nothing_turns_in_a_circle(records: Records) -> None:
    one = _put(records, "one.txt", "supply agreement", DAY, _names("lease agreement", DAY), _names())
    two = _put(records, "two.txt", "lease agreement", DAY, _names())
    for document, other in ((one, two), (two, one)):
        found = _family(records, document)
        assert [each.id for each in (*found.parents, *found.children)] == [other, other]


def test_a_document_without_parties_or_title_has_no_family(records: Records) -> None:
    untitled = _put(records, "untitled.txt", "")
    _put(records, "master.txt", "supply agreement", DAY, parties=())
    amendment = _put(records, "amendment.txt", "amendment 1", "", _names(), parties=())
    assert (_family(records, untitled), _family(records, amendment)) == (Family(), Family())


def test_children_are_counted_beyond_those_that_are_given(records: Records) -> None:
    master = _put(records, "master.txt", "supply agreement", DAY)
    for number in range(MOST_CHILDREN + 2):
        _put(records, f"{number:03}.txt", f"amendment {number}", "", _names())
    found = _family(records, master)
    assert (len(found.children), found.count) == (MOST_CHILDREN, MOST_CHILDREN + 2)


@on_sqlite
def test_relatives_are_found_through_an_index_among_many(records: Records) -> None:
    statements = {
        "family_marks_by_title": candidates_statement(STRANGER, "b", "title 7", DAY),
        "family_references_by_title": references_statement(STRANGER, "b", "title 7", ""),
    }
    with records.database.write() as connection:
        _fill(connection, 50_000)
        for index, statement in statements.items():
            sql = statement.compile(connection.engine, compile_kwargs={"literal_binds": True})
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}").all()
            assert any(index in row.detail for row in plan)
            assert not any(row.detail.startswith("SCAN family") for row in plan)
        for table in (family_marks, family_references):
            connection.execute(sa.delete(table))


def _fill(connection: sa.Connection, count: int) -> None:
    """Marks without documents, taken away before the transaction ends: what is looked at is the plan."""
    connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    rows = [
        {"document": f"d{at}", "bucket": "b", "title": f"title {at % 5_000}", "day": DAY}
        for at in range(count)
    ]
    connection.execute(sa.insert(family_marks), rows)
    span = {"ordinal": 0, "kinship": "amends", "page_no": 1, "start": 0, "end": 1, "quote": "T"}
    connection.execute(sa.insert(family_references), [row | span for row in rows])
    connection.exec_driver_sql("ANALYZE")
