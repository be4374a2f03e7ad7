"""Clause texts for the sample contracts, each with two wordings so that no two contracts read alike."""

from __future__ import annotations

from datetime import date

from samples.source.contracts import Contract

Section = tuple[str, str]
SYMBOLS = {"USD": "$", "EUR": "EUR "}


def spoken_date(iso: str) -> str:
    """2024-12-31 as 'December 31, 2024'."""
    day = date.fromisoformat(iso)
    return f"{day:%B} {day.day}, {day.year}"


def money(amount: int, currency: str) -> str:
    """1250000 as '$1,250,000'."""
    return f"{SYMBOLS[currency]}{amount:,}"


def preamble(contract: Contract) -> str:
    """The opening paragraph, which names the parties, the date and the subject."""
    return (
        f'This {contract.title} (the "Agreement") is entered into as of {spoken_date(contract.effective)} '
        f'(the "Effective Date") by and between {contract.supplier} (the "Supplier") and {contract.customer} '
        f'(the "Customer"). It governs {contract.subject}.'
    )


def sections(contract: Contract) -> list[Section]:
    """Headings and texts of all clauses, in order."""
    wording = sum(map(ord, contract.name)) % 2
    clauses: list[Section] = [
        ("Definitions", DEFINITIONS[wording]),
        (
            "Scope of Work" if wording else "Services",
            f"{contract.supplier} shall " + "; shall ".join(contract.services) + ".",
        ),
        ("Term", _term(contract, wording)),
    ]
    if contract.value is not None:
        clauses.append(("Price and Payment", _payment(contract, wording)))
    clauses += list(contract.extra)
    clauses.append(("Confidentiality", CONFIDENTIALITY[wording]))
    if contract.has_termination:
        clauses.append(("Termination", TERMINATION[wording].format(supplier=contract.supplier)))
    if contract.liability_cap is not None:
        clauses.append(("Limitation of Liability", _liability(contract, wording)))
    clauses.append(("Indemnification", INDEMNIFICATION[wording].format(supplier=contract.supplier)))
    if contract.has_force_majeure:
        clauses.append(("Force Majeure", FORCE_MAJEURE[wording]))
    clauses.append(("Notices", NOTICES[wording].format(customer=contract.customer)))
    clauses.append(
        (
            "Governing Law",
            f"This Agreement is governed by and construed in accordance with {_law(contract.law)}, without regard "
            "to its rules on the conflict of laws.",
        )
    )
    clauses.append(("Entire Agreement", ENTIRE[wording]))
    return clauses


def _law(law: str) -> str:
    return law if law.startswith("the laws") else f"the laws of {law}"


def _term(contract: Contract, wording: int) -> str:
    if contract.expires is None:
        return "This Agreement has no fixed end."
    start, end = spoken_date(contract.effective), spoken_date(contract.expires)
    if wording:
        return (
            f"This Agreement starts on the Effective Date, {start}, and expires on {end}. It is not renewed "
            "by silence; a renewal needs a writing signed by both parties at least sixty days before that date."
        )
    return (
        f"The term begins on {start} and ends on {end}, unless this Agreement ends earlier under its terms."
    )


def _payment(contract: Contract, wording: int) -> str:
    assert contract.value is not None
    total = money(contract.value, contract.currency)
    if wording:
        return (
            f"The total contract value is {total}. The Supplier invoices in equal monthly instalments, and the "
            f"Customer pays each correct invoice within {contract.payment_days} days of receiving it. Late "
            "amounts bear interest of 1 percent a month."
        )
    return (
        f"For everything done under this Agreement the Customer pays a total of {total} over the whole term. "
        f"Invoices are payable net {contract.payment_days} days. An amount that is disputed in good faith may "
        "be held back until the dispute is settled."
    )


def _liability(contract: Contract, wording: int) -> str:
    assert contract.liability_cap is not None
    cap = money(contract.liability_cap, contract.currency)
    if wording:
        return (
            f"The liability of {contract.supplier} under this Agreement shall not exceed {cap} per incident. "
            "Neither party is liable for lost profits or other indirect damages. Nothing in this section limits "
            "liability for wilful misconduct or for personal injury."
        )
    return (
        f"{contract.supplier}'s total liability for any one incident is limited to {cap}, whatever the legal "
        "ground. This limit does not apply to wilful misconduct, to personal injury or to a breach of "
        "confidentiality."
    )


DEFINITIONS = (
    'In this Agreement, "Business Day" means a day other than a Saturday, a Sunday or a public holiday; '
    '"Confidential Information" means information that a party marks as confidential or that is evidently so; '
    'and "Working Hours" means 8 a.m. to 6 p.m. on a Business Day at the place of performance.',
    'Words with capital letters have the meaning given here. "Affiliate" means a company under common control '
    'with a party. "Confidential Information" means all information of a party that is not public. "Site" means '
    "the place or places where the work is done.",
)
CONFIDENTIALITY = (
    "Each party keeps the other party's Confidential Information secret, uses it only for this Agreement, and "
    "shows it only to those employees and advisers who need it and are bound to secrecy. This duty lasts for "
    "three years after the end of this Agreement.",
    "A party that receives Confidential Information shall protect it with the care that it gives its own, and "
    "at least with reasonable care. It may disclose what a court or an authority lawfully demands, after telling "
    "the other party where that is allowed.",
)
TERMINATION = (
    "Either party may terminate this Agreement for convenience on ninety days' written notice. Either party may "
    "terminate it at once if the other commits a material breach and does not cure it within thirty days of a "
    "written notice that describes the breach.",
    "The Customer may terminate this Agreement if {supplier} becomes insolvent or fails for thirty days to cure a "
    "material breach after written notice. On termination the Customer pays for what was properly delivered up "
    "to the date of termination.",
)
INDEMNIFICATION = (
    "{supplier} shall defend and indemnify the Customer against claims of third parties for bodily injury or "
    "damage to tangible property to the extent that they were caused by its negligence.",
    "Each party indemnifies the other against third-party claims that arise from its own negligence or from its "
    "breach of law in the course of this Agreement, provided that it is told promptly and may lead the defence.",
)
FORCE_MAJEURE = (
    "Neither party is liable for a delay or failure that is caused by events beyond its reasonable control, such "
    "as natural disasters, war, epidemics, or acts of government. The affected party tells the other within five "
    "days and resumes performance as soon as it can. If the event lasts longer than ninety days, either party may "
    "end this Agreement.",
    "Force majeure means an event that a party could not foresee or prevent, including flood, fire, earthquake, "
    "strike of third parties and embargo. While it lasts the duties that it prevents are suspended, except the "
    "duty to pay for what was already delivered.",
)
NOTICES = (
    "Notices under this Agreement are made in writing and sent by courier or registered mail to the address on "
    "the signature page. A notice to {customer} also goes to its general counsel.",
    "A notice takes effect when it is received. E-mail is enough for operational messages, but not for notices "
    "of breach or of the end of this Agreement. Notices to {customer} go to its registered office.",
)
ENTIRE = (
    "This Agreement is the whole agreement of the parties on its subject and replaces what was said or written "
    "before. It is changed only by a writing signed by both parties. If a provision is invalid, the rest stands.",
    "No oral side agreements were made. Changes need the signature of both parties. An invalid provision is "
    "replaced by the valid one that comes closest to its purpose.",
)
