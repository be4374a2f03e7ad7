from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from core.config.fields import FieldDefinition, RuleExtractor, Schema
from core.config.models import IngestSettings, Settings
from core.domain.document import Page, ParsedDocument
from core.domain.fields import CellStatus, Extraction, FieldType
from core.domain.ids import ContentHash, DocumentId
from core.extract.base import Definitions
from core.extract.jobs.pool import ExtractPool
from core.extract.jobs.service import Extractions, Filled, Only, read_task
from core.jobs.base import JobInterrupted
from core.store.base import NewVersion
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.ingesting import Calm
from tests.support.versions import new_version

ALL = Visibility.everything()


def schema(*fields: str) -> Schema:
    made = tuple(FieldDefinition(name=name, title=name, type=FieldType.TEXT) for name in fields)
    return Schema(name="leases", title="Leases", buckets=("leases",), fields=made)


class Place:
    """A home whose documents a toy extractor reads."""

    def __init__(self, home: Path) -> None:
        self.settings = Settings(home=home, ingest=IngestSettings(processes=2))
        self.records = Records.open(self.settings)
        self.definitions = Definitions((schema("rent"),))
        make = partial(ExtractPool, module="tests.support.toy_extractor")
        self.extractions = Extractions(self.records, self.settings, lambda: self.definitions, make)
        self.filled: list[Filled] = []

    def publish(self, name: str, text: str) -> DocumentId:
        parsed = ParsedDocument(
            name, "text/plain", (Page(1, text),), unreadable_reason="" if text else "Blank."
        )
        version = NewVersion("leases", name, parsed, ContentHash(f"{name} {text}"), len(text))
        return self.records.documents.publish(version).document

    def fill(self, *documents: DocumentId, only: dict[DocumentId, Only] | None = None) -> list[Filled]:
        self.filled.clear()
        self.extractions.fill(documents, self.filled.append, Calm(), only=only)
        return self.filled

    def status(self, document: DocumentId, field: str = "rent") -> CellStatus:
        return self.records.fields.cell(document, field, ALL).finding.status


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.extractions.close()
    made.records.close()


def test_every_document_gets_its_cells_with_their_spans_and_then_lacks_nothing(place: Place) -> None:
    lease = place.publish("lease", "The rent is $900 a month.")
    note = place.publish("note", "Nothing is owed.")
    assert set(place.extractions.lacking()) == {lease, note}

    place.fill(lease, note)

    cell = place.records.fields.cell(lease, "rent", ALL)
    assert cell.finding.values[0].text == "$900"
    page = place.records.documents.page(lease, 1, 1, ALL)
    [quote] = cell.finding.spans
    assert page.text[quote.span.start : quote.span.end] == quote.quote == "$900"
    assert place.status(note) is CellStatus.ABSENT
    assert place.extractions.lacking() == []


@pytest.mark.parametrize(
    ("deed", "reason"), [("CRASH", "The extractor crashed on it."), ("RAISE", "ValueError: a fault")]
)
def test_a_poisoned_document_is_noted_with_its_reason_and_the_others_are_filled(
    place: Place, deed: str, reason: str
) -> None:
    bad, good = place.publish("bad", deed), place.publish("good", "The rent is $5.")

    filled = {each.document: each for each in place.fill(bad, good)}

    assert reason in filled[bad].reason
    assert filled[good].reason == ""
    cell = place.records.fields.cell(bad, "rent", ALL)
    assert (cell.finding.status, reason in cell.finding.note) == (CellStatus.UNCERTAIN, True)
    assert place.status(good) is CellStatus.PRESENT
    assert place.extractions.lacking() == []


def test_a_document_without_text_has_unreadable_cells_that_say_why(place: Place) -> None:
    scan = place.publish("scan", "")

    [filled] = place.fill(scan)

    cell = place.records.fields.cell(scan, "rent", ALL)
    assert filled.is_unreadable
    assert (cell.finding.status, cell.finding.note) == (CellStatus.UNREADABLE, "Blank.")


def test_a_document_that_became_unreadable_stays_of_the_kind_that_it_was_of(place: Place) -> None:
    either = [schema("rent").model_copy(update={"name": name, "buckets": ()}) for name in ("generic", "lets")]
    place.definitions = Definitions(tuple(either))
    never, before = place.publish("never", ""), place.publish("before", "The rent is $900 a month.")
    place.records.fields.put(before, 1, Extraction("lets", {}), "f1")
    place.publish("before", "")

    place.fill(never, before)

    assert place.extractions.schemas("leases") == {never: "generic", before: "lets"}


def test_a_changed_schema_makes_documents_lack_and_one_field_can_be_enough(place: Place) -> None:
    lease = place.publish("lease", "The rent is $900 a month.")
    place.fill(lease)
    place.definitions = Definitions((schema("rent", "fee"),))
    assert place.extractions.lacking("leases") == [lease]

    only = Only(("fee",), place.definitions.fingerprint("leases"), "leases")
    place.fill(lease, only={lease: only})

    assert place.status(lease, "fee") is CellStatus.PRESENT
    assert place.extractions.lacking() == []


