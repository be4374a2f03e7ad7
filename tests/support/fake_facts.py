"""Facts of the sample contract, as extraction would state them; the other documents were not extracted."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence

from core.domain.document import DocumentVersion
from core.domain.facts import DateFact, DocumentFacts
from core.domain.fields import (
    Candidate,
    Cell,
    CellStatus,
    Family,
    FieldType,
    Financial,
    Finding,
    Fit,
    Identity,
    IdentityPart,
    PartyRow,
    Quote,
    Relative,
    Summary,
    SummaryKind,
    TypedValue,
)
from core.domain.ids import DocumentId, JobId
from core.domain.matrix import MatrixColumn
from core.domain.principal import LOCAL_ADMIN, Principal
from core.domain.span import PageSpan

_COLUMNS = (
    MatrixColumn("parties", "Parties", FieldType.PARTY, True, "Basics", ("contracts",)),
    MatrixColumn("effective_date", "Effective date", FieldType.DATE, False, "Dates", ("contracts",)),
    MatrixColumn("governing_law", "Governing law", FieldType.TEXT, False, "Law", ("contracts",)),
    MatrixColumn("liability_cap_amount", "Liability cap", FieldType.MONEY, False, "Money", ("contracts",)),
    MatrixColumn("termination", "Termination", FieldType.BOOLEAN, False, "Ending", ("contracts",)),
    MatrixColumn("audit_rights", "Audit rights", FieldType.BOOLEAN, False, "Conduct", ("contracts",)),
)


class FakeFacts:
    """`document_facts`, `submit_extract` and `submit_ocr` of the facade."""

    document: Callable[..., DocumentVersion]
    _begin: Callable[[str, str], JobId]

    def submit_extract(
        self,
        bucket: str | None = None,
        fields: Sequence[str] = (),
        principal: Principal = LOCAL_ADMIN,
        *,
        documents: Sequence[DocumentId] | None = None,
        again: bool = False,
    ) -> JobId:
        return self._begin("extract", f"Fields of {len(documents or ())}")

    def submit_ocr(self, documents: Sequence[DocumentId], principal: Principal = LOCAL_ADMIN) -> JobId:
        return self._begin("ocr", f"Reading {len(documents)} scan")

    def identity(self, document: DocumentId, principal: Principal = LOCAL_ADMIN) -> Identity | None:
        found = self.document(document, principal)
        if found.summary.source != "acme-master-services.pdf":
            return None
        return Identity(
            "Master Services · ACME", IdentityPart("Master Services", 0.9), (), IdentityPart("2024", 0.5)
        )

    def family(self, document: DocumentId, principal: Principal = LOCAL_ADMIN) -> Family:
        found = self.document(document, principal)
        if found.summary.source != "acme-master-services.pdf":
            return Family()
        said = Quote(PageSpan(1, 0, 9), "Amendment to the\nMaster Services Agreement")
        likely = Relative(DocumentId("d7"), "Amendment *1*", "amends", Fit.LIKELY, said)
        stated = Relative(DocumentId("d8"), "Statement of Work", "under", Fit.STATED, said)
        return Family((), (likely, stated), 60)

    def rename_document(self, document: DocumentId, name: str, principal: Principal = LOCAL_ADMIN) -> str:
        self.document(document, principal)
        return name

    def document_facts(self, document: DocumentId, principal: Principal = LOCAL_ADMIN) -> DocumentFacts:
        found = self.document(document, principal)
        if found.summary.source != "acme-master-services.pdf":
            return DocumentFacts(found.summary, "", (), ())
        return _facts(found)


def _facts(document: DocumentVersion) -> DocumentFacts:
    first, second = (page.text for page in document.pages)

    def quote(page_no: int, words: str) -> Quote:
        start = (first, second)[page_no - 1].index(words)
        return Quote(PageSpan(page_no, start, start + len(words)), words)

    begins, law = quote(1, "1 October 2024"), quote(2, "Delaware")
    acme, cap = quote(1, "ACME Corporation"), quote(2, "$750,000")
    ending = quote(
        2, "Either party may terminate this agreement for convenience on ninety days written notice."
    )
    made = quote(1, "This agreement is made between ACME Corporation and Nordwind Logistics.")
    day = TypedValue(
        FieldType.DATE, "2024-10-01", datetime.date(2024, 10, 1).toordinal(), original="1 October 2024"
    )
    amount = TypedValue(FieldType.MONEY, "750000.00", 7_500_000_000, "USD", "$750,000")
    party = TypedValue(FieldType.PARTY, "ACME Corporation", normal="acme")
    yes = TypedValue(FieldType.BOOLEAN, "true", 1)
    state = TypedValue(FieldType.TEXT, "Delaware")
    findings = (
        Finding(CellStatus.PRESENT, (party,), (acme,), 0.95, "parties"),
        Finding(CellStatus.PRESENT, (day,), (begins,), 0.92, "effective_date"),
        Finding(CellStatus.PRESENT, (state,), (law,), 0.98, "governing_law"),
        Finding(CellStatus.PRESENT, (amount,), (cap,), 0.93, "key_value"),
        Finding(
            CellStatus.UNCERTAIN,
            (),
            (),
            0.5,
            "head",
            (Candidate(yes, (ending,), 0.5, "head"),),
            "Two readings.",
        ),
        Finding(CellStatus.ABSENT, (), (), 0.99, "head"),
    )
    cells = tuple(
        Cell(document.summary.id, document.version, column.name, finding)
        for column, finding in zip(_COLUMNS, findings, strict=True)
    )
    return DocumentFacts(
        document=document.summary,
        schema="contracts",
        columns=_COLUMNS,
        cells=cells,
        parties=(PartyRow("ACME Corporation", "acme", acme, "vendor", "Corporation", "", (("lei", "X1"),)),),
        financials=(Financial("liability_cap_amount", amount, cap, effective="2024-10-01"),),
        summaries=(
            Summary(SummaryKind.LEGAL, (ending,), ("ACME Corporation",), (ending,)),
            Summary(SummaryKind.EXECUTIVE, (made,), ("ACME Corporation",)),
        ),
        dates=(DateFact("effective_date", "Effective date", day, begins),),
    )
