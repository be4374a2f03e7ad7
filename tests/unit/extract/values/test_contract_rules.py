"""Rules of contracts: what is a fact, what is only offered, and that nothing is guessed."""

from __future__ import annotations

import pytest

from core.domain.document import Page
from core.domain.fields import CellStatus, Finding, Special
from core.domain.ids import DocumentId
from core.extract.base import DocumentText
from core.extract.values.amounts import financial_rows
from core.extract.values.parties import party_rows
from core.extract.values.rules import RULES
from core.values.canonical import family_key

PREAMBLE = (
    'This Supply Agreement (this "Agreement") is made and entered into as of the 20t h day of March, 2018 '
    '(the "Effective Date") by and between Acme Widgets, Inc., a Delaware corporation ("Supplier"), and '
    'Borealis Foods Ltd., a company organized under the laws of Ontario ("Buyer").\n\n'
)


def document(text: str) -> DocumentText:
    pages = tuple(Page(number, page) for number, page in enumerate(text.split("\f"), start=1))
    return DocumentText(DocumentId("d1"), 1, "b", "t", "t.txt", "contract", "text/plain", "en", pages)


def find(rule: str, text: str) -> Finding:
    return RULES[rule](document(text))


def test_the_law_that_governs_is_found_not_the_law_a_party_was_formed_under() -> None:
    text = (
        PREAMBLE + "11. Governing Law. This Agreement shall be governed by the laws of the State of New York."
    )
    found = find("governing_law", text)
    assert (found.status, found.values[0].text) == (CellStatus.PRESENT, "New York")
    assert found.spans[0].quote == "New York"


def test_no_place_no_law() -> None:
    text = (
        PREAMBLE + "This Agreement shall be governed by the law of the state in which the store is located."
    )
    assert find("governing_law", text).status is not CellStatus.PRESENT


def test_courts_do_not_name_the_law() -> None:
    text = (
        "Governing law. This Agreement is governed by applicable law; the courts of Texas have jurisdiction."
    )
    assert find("governing_law", text).values == ()


def test_federal_law_beside_a_province_leaves_the_province() -> None:
    text = "This Agreement is governed by the laws of the Province of Ontario and the federal laws of Canada."
    assert [value.text for value in find("governing_law", text).values] == ["Ontario, Canada"]


def test_a_law_named_by_its_adjective_is_a_place() -> None:
    assert (
        find("governing_law", "This Agreement shall be governed by English law.").values[0].text == "England"
    )


def test_a_law_left_open_is_blank() -> None:
    found = find("governing_law", "This Agreement shall be governed by the laws of the State of ______.")
    assert found.values[0].special is Special.BLANK


def test_the_agreement_date_is_the_day_it_was_made() -> None:
    found = find("agreement_date", PREAMBLE)
    assert (found.status, found.values[0].text) == (CellStatus.PRESENT, "2018-03-20")
    assert found.spans[0].quote == "20t h day of March, 2018"


def test_another_agreements_date_is_not_a_fact() -> None:
    text = "WHEREAS, the parties entered into that certain Note, dated as of May 1, 2001, as amended;"
    assert find("agreement_date", text).status is not CellStatus.PRESENT


def test_a_blank_agreement_date_is_a_value_that_says_so() -> None:
    found = find(
        "agreement_date", "This Agreement is made as of the __ day of June, 2004 between A Inc. and B Inc."
    )
    assert (found.values[0].special, found.values[0].text) == (Special.BLANK, "2004-06")
    assert "filled in" in found.note


def test_an_ambiguous_agreement_date_is_uncertain_and_says_why() -> None:
    found = find("agreement_date", "This Agreement is dated 03/04/2021 between A Inc. and B Inc.")
    assert found.status is CellStatus.UNCERTAIN
    assert "both ways" in found.candidates[0].spans[-1].quote or "both ways" in found.note


def test_the_effective_date_is_the_date_called_so() -> None:
    assert find("effective_date", PREAMBLE).values[0].text == "2018-03-20"


def test_a_stated_end_is_a_fact() -> None:
    text = (
        PREAMBLE
        + "The term of this Agreement shall continue until December 31, 2021, unless terminated earlier."
    )
    found = find("expiration_date", text)
    assert (found.status, found.values[0].text) == (CellStatus.PRESENT, "2021-12-31")


@pytest.mark.parametrize("day", ["May 1, 2026", "June 1, 2026", "1 May 2026", "the 1st of May, 2026"])
def test_the_month_of_may_is_no_permission(day: str) -> None:
    found = find("expiration_date", f"2. Term. This Agreement expires on {day}.")
    june = find("expiration_date", f"2. Term. This Agreement expires on {day.replace('May', 'June')}.")
    assert (found.status, found.confidence) == (june.status, june.confidence)
    said = [each.value.text[8:] for each in (*found.candidates, *june.candidates) if each.value is not None]
    assert set(said) == {"01"}


def test_an_end_that_a_party_may_choose_is_no_fact() -> None:
    found = find("expiration_date", "Either party may let this Agreement expire on June 1, 2026.")
    assert found.status is not CellStatus.PRESENT


