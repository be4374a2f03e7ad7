"""Word files as a whole: headers, boxes, files within, damage."""

from __future__ import annotations

from pathlib import Path

from core.domain.document import PartState
from tests.support.word import NOTE, field, paragraph, read_word, root, run, states, table, text_of, word_file


def test_headers_and_footers_that_show_are_said_once_without_page_numbers(tmp_path: Path) -> None:
    page = (
        run("Page ")
        + field("PAGE", run("3"))
        + run(" of ")
        + '<w:fldSimple w:instr="NUMPAGES"><w:r/></w:fldSimple>'
    )
    texts = {
        "header1": "Draft 4",
        "header2": "Cover sheet",
        "header3": "Left page",
        "footer1": "Confidential",
    }
    parts = {f"{name}.xml": root("hdr", paragraph(text)) for name, text in texts.items()}
    parts["footer1.xml"] = root("ftr", paragraph(page) + paragraph("Confidential"))
    told = [("header", "default", 1), ("header", "first", 2), ("header", "even", 3), ("footer", "default", 1)]
    section = "".join(f'<w:{kind}Reference w:type="{of}" r:id="rId{kind}{at}"/>' for kind, of, at in told)
    body = (
        paragraph("One.", f"<w:sectPr>{section}<w:titlePg/></w:sectPr>") + f"<w:sectPr>{section}</w:sectPr>"
    )

    assert text_of(tmp_path, paragraph("Body.") + body, parts) == (
        "[header: Cover sheet]\n[header: Draft 4]\n\nBody.\n\nOne.\n\n[footer: Page of | Confidential]"
    )


def test_text_boxes_are_read_once_as_paragraphs_of_their_own(tmp_path: Path) -> None:
    box = f"<w:txbxContent>{paragraph('Limit: EUR 300.')}{table(('A', 'B'), ('1', '2'))}</w:txbxContent>"
    shape = f"<w:r><mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>" + (
        f"<mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    older = (
        f"<w:r><mc:AlternateContent><mc:Choice/><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
    )

    assert (
        text_of(tmp_path, paragraph(run("Anchor.") + shape)) == "Anchor.\n\nLimit: EUR 300.\n\nA | B\n1 | 2"
    )
    assert text_of(tmp_path, paragraph(older) + table(("x", f"<w:p>{shape}</w:p>"))).count("Limit") == 2


def test_files_within_the_text_are_read_in_place_and_not_without_end(tmp_path: Path) -> None:
    def chunk(name: str) -> str:
        return f'<w:altChunk r:id="rId{name}"/>'

    page = "<html><body><h1>Annex</h1><p>Boats are insured.</p></body></html>"
    deep = word_file(paragraph("bottom"))
    for _ in range(5):
        deep = word_file(paragraph("layer") + chunk("a1") * 40, {"a1.docx": deep})
    body = paragraph("Start.") + chunk("a1") + chunk("a2") + chunk("a3") + paragraph("End.")
    parsed = read_word(tmp_path, body, {"a1.html": page, "a2.docx": deep, "a3.rtf": "{\\rtf1 x}"})

    assert parsed.pages[0].text == "Start.\n\nAnnex\n\nBoats are insured.\n\nlayer\n\nlayer\n\nlayer\n\nEnd."
    assert sum(part.count for part in parsed.parts if part.is_gap) == 2


def test_a_paragraph_whose_end_is_deleted_goes_on_in_the_next(tmp_path: Path) -> None:
    body = paragraph("The fee ", '<w:rPr><w:del w:id="1"/></w:rPr>') + paragraph("is due.")

    assert text_of(tmp_path, body) == "The fee is due."


def test_building_blocks_are_left_out(tmp_path: Path) -> None:
    parts = {"glossary/document.xml": root("glossaryDocument", paragraph("Choose an item"))}
    parsed = read_word(tmp_path, paragraph("Plain."), parts)

    assert parsed.pages[0].text == "Plain."
    assert states(parsed) == {"building blocks": (PartState.LEFT_OUT, 1)}


def test_thousands_of_notes_and_fields_take_seconds(tmp_path: Path) -> None:
    body = "".join(
        paragraph(
            run(f"Line {at} ")
            + NOTE.format("comment", at)
            + field("FORMCHECKBOX", "", "<w:ffData><w:checkBox/></w:ffData>")
        )
        for at in range(5_000)
    )
    comments = "".join(f'<w:comment w:id="{at}">{paragraph("Why?")}</w:comment>' for at in range(5_000))
    parsed = read_word(tmp_path, body, {"comments.xml": root("comments", comments)})

    assert states(parsed) == {"comments": (PartState.READ, 5_000), "form fields": (PartState.READ, 5_000)}


def test_deep_tables_and_fields_without_end_lose_no_paragraph(tmp_path: Path) -> None:
    def nested(depth: int) -> str:
        return "<w:tbl><w:tr><w:tc>" * depth + paragraph("Deep.") + "</w:tc></w:tr></w:tbl>" * depth

    begun = '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
    body = paragraph("First.") + nested(90) + paragraph(begun * 2 + run("Shown.")) + paragraph("Last.")
    assert text_of(tmp_path, body) == "First.\n\nDeep.\n\nShown.\n\nLast."
    boxes = "<w:p><w:r><w:pict><w:txbxContent>" * 400 + "</w:txbxContent></w:pict></w:r></w:p>" * 400
    parsed = read_word(tmp_path, paragraph("First.") + boxes + paragraph("Last."))
    assert parsed.pages[0].text == "First.\n\nLast."
    assert states(parsed)["tables and texts"] == (PartState.UNREAD, 1)


def test_what_is_referred_to_thousands_of_times_is_written_once(tmp_path: Path) -> None:
    comment = f'<w:comment w:id="1" w:author="Ida">{paragraph("word " * 4_000)}</w:comment>'
    body = paragraph((run("x") + NOTE.format("comment", 1)) * 3_000)
    text = text_of(tmp_path, body, {"comments.xml": root("comments", comment)})

    assert text.count("[comment by Ida: as before]") == 2_999
    assert len(text) < 130_000
