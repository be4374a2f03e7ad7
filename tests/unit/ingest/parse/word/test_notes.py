"""Footnotes, endnotes and comments of Word files."""

from __future__ import annotations

from pathlib import Path

from core.domain.document import PartState
from tests.support.word import NOTE, paragraph, read_word, root, run, states, table, text_of


def notes(kind: str, **texts: str) -> str:
    return root(
        f"{kind}s",
        "".join(f'<w:{kind} w:id="{key[1:]}">{paragraph(text)}</w:{kind}>' for key, text in texts.items()),
    )


def test_notes_stand_behind_their_paragraph_and_endnotes_at_the_end(tmp_path: Path) -> None:
    body = paragraph(run("The rent is EUR 8,100") + NOTE.format("footnote", 3) + run(" a month."))
    body += paragraph(
        run("It rises") + NOTE.format("endnote", 2) + run(" yearly") + NOTE.format("footnote", 4)
    )
    body += table(("Fee", "<w:p>" + run("EUR 40") + NOTE.format("footnote", 5) + "</w:p>"), ("Tax", "none"))
    parts = {
        "footnotes.xml": notes("footnote", _3="Net of tax.", _4="By the index.", _5="Once."),
        "endnotes.xml": notes("endnote", _2="See the annex."),
    }
    parsed = read_word(tmp_path, body, parts)

    assert parsed.pages[0].text == (
        "The rent is EUR 8,100¹ a month.\n[footnote 1: Net of tax.]\n\nIt rises[i] yearly²\n"
        "[footnote 2: By the index.]\n\nFee | EUR 40³\nTax | none\n[footnote 3: Once.]\n"
        "[endnote i: See the annex.]"
    )
    assert states(parsed) == {"footnotes": (PartState.READ, 3), "endnotes": (PartState.READ, 1)}


def test_notes_are_numbered_as_the_file_says(tmp_path: Path) -> None:
    settings = '<w:footnotePr><w:numFmt w:val="lowerLetter"/><w:numStart w:val="2"/></w:footnotePr>'
    custom = '<w:r><w:footnoteReference w:id="1" w:customMarkFollows="1"/><w:t>*</w:t></w:r>'
    body = paragraph(run("One") + custom + run(" and two") + NOTE.format("footnote", 1))
    parts = {"footnotes.xml": notes("footnote", _1="Said."), "settings.xml": root("settings", settings)}

    assert text_of(tmp_path, body, parts) == "One* and two[b]\n[footnote: Said.]\n[footnote b: Said.]"


def test_comments_stand_behind_the_paragraph_that_they_point_into(tmp_path: Path) -> None:
    comment = f'<w:comment w:id="0" w:author="Ada [Q]">{paragraph("Too [much]?")}</w:comment>'
    body = paragraph(run("The fee is EUR 70.") + NOTE.format("comment", 0)) + paragraph("Next.")
    parsed = read_word(tmp_path, body, {"comments.xml": root("comments", comment)})

    assert parsed.pages[0].text == "The fee is EUR 70.\n[comment by Ada (Q): Too (much)?]\n\nNext."
    assert states(parsed)["comments"] == (PartState.READ, 1)
