"""Documents whose source gives them no more: in no count and no list, and still readable."""

from datetime import UTC, datetime

import pytest

from core.domain.document import NOT_IN_FOLDER, DocumentStatus, IngestOutcome, gone_since
from core.domain.fields import Cell, Extraction, ReviewAction
from core.domain.ids import DocumentId
from core.domain.predicate import Predicate
from core.errors import NotFoundError
from core.store.base import DocumentQuery
from core.store.database.visibility import Visibility
from core.store.documents.names import Openings
from core.store.store import Records
from tests.support.stated_values import ALL, absent, present, put, quote, text
from tests.support.versions import new_version

DAY = datetime(2026, 11, 25, 9, tzinfo=UTC)
PAGE = "Governed by the laws of Delaware."
GONE = DocumentQuery(status=DocumentStatus.GONE)
LEGAL = Visibility(frozenset({"legal"}))
NOBODY = Visibility(frozenset())


def _law(records: Records, source: str = "a.html", page: str = PAGE) -> DocumentId:
    law = present(text("Delaware"), spans=(quote(page, "Delaware"),))
    return DocumentId(put(records, source, page, law=law))


def test_a_withdrawn_document_is_in_no_count_and_no_list(records: Records) -> None:
    gone, there = _law(records), _law(records, "b.html")
    assert records.documents.withdraw([gone, DocumentId("unknown")], "404", DAY) == [gone]
    assert [each.id for each in records.documents.list(ALL)] == [there]
    assert records.documents.count(ALL) == records.documents.totals(ALL).documents == 1
    assert [each.documents for each in records.documents.buckets(ALL)] == [1]
    assert list(records.documents.get_many([gone, there], ALL)) == [there]
    with pytest.raises(NotFoundError):
        records.documents.get(gone, ALL)
    assert [each.id for each in Openings(records.database).iterate()] == [there]
    assert records.fields.lacking("b", "other") == [there]


def test_a_withdrawn_document_is_in_no_count_of_its_fields(records: Records) -> None:
    gone, there = _law(records), _law(records, "b.html")
    records.reviews.review(gone, "law", ReviewAction.CONFIRM, "ann", DAY, visible=ALL)
    records.documents.withdraw([gone], "404", DAY)
    for bucket in ("b", None):
        (counts,) = records.fields.counts(ALL, bucket).values()
        assert sum(counts.statuses.values()) == 1
        assert counts.reviewed == 0
        assert records.fields.ledger(ALL, bucket, "law").present == (there,)
        assert records.annotations.search(ALL, bucket, [Predicate("law", "~", ".")]).total == 1
    assert [each.document for each in records.fields.cells(ALL)] == [there]
    assert records.fields.worklist(ALL, None) == []


def test_what_was_read_of_a_withdrawn_document_goes(records: Records) -> None:
    document = records.documents.publish(new_version("a.html", passages=3)).document
    records.documents.withdraw([document], "404", DAY)
    assert records.passages.of_documents([document]) == []
    assert records.passages.count() == 0
    assert not records.fields.put(document, 1, _nothing(), "late")  # an extraction that was under way


def test_engines_hear_of_the_withdrawal(records: Records) -> None:
    document = _law(records)
    before = records.changes.data_version()
    records.documents.withdraw([document], "404", DAY)
    assert records.changes.since(before).documents == {document}


def test_a_second_withdrawal_changes_nothing(records: Records) -> None:
    document = _law(records)
    records.documents.withdraw([document], "404", DAY)
    before = records.changes.data_version()
    assert records.documents.withdraw([document], "410") == []
    assert records.changes.data_version() == before


def test_its_page_says_since_when_and_why_in_every_version(records: Records) -> None:
    document = records.documents.publish(new_version("a.html", "One.")).document
    records.documents.publish(new_version("a.html", "Two."))
    records.documents.withdraw([document], "404", DAY)
    for version, words in ((1, "One."), (2, "Two.")):
        found = records.documents.version(document, version, ALL.including_gone())
        assert found.pages[0].text == words
        assert found.summary.note == "Gone from the site since 25 Nov 2026: 404"
    assert records.documents.page(document, 1, 1, ALL.including_gone()).text == "One."


def test_a_file_that_left_its_folder_is_not_gone_from_a_site() -> None:
    assert gone_since(DAY, NOT_IN_FOLDER) == "No longer in its folder since 25 Nov 2026."


def test_access_to_what_is_gone_is_that_of_any_document(records: Records) -> None:
    closed = DocumentId(put(records, "a.html", PAGE, acl=("legal",)))
    free = DocumentId(put(records, "b.html", PAGE))
    records.documents.withdraw([closed, free], "404", DAY)
    shown = {
        name: {each.id for each in records.documents.list(who, GONE)}
        for name, who in (("all", ALL), ("legal", LEGAL), ("nobody", NOBODY))
    }
    assert shown == {"all": {closed, free}, "legal": {closed, free}, "nobody": {free}}
    assert [records.documents.count(who) for who in (ALL, LEGAL, NOBODY)] == [0, 0, 0]
    with pytest.raises(NotFoundError):
        records.documents.get(closed, NOBODY.including_gone())
    assert records.documents.get(closed, LEGAL.including_gone()).acl == ("legal",)


def test_publishing_the_source_again_brings_it_back_with_what_people_decided(records: Records) -> None:
    document = _law(records)
    records.reviews.review(document, "law", ReviewAction.CONFIRM, "ann", DAY, visible=ALL)
    records.documents.withdraw([document], "404", DAY)
    published = records.documents.publish(new_version("a.html", PAGE, passages=2))
    assert (published.outcome, published.version) == (IngestOutcome.UPDATED, 2)
    assert records.documents.count(ALL, GONE) == 0
    assert [each.status for each in records.documents.list(ALL)] == [DocumentStatus.READY]
    assert sum(records.fields.counts(ALL, "b", ["law"])["law"].statuses.values()) == 1
    found = _again(records, document)
    assert found.review is not None
    assert records.fields.counts(ALL, "b")["law"].reviewed == 1


def test_a_failure_leaves_what_is_gone_as_it_is(records: Records) -> None:
    document = _law(records)
    records.documents.withdraw([document], "404", DAY)
    records.documents.record_failure("b", "a.html", "broken", acl=("legal",))
    found = records.documents.get(document, LEGAL.including_gone())
    assert (found.status, found.reason, found.updated_at) == (DocumentStatus.GONE, "404", DAY)
    assert records.documents.list(NOBODY, GONE) == []


def _nothing() -> Extraction:
    return Extraction("contracts", {"law": absent()})


def _again(records: Records, document: DocumentId) -> Cell:
    law = present(text("Delaware"), spans=(quote(PAGE, "Delaware"),))
    assert records.fields.put(document, 2, Extraction("contracts", {"law": law}), "f1")
    return records.fields.cell(document, "law", ALL)
