"""Names of documents as people say them: by party and kind, by number, by date, by file."""

from __future__ import annotations

from bench.reader.expressions import Expressions


def document_name(name: str, write: Expressions) -> str:
    """Words that name a document of a schema."""
    rng, one = write.rng, write.one
    a, b = write.company(), write.company()
    forms: tuple[str, ...]
    if name == "contracts":
        kind = rng.choice(write.pools["contract_kinds"])
        word = rng.choice(write.pools["contract_words"])
        forms = (
            f"the {a} {word}",
            f"the {a} {kind} {word}",
            f"{a}",
            f"our {word} with {a}",
            f"the {kind} {word} with {a}",
            f"the {word} between {a} and {b}",
            f"the {a}/{b} {word}",
            f"the {a}-{b} {kind} {word}",
            f"{a}'s {kind} {word}",
            f"{a}'s {word}",
            f"the {a} and {b} {kind} deal",
            f"the {kind} {word} of {a}",
            f"{a} {kind} {word}",
            f"{a} – {b}",
            f"{a} v {b} {word}",
            f"{a.split()[0].lower()}_{kind.replace(' ', '_')}_{write.year()}.pdf",
            f"the {write.year()} {word} with {a}",
            f"{a} {word}",
            f"the {a} lease",
            f"the {a} NDA",
            f"the amendment with {a}",
            f"the {one('first', 'second', 'third')} amendment to the {a} {kind} {word}",
            f"the {a} thing",
            f"the {kind} {word} {a} signed with {b}",
            f"the {word} we have with {a}",
            f"the one with {a}",
            f"{a} {one('MSA', 'SOW', 'NDA', 'license', 'lease')}",
        )
    elif name == "invoices":
        number = f"{one('INV-', '', 'No. ', '#', 'R-')}{rng.randint(100, 99999)}"
        forms = (
            f"the {a} invoice",
            f"invoice {number}",
            f"the bill from {a}",
            f"the receipt from {a}",
            f"{a}'s invoice",
            f"the {rng.choice(write.pools['months'])} invoice of {a}",
            f"the {a} receipt",
            f"the bill of {write.day()} from {a}",
            f"receipt {number}",
            f"the {rng.choice(write.pools['spendons'])} bill",
            f"the invoice {a} sent us in {rng.choice(write.pools['months'])}",
            f"the {a} credit note",
            f"order {number}",
            f"{a} bill {number}",
            f"the {a} purchase",
        )
    elif name in ("manuals", "datasheets"):
        product = rng.choice((*write.pools["products"], f"{a} {rng.randint(2, 99) * 10}"))
        noun = (
            one("manual", "guide", "handbook", "instructions")
            if name == "manuals"
            else one("datasheet", "spec sheet", "data sheet", "panel", "module")
        )
        forms = (
            f"the {product} {noun}",
            f"the {noun} for the {product}",
            f"the {noun} of the {product}",
            f"the {a} {noun}",
            f"the {product}",
            f"{a}'s {noun}",
            f"{product}",
            f"the {one('installation', 'safety', 'maintenance', 'quick start')} guide for the {product}"
            if name == "manuals"
            else f"the {a} {product}",
            f"{product.split()[0].lower()}_{noun.split()[0]}.pdf",
        )
    elif name == "certificates":
        standard = one("ISO 9001", "ISO 14001", "UL 1703", "IEC 61215", "ISO 27001", "calibration", "CE")
        forms = (
            f"the {a} certificate",
            f"the {standard} certificate of {a}",
            f"{a}'s {standard} certificate",
            f"certificate {one('QM-', 'E', 'No. ', 'CAL-')}{rng.randint(100, 99999)}",
            f"our {standard} certificate",
            f"the {standard} certificate",
            f"the calibration certificate for the {rng.choice(write.pools['products'])}",
            f"the one {a} holds",
            f"{a} {standard}",
        )
    else:
        thing = one(
            "memo",
            "letter",
            "report",
            "minutes",
            "e-mail",
            "policy",
            "presentation",
            "plan",
            "file",
            "record",
        )
        forms = (
            f"the {a} {thing}",
            f"the {thing} from {a}",
            f"the {thing} of {write.day()}",
            f"the {rng.choice(write.pools['months'])} {thing}",
            f"{a}'s {thing}",
            f"the {thing} to {rng.choice(write.pools['persons'])}",
            f"{thing}_{write.year()}.docx",
            f"the {one('budget', 'safety', 'travel', 'quarterly', 'annual', 'project')} {thing}",
        )
    return rng.choice(forms)
