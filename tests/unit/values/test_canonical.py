import pytest

from core.domain.fields import FieldType, Special
from core.values.canonical import as_money, read_value
from tests.support.stated_values import number


@pytest.mark.parametrize(
    ("text", "kind", "amount", "unit"),
    [
        ("2024-02-29", FieldType.DATE, 738945, ""),
        ("100000 USD", FieldType.MONEY, 1_000_000_000, "USD"),
        ("$100K", FieldType.MONEY, 1_000_000_000, "USD"),
        ("eur 1,234.50", FieldType.MONEY, 12_345_000, "EUR"),
        ("-5", FieldType.MONEY, -50_000, ""),
        ("1.5m", FieldType.MONEY, 15_000_000_000, ""),
        ("3.25", FieldType.NUMBER, 3_250_000, ""),
        ("7 mm", FieldType.NUMBER, 7_000_000, "mm"),
        ("5 m", FieldType.NUMBER, 5_000_000, "m"),
        ("5m", FieldType.NUMBER, 5_000_000_000_000, ""),
        ("30 days", FieldType.DURATION, 30_000_000, ""),
        ("P2Y", FieldType.DURATION, 730_500_000, ""),
        ("24 months", FieldType.DURATION, 730_500_000, ""),
        ("P24M", FieldType.DURATION, 730_500_000, ""),
        ("P2Y6M", FieldType.DURATION, 913_125_000, ""),
        ("1.5 years", FieldType.DURATION, 547_875_000, ""),
        ("36 hours", FieldType.DURATION, 1_500_000, ""),
        ("US$ 5", FieldType.MONEY, 50_000, "USD"),
        ("C$5", FieldType.MONEY, 50_000, "CAD"),
        ("\u20b95", FieldType.MONEY, 50_000, "INR"),
        ("1 month", FieldType.DURATION, 30_437_500, ""),
        ("1000000000000000", FieldType.MONEY, 10**19, ""),
        ("10000000000000", FieldType.NUMBER, 10**19, ""),
        ("Yes", FieldType.BOOLEAN, 1, ""),
        ("false", FieldType.BOOLEAN, 0, ""),
    ],
)
def test_a_canonical_text_is_read_as_a_type(text: str, kind: FieldType, amount: int, unit: str) -> None:
    value = read_value(text, kind)
    assert value is not None
    assert (value.amount, value.unit, value.type) == (amount, unit, kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("31/02/2020", FieldType.DATE),
        ("2020-02-31", FieldType.DATE),
        ("03/04/2021", FieldType.DATE),
        ("1.234,50 EUR", FieldType.MONEY),
        ("USD 5 EUR", FieldType.MONEY),
        ("0.00001 USD", FieldType.MONEY),
        ("twelve", FieldType.NUMBER),
        ("30", FieldType.DURATION),
        ("P", FieldType.DURATION),
        ("PT", FieldType.DURATION),
        ("P5", FieldType.DURATION),
        ("1.3 months", FieldType.DURATION),
        ("maybe", FieldType.BOOLEAN),
    ],
)
def test_what_is_not_canonical_is_not_guessed(text: str, kind: FieldType) -> None:
    assert read_value(text, kind) is None


def test_equal_values_have_one_text() -> None:
    for texts, kind in (
        (("24 months", "P24M", "2 years", "P2Y", "p2y"), FieldType.DURATION),
        (("1.5m", "1500000", "1,500,000.00"), FieldType.MONEY),
    ):
        values = [read_value(each, kind) for each in texts]
        assert len({value.text for value in values if value is not None}) == 1
        assert None not in values


def test_special_words_are_values_of_every_type_but_texts() -> None:
    found = read_value("Perpetual", FieldType.DATE)
    assert found is not None
    assert found.special is Special.PERPETUAL
    plain = read_value("blank", FieldType.TEXT)
    assert plain is not None
    assert plain.special is Special.NONE


def test_a_number_is_an_amount_unless_it_is_finer_than_money_is_kept() -> None:
    found = as_money(number("12.5"))
    assert found is not None
    assert (found.amount, found.unit) == (125_000, "")
    assert as_money(number("0.00001")) is None
