from __future__ import annotations

from itertools import pairwise

from core.extract.clauses.segments import MAX_CHARS, segment

CONTRACT = """SUPPLY AGREEMENT

This Supply Agreement is made by Acme Inc. and Beta Ltd. on the date below.

ARTICLE IV  CONFIDENTIALITY

4.1 Duty. Each party shall keep the other's information secret. It shall not disclose it to anyone, e.g. to
advisers, without consent; and

- 3 -

shall return it on request.

4.2 Exceptions. The duty does not cover what is public (see Section 4.1. above). It ends after 5 years.
"""


def test_every_segment_stands_in_the_text_at_its_offsets() -> None:
    for each in segment(CONTRACT).segments:
        words = "".join(each.text.split())
        there = "".join(CONTRACT[each.start : each.end].split())
        assert words == there or words in there.replace("-3-", "")


def test_segments_come_in_reading_order_and_do_not_overlap() -> None:
    segments = segment(CONTRACT).segments
    assert all(left.end <= right.start for left, right in pairwise(segments))


def test_headings_stand_above_their_sentences() -> None:
    found = {each.text: each.section for each in segment(CONTRACT).segments}
    assert found["It ends after 5 years."] == ("CONFIDENTIALITY", "Exceptions")


def test_page_numbers_are_dropped_and_the_broken_paragraph_joined() -> None:
    document = segment(CONTRACT)
    assert not any(each.text == "- 3 -" for each in document.segments)
    first, last = (
        next(each for each in document.segments if part in each.text)
        for part in ("keep the other", "return it on request")
    )
    assert first.paragraph == last.paragraph


def test_abbreviations_and_section_numbers_do_not_end_a_sentence() -> None:
    texts = [each.text for each in segment(CONTRACT).segments]
    assert "This Supply Agreement is made by Acme Inc. and Beta Ltd. on the date below." in texts
    assert any("(see Section 4.1. above)" in text for text in texts)


def test_a_sentence_that_is_too_long_is_cut_at_its_semicolons() -> None:
    text = (
        "The supplier shall: "
        + " ".join(f"(a) deliver lot {n} on time and in full;" for n in range(60))
        + "."
    )
    lengths = [len(each.text) for each in segment(text).segments]
    assert len(lengths) > 3
    assert max(lengths) <= MAX_CHARS


def test_wrapped_lines_of_a_page_are_one_paragraph() -> None:
    lines = "\n".join(
        f"{word} and so on, " * 5 for word in ("all", "beta", "gas", "delta", "eps", "zeta", "eta")
    )
    document = segment(f"{lines}\n1. Term. This agreement lasts for two years.\n")
    assert len(document.paragraphs) == 2
    assert document.segments[-1].section == ("Term",)


def test_sections_that_run_on_in_one_line_are_parted() -> None:
    text = "The fees are due in 30 days. 14. LIMITATION OF LIABILITY 14.1 NEITHER PARTY IS LIABLE."
    assert len(segment(text).paragraphs) == 3
    assert segment(text).segments[-1].section[0] == "LIMITATION OF LIABILITY"


def test_blank_text_has_no_segments() -> None:
    assert segment(" \n\n \f ").segments == ()


def test_lines_that_return_on_every_page_are_dropped() -> None:
    pages = "\n\n".join(
        f"Acme Confidential Draft\n\nParagraph {n} says that goods are fine here." for n in range(5)
    )
    assert not any("Draft" in each.text for each in segment(pages).segments)
