from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain.document import DocumentStatus, IngestOutcome, Page
from core.domain.ids import ContentHash, DocumentId, PassageId, document_id
from core.domain.passage import EncodedPassage
from core.encode.base import EncoderSignature
from core.errors import EncoderError, NotFoundError, RecordsError
from core.store.base import DocumentOrder, DocumentQuery
from core.store.database.schema import document_versions
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.examples import examples
from tests.support.versions import encoded, new_version, summary_of

ALL = Visibility.everything()
SIGNATURE = EncoderSignature("minilm", 8, "aa")


def test_a_published_document_is_read_back_as_it_was_given(records: Records) -> None:
    new = new_version(acl=("legal", "audit"))
    published = records.documents.publish(new)
    found = records.documents.version(published.document, None, ALL)
    assert published.outcome is IngestOutcome.READY
    assert found.pages == new.parsed.pages
    assert found.links == new.parsed.links
    assert found.summary.acl == ("audit", "legal")
    assert (found.summary.pages, found.summary.passages, found.summary.version) == (1, 2, 1)
    assert found.summary.content_hash == new.content_hash
    with records.database.read() as connection:
        assert connection.execute(sa.select(document_versions.c["metadata"])).scalar_one() == {"author": "A"}


def test_passages_come_back_with_their_spans_and_vectors(records: Records) -> None:
    given_passages = list(encoded(3))
    document = records.documents.publish(new_version(passages=3)).document
    rows = records.passages.of_documents([document])
    assert [row.stored.passage for row in rows] == [
        replace(item.passage, document=document, version=1) for item in given_passages
    ]
    for row, item in zip(rows, given_passages, strict=True):
        assert np.array_equal(row.vector, item.vector)
        stored = records.passages.sentence_vectors([row.stored.id])[row.stored.id]
        assert np.allclose(stored, item.sentence_vectors, atol=5e-4)
        assert stored.dtype == np.float32


def test_the_same_content_again_changes_nothing(records: Records) -> None:
    first = records.documents.publish(new_version())
    ids = [row.stored.id for row in records.passages.of_documents([first.document])]
    before = records.changes.data_version()
    second = records.documents.publish(new_version())
    assert (second.outcome, second.version) == (IngestOutcome.UNCHANGED, 1)
    assert records.changes.data_version() == before
    assert [row.stored.id for row in records.passages.of_documents([first.document])] == ids


def test_a_forced_publish_makes_a_new_version_of_the_same_content(records: Records) -> None:
    records.documents.publish(new_version())
    assert records.documents.publish(new_version(force=True)).version == 2


def test_a_new_version_replaces_passages_and_keeps_old_pages(records: Records) -> None:
    first = records.documents.publish(new_version(text="Old text.", passages=3))
    old_ids = [row.stored.id for row in records.passages.of_documents([first.document])]
    second = records.documents.publish(new_version(text="New text.", passages=1))
    assert (second.outcome, second.version) == (IngestOutcome.UPDATED, 2)
    assert records.documents.page(first.document, 1, 1, ALL).text == "Old text."
    assert records.documents.page(first.document, None, 1, ALL).text == "New text."
    assert records.passages.get(old_ids, ALL) == {}
    assert records.passages.sentence_vectors(old_ids) == {}
    rows = records.passages.of_documents([first.document])
    assert len(rows) == 1
    assert rows[0].stored.id > max(old_ids)
    old = records.documents.version(first.document, 1, ALL)
    assert (old.version, old.summary.version, old.summary.passages) == (1, 2, 3)


def test_passage_ids_are_never_used_again(records: Records) -> None:
    first = records.documents.publish(new_version())
    old = {row.stored.id for row in records.passages.of_documents([first.document])}
    records.documents.remove([first.document])
    again = records.documents.publish(new_version())
    assert old.isdisjoint(row.stored.id for row in records.passages.of_documents([again.document]))


