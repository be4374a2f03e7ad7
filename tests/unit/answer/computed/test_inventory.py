from __future__ import annotations

from core.answer.computed.inventory import compose_inventory, is_inventory
from core.domain.results import Documents
from core.plan.catalogue import Catalogue, DocumentEntry, SchemaEntry
from core.plan.ir.nodes import Scope, Select

CATALOGUE = Catalogue(
    schemas=(
        SchemaEntry("contracts", "Contracts", ("contracts",)),
        SchemaEntry("invoices", "Invoices and receipts", ("invoices",)),
    ),
    documents=(
        DocumentEntry("a", "Supply", "a.txt", "contracts", "contracts", "agreement"),
        DocumentEntry("b", "Change", "b.txt", "contracts", "contracts", "amendment"),
        DocumentEntry("c", "Tires", "c.pdf", "invoices", "invoices", "receipt", unreadable="a scan"),
        DocumentEntry("d", "Notes", "d.txt", "other"),
    ),
)


def test_everything_is_listed_with_what_could_not_be_read() -> None:
    draft = compose_inventory(Documents(present=frozenset("abd"), unreadable=frozenset("c")), CATALOGUE)
    assert draft.lead.text == (
        "There are 4 documents: 2 contracts, 1 invoice or receipt and 1 other document. "
        "1 of them could not be read."
    )
    assert draft.table is not None
    assert [row[:2] for row in draft.table.rows] == [
        ("Change", "contract (amendment)"),
        ("Notes", None),
        ("Supply", "contract"),
        ("Tires", "receipt"),
    ]
    assert draft.ledger is not None
    assert (draft.ledger.scope, draft.ledger.present, draft.ledger.unreadable) == (4, 3, 1)


def test_an_empty_collection_is_said_to_be_empty() -> None:
    draft = compose_inventory(Documents(), CATALOGUE)
    assert (draft.lead.text, draft.confidence) == ("There are no documents here yet.", 0.0)


def test_a_selection_that_asks_for_something_is_no_inventory() -> None:
    assert is_inventory(Select(id="s", purpose=""))
    assert not is_inventory(Select(id="s", purpose="", scope=Scope(schema_name="contracts")))
    assert not is_inventory(Select(id="s", purpose="", limit=3))
