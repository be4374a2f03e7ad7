"""The product's named rules: what a schema's `method = "rule"` can ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.domain.fields import Finding
from core.extract.base import DocumentText
from core.extract.values.agreement import agreement_date, amendment_of, effective_date
from core.extract.values.amounts import (
    annual_fee,
    contract_value,
    discount,
    liability_cap_amount,
    payment_terms,
    penalty,
)
from core.extract.values.expiry import expiration_date, notice_to_terminate_renewal, renewal_term
from core.extract.values.law import governing_law
from core.extract.values.parties import parties
from core.extract.values.receipts import (
    address,
    customer,
    due_date,
    invoice_date,
    invoice_number,
    subtotal,
    tax,
    total,
    vendor,
)
from core.extract.values.web_pages import (
    page_authors,
    page_contact,
    page_products,
    page_published,
    page_publisher,
    page_updated,
)

Rule = Callable[[DocumentText], Finding]

RULES: Mapping[str, Rule] = {
    "parties": parties,
    "governing_law": governing_law,
    "agreement_date": agreement_date,
    "effective_date": effective_date,
    "expiration_date": expiration_date,
    "renewal_term": renewal_term,
    "notice_to_terminate_renewal": notice_to_terminate_renewal,
    "amendment_of": amendment_of,
    "contract_value": contract_value,
    "annual_fee": annual_fee,
    "liability_cap_amount": liability_cap_amount,
    "penalty": penalty,
    "discount": discount,
    "payment_terms": payment_terms,
    "vendor": vendor,
    "customer": customer,
    "invoice_date": invoice_date,
    "due_date": due_date,
    "invoice_number": invoice_number,
    "address": address,
    "total": total,
    "subtotal": subtotal,
    "tax": tax,
    "page_publisher": page_publisher,
    "page_published": page_published,
    "page_updated": page_updated,
    "page_authors": page_authors,
    "page_contact": page_contact,
    "page_products": page_products,
}
"""By the name that a schema uses. Every rule is a pure function of the document."""
