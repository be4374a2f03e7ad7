"""What becomes of cells and verdicts when fields are removed, renamed and changed, and buckets reassigned."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.config.fields import FieldDefinition, KeyValueExtractor, Schema
from core.config.load import load_settings
from core.domain.annotation import AnnotationHits
from core.domain.ids import DocumentId, JobId
from core.domain.search import SearchQuery
from core.errors import UsageError
from core.jobs.worker import run
from core.workbench import Workbench
from core.workbench.work.handlers import Handlers
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder

TEXT = "Rent notice\n\nDeposit: $500.00\nTenant: Orchard Foods\nRoom: green\n"


def _field(name: str, kind: str = "text", **values: object) -> FieldDefinition:
    given = {"title": name.title(), "type": kind, "extractors": (KeyValueExtractor(keys=(name,)),)}
    return FieldDefinition.model_validate({"name": name, **given, **values})


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    home = tmp_path_factory.mktemp("changed") / "home"
    parts, stop = PartsWith(load_settings(home), HashedEncoder()), threading.Event()
    worker = threading.Thread(target=run, args=(parts.records, home, Handlers(parts).make, stop))
    worker.start()
    try:
        with Workbench(parts) as bench:
            while not bench.local.settings.status().worker_alive:
                worker.join(0.05)
            yield bench
            stop.set()
            worker.join()
    finally:
        stop.set()


class Desk:
    """A bucket of one document, which is asked for three fields of a schema of its own."""

    def __init__(self, bench: Workbench, folder: Path, name: str) -> None:
        self.bench, self.name = bench, name
        fields = (_field("deposit", "money"), _field("tenant"), _field("room"))
        bench.local.schemas.add(Schema(name=name, title=name, buckets=(name,), fields=fields))
        path = folder / "notice.txt"
        path.write_text(TEXT)
        document = bench.ingest([path], bucket=name).items[0].document
        assert document is not None
        self.document: DocumentId = document

    def done(self, job: JobId | None) -> None:
        """Wait for what a change has extracted anew."""
        while job is not None and self.bench.local.jobs.get(job).state.value in ("queued", "running"):
            threading.Event().wait(0.02)

    def search(self, *condition: str) -> AnnotationHits:
        return self.bench.local.matrix.search(self.name, [condition])  # type: ignore[list-item]

    def searched(self, field: str) -> int:
        query = SearchQuery("tenant", buckets=(self.name,), where=(f"{field} is present",))
        return len(self.bench.search(query).hits)


@pytest.fixture
def desk(opened: Workbench, tmp_path: Path, request: pytest.FixtureRequest) -> Desk:
    name = request.node.name.replace("test_", "")[:40].strip("_")
    return Desk(opened, tmp_path, name)


def test_a_removed_field_counts_nowhere_and_comes_back_with_its_verdict(desk: Desk) -> None:
    bench = desk.bench
    bench.local.matrix.review(desk.document, "tenant", "correct", value="Acme Ltd")
    assert desk.search("tenant", "=", "Acme Ltd").total == 1
    assert desk.searched("tenant") > 0

    bench.local.schemas.remove_field(desk.name, "tenant")

    calls: tuple[Callable[[], object], ...] = (
        lambda: bench.local.matrix.search(desk.name, [("tenant", "is", "present")], source="cells"),
        lambda: bench.local.matrix.aggregate(desk.name, "tenant", source="cells"),
        lambda: bench.local.matrix.review(desk.document, "tenant", "absent"),
    )
    for call in calls:
        with pytest.raises(UsageError):
            call()
    assert "tenant" not in bench.local.matrix.counts(desk.name)
    assert "tenant" not in {each.field for each in bench.local.documents.metadata(desk.document).cells}
    assert desk.search("tenant", "=", "Acme Ltd").total == 0  # the line of the text is no verdict
    assert desk.searched("room") > 0

    desk.done(bench.local.schemas.restore_field(desk.name, "tenant"))
    assert desk.search("tenant", "=", "Acme Ltd").total == 1


def test_cells_of_a_schema_that_the_bucket_had_count_nowhere(desk: Desk) -> None:
    bench = desk.bench
    assert bench.local.matrix.counts(desk.name)["deposit"].total == 1

    desk.done(bench.local.schemas.assign_bucket("generic", desk.name))

    own = {"deposit", "tenant", "room"}
    assert not own & set(bench.local.matrix.counts(desk.name))
    assert not own & {each.field for each in bench.local.documents.metadata(desk.document).cells}
    assert bench.local.matrix.search(desk.name, [("deposit", "is", "present")], source="cells").total == 0
    result = bench.local.matrix.aggregate(desk.name, aggregate="sum", field="deposit", source="cells")
    assert [group.rows for group in result.groups] == [0]
    assert not own & {
        each.field for each in bench.local.matrix.worklist(None, None, 500) if each.document == desk.document
    }
    assert desk.searched("deposit") == 0


def test_a_renamed_field_keeps_its_verdicts_and_their_history(desk: Desk) -> None:
    bench = desk.bench
    bench.local.matrix.review(desk.document, "tenant", "correct", value="Reviewed!")
    bench.local.matrix.review(desk.document, "tenant", "correct", value="Reviewed twice!")

    desk.done(bench.local.schemas.rename_field(desk.name, "tenant", "lessee"))

    cell = bench.local.matrix.cell(desk.document, "lessee")
    assert [value.text for value in cell.finding.values] == ["Reviewed twice!"]
    assert (cell.review is not None, cell.extracted is not None) == (True, True)
    assert len(bench.local.matrix.history(desk.document, "lessee")) == 2
    assert desk.search("lessee", "=", "Reviewed twice!").total == 1
    assert bench.local.matrix.counts(desk.name)["lessee"].reviewed == 1
    undone = bench.local.matrix.undo(desk.document, "lessee", expected=cell.event)
    assert [value.text for value in undone.finding.values] == ["Reviewed!"]


def test_a_verdict_of_another_type_is_to_be_checked_again(desk: Desk) -> None:
    bench = desk.bench
    bench.local.matrix.review(desk.document, "room", "correct", value="the green one")

    desk.done(bench.local.schemas.change_field(desk.name, _field("room", "number")))

    cell = bench.local.matrix.cell(desk.document, "room")
    assert cell.review is not None
    assert cell.review.check_again
    assert bench.local.matrix.counts(desk.name)["room"].check_again == 1
    with pytest.raises(UsageError, match="it is a text"):
        bench.local.matrix.review(desk.document, "room", "confirm")

    desk.done(bench.local.schemas.change_field(desk.name, _field("room")))
    back = bench.local.matrix.review(desk.document, "room", "confirm")
    assert back.review is not None
    assert ([value.text for value in back.finding.values], back.review.check_again) == (
        ["the green one"],
        False,
    )


def test_a_field_of_some_buckets_is_asked_nowhere_else(desk: Desk, tmp_path: Path) -> None:
    bench, other = desk.bench, f"{desk.name} elsewhere"
    bench.local.schemas.assign_bucket(desk.name, other)
    (tmp_path / "other.txt").write_text("Rent notice\n\nDeposit: $700.00\nTenant: Plum Foods\n")
    document = bench.ingest([tmp_path / "other.txt"], bucket=other).items[0].document
    assert document is not None
    assert bench.local.matrix.counts(other)["room"].total == 1

    job = bench.local.schemas.change_field(desk.name, _field("room", buckets=(desk.name,)))

    assert job is None  # what is asked where changes no cell
    assert "room" not in bench.local.matrix.counts(other)
    assert "room" not in {each.field for each in bench.local.documents.metadata(document).cells}
    assert bench.local.matrix.counts(desk.name)["room"].total == 1
    assert bench.local.matrix.search(other, [("room", "is", "absent")], source="cells").total == 0
    bench.local.schemas.change_field(desk.name, _field("room", buckets=("Never made",)))
    assert "room" not in bench.local.matrix.counts(desk.name)
