"""Documents of equal words: which of them counts, and which of them are told beside it."""

from __future__ import annotations

from dataclasses import replace

from core.domain.document import FilePart, PartState
from core.domain.ids import DocumentId
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.versions import new_version

EVERYTHING = Visibility.everything()


def published(
    records: Records, source: str, text: str, bucket: str = "b", *, gaps: bool = False
) -> DocumentId:
    new = new_version(source, text, bucket=bucket)
    parts = (FilePart("images", PartState.UNREAD),) if gaps else ()
    return records.documents.publish(replace(new, parsed=replace(new.parsed, parts=parts))).document


def test_the_oldest_of_those_that_are_looked_at_counts(records: Records) -> None:
    first, other, elsewhere = (
        published(records, source, text, bucket)
        for source, text, bucket in (
            ("b.txt", "One two.", "b"),
            ("a.md", "ONE, two", "b"),
            ("c.txt", "One two", "c"),
        )
    )
    alone = published(records, "d.txt", "Three.")
    copies = records.copies

    def counted(visible: Visibility, *among: DocumentId) -> set[DocumentId]:
        return set(records.documents.ids(copies.counted_once(visible, among), DocumentQuery()))

    assert counted(EVERYTHING) == {first, alone}
    assert counted(EVERYTHING, other, elsewhere) == {first, other, alone}
    assert counted(EVERYTHING.within(["c"])) == {elsewhere}
    assert copies.find(EVERYTHING).alike == {first, other, elsewhere}
    told = copies.beside([first, alone], EVERYTHING)
    assert {id: [each.source for each in of] for id, of in told.items()} == {first: ["a.md", "c.txt"]}
    inside = copies.beside([other], copies.counted_once(EVERYTHING.within(["b"])))
    assert {id: [each.id for each in of] for id, of in inside.items()} == {other: [first]}
    among = DocumentQuery(among=frozenset({other, alone}))
    assert records.documents.ids(EVERYTHING, among) == {other, alone}


def test_files_that_were_not_read_whole_are_copies_only_where_their_bytes_are_equal(records: Records) -> None:
    published(records, "a.txt", "One two.", gaps=True)
    published(records, "b.txt", "One, two.", gaps=True)
    assert records.copies.find(EVERYTHING).alike == frozenset()
    published(records, "c.txt", "One two.", gaps=True)
    assert len(records.copies.find(EVERYTHING).alike) == 2
