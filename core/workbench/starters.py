"""Starter questions: those of the sample collection whose documents are there."""

from __future__ import annotations

from core.domain.ids import document_id
from core.records.database.visibility import Visibility
from core.records.store import Records

# Questions that need no extracted field, each with the document that answers it.
_QUESTIONS = (
    ("What is the minimum panel width for AlphaSolar models?", "datasheets", "alphasolar-product-family.md"),
    (
        "Explain the maintenance steps for battery cabinet B-120.",
        "manuals",
        "battery-cabinet-b-120-maintenance.pdf",
    ),
    ("Compare liability caps between ACME and Beta Corp", "contracts", "beta-services-agreement.pdf"),
    ("When does the warehouse lease expire?", "contracts", "delta-warehouse-lease.txt"),
)


def starters(records: Records, visible: Visibility) -> list[str]:
    """The starter questions whose documents the collection holds and shows, in order."""
    wanted = {document_id(bucket, f"{bucket}/{name}"): question for question, bucket, name in _QUESTIONS}
    found = records.documents.get_many(wanted, visible)
    return [question for document, question in wanted.items() if document in found]
