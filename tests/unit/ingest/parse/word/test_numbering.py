"""Automatic numbers of Word files, as they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.document import PartState
from core.ingest.parse.word.numbering import number_as
from tests.support.word import item, paragraph, read_word, root, states, text_of


def level(at: int, text: str, form: str = "decimal", more: str = "", start: int = 1) -> str:
    return (
        f'<w:lvl w:ilvl="{at}"><w:start w:val="{start}"/><w:numFmt w:val="{form}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(*levels: str, instances: str = "") -> dict[str, str]:
    definition = f'<w:abstractNum w:abstractNumId="7">{"".join(levels)}</w:abstractNum>'
    first = '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>'
    return {"numbering.xml": root("numbering", definition + first + instances)}


LEGAL = numbering(level(0, "%1."), level(1, "%1.%2"), level(2, "(%3)", "lowerLetter"))


def test_clauses_have_the_numbers_that_show(tmp_path: Path) -> None:
    body = [
        item("Supply"),
        item("The Seller supplies pumps.", 1),
        item("Price"),
        item("The price is fixed.", 1),
    ]
    body += [item("It is EUR 9,400.", 1), item("freight is included;", 2), item("duty is not.", 2)]
    parsed = read_word(tmp_path, "".join(body), LEGAL)

    assert parsed.pages[0].text == (
        "1. Supply\n\n1.1 The Seller supplies pumps.\n\n2. Price\n\n2.1 The price is fixed.\n\n"
        "2.2 It is EUR 9,400.\n(a) freight is included;\n(b) duty is not."
    )
    assert [heading.text for heading in parsed.pages[0].headings] == ["1. Supply", "2. Price"]
    assert states(parsed) == {"automatic numbers": (PartState.READ, 7)}


def test_a_list_is_no_row_of_headings(tmp_path: Path) -> None:
    body = item("Apples") + item("Pears") + item("Cherries") + paragraph("They are sold.")

    assert read_word(tmp_path, body, LEGAL).pages[0].headings == ()


@pytest.mark.parametrize(
    ("form", "count", "shown"),
    [
        ("upperRoman", 14, "XIV"), ("lowerRoman", 9, "ix"), ("upperLetter", 28, "BB"),
        ("lowerLetter", 3, "c"),
        ("decimalZero", 7, "07"), ("ordinal", 12, "12th"), ("ordinal", 23, "23rd"),
        ("cardinalText", 42, "Forty-two"),
        ("ordinalText", 21, "Twenty-first"), ("none", 5, ""), ("chicago", 5, "**"),
        ("numberInDash", 2, "- 2 -"),
        ("decimalEnclosedCircle", 3, "③"), ("hebrew1", 3, None),
    ],
)  # fmt: skip
def test_numbers_have_words_forms(form: str, count: int, shown: str | None) -> None:
    assert number_as(count, form) == shown


def test_a_list_starts_anew_where_an_instance_says_so_and_goes_on_where_it_does_not(tmp_path: Path) -> None:
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    more = "".join(
        f'<w:num w:numId="{at}"><w:abstractNumId w:val="7"/>{over}</w:num>'
        for at, over in ((2, ""), (3, restart))
    )
    body = [item("one"), item("two", 0, 2), item("five", 0, 3), item("six", 0, 3)]

    assert text_of(tmp_path, "".join(body), numbering(level(0, "%1)"), instances=more)) == (
        "1) one\n\n2) two\n\n5) five\n\n6) six"
    )


def test_legal_levels_restarts_suffixes_and_bullets_are_kept(tmp_path: Path) -> None:
    levels = (
        level(0, "Article %1", "upperRoman"),
        level(1, "%1.%2", "decimal", "<w:isLgl/>"),
        level(2, "§%3", "decimal", '<w:lvlRestart w:val="0"/><w:suff w:val="nothing"/>'),
        level(3, "x", "bullet"),
    )
    body = [
        item("Term"),
        item("Five years.", 1),
        item("yes", 2),
        item("Fees"),
        item("None.", 1),
        item("no", 2),
    ]
    body += [item("dot", 3), item("empty text is counted", 1), item("", 1), item("last", 1)]

    assert text_of(tmp_path, "".join(body), numbering(*levels)) == (
        "Article I Term\n\n1.1 Five years.\n\n§1 yes\n\nArticle II Fees\n\n2.1 None.\n\n§2 no\n- dot\n\n"
        "2.2 empty text is counted\n\n2.4 last"
    )


def test_numbers_come_by_style_and_by_the_style_that_it_is_based_on(tmp_path: Path) -> None:
    tied = '<w:pStyle w:val="Clause"/>'
    parts = numbering(level(0, "%1.", more='<w:pStyle w:val="Heading1"/>'), level(1, "%1.%2", more=tied))
    numbered = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/>{more}</w:style>'
        for key, name, more in (
            ("Heading1", "heading 1", numbered),
            ("Clause", "Clause", numbered),
            ("Strict", "Strict Clause", '<w:basedOn w:val="Clause"/>'),
            ("Loop", "Loop", '<w:basedOn w:val="Loop"/>'),
        )
    )
    body = [
        paragraph(text, f'<w:pStyle w:val="{style}"/>{more}')
        for text, style, more in (
            ("Liability of the keeper of goods", "Heading1", ""),
            ("It is limited.", "Clause", ""),
            ("It is strict.", "Strict", ""),
            ("Bare.", "Clause", '<w:numPr><w:numId w:val="0"/></w:numPr>'),
            ("Round.", "Loop", ""),
        )
    ]
    parsed = read_word(tmp_path, "".join(body), {**parts, "styles.xml": root("styles", styles)})

    assert parsed.pages[0].text == (
        "1. Liability of the keeper of goods\n\n1.1 It is limited.\n\n1.2 It is strict.\n\nBare.\n\nRound."
    )
    assert [(each.level, each.text) for each in parsed.pages[0].headings] == [
        (1, "1. Liability of the keeper of goods")
    ]


def test_a_deleted_item_is_not_counted(tmp_path: Path) -> None:
    gone = paragraph(
        '<w:del w:id="1"><w:r><w:delText>old</w:delText></w:r></w:del>',
        '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del w:id="2"/></w:rPr>',
    )
    parsed = read_word(tmp_path, item("first stays") + gone + item("second stays"), LEGAL)

    assert parsed.pages[0].text == "1. first stays\n\n2. second stays"
    assert states(parsed)["tracked deletions"] == (PartState.LEFT_OUT, 1)


@pytest.mark.parametrize("parts", [{}, {"numbering.xml": "<w:numbering"}])
def test_lost_numbers_are_a_gap(tmp_path: Path, parts: dict[str, str]) -> None:
    parsed = read_word(tmp_path, item("Supply of pumps to the yard."), parts)

    assert parsed.pages[0].text == "Supply of pumps to the yard."
    assert parsed.parts
    assert all(part.is_gap and part.reason for part in parsed.parts)
