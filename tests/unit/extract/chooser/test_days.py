"""Days from which a contract may count."""

from __future__ import annotations

from core.extract.chooser.days import effective_options
from tests.support.document_text import document_text

TEXT = (
    'This Agreement is made on March 9, 2020 (the "Effective Date") by Acme Inc. and Beta Ltd. '
    "The launch shall be no later than May 1, 2021.\n\nBy: ______\nDate: March 12, 2020\n"
)


def test_every_date_may_be_the_day_of_effect_with_what_the_rules_say_of_it() -> None:
    options = effective_options(document_text(TEXT))

    rules = {each.value.text: each.rule for each in options}
    assert list(rules) == ["2020-03-09", "2021-05-01", "2020-03-12"]
    assert rules["2020-03-09"] > 0.9 > max(rules["2021-05-01"], rules["2020-03-12"])
    assert len({len(each.facts) for each in options}) == 1


def test_blanks_are_candidates_and_text_without_dates_has_none() -> None:
    assert [
        each.value.special for each in effective_options(document_text("Made this ___ day of May, 2020."))
    ]
    assert effective_options(document_text("The sky is blue.")) == []


def test_of_many_dates_the_first_and_the_last_are_kept() -> None:
    days = [f"On May {1 + n % 28}, {1990 + n // 28} it rained." for n in range(400)]

    assert len(effective_options(document_text("\n".join(days)))) == 140
