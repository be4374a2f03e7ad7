from __future__ import annotations

from core.domain.trust.deed import ChainReport, Fault, canonical


def test_a_value_has_one_text_whatever_its_order() -> None:
    assert canonical({"b": 1, "a": "ü"}) == canonical({"a": "ü", "b": 1}) == '{"a":"\\u00fc","b":1}'


def test_a_report_says_where_the_chain_is_broken() -> None:
    assert ChainReport(3, 3, "h").text == "The chain of 3 entries is whole."
    broken = ChainReport(1200, 1500, "h", 1201, Fault.MISSING)
    assert not broken.is_whole
    assert broken.text == "The chain is broken at entry 1,201: missing."