def test_a_changed_acl_of_the_same_content_takes_effect(records: Records) -> None:
    outsider = Visibility(frozenset({"sales"}))
    document = records.documents.publish(new_version()).document
    before = records.changes.data_version()
    published = records.documents.publish(new_version(acl=("legal",)))
    assert (published.outcome, published.version) == (IngestOutcome.UPDATED, 1)
    assert records.documents.count(outsider) == 0
    assert records.changes.since(before).documents == {document}


def test_without_an_acl_a_known_document_keeps_its_own_and_an_empty_one_opens_it(records: Records) -> None:
    outsider = Visibility(frozenset({"sales"}))
    records.documents.publish(new_version(acl=("legal",)))
    records.documents.publish(new_version(text="Newer text."))
    assert records.documents.count(outsider) == 0
    records.documents.record_failure("b", "a.txt", "It is damaged.")
    assert records.documents.count(outsider) == 0
    records.documents.publish(new_version(text="Newest text.", acl=()))
    assert records.documents.count(outsider) == 1
    records.documents.record_failure("b", "a.txt", "It is damaged.", acl=("legal",))
    assert records.documents.count(outsider) == 0


def test_an_unreadable_document_is_published_with_its_pages(records: Records) -> None:
    new = new_version(passages=0)
    scan = replace(new.parsed, pages=(Page(1, ""), Page(2, "")), unreadable_reason="It is a scan.")
    published = records.documents.publish(replace(new, parsed=scan))
    assert published.outcome is IngestOutcome.UNREADABLE
    found = records.documents.version(published.document, None, ALL)
    assert found.summary.status is DocumentStatus.UNREADABLE
    assert found.summary.reason == "It is a scan."
    assert len(found.pages) == 2


def test_a_failed_file_is_listed_and_a_later_success_replaces_it(records: Records) -> None:
    failed = records.documents.record_failure("b", "a.txt", "It is damaged.", acl=("legal",))
    row = summary_of(records, failed.document)
    assert (row.status, row.reason, row.version) == (DocumentStatus.FAILED, "It is damaged.", 0)
    assert records.documents.version(failed.document, None, ALL).pages == ()
    assert records.documents.count(Visibility(frozenset())) == 0
    published = records.documents.publish(new_version())
    row = summary_of(records, failed.document)
    assert (published.outcome, row.status, row.reason) == (IngestOutcome.READY, DocumentStatus.READY, "")


def test_a_failure_leaves_the_good_version_searchable_with_a_note(records: Records) -> None:
    document = records.documents.publish(new_version()).document
    lost = records.blobs.put(b"broken")
    records.documents.record_failure("b", "a.txt", "Damaged today.", content_hash=lost)
    row = summary_of(records, document)
    assert (row.status, row.reason, row.passages) == (DocumentStatus.READY, "Damaged today.", 2)
    assert len(records.passages.of_documents([document])) == 2
    assert records.documents.failed_hash(document, ALL) == lost
    records.documents.publish(new_version())
    assert summary_of(records, document).reason == ""
    assert records.documents.failed_hash(document, ALL) is None


def test_a_publish_that_breaks_off_leaves_everything_as_it_was(records: Records) -> None:
    document = records.documents.publish(new_version(text="Old text.")).document
    before = records.changes.data_version()

    def breaks() -> Iterator[EncodedPassage]:
        yield from encoded(700)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        records.documents.publish(replace(new_version(text="New text."), passages=breaks()))
    assert records.changes.data_version() == before
    assert records.documents.page(document, None, 1, ALL).text == "Old text."
    assert len(records.passages.of_documents([document])) == 2


def test_vectors_of_another_shape_are_refused(records: Records) -> None:
    item = next(encoded(1))
    wrong = replace(item, sentence_vectors=item.sentence_vectors[:1])
    with pytest.raises(RecordsError, match="shape"):
        records.documents.publish(replace(new_version(), passages=[wrong]))
    assert records.documents.count(ALL) == 0


