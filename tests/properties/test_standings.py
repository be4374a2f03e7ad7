"""Every document stands somewhere with every field, and everything that counts says the same of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from core.config.models import Settings
from core.domain.fields import CellStatus, Extraction, Finding, ReviewAction
from core.domain.ids import DocumentId
from core.domain.matrix import Asking, FieldCounts, MatrixQuery
from core.domain.predicate import Predicate
from core.store.database.schema import metadata
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.examples import examples
from tests.support.stated_values import absent, present, text, uncertain
from tests.support.versions import new_version

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ASKING = Asking(
    {
        "law": frozenset({"contracts"}),
        "total": frozenset({"invoices"}),
        "date": frozenset({"contracts", "invoices"}),
    },
    {"mixed": frozenset({"contracts", "invoices"}), "bills": frozenset({"invoices"})},
)
FIELDS = {"contracts": ("law", "date"), "invoices": ("total", "date")}
VIEWERS = (Visibility.everything(), Visibility(frozenset()), Visibility(frozenset({"legal"})))
FOUND = {"present": present(text("Delaware")), "absent": absent(), "uncertain": uncertain()}

DOCUMENTS = st.fixed_dictionaries(
    {
        "bucket": st.sampled_from(["mixed", "mixed", "bills"]),
        "acl": st.sampled_from([(), (), ("legal",)]),
        "state": st.sampled_from(
            ["read", "read", "read", "half", "new", "stale", "failed", "empty", "empty read"]
        ),
        "kind": st.sampled_from(["contracts", "invoices"]),
        "statuses": st.tuples(*(st.sampled_from(sorted(FOUND)) for _ in range(2))),
        "verdict": st.sampled_from(["", "", "absent"]),
        "was": st.sampled_from(["", "", "invoices", "contracts"]),
    }
)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Records]:
    """One database for all examples: to make one takes longer than an example."""
    home: Path = tmp_path_factory.mktemp("standings")
    with Records.open(Settings(home=home)) as opened:
        yield opened


def empty(records: Records) -> None:
    """Leave no document and nothing about any."""
    with records.database.write() as connection:
        for table in reversed(metadata.sorted_tables):
            if table.name != "meta":
                connection.execute(sa.delete(table))


def add(records: Records, number: int, made: dict[str, object]) -> None:
    """A document in one of the states that documents come to."""
    source, bucket, state = f"{number}.txt", str(made["bucket"]), made["state"]
    acl, kind = made["acl"], str(made["kind"]) if bucket == "mixed" else "invoices"
    assert isinstance(acl, tuple)
    if state == "failed":
        records.documents.record_failure(bucket, source, "It is damaged.", acl=acl)
        return
    page = "" if state in ("empty", "empty read") else "First text."
    published = records.documents.publish(new_version(source, page, bucket=bucket, acl=acl, passages=0))
    document, statuses = published.document, made["statuses"]
    assert isinstance(statuses, tuple)
    if state in ("new", "empty"):
        return

    def put(schema: str, findings: dict[str, Finding]) -> None:
        records.fields.put(document, 1, Extraction(schema, findings), "f")

    if made["was"] and bucket == "mixed" and state != "empty read":
        put(str(made["was"]), dict.fromkeys(FIELDS[str(made["was"])], FOUND["present"]))
    findings = {name: FOUND[status] for name, status in zip(FIELDS[kind], statuses, strict=True)}
    if state == "empty read":
        findings = dict.fromkeys(FIELDS[kind], Finding(CellStatus.UNREADABLE))
    put(kind, dict(list(findings.items())[:1]) if state == "half" else findings)
    if made["verdict"]:
        name = FIELDS[kind][0]
        records.reviews.review(
            document, name, ReviewAction.ABSENT, "ann", NOW, visible=Visibility.everything()
        )
    if state == "stale":
        records.documents.publish(new_version(source, "Second text.", bucket=bucket, acl=acl, passages=0))


@settings(max_examples=examples(40), deadline=None)
@given(
    collection=st.lists(DOCUMENTS, min_size=1, max_size=10),
    bucket=st.sampled_from(["mixed", "bills", None]),
    visible=st.sampled_from(VIEWERS),
    asking=st.sampled_from([ASKING, ASKING, None]),
)
def test_every_document_stands_somewhere_with_every_field_and_all_that_counts_agrees(
    records: Records,
    collection: list[dict[str, object]],
    bucket: str | None,
    visible: Visibility,
    asking: Asking | None,
) -> None:
    empty(records)
    for number, made in enumerate(collection):
        add(records, number, made)
    for name in ("law", "total", "date"):
        agree(records, visible, bucket, name, asking)


def agree(
    records: Records, visible: Visibility, bucket: str | None, name: str, asking: Asking | None
) -> None:
    fields = records.fields
    rows = list(fields.matrix_rows(visible, MatrixQuery(bucket, fields=(name,), asking=asking)))
    ledger = fields.ledger(visible, bucket, name, asking=asking)
    counts = fields.counts(visible, bucket, [name], asking=asking).get(name, FieldCounts())
    page = fields.matrix_page(visible, MatrixQuery(bucket, fields=(name,), asking=asking))
    groups = (ledger.present, ledger.absent, ledger.uncertain, ledger.unreadable, ledger.not_asked)
    listed = [document for group in groups for document in group]
    visible_documents = {row.document.id for row in rows}

    assert len(listed) == len(set(listed)) == len(visible_documents)
    assert set(listed) == visible_documents
    assert ledger.scope == counts.total == len(listed) - len(ledger.not_asked)
    assert set(ledger.pending) | set(ledger.check_again) <= set(ledger.uncertain)
    by_status = dict(zip(CellStatus, map(len, groups[:4]), strict=True))
    assert counts.statuses == {status: count for status, count in by_status.items() if count}
    assert (counts.pending, counts.not_asked) == (len(ledger.pending), len(ledger.not_asked))
    assert {row.document.id for row in rows if name in row.pending} == set(ledger.pending)
    assert {row.document.id for row in rows if name in row.not_asked} == set(ledger.not_asked)
    again = set(ledger.check_again)
    for status, group in zip(CellStatus, groups[:4], strict=True):
        shown = {row.document.id for row in rows if shows(row.cells.get(name), status)}
        assert shown - again == set(group) - set(ledger.pending) - again
    assert [(row.document.id, set(row.cells), row.pending, row.not_asked) for row in page.rows] == [
        (row.document.id, set(row.cells), row.pending, row.not_asked) for row in rows
    ]
    if asking is not None:
        same_by_condition(records, visible, bucket, name, asking)


def shows(cell: object, status: CellStatus) -> bool:
    return cell is not None and cell.finding.status is status  # type: ignore[attr-defined]


def same_by_condition(
    records: Records, visible: Visibility, bucket: str | None, name: str, asking: Asking
) -> None:
    """What a filter finds, and what a search says took no part, is what the ledger says."""
    ledger = records.fields.ledger(visible, bucket, name, asking=asking)

    def found(status: str) -> set[DocumentId]:
        where = (Predicate(name, "is", status),)
        query = MatrixQuery(bucket, fields=(name,), where=where, asking=asking)
        page = records.fields.matrix_page(visible, query)
        return {row.document.id for row in page.rows}

    open_cells = set(ledger.pending) | set(ledger.check_again)
    assert found("present") == set(ledger.present)
    assert found("absent") == set(ledger.absent)
    assert found("uncertain") == set(ledger.uncertain) - open_cells
    assert found("unreadable") == set(ledger.unreadable)
    assert found("not read") == set(ledger.pending)
    assert found("not asked") == set(ledger.not_asked)
    if name not in records.annotations.names(visible, bucket):
        return
    hits = records.annotations.search(visible, bucket, [Predicate(name, "is-missing")], 100, asking=asking)
    excluded = {each.reason: each.rows for each in hits.excluded}
    assert hits.total == len(ledger.absent)
    assert excluded.get("unreadable", 0) == len(ledger.unreadable)
    assert excluded.get("not extracted", 0) == len(ledger.pending)
    assert excluded.get("not asked", 0) == len(ledger.not_asked)
