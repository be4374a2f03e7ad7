"""What extraction left of documents beside their cells."""

from core.domain.ids import DocumentId
from core.store.cells.extraction_states import ExtractionStates
from core.store.store import Records
from tests.support.stated_values import absent, put
from tests.support.versions import new_version


def test_schemas_are_those_of_documents_that_were_read(records: Records) -> None:
    read = DocumentId(put(records, law=absent()))
    unread = records.documents.publish(new_version("b.txt")).document
    found = ExtractionStates(records.database).schemas_of([read, unread, DocumentId("unknown")])
    assert found == {read: "contracts"}
