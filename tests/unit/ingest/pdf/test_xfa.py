"""Values of XFA forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pdf_files import parsed, with_xfa

_XFA = (
    b'<d:datasets xmlns:d="http://www.xfa.org/schema/xfa-data/1.0/"><d:data><form>'
    b"<Applicant>Yrsa Dahl</Applicant><TotalCost>EUR 5,120</TotalCost><Blank/></form></d:data></d:datasets>"
)


@pytest.mark.parametrize("is_dynamic", [False, True])
def test_xfa_values_are_read_and_pages_that_a_program_makes_are_told(
    tmp_path: Path, is_dynamic: bool
) -> None:
    document = parsed(tmp_path, with_xfa("Please wait.", _XFA, is_dynamic=is_dynamic))

    assert document.pages[0].text.endswith("Applicant: Yrsa Dahl\nTotal Cost: EUR 5,120")
    assert document.gaps == is_dynamic


@pytest.mark.parametrize("xml", [_XFA[:70], b'<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>'])
def test_damaged_xfa_costs_its_values_only(tmp_path: Path, xml: bytes) -> None:
    document = parsed(tmp_path, with_xfa("The rest.", xml, is_dynamic=False))

    assert document.pages[0].text == "The rest."
    assert [(part.kind, part.is_gap) for part in document.parts] == [("XFA values", True)]
