"""All checks of a claim together."""

from __future__ import annotations

from core.answer.prose.checks import ComputedValue, check_claim

SPAN = (
    "Either party may terminate this Agreement upon sixty (60) days' prior written notice. The Licensee "
    "shall not assign this Agreement without the prior written consent of Acme Corporation. The fee of "
    "$1,250,000 is due on October 3, 2024, and interest accrues at 5% a year after that date until it is "
    "paid to the Licensor."
)


def test_every_check_is_named_once_in_a_fixed_order() -> None:
    report = check_claim("The fee is due.", [SPAN], ())
    names = [check.name for check in report.checks]
    assert names == [
        "numbers", "amounts", "signs", "counts", "dates", "names", "places", "rates", "support",
    ]  # fmt: skip


def test_a_reworded_claim_passes() -> None:
    assert not check_claim("The fee of USD 1.25 million is due on 2024-10-03.", [SPAN], ()).failed


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
        assert name in [check.name for check in check_claim(claim, [SPAN], ()).failed], claim


def test_a_computed_value_supports_its_claim() -> None:
    value = ComputedValue("42", "contracts governed by Delaware law")
    assert not check_claim("42 contracts are governed by Delaware law.", [], [value]).failed
    assert check_claim("43 contracts are governed by Delaware law.", [], [value]).failed


def test_a_claim_that_rests_on_nothing_fails() -> None:
    assert check_claim("The fee is due.", [], ()).failed
    assert check_claim("The fee is due.", [""], ()).failed


def test_blanks_that_do_not_break_are_blanks() -> None:
    assert not check_claim("It cost $135 million.", ["It cost $135\u00a0million."], ()).failed
