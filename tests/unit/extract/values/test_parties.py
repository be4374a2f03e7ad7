from __future__ import annotations

import pytest

from core.extract.chooser.parties import party_options
from core.extract.values.parties import find_parties, regions_of
from tests.support.document_text import document_text


def test_the_parties_end_before_a_numbered_clause_as_a_scan_writes_it() -> None:
    document = document_text(
        "This Transport Agreement is made as of May 2, 2019 between Kappa Haulage Ltd and Prairie Foods "
        "Ltd.\n1 . Services\nKappa Haulage Ltd carries dry goods between the sites in Annex A.\n"
    )

    assert [each.name.name for each in find_parties(document)] == ["Kappa Haulage Ltd", "Prairie Foods Ltd."]
    assert not any("Services" in each.name.name for each in regions_of(document))


@pytest.mark.parametrize("day", ["5/12/23", "12 May 20\n23", "November 23", "this 12th day of May 2023,"])
def test_a_date_before_by_is_no_part_of_a_name(day: str) -> None:
    document = document_text(
        f"This Agreement is entered into by and between the parties on {day} by Polaris Holding AG and Beta "
        "Corp.\n1. Term\nThe term is one year.\n"
    )

    assert [each.name.name for each in find_parties(document)] == ["Polaris Holding AG", "Beta Corp."]
    names = {each.value.text for each in party_options(document)}
    assert "Polaris Holding AG" in names
    assert not any("by Polaris" in each for each in names)
