"""What an answer says of its conversion."""

from __future__ import annotations

from core.answer.computed.conversions import with_conversion
from core.answer.computed.draft import ComputedDraft, DraftLine
from core.answer.computed.source import AnswerFacts
from core.domain.annotation import Accounting
from core.domain.results import Conversion, ConvertedPart, Documents, Group, Groups, Unknown, UsedRate
from core.plan.catalogue import Catalogue
from core.values.accounting import read_rate

NOW = Accounting("EUR", (read_rate("USD", "0.9", "2024-01-01"),))
DRAFT = ComputedDraft(lead=DraftLine("The sum is EUR 94.50."))


def draft(result: Groups | Documents, now: Accounting = NOW) -> ComputedDraft:
    return with_conversion(DRAFT, result, {"x": result}, AnswerFacts(Catalogue(accounting=now), {}))


def groups(*given: Group, conversion: Conversion | None = None) -> Groups:
    return Groups(function="sum", field="fee", value_type="money", groups=given, conversion=conversion)


def test_the_first_sentence_says_the_parts_the_rates_and_which_were_taken() -> None:
    parts = (
        ConvertedPart(unit="EUR", value="4.5", converted="4.50", rows=1),
        ConvertedPart(unit="USD", value="100", converted="90.00", rows=2),
    )
    made = Group(key=(), value="94.50", unit="EUR", rows=3, parts=parts)
    rate = UsedRate(currency="USD", rate="0.9", day="2024-01-01", source="ECB")
    said = draft(groups(made, conversion=Conversion(into="EUR", base="EUR", rates=(rate,)))).lead.text
    assert said == (
        "The sum is EUR 94.50, converted to EUR: EUR 4.50 (1 value) and USD 100.00 (2 values, EUR 90.00). "
        "Rates: 1 USD = EUR 0.9 of 1 Jan 2024 (ECB), the latest, whatever day an amount is of; "
        "rounded to 0.01 once, at the end."
    )
    many = tuple(rate.model_copy(update={"day": f"2024-01-0{n}"}) for n in range(1, 10))
    dated = Conversion(into="EUR", base="EUR", rates=many, dated_by=("end",), undated=2)
    said = draft(groups(made, conversion=dated)).lead.text
    assert "9 rates of USD to EUR from 1 Jan 2024 to 9 Jan 2024 (ECB)" in said
    assert "at or before its end, 2 amounts without such a date by the latest of all" in said


def test_only_answers_in_several_currencies_offer_one() -> None:
    eur, usd = (Group(key=(), value="1", unit=unit, rows=1) for unit in ("EUR", "USD"))
    apart = Documents(unknown={"a": Unknown(field="fee", reason="in EUR, not in USD", value="1 EUR")})
    assert draft(groups(eur, usd)).converts_to == "EUR"
    assert draft(apart).converts_to == "EUR"
    assert draft(groups(eur)).converts_to == ""
    assert draft(groups(eur, usd), Accounting("EUR")).converts_to == ""
