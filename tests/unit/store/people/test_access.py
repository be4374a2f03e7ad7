"""Access of buckets and documents: what follows from entries, at once and for what comes later."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.ids import DocumentId
from core.domain.principal import Principal
from core.domain.trust.access import AccessTarget
from core.errors import NotFoundError
from core.store.base import AccessChanges
from core.store.database.visibility import GONE_ACCESS, Visibility
from core.store.store import Records
from tests.support.versions import new_version

EVERYTHING = Visibility.everything()
ANN = Principal("ann", groups=frozenset({"legal"}))
BOB = Principal("bob")


def put(
    records: Records, source: str, acl: tuple[str, ...] | None = None, text: str = "a page"
) -> DocumentId:
    return records.documents.publish(new_version(source, text, acl=acl)).document


def bucket(records: Records) -> AccessTarget:
    return AccessTarget("bucket", records.documents.list(EVERYTHING)[0].bucket)


def seen(records: Records, who: Principal) -> set[str]:
    return {each.source for each in records.documents.list(records.access.visibility(who))}


def test_a_document_without_access_of_its_own_follows_its_bucket(records: Records) -> None:
    put(records, "a")
    put(records, "own", ("finance",))
    put(records, "all", ())

    assert records.access.set(bucket(records), ("legal",), "root") == 1

    assert seen(records, ANN) == {"a", "all"}
    assert seen(records, BOB) == {"all"}
    put(records, "later")
    assert seen(records, BOB) == {"all"}
    assert records.access.set(bucket(records), None, "root") == 2
    assert seen(records, BOB) == {"a", "all", "later"}
    found = records.access.of_bucket(bucket(records).id)
    assert (found.acl, found.is_restricted, found.documents, found.following) == ((), False, 4, 2)


def test_a_document_is_opened_to_a_user_and_follows_its_bucket_again(records: Records) -> None:
    document = put(records, "a")
    target = AccessTarget("document", document)
    records.access.set(bucket(records), ("legal",), "root")

    assert records.access.set(target, ("user:bob",), "root") == 1
    assert (seen(records, ANN), seen(records, BOB)) == (set(), {"a"})
    assert records.access.of_document(document).own == ("user:bob",)
    assert [each.document.id for each in records.access.own()] == [document]

    assert records.access.set(target, None, "root") == 1
    assert (seen(records, ANN), seen(records, BOB)) == ({"a"}, set())
    assert records.access.of_document(document).own is None


def test_the_same_bytes_again_keep_the_access_that_was_set(records: Records) -> None:
    document = put(records, "a")
    records.access.set(AccessTarget("document", document), ("admins:",), "root")
    put(records, "a")
    put(records, "a", text="another page")
    assert seen(records, ANN) == set()
    assert records.documents.get(document, EVERYTHING).acl == ("admins:",)


def test_what_was_withdrawn_is_closed_too_and_what_was_removed_leaves_no_entry(records: Records) -> None:
    document = put(records, "a")
    target = AccessTarget("document", document)
    records.documents.withdraw([document], "404")
    records.access.set(target, ("legal",), "root")
    assert records.documents.get_many([document], records.access.visibility(BOB).including_gone()) == {}
    assert document in records.documents.get_many([document], records.access.visibility(ANN).including_gone())
    put(records, "a", text="back")
    assert seen(records, BOB) == set()
    records.documents.remove([document])
    put(records, "a")
    assert seen(records, BOB) == {"a"}


def test_an_index_that_is_behind_is_told_whose_access_is_newer(records: Records) -> None:
    first, second = put(records, "a"), put(records, "b")
    before = records.changes.data_version()
    records.access.set(AccessTarget("document", first), ("legal",), "root")
    after = records.changes.data_version()

    assert after > before
    visible = records.access.visibility
    assert records.changes.access_since(before, visible(ANN)) == AccessChanges(frozenset({first}))
    assert records.changes.access_since(before, visible(BOB)) == AccessChanges(hidden=frozenset({first}))
    assert records.changes.access_since(after, visible(BOB)) == AccessChanges()
    assert records.changes.access_since(0, visible(BOB)).shown == {second}
    assert records.changes.access_since(0, EVERYTHING) == AccessChanges()


def test_a_preview_changes_nothing_and_says_what_would_be(records: Records) -> None:
    document = put(records, "a")
    put(records, "b")
    records.access.set(AccessTarget("document", document), ("legal",), "root")
    preview, visible = records.access.preview, records.access.visibility

    closing = preview(bucket(records), ("legal",), "bob", visible(BOB))
    assert (closing.before, closing.after, closing.lost) == (1, 0, 1)
    assert [each.source for each in closing.some_lost] == ["b"]
    opening = preview(AccessTarget("document", document), (), "bob", visible(BOB))
    assert (opening.before, opening.after, opening.gained) == (1, 2, 1)
    same = preview(bucket(records), ("legal",), "ann", visible(ANN))
    assert (same.before, same.after, same.gained, same.lost) == (2, 2, 0, 0)
    assert seen(records, BOB) == {"b"}


def test_other_groups_are_compared(records: Records) -> None:
    put(records, "a", ("legal",))
    put(records, "b", ("finance",))
    sight = records.access.compare("ann", Visibility.of(ANN), Visibility(frozenset({"finance"})))
    assert (sight.before, sight.after, sight.gained, sight.lost) == (1, 1, 1, 1)
    assert [each.source for each in (*sight.some_gained, *sight.some_lost)] == ["b", "a"]


def test_keys_that_nothing_is_open_to_make_no_visibility_of_their_own(records: Records) -> None:
    put(records, "a", ("legal",))
    assert records.access.visibility(ANN) == Visibility(frozenset({"legal"}))
    assert records.access.visibility(BOB) == Visibility(frozenset())
    assert records.access.names_in_use() == {"legal"}


def read(records: Records, visible: Visibility) -> set[str]:
    """Sources of the documents of which passages are read, in the two ways in which they are."""
    ids = [each.stored.id for piece in records.passages.iterate() for each in piece]
    sources = {each.id: each.source for each in records.documents.list(EVERYTHING.including_gone())}
    placed = {document for document, _ in records.passages.places(ids, visible).values()}
    got = {each.passage.document for each in records.passages.get(ids, visible).values()}
    assert got == placed
    return {sources[each] for each in got}


def test_a_visibility_that_was_worked_out_reads_what_its_condition_does(records: Records) -> None:
    put(records, "all")
    put(records, "legal", ("legal",))
    put(records, "both", ("finance", "legal"))
    put(records, "finance", ("finance",))

    for who in (ANN, BOB, Principal("eve", groups=frozenset({"finance"}))):
        for visible in (records.access.visibility(who), records.access.visibility(who).including_gone()):
            assert visible.accesses is not None
            assert read(records, visible) == read(records, replace(visible, accesses=None))
    assert read(records, records.access.visibility(ANN)) == {"all", "legal", "both"}


def test_what_was_withdrawn_is_shown_where_it_is_asked_for(records: Records) -> None:
    put(records, "legal", ("legal",))
    visible = records.access.visibility(ANN)
    assert visible.accesses is not None
    (key,) = visible.accesses

    asked = ("", key, "0", f"{GONE_ACCESS}", f"{GONE_ACCESS}{key}", f"{GONE_ACCESS}0")
    assert [visible.shows(each) for each in asked] == [True, True, False, False, False, False]
    with_gone = visible.including_gone()
    assert [with_gone.shows(each) for each in asked] == [True, True, False, True, True, False]


def test_what_is_closed_after_a_visibility_was_worked_out_is_not_read_by_it(records: Records) -> None:
    document = put(records, "a", ("legal",))
    before = records.access.visibility(ANN)
    records.access.set(AccessTarget("document", document), ("finance",), "root")

    assert read(records, before) == set()


def test_what_is_brought_in_later_is_read_by_a_visibility_that_is_held(records: Records) -> None:
    put(records, "a", ("legal",))
    held = records.access.visibility(ANN)
    put(records, "b", ("finance", "legal"))
    put(records, "c", ("finance",))

    assert read(records, held) == {"a", "b"}


def test_a_group_that_is_used_for_the_first_time_opens_at_once(records: Records) -> None:
    put(records, "a", ("finance",))
    assert records.access.visibility(ANN).groups == frozenset()
    put(records, "b", ("legal",))

    assert read(records, records.access.visibility(ANN)) == {"b"}


def test_unknown_targets_are_refused(records: Records) -> None:
    for target in (AccessTarget("bucket", "x"), AccessTarget("document", "x")):
        with pytest.raises(NotFoundError):
            records.access.set(target, ("legal",), "root")
    with pytest.raises(NotFoundError):
        records.access.of_bucket("x")