def test_vectors_of_another_encoder_are_refused(records: Records) -> None:
    records.documents.publish(new_version(encoder=SIGNATURE))
    assert records.passages.encoder_signature() == SIGNATURE
    with pytest.raises(EncoderError, match="minilm") as refused:
        records.documents.publish(new_version("b.txt", encoder=EncoderSignature("bge", 1024, "bb")))
    assert "reindex" in refused.value.next_step
    assert records.documents.count(ALL) == 1


def test_removing_takes_pages_passages_and_originals(records: Records) -> None:
    shared = records.blobs.put(b"shared")
    alone = records.blobs.put(b"alone")
    kept = records.documents.publish(new_version("kept.txt", content_hash=shared)).document
    gone = records.documents.publish(new_version("gone.txt", content_hash=shared)).document
    records.documents.publish(new_version("gone.txt", content_hash=alone))
    ids = [row.stored.id for row in records.passages.of_documents([gone])]
    before = records.changes.data_version()
    assert records.documents.remove([gone, DocumentId("unknown")]) == [gone]
    assert records.blobs.exists(shared)
    assert not records.blobs.exists(alone)
    assert records.passages.get(ids, ALL) == {}
    assert records.changes.since(before).documents == {gone}
    with pytest.raises(NotFoundError):
        records.documents.page(gone, 1, 1, ALL)
    assert summary_of(records, kept).id == kept


def test_an_original_that_was_put_again_survives_the_removal(records: Records) -> None:
    name = records.blobs.put(b"data")
    long_ago = datetime(2020, 1, 1, tzinfo=UTC)
    document = records.documents.publish(new_version(content_hash=name), now=long_ago).document
    records.blobs.put(b"data")
    records.documents.remove([document])
    assert records.blobs.exists(name)


def test_lists_are_filtered_ordered_and_paged(records: Records) -> None:
    for number in range(5):
        records.documents.publish(new_version(f"file{number}.txt", bucket="one" if number % 2 else "two"))
    records.documents.record_failure("one", "Übel_100%.pdf", "Damaged.")
    by_source = DocumentQuery(order=DocumentOrder.SOURCE, descending=True, limit=2, offset=1)
    assert [row.source for row in records.documents.list(ALL, by_source)] == ["file4.txt", "file3.txt"]
    assert records.documents.count(ALL, by_source) == 6
    assert records.documents.count(ALL, DocumentQuery(bucket="one")) == 3
    assert records.documents.count(ALL, DocumentQuery(status=DocumentStatus.FAILED)) == 1
    assert records.documents.count(ALL, DocumentQuery(text="übel_100%")) == 1
    assert records.documents.count(ALL, DocumentQuery(text="FILE3")) == 1
    assert records.documents.count(ALL, DocumentQuery(text="file_")) == 0
    assert records.documents.count(ALL, DocumentQuery(text="O'Neil \"x / y" * 5000)) == 0


def test_buckets_count_what_may_be_seen(records: Records) -> None:
    records.documents.publish(new_version("open.txt", bucket="mixed"))
    records.documents.publish(new_version("closed.txt", bucket="mixed", acl=("legal",)))
    records.documents.publish(new_version("secret.txt", bucket="secret", acl=("legal",)))
    records.documents.add_bucket("empty")
    everyone = {row.name: (row.documents, row.passages) for row in records.documents.buckets(ALL)}
    assert everyone == {"empty": (0, 0), "mixed": (2, 4), "secret": (1, 2)}
    few = {row.name: row.documents for row in records.documents.buckets(Visibility(frozenset()))}
    assert few == {"mixed": 1}