def test_a_field_alone_is_not_enough_once_the_schema_was_changed_again(place: Place) -> None:
    lease = place.publish("lease", "The rent is $900 a month.")
    place.fill(lease)
    only = Only(("fee",), Definitions((schema("rent", "fee"),)).fingerprint("leases"), "leases")
    place.definitions = Definitions((schema("rent", "fee", "deposit"),))

    place.fill(lease, only={lease: only})

    assert place.status(lease, "deposit") is CellStatus.PRESENT


def test_titles_and_synonyms_are_no_reason_to_extract_again(place: Place) -> None:
    [field] = schema("rent").fields
    renamed = schema().model_copy(update={"fields": (field.model_copy(update={"title": "Monthly rent"}),)})

    assert Definitions((renamed,)).fingerprint("leases") == place.definitions.fingerprint("leases")


def test_a_removed_document_is_passed_over(place: Place) -> None:
    lease = place.publish("lease", "The rent is $900 a month.")
    place.records.documents.remove([lease])

    [filled] = place.fill(lease)

    assert filled.summary is None
    assert "removed" in filled.reason


def test_a_stop_does_not_wait_for_a_document_that_hangs(place: Place) -> None:
    class Stopping(Calm):
        looks = 0

        def check(self) -> None:
            self.looks += 1
            if self.looks > 2:
                raise JobInterrupted

    hanging = place.publish("hanging", "HANG")

    with pytest.raises(JobInterrupted):
        place.extractions.fill([hanging], place.filled.append, Stopping())

    assert place.filled == []
    assert place.extractions.lacking() == [hanging]


def test_a_slice_that_is_over_begins_no_other_document(place: Place) -> None:
    class Late(Calm):
        def should_yield(self) -> bool:
            return True

    lease = place.publish("lease", "The rent is $900 a month.")

    place.extractions.fill([lease], place.filled.append, Late())

    assert place.filled == []


LONG = "The rent is $900 a month. The tenant is Ann. "


class Line:
    """Documents to open, each once; notes what was opened, and whether all of it was read then."""

    def __init__(self, *documents: DocumentId) -> None:
        self.left = list(documents)
        self.opened_as: dict[DocumentId, bool] = {}

    def next_opening(self) -> DocumentId | None:
        return self.left.pop(0) if self.left else None

    def opened(self, document: DocumentId, *, is_whole: bool) -> None:
        self.opened_as[document] = is_whole


def opening_schema() -> Schema:
    tenant = FieldDefinition(
        name="tenant", title="Tenant", type=FieldType.PARTY, extractors=(RuleExtractor(rule="parties"),)
    )
    rent = FieldDefinition(name="rent", title="Rent", type=FieldType.TEXT)
    return Schema(name="leases", title="Leases", buckets=("leases",), fields=(tenant, rent))


def long_document(place: Place, name: str, text: str = LONG) -> DocumentId:
    version = new_version(name, text, passages=8, bucket="leases")
    return place.records.documents.publish(version).document


def test_the_fields_that_come_first_stand_before_the_rest_which_a_later_worker_reads(place: Place) -> None:
    place.definitions = Definitions((opening_schema(),))
    lease, note = long_document(place, "lease"), place.publish("note", "Nothing is owed.")
    line = Line(lease, note)

    place.extractions.fill((), place.filled.append, Calm(), openings=line)

    assert line.opened_as == {lease: False, note: True}  # a short one is read whole
    assert [each.document for each in place.filled] == [note]
    assert place.status(lease, "tenant") is CellStatus.PRESENT
    assert place.extractions.lacking() == [lease]  # as a worker finds it that comes after a kill
    place.fill(lease)
    assert place.status(lease) is CellStatus.PRESENT
    assert place.extractions.lacking() == []


def test_what_was_opened_before_a_kill_is_given_to_the_one_that_reads_the_rest(place: Place) -> None:
    place.definitions = Definitions((opening_schema(),))
    lease = long_document(place, "lease")
    place.extractions.fill((), place.filled.append, Calm(), openings=Line(lease))

    task = read_task(place.records, place.definitions, lease)

    assert set(task.known) == {"tenant"}
    assert task.schema == "leases"
    place.fill(lease)
    assert read_task(place.records, place.definitions, lease).known == {}


def test_a_poisoned_opening_is_left_to_the_step_that_says_what_is_wrong(place: Place) -> None:
    place.definitions = Definitions((opening_schema(),))
    bad = long_document(place, "bad", "CRASH")
    line = Line(bad)

    place.extractions.fill((), place.filled.append, Calm(), openings=line)

    assert line.opened_as == {bad: False}
    assert place.extractions.lacking() == [bad]
