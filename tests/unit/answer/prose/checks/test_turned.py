"""Claims in the words of their source, with the sense turned; and honest ones that must stand."""

from __future__ import annotations

import pytest

from core.answer.prose.checks import check_claim, check_documents

LICENCE = (
    "The Licensee shall pay royalties of 5% of Net Sales to the Licensor within 30 days of each quarter."
)
REFUND = "Fees are refunded in full if the Customer terminates within 12 months of the Effective Date."
TURNED = [
    ("parts", "The Licensor shall pay royalties of 5% of Net Sales to the Licensee.", LICENCE),
    ("parts", "Royalties of 5% of Net Sales are payable by the Licensor to the Licensee.", LICENCE),
    ("parts", "The Buyer sells the Goods to the Seller.", "The Seller sells the Goods to the Buyer."),
    ("parts", "The rent is paid by the Landlord.", "The Tenant pays the rent to the Landlord."),
    ("rates", "Margins rose by 2 percentage points.", "Margins rose by 2%."),
    ("rates", "The share fell 3%.", "The share fell 3 percentage points."),
    ("rates", "The rate rose 50%.", "The rate rose 50 basis points."),
    ("rates", "The rent is $900 per year.", "The rent is $900 per month."),
    ("rates", "The yearly rent is $900.", "The monthly rent is $900."),
    ("rates", "A late fee of $10 per week is due.", "A late fee of $10 per day is due. Reports are made each week."),  # noqa: E501
    ("rates", "The charge is $4 per user.", "The charge is $4 per unit."),
    ("bounds", "Orders of up to 500 units ship free.", "Orders of more than 500 units ship free."),
    ("bounds", "Notice of 30 days is given.", "Notice of at least 30 days is given."),
    ("bounds", "The pump holds half of 40 liters.", "The pump holds 40 liters."),
    ("bounds", "It hires more than 40 employees.", "It hires 40 employees."),
    ("scopes", "The filter fits only the pump P9.", "The filter fits the pump P9."),
    ("scopes", "The key shall be used by staff.", "The key shall only be used by staff."),
    ("conditions", "Fees are refunded in full.", REFUND),
    ("conditions", "The Supplier may assign this Agreement.",
     "The Supplier may not assign this Agreement unless the Customer gives its written consent."),
    ("conditions", "The warranty covers all parts of the motor.", "The warranty covers all parts of the motor, except brushes and belts."),  # noqa: E501
    ("conditions", "The deposit is returned to the Tenant.", "Subject to inspection of the premises, the deposit is returned to the Tenant."),  # noqa: E501
    ("ranges", "Revenue rose from $10 million to $5 million.", "Revenue rose from $5 million to $10 million."),  # noqa: E501
    ("ranges", "Headcount grew to 40 from 60.", "Headcount grew from 40 to 60."),
    ("ranges", "Set the dial from 10 to 5.", "Set the dial from 5 to 10."),
]  # fmt: skip
HONEST = [
    ("Royalties of 5% of Net Sales are payable by the Licensee to the Licensor.", LICENCE),
    ("The Licensor is paid royalties of 5% of Net Sales by the Licensee.", LICENCE),
    ("The Buyer buys the Goods from the Seller.", "The Buyer buys the Goods from the Seller."),
    ("The rate rose 0.5 percentage points.", "The rate rose 50 basis points."),
    ("The rent is $900 a month.", "The monthly rent is $900."),
    ("The licence costs $40 annually.", "The licence costs $40 per year."),
    ("No less than 30 days of notice is given.", "Notice of at least 30 days is given."),
    ("Orders over 500 units ship free.", "Orders of more than 500 units ship free."),
    ("If the Customer terminates within 12 months, fees are refunded in full.", REFUND),
    ("Fees are refunded in full when the Customer ends it within 12 months.", REFUND),
    ("Revenue rose to $10 million from $5 million.", "Revenue rose from $5 million to $10 million."),
    ("It takes between 5 and 10 days.", "It takes from 5 to 10 days."),
    ("The term is two years (24 months).", "The term is 24 months."),
    ("The term is two years.", "The term is 24 months."),
    ("Payment is due in 2 weeks.", "Payment is due in 14 days."),
    ("Roughly 300 employees work there.", "298 employees work there."),
    ("The fee is at least 5% of sales.", "The fee is at least five percent (5%) of sales."),
]


@pytest.mark.parametrize(("check", "claim", "source"), TURNED)
def test_turned_sense_fails(check: str, claim: str, source: str) -> None:
    assert check_claim(claim, [source], ()).failed, check
    assert check_claim(source, [source], ()).is_supported


@pytest.mark.parametrize(("claim", "source"), HONEST)
def test_honest_words_stand(claim: str, source: str) -> None:
    assert check_claim(claim, [source], ()).failed == ()


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The term is two years.", "The term is 25 months."),
        ("Roughly 300 employees work there.", "260 employees work there."),
        ("300 employees work there.", "298 employees work there."),
        ("The rent is due for two months.", "The rent is due for 60 days."),
    ],
)
def test_what_does_not_convert_fails(claim: str, source: str) -> None:
    assert not check_claim(claim, [source], ()).is_supported


ACME = ["Acme supply agreement", "Acme pays a fee of $500 and ends on 3 May 2024."]
BETA = ["Beta supply agreement", "Beta pays a fee of $700 and ends on 9 June 2025."]


@pytest.mark.parametrize(
    ("claim", "is_ok"),
    [
        ("Acme pays a fee of $500.", True),
        ("Acme pays a fee of $700.", False),
        ("The fee of Beta is $500.", False),
        ("Beta ends on 3 May 2024.", False),
        ("Acme pays $500, while Beta pays $700.", True),
        ("Acme pays $700, while Beta pays $500.", False),
        ("Acme and Beta pay $500 and $700, respectively.", True),
        ("Acme and Beta pay $700 and $500, respectively.", False),
        ("The fees are $500 and $700.", True),
    ],
)
def test_a_figure_belongs_to_a_name_of_its_document(claim: str, is_ok: bool) -> None:
    assert check_documents(claim, [ACME, BETA]).ok is is_ok