def test_what_may_not_be_seen_is_not_there_in_any_read(records: Records) -> None:
    document = records.documents.publish(new_version(acl=("legal",))).document
    ids = [row.stored.id for row in records.passages.of_documents([document])]
    outsider, insider = Visibility(frozenset({"sales"})), Visibility(frozenset({"legal", "sales"}))
    for read in (
        lambda visible: records.documents.version(document, None, visible),
        lambda visible: records.documents.page(document, 1, 1, visible),
    ):
        assert read(insider)
        with pytest.raises(NotFoundError):
            read(outsider)
    assert records.documents.list(outsider) == []
    assert records.documents.get_many([document], outsider) == {}
    assert records.documents.totals(outsider).passages == 0
    assert records.passages.get(ids, outsider) == {}
    assert len(records.passages.get(ids, insider)) == 2


@pytest.mark.parametrize("page_no", [0, -1, 2, 10**30])
def test_a_page_that_is_not_there_is_not_found(records: Records, page_no: int) -> None:
    document = records.documents.publish(new_version()).document
    with pytest.raises(NotFoundError, match=r"[Pp]age"):
        records.documents.page(document, None, page_no, ALL)


def test_names_that_no_database_takes_are_stored_with_replacement_characters(records: Records) -> None:
    published = records.documents.publish(new_version("bad\udcff\0name.txt", "a\0b\ud800c"))
    assert published.document == document_id("b", "bad\udcff\0name.txt")
    assert summary_of(records, published.document).source == "bad\ufffd\ufffdname.txt"
    assert records.documents.page(published.document, 1, 1, ALL).text == "a\ufffdb\ufffdc"
    assert records.documents.find("b", "bad\udcff\0name.txt") is not None


def test_long_lists_of_ids_are_taken(records: Records) -> None:
    document = records.documents.publish(new_version()).document
    many = [DocumentId(f"d{number}") for number in range(40_000)] + [document]
    assert list(records.documents.get_many(many, ALL)) == [document]
    assert len(records.passages.get([PassageId(number) for number in range(40_000)], ALL)) == 2
    assert records.documents.remove(many) == [document]


def test_batches_walk_over_every_passage_once(records: Records) -> None:
    for number in range(3):
        records.documents.publish(new_version(f"{number}.txt", passages=7))
    batches = list(records.passages.iterate(batch=4))
    ids = [row.stored.id for batch in batches for row in batch]
    assert len(ids) == len(set(ids)) == 21
    assert max(len(batch) for batch in batches) == 4
    assert records.passages.count() == 21


def test_only_the_last_change_of_a_document_is_kept(records: Records) -> None:
    for number in range(5):
        records.documents.publish(new_version(text=f"Text {number}"))
    other = records.documents.publish(new_version("other.txt")).document
    assert records.changes.data_version() == 6
    found = records.changes.since(5)
    assert (found.sequence, found.documents) == (6, {other})
    assert len(records.changes.since(0).documents) == 2


@settings(
    max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    acl=st.sets(st.sampled_from("abcd"), max_size=3), groups=st.sets(st.sampled_from("abcd")), name=st.text()
)
def test_a_document_is_visible_where_its_acl_is_empty_or_shares_a_group(
    records: Records, acl: set[str], groups: set[str], name: str
) -> None:
    document = records.documents.publish(new_version(name, passages=0, acl=tuple(acl))).document
    is_seen = bool(records.documents.get_many([document], Visibility(frozenset(groups))))
    assert is_seen == (not acl or bool(acl & groups))


@settings(
    max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(st.text(), max_size=4), content=st.binary(max_size=8))
def test_every_page_text_is_read_back_at_its_length(
    records: Records, texts: list[str], content: bytes
) -> None:
    new = new_version(passages=0)
    pages = tuple(Page(number, text) for number, text in enumerate(texts, start=1))
    parsed = replace(new.parsed, pages=pages)
    unique = ContentHash(f"{content.hex()}{texts!r}".encode("utf-8", "backslashreplace").hex())
    published = records.documents.publish(replace(new, parsed=parsed, content_hash=unique))
    found = records.documents.version(published.document, None, ALL)
    assert [page.text.replace("\ufffd", "\0") for page in found.pages] == [
        text.replace("\ufffd", "\0") for text in texts
    ]