def test_a_computed_end_is_offered_with_both_spans_and_its_computation() -> None:
    text = (
        PREAMBLE
        + "The term of this Agreement shall be for a period of two (2) years from the Effective Date."
    )
    found = find("expiration_date", text)
    assert found.status is CellStatus.UNCERTAIN
    best = found.candidates[0]
    assert best.value is not None
    assert best.value.text == "2020-03-20"
    assert [span.quote for span in best.spans[:2]] == ["two (2) years", "20t h day of March, 2018"]
    assert found.note == "Computed: two (2) years counted from the effective date (2018-03-20)."


def test_a_term_without_end_is_offered_as_perpetual() -> None:
    text = (
        PREAMBLE
        + "This Agreement shall continue in full force and effect until terminated as provided below."
    )
    value = find("expiration_date", text).candidates[0].value
    assert value is not None
    assert value.special is Special.PERPETUAL


def test_renewal_and_notice_are_told_apart() -> None:
    text = (
        "This Agreement has an initial term of three (3) years and shall automatically renew for successive "
        "one (1) year terms unless either party gives notice of non-renewal at least ninety (90) days prior "
        "to the end of the then-current term."
    )
    assert find("initial_term", PREAMBLE + text).values[0].text == "P3Y"
    assert find("renewal_term", text).values[0].text == "P1Y"
    assert find("notice_to_terminate_renewal", text).values[0].text == "P90D"


def test_a_length_of_days_is_no_sure_first_term() -> None:
    text = PREAMBLE + "The term of this Agreement shall be thirty (30) days from the Effective Date."
    assert find("initial_term", text).status is CellStatus.UNCERTAIN


def test_a_contract_without_renewal_has_none() -> None:
    assert find("initial_term", PREAMBLE).status is not CellStatus.PRESENT
    assert find("renewal_term", PREAMBLE).status is CellStatus.ABSENT


def test_parties_have_role_form_and_home() -> None:
    found = find("parties", PREAMBLE)
    assert [value.text for value in found.values] == ["Acme Widgets, Inc.", "Borealis Foods Ltd."]
    rows = party_rows(document(PREAMBLE))
    assert [(row.role, row.entity_type, row.jurisdiction) for row in rows] == [
        ("supplier", "corporation", "Delaware"),
        ("buyer", "company", "Ontario, Canada"),
    ]
    assert find("vendor", PREAMBLE).values[0].normal == "acme widgets"
    assert find("customer", PREAMBLE).values[0].normal == "borealis foods"


def test_a_person_among_the_parties_is_one_where_the_alias_follows_the_name() -> None:
    text = 'This Agreement is made by and between Acme, Inc. ("Company") and Jane Q. Roe ("Consultant").'
    assert [each.text for each in find("parties", text).values] == ["Acme, Inc.", "Jane Q. Roe"]


def test_a_person_of_whom_more_is_said_before_the_alias_leaves_the_parties_uncertain() -> None:
    text = (
        'This Agreement is made by and between Acme, Inc. ("Company") and Jane Q. Roe, having her office at '
        '5 Main Street ("Consultant").'
    )
    assert find("parties", text).status is CellStatus.UNCERTAIN


def test_no_notice_stops_a_renewal_where_nothing_is_ever_renewed() -> None:
    text = "The term begins on May 1, 2023 and ends on May 1, 2024. Notice of defects is given within 9 days."
    found = find("notice_to_terminate_renewal", text)
    assert (found.status, found.confidence) == (CellStatus.ABSENT, 0.985)


def test_a_cap_is_the_sum_that_liability_may_not_exceed() -> None:
    text = "12. In no event shall the aggregate liability of either party exceed $1,000,000."
    assert find("liability_cap_amount", text).values[0].text == "1000000.00"
    assert [(row.metric, row.quote.quote) for row in financial_rows(document(text))] == [
        ("liability_cap", "$1,000,000")
    ]


def test_insurance_is_no_cap() -> None:
    text = "Supplier shall carry liability insurance with a limit of not less than $2,000,000 per occurrence."
    assert find("liability_cap_amount", text).status is CellStatus.ABSENT


def test_payment_terms_in_both_spellings() -> None:
    assert find("payment_terms", "Payment terms: Net 30 days.").values[0].text == "P30D"
    text = "All invoices are due and payable within forty-five (45) days of receipt of the invoice."
    assert find("payment_terms", text).values[0].text == "P45D"


def test_an_amendment_names_its_family() -> None:
    text = "AMENDMENT NO. 2 TO THE SUPPLY AGREEMENT\n\nThis Amendment No. 2 is made on May 1, 2004."
    found = find("amendment_of", text)
    assert found.values[0].normal == family_key("Supply Agreement") == "supply agreement"
    assert find("amendment_of", PREAMBLE).status is CellStatus.ABSENT


def test_a_span_that_crosses_pages_is_cut_at_the_first() -> None:
    text = "This Agreement shall be governed by the laws of the State of New York.\fSecond page"
    assert find("governing_law", text).spans[0].span.page_no == 1


def test_every_rule_is_silent_on_an_empty_document() -> None:
    for name, rule in RULES.items():
        assert rule(document("")).status is CellStatus.ABSENT, name


def test_an_amendment_bears_the_date_of_its_own_verb() -> None:
    text = (
        "AMENDMENT NO. 2 TO LEASE\nThis Amendment No. 2 to the Lease dated May 4, 2019 between Acme Corp. "
        "and Borealis LLC is made as of June 7, 2021."
    )
    assert [each.text for each in find("agreement_date", text).values] == ["2021-06-07"]
