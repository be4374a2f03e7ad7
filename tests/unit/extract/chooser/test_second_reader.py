"""Values that two readers find: given where they agree or one is sure, else best guesses."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.fields import CellStatus, Finding
from core.extract.chooser import model, second_reader
from core.extract.chooser.second_reader import RULES
from core.extract.values.expiry import expiration_date
from tests.support.document_text import document_text

LEASE = (
    "LEASE AGREEMENT\n\nThis Lease Agreement is made as of March 9, 2020 (the "
    '"Effective Date") by and between ACME Corporation, a Delaware corporation ("Landlord"), and '
    'Beta Works GmbH, a German company ("Tenant").\n\n1. Term. The term of this Agreement shall '
    "commence on the Effective Date and shall continue for a period of three (3) years, unless "
    "earlier terminated.\n\n2. Confidentiality. This survives for five (5) years.\n"
)
BAD = [
    "",
    "____ day of ____, 20__, by and between [***] and [***] for a term of [***] years",
    "THIS AGREEMENT SHALL EXPIRE ON MARCH 9, 2024. THIS AGREEMENT SHALL EXPIRE ON MAY 1, 2026.",
    "IN WITNESS WHEREOF\nBy: ____\nName:\nTitle:\nDate:",
    "Tlie terrn of tliis Agreernent sha11 b e two (2) yeais fr0m tbe Effectlve Date.",
    "by and among " + ", ".join(f"Firm{n} Inc." for n in range(40)),
    "term of " * 3_000,
    '(((((("' * 800,
]


def _find(field: str, text: str) -> Finding:
    return RULES[field](document_text(text))


def test_the_term_is_told_from_other_durations() -> None:
    found = _find("expiration_date", LEASE)

    best = found.values[0] if found.values else found.candidates[0].value
    assert best is not None
    assert best.text == "2023-03-09"


def test_the_day_of_effect_is_the_one_that_the_text_defines() -> None:
    found = _find("effective_date", LEASE)

    assert (found.values[0] if found.values else found.candidates[0].value).text == "2020-03-09"


def test_parties_come_as_a_whole_set() -> None:
    found = _find("parties", LEASE)

    names = [each.text for each in found.values] or [
        each.value.text for each in found.candidates[:2] if each.value is not None
    ]
    assert set(names) == {"ACME Corporation", "Beta Works GmbH"}


@pytest.mark.parametrize("field", sorted(RULES))
@pytest.mark.parametrize("text", BAD)
def test_any_text_gives_a_finding_with_probabilities(field: str, text: str) -> None:
    found = _find(field, text)

    assert 0 <= found.confidence <= 1
    assert all(0 <= each.confidence <= 1 for each in found.candidates)
    assert found.status is not CellStatus.PRESENT or found.values


def test_dates_that_contradict_each_other_are_left_to_a_person() -> None:
    found = _find("expiration_date", BAD[2])

    assert found.status is CellStatus.UNCERTAIN
    assert len(found.candidates) > 1


def test_without_the_trained_half_the_rules_read_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(model, "SHIPPED", tmp_path)
    second_reader.shipped.cache_clear()
    try:
        document = document_text(LEASE)
        assert RULES["expiration_date"](document) == expiration_date(document)
    finally:
        second_reader.shipped.cache_clear()
