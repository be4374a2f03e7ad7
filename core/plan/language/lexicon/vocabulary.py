"""What documents do and are called in English, beside the words of their schemas: verbs, nouns, meanings."""

from __future__ import annotations

from core.plan.text.document_nouns import PAPERS

VERBS: dict[str, tuple[str, ...]] = {
    "expire": ("expiration date", "valid until", "expiry"),
    "expiration": ("expiration date", "valid until", "expiry"),
    "expiry": ("expiration date", "valid until", "expiry"),
    "law": ("governing law",),
    "laws": ("governing law",),
    "lapse": ("expiration date", "valid until", "expiry"),
    "end": ("expiration date", "end date", "valid until"),
    "ending": ("expiration date", "end date", "valid until"),
    "run out": ("expiration date", "valid until"),
    "runs out": ("expiration date", "valid until"),
    "running out": ("expiration date", "valid until"),
    "run until": ("expiration date", "valid until"),
    "runs until": ("expiration date", "valid until"),
    "terminate": ("expiration date",),
    "start": ("effective date", "start date", "valid from"),
    "begin": ("effective date", "start date", "valid from"),
    "commence": ("effective date", "start date", "valid from"),
    "kick off": ("effective date", "start date", "valid from"),
    "begun": ("effective date", "start date", "valid from"),
    "began": ("effective date", "start date", "valid from"),
    "take effect": ("effective date", "valid from"),
    "took effect": ("effective date", "valid from"),
    "come into force": ("effective date", "valid from"),
    "came into force": ("effective date", "valid from"),
    "effective": ("effective date", "valid from"),
    "sign": ("agreement date", "signing date"),
    "execute": ("agreement date", "signing date"),
    "conclude": ("agreement date", "signing date"),
    "dated": ("agreement date", "invoice date", "issue date", "date"),
    "made": ("agreement date",),
    "entered into": ("agreement date",),
    "issue": ("issued", "invoice date", "issue date"),
    "bill": ("invoice date", "total"),
    "purchase": ("invoice date", "date of purchase"),
    "buy": ("invoice date", "date of purchase"),
    "worth": ("contract value", "total"),
    "value at": ("contract value", "total"),
    "amount": ("contract value", "total"),
    "cost": ("contract value", "total"),
    "price": ("contract value", "total"),
    "pay": ("total", "payment period"),
    "paid": ("total",),
    **dict.fromkeys(
        (
            "pay an invoice",
            "pay invoices",
            "pay the invoice",
            "pay its invoices",
            "settle an invoice",
            "settle invoices",
            "pay each invoice",
            "pay a bill",
        ),
        ("payment period",),
    ),
    **dict.fromkeys(
        (
            "without giving a reason",
            "without giving reasons",
            "without giving any reason",
            "without a reason",
            "without stating a reason",
            "without any reason",
            "without reason",
            "for no reason",
        ),
        ("termination for convenience",),
    ),
    "spend": ("total",),
    "spent": ("total",),
    "spending": ("total",),
    "govern": ("governing law",),
    "govern by": ("governing law",),
    "subject to": ("governing law",),
    "renew": ("renewal term", "renewal"),
    "weigh": ("weight",),
    "cap": ("liability cap",),
    "due": ("due date",),
    "liable": ("liability cap",),
    "sell": ("vendor",),
    "supply": ("vendor",),
    "held by": ("holder",),
    "hold": ("holder",),
    "change": ("amends",),
    "sold by": ("vendor",),
    "supplied by": ("vendor",),
    "provided by": ("vendor",),
    "issued by": ("issuer", "vendor"),
    "licensed by": ("vendor",),
    "bought from": ("vendor",),
    "purchased from": ("vendor",),
    "certify": ("holder", "standard"),
    "certified to": ("standard",),
    "amend": ("amends",),
    "wide": ("width",),
    "tall": ("height",),
    "heavy": ("weight",),
    "valid": ("valid until",),
    "mature": ("maturity",),
}
"""What documents do, to fields by their titles or synonyms: the first that the kind of document has."""

_IDLE = (
    "sign|signed|execute|executed|conclude|concluded|issue|issued|bill|billed|purchase|purchased|buy|bought"
    "|made|pay|paid|spend|spent|sell|sold|supply|supplied|dated|entered"
)
IDLE_VERBS = frozenset(_IDLE.split("|"))
"""What is done with every document: by themselves these ask for nothing."""

SEVERAL_MEANINGS: dict[str, tuple[str, ...]] = {
    "liability": ("liability cap", "limitation of liability", "indemnity"),
    "date": ("agreement date", "effective date", "expiration date", "invoice date", "due date"),
    "dates": ("agreement date", "effective date", "expiration date", "invoice date", "due date"),
    "fee": ("annual fee", "late fee"),
    "fees": ("annual fee", "late fee"),
    "deadline": ("due date", "payment period", "expiration date"),
    "notice period": ("notice to stop renewal", "termination notice"),
}
"""Words that people use for several things; asked about where the wording does not decide."""

NOUNS: dict[str, tuple[str, str]] = {
    "nda": ("contracts", "nondisclosure|non-disclosure|confidentiality"),
    "nondisclosure agreement": ("contracts", "nondisclosure|non-disclosure|confidentiality"),
    "non disclosure agreement": ("contracts", "nondisclosure|non-disclosure|confidentiality"),
    "confidentiality agreement": ("contracts", "nondisclosure|non-disclosure|confidentiality"),
    "lease": ("contracts", "lease"),
    "lease agreement": ("contracts", "lease"),
    "msa": ("contracts", "master services|master service"),
    "sow": ("contracts", "statement of work"),
    "agreement": ("contracts", ""),
    "deal": ("contracts", ""),
    "panel": ("datasheets", ""),
    "module": ("datasheets", ""),
    "spec sheet": ("datasheets", ""),
    "data sheet": ("datasheets", ""),
    "specification": ("datasheets", ""),
    "product": ("datasheets", ""),
    "bill": ("invoices", ""),
    "certification": ("certificates", ""),
    "guide": ("manuals", ""),
    "handbook": ("manuals", ""),
    "purchase": ("invoices", ""),
    "expense": ("invoices", ""),
}
"""Nouns beside the names of schemas and kinds: the schema, and words one of which the name must hold."""

THINGS = frozenset(["panel", "module", "product"])
"""Nouns of what a document describes: one that names no model, such as an overview, describes none."""

DOCUMENT_NOUNS = frozenset([*PAPERS, "register", "credit note", "statement", "quote"])
"""Kinds of document that are called so: "maintenance" says what a manual is for, and is none."""
