"""Names that may be parties."""

from __future__ import annotations

from core.domain.fields import FieldType, TypedValue
from core.extract.chooser.model import ChoosableValue, Judged
from core.extract.chooser.parties import SET_MEASURES, party_options, party_set
from tests.support.document_text import document_text


def test_names_of_the_opening_and_of_signatures_are_candidates() -> None:
    text = (
        'This Agreement is made by and between ACME CORPORATION ("ACME") and Jane Miller ("Artist").\n'
        + "Text. " * 50
        + "\nIN WITNESS WHEREOF\nACME CORPORATION\nBy: /s/ Tom Bell\nName: Tom Bell"
    )

    found = {each.value.text for each in party_options(document_text(text))}

    assert {"ACME CORPORATION", "Jane Miller"} <= found


def test_who_signs_is_a_candidate_in_a_text_that_names_nobody_before() -> None:
    text = "Text. " * 50 + "For and on behalf of BC TEL\n\n--------\n\nWARD MUTUAL FUND\nBy: /s/ Tom Bell"

    options = party_options(document_text(text))

    assert {"BC TEL", "WARD MUTUAL FUND"} <= {each.value.text for each in options}


def test_text_without_names_has_none() -> None:
    assert party_options(document_text("")) == []


def _judged(name: str, probability: float, start: int, end: int) -> Judged:
    value = TypedValue(FieldType.PARTY, name)
    return Judged(name, probability, (ChoosableValue(value, ((start, end),), (), (0.0,) * 12, name),))


def test_likely_names_are_in_the_set_and_none_within_another() -> None:
    judged = [_judged("ACME Corp", 0.9, 0, 9), _judged("ACME", 0.8, 0, 4), _judged("Beta", 0.7, 20, 24)]

    found = party_set([*judged, _judged("Court", 0.1, 40, 45)], frozenset({"ACME Corp", "Beta"}))

    assert [each.group for each in found.names] == ["ACME Corp", "Beta"]
    assert found.is_of_rules
    assert found.measures.shape == (SET_MEASURES,)


def test_nobody_is_likely_in_an_empty_set() -> None:
    found = party_set([], frozenset())

    assert found.names == ()
    assert not found.is_of_rules


def test_a_set_is_given_only_with_several_names_of_which_none_holds_another_or_begins_with_a_role() -> None:
    def of(*names: str) -> bool:
        judged = [_judged(name, 0.9, at * 200, at * 200 + 50) for at, name in enumerate(names)]
        return party_set(judged, frozenset()).may_be_given

    assert of("ACME Corp", "Beta Ltd.")
    assert of("Reseller, Inc.", "Beta Ltd.")
    assert not of("ACME Corp")
    assert not of("The City of Ames and ACME Corp", "ACME Corp")
    assert not of("Reseller, Schoolpop, Inc.", "ACME Corp")
