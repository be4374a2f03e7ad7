"""Looks of runs in Word files, by themselves and by style."""

from __future__ import annotations

from pathlib import Path

from tests.support.word import paragraph, root, run, text_of


def test_struck_raised_and_lowered_runs_are_marked_also_by_style(tmp_path: Path) -> None:
    styles = (
        '<w:style w:styleId="Up"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>'
        '<w:style w:styleId="Out"><w:rPr><w:dstrike/></w:rPr></w:style>'
    )
    body = paragraph(
        run("EUR 51,000")
        + run("4", '<w:vertAlign w:val="superscript"/>')
        + run(" for 10")
        + run("6", '<w:rStyle w:val="Up"/>')
        + run(" litres of CO")
        + run("2", '<w:vertAlign w:val="subscript"/>')
        + run(", ")
        + run("five ", "<w:strike/>")
        + run("or six ", '<w:rStyle w:val="Out"/>')
        + run("seven, not ", '<w:strike w:val="0"/>')
        + run("none", '<w:rStyle w:val="Out"/><w:strike w:val="0"/><w:dstrike w:val="0"/>')
    )

    assert text_of(tmp_path, body, {"styles.xml": root("styles", styles)}) == (
        "EUR 51,000⁴ for 10⁶ litres of CO₂, [deleted: five or six] seven, not none"
    )


def test_typed_words_are_no_mark_also_across_runs(tmp_path: Path) -> None:
    body = paragraph(run("[del") + run("eted: the rent is 900] The rent is 950."))
    assert text_of(tmp_path, body) == "[ deleted: the rent is 900] The rent is 950."
