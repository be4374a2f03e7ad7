"""What was read of files: stored with the version, told of lists, inputs and answers."""

from __future__ import annotations

from dataclasses import replace

from core.answer.files import with_files
from core.domain.answer import Answer, Kind, Ledger, LedgerDocuments, Route, Source, Status
from core.domain.document import FilePart, IngestOutcome, PartState
from core.domain.ids import DocumentId
from core.domain.job import IngestItem
from core.domain.wire.records import DocumentRow, JobInput, WholeDocument
from core.store.base import DocumentQuery, JobItem
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.versions import new_version

EVERYTHING = Visibility.everything()
PARTS = (
    FilePart("images without text", PartState.UNREAD, 2, "page 3", "They hold no text."),
    FilePart("hidden sheets", PartState.LEFT_OUT),
)


def published(records: Records, source: str, parts: tuple[FilePart, ...] = ()) -> DocumentId:
    new = new_version(source, f"Text of {source}.")
    return records.documents.publish(replace(new, parsed=replace(new.parsed, parts=parts))).document


def test_documents_with_gaps_are_listed_with_their_parts(records: Records) -> None:
    whole, partly = published(records, "a.txt"), published(records, "b.txt", PARTS)
    listed = records.documents.list(EVERYTHING, DocumentQuery(has_gaps=True))
    assert [(each.id, each.gaps) for each in listed] == [(partly, 1)]
    assert records.documents.count(EVERYTHING, DocumentQuery(has_gaps=True)) == 1
    assert records.documents.parts([whole, partly], EVERYTHING) == {partly: PARTS}
    assert DocumentRow.of(listed[0]).gaps == 1
    data = WholeDocument.of(records.documents.version(partly, None, EVERYTHING)).json_ready()
    assert [(each["part"], each["read"], each["state"]) for each in data["parts"]] == [
        ("images without text", False, "unread"),
        ("hidden sheets", True, "left out"),
    ]


def test_an_input_has_the_parts_of_its_document(records: Records) -> None:
    partly = published(records, "b.txt", PARTS)
    job = records.jobs.create("ingest", "A file", {}, [JobItem("b.txt", "b")])
    outcome = IngestItem(partly, "b.txt", "B", "b", IngestOutcome.READY, "", 1, 1)
    records.jobs.set_items(job, {0: outcome})
    (found,) = records.jobs.items(job)
    assert (found.parts, found.gaps) == (PARTS, 1)
    assert JobInput.of(found).json_ready()["gaps"] == 1


def answer(**more: object) -> Answer:
    return Answer(
        question="?",
        trace_id="t",
        data_version=1,
        status=Status.ANSWERED,
        kind=Kind.LOOKUP,
        route=Route.HYBRID,
        text="It is so.",
    ).model_copy(update=more)


def test_an_answer_that_rests_on_a_file_with_gaps_says_so(records: Records) -> None:
    whole, partly = published(records, "a.txt"), published(records, "b.txt", PARTS)
    sources = tuple(
        Source(n=n, document=id, title="T", source=source, pages=(1,))
        for n, (id, source) in enumerate([(whole, "a.txt"), (partly, "folder/b.txt")], 1)
    )
    found = with_files(answer(sources=sources), records, EVERYTHING)
    assert found.gaps == ("Not all of b.txt was read: 2 images without text (page 3).",)
    bare = answer(sources=sources[:1])
    assert with_files(bare, records, EVERYTHING) is bare


def test_a_count_says_once_how_many_documents_have_parts_that_were_not_read(records: Records) -> None:
    ids = (published(records, "a.txt"), published(records, "b.txt", PARTS))
    lists = LedgerDocuments(present=ids)
    ledger = Ledger(field="x", scope=2, present=2, absent=0, unreadable=0, uncertain=0, documents=lists)
    found = with_files(answer(ledger=ledger), records, EVERYTHING)
    assert found.ledger is not None
    assert found.ledger.gaps_said == "1 of 2 documents has parts that were not read"
    assert found.gaps == ()
