from __future__ import annotations

from core.extract.values.parties import find_parties, regions_of
from tests.support.document_text import document_text


def test_the_parties_end_before_a_numbered_clause_as_a_scan_writes_it() -> None:
    document = document_text(
        "This Transport Agreement is made as of May 2, 2019 between Kappa Haulage Ltd and Prairie Foods "
        "Ltd.\n1 . Services\nKappa Haulage Ltd carries dry goods between the sites in Annex A.\n"
    )

    assert [each.name.name for each in find_parties(document)] == ["Kappa Haulage Ltd", "Prairie Foods Ltd."]
    assert not any("Services" in each.name.name for each in regions_of(document))
