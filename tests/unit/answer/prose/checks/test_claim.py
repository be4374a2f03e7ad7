"""All checks of a claim together."""

from __future__ import annotations

import pytest

from bench.claim_checks import faults_of
from bench.claims.written import written_pairs
from core.answer.prose.checks import check_claim
from core.answer.prose.checks.claim import check_support, support_of

SPAN = (
    "Either party may terminate this Agreement upon sixty (60) days' prior written notice. The Licensee "
    "shall not assign this Agreement without the prior written consent of Acme Corporation. The fee of "
    "$1,250,000 is due on October 3, 2024, and interest accrues at 5% a year after that date until it is "
    "paid to the Licensor."
)


def test_every_check_is_named_once_in_a_fixed_order() -> None:
    report = check_claim("The fee is due.", [SPAN])
    names = [check.name for check in report.checks]
    assert names == [
        "numbers", "amounts", "signs", "counts", "dates", "names", "places", "rates", "support",
    ]  # fmt: skip


def test_a_reworded_claim_passes() -> None:
    assert not check_claim("The fee of USD 1.25 million is due on 2024-10-03.", [SPAN]).failed


def test_each_fault_fails_its_check() -> None:
    faults = {
        "numbers": "Either party may terminate upon 90 days' notice.",
        "amounts": "The fee of \u20ac1,250,000 is due.",
        "dates": "The fee is due on October 4, 2024.",
        "names": "The Licensee needs the consent of Zenith.",
        "places": "The Licensee shall assign this Agreement.",
        "support": "Whales migrate through warm oceans.",
    }
    for name, claim in faults.items():
        assert name in [check.name for check in check_claim(claim, [SPAN]).failed], claim


def test_a_computed_value_supports_its_claim() -> None:
    value = "contracts governed by Delaware law 42"
    assert not check_claim("42 contracts are governed by Delaware law.", [value]).failed
    assert check_claim("43 contracts are governed by Delaware law.", [value]).failed


def test_a_claim_that_rests_on_nothing_fails() -> None:
    assert check_claim("The fee is due.", []).failed
    assert check_claim("The fee is due.", [""]).failed


def test_blanks_that_do_not_break_are_blanks() -> None:
    assert not check_claim("It cost $135 million.", ["It cost $135\u00a0million."]).failed


def test_the_score_is_the_share_of_words_that_are_said() -> None:
    assert support_of("Tenants pay rent.", ["The tenant is paying rents."]) == pytest.approx(1)
    assert support_of("Whales sing loudly.", ["The tenant pays rent."]) == 0
    assert support_of("Tenants sing.", ["The tenant pays rent."]) == pytest.approx(0.5)


def test_a_claim_without_words_is_supported_and_one_without_sources_is_not() -> None:
    assert support_of("...", ["The tenant pays."]) == 1
    assert support_of("Tenants pay.", []) == 0


def test_each_sentence_is_held_against_those_that_share_most_with_it() -> None:
    source = "The tenant pays rent. The landlord repairs the roof. Whales sing."
    assert support_of("The roof is repaired by the landlord. Whales sing.", [source]) == 1


def test_the_threshold_decides() -> None:
    assert check_support(0.5, 0.5).ok
    assert not check_support(0.49, 0.5).ok


def test_values_are_no_words() -> None:
    assert support_of("It is due on 3 Oct 2024.", ["It is due on 2024-10-03."]) == 1


LICENCE = (
    "The Licensee shall pay royalties of 5% of Net Sales to the Licensor within 30 days of each quarter."
)
REFUND = "Fees are refunded in full if the Customer terminates within 12 months of the Effective Date."
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


@pytest.mark.parametrize(("claim", "source"), HONEST)
def test_honest_words_stand(claim: str, source: str) -> None:
    assert check_claim(claim, [source]).failed == ()


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
    assert check_claim(claim, [source]).failed


def test_honest_claims_stand_and_wrong_units_and_names_do_not() -> None:
    pairs = written_pairs("strangers")
    told, honest = (
        [each for each in pairs if each.kind in ("unit", "subject")],
        [e for e in pairs if not e.kind],
    )
    caught = sum(bool(faults_of(each.text, [each.spans])) for each in told)
    struck = sum(bool(faults_of(each.text, [each.spans])) for each in honest)
    assert caught >= 0.85 * len(told)
    assert struck <= 0.02 * len(honest)
