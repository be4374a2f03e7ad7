"""Papers that connect ACME with Beta over an order, and with Gamma by a paper of the board alone."""

from __future__ import annotations

from core.domain.fields import AnnotationRow, Extraction, FieldType, Finding, RowCell
from core.domain.ids import DocumentId
from core.store.store import Records
from tests.support.stated_values import present, quote, text
from tests.support.versions import new_version

BOARD = "board"
PAPERS = {
    "agreement.txt": ("contracts", "Agreement of ACME Widgets Ltd and Delta Freight GmbH", ()),
    "order.txt": ("generic", "Purchase order: PO-77123\nDelta Freight GmbH orders of Beta Foods Inc.", ()),
    "invoice.txt": ("invoices", "Beta Foods Inc. Invoice number: INV-5501. For two HX-900 pumps.", ()),
    "letter.txt": ("generic", "We refer to purchase order PO-77123 and to INV-5501 of last month.", ()),
    "sheet.txt": ("datasheets", "Model: HX-900", ()),
    "minutes.txt": ("generic", "The board of ACME WIDGETS LIMITED buys Gamma Optics LLC.", (BOARD,)),
    "alone.txt": ("generic", "Nothing is said here.", ()),
}
FIELDS = {
    "agreement.txt": {"vendor": "ACME Widgets Ltd", "customer": "Delta Freight GmbH"},
    "order.txt": {"parties": "Delta Freight GmbH|Beta Foods Inc."},
    "invoice.txt": {"vendor": "Beta Foods Inc.", "invoice_number": "INV-5501"},
    "sheet.txt": {"model": "HX-900"},
    "minutes.txt": {"parties": "ACME WIDGETS LIMITED|Gamma Optics LLC"},
}
_PARTIES = ("vendor", "customer", "parties")


def papers(records: Records, bucket: str = "papers") -> dict[str, DocumentId]:
    """Publish them, each with its cells; gives their ids."""
    found = {}
    for source, (schema, page, acl) in PAPERS.items():
        made = records.documents.publish(new_version(source, page, bucket=bucket, acl=acl, passages=0))
        findings = {name: _cell(page, name, said) for name, said in FIELDS.get(source, {}).items()}
        rows = _line(page, "Purchase order", "PO-77123") if source == "order.txt" else ()
        records.fields.put(made.document, made.version, Extraction(schema, findings, rows), "f")
        found[source] = made.document
    return found


def _cell(page: str, name: str, said: str) -> Finding:
    kind = FieldType.PARTY if name in _PARTIES else FieldType.TEXT
    names = said.split("|")
    return present(*(text(each, kind) for each in names), spans=tuple(quote(page, each) for each in names))


def _line(page: str, label: str, value: str) -> tuple[AnnotationRow, ...]:
    return (AnnotationRow(-1, 0, (RowCell(label, text(value), quote(page, value)),)),)
