"""Values of XFA forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.pdf_files import parsed, with_xfa

_XFA = (
    b'<d:datasets xmlns:d="http://www.xfa.org/schema/xfa-data/1.0/"><d:data><form>'
    b"<Applicant>Yrsa Dahl</Applicant><TotalCost>EUR 5,120</TotalCost><Blank/></form></d:data></d:datasets>"
)


_TEMPLATE = (
    b'<template xmlns="http://www.xfa.org/schema/xfa-template/3"><draw><value><text>Boat grant</text></value>'
    b'</draw><field name="TotalCost"><caption><value><text>Costs in total:</text></value></caption></field>'
    b'<field name="Berth"><items><text>North quay</text><text>Old port</text></items>'
    b'<items save="1"><text>B1</text><text>B2</text></items></field>'
    b'<field name="Pin"><ui><passwordEdit/></ui></field>'
    b'<exclGroup name="Paid"><field><caption><value><text>each month</text></value></caption>'
    b"<items><text>7</text></items></field></exclGroup></template>"
)


def test_xfa_values_are_read(tmp_path: Path) -> None:
    document = parsed(tmp_path, with_xfa("A page.", _XFA, is_dynamic=False))

    assert document.pages[0].text == "A page.\nApplicant: Yrsa Dahl\nTotal Cost: EUR 5,120"
    assert document.gaps == 0


def test_pages_that_a_program_makes_hold_the_words_of_the_form_and_no_stand_in(tmp_path: Path) -> None:
    data = _XFA.replace(b"<Blank/>", b"<Berth>B2</Berth><Paid>7</Paid><Pin>4477</Pin>")
    document = parsed(tmp_path, with_xfa("Please wait...", data, is_dynamic=True, template=_TEMPLATE))

    assert document.pages[0].text.split("\n\n") == [
        "Boat grant",
        "Applicant: Yrsa Dahl",
        "Costs in total: EUR 5,120",
        "Berth: Old port",
        "Paid: each month",
    ]
    assert document.title == "paper"
    assert document.gaps == 1


@pytest.mark.parametrize("xml", [_XFA[:70], b'<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>'])
def test_damaged_xfa_costs_its_values_only(tmp_path: Path, xml: bytes) -> None:
    document = parsed(tmp_path, with_xfa("The rest.", xml, is_dynamic=False))

    assert document.pages[0].text == "The rest."
    assert [(part.kind, part.is_gap) for part in document.parts] == [("XFA values", True)]
