"""Words of a paragraph as they show: fields, symbols, what is struck or raised, pictures."""

from __future__ import annotations

from pathlib import Path

from core.domain.document import PartState
from tests.support.word import field, paragraph, read_word, root, run, states, text_of


def drawing(content: str, side: int = 300, told: str = "") -> str:
    size = side * 9_525
    return (
        f'<w:r><w:drawing><wp:inline><wp:extent cx="{size}" cy="{size}"/><wp:docPr id="1" name="P" {told}/>'
        f"<a:graphic>{content}</a:graphic></wp:inline></w:drawing></w:r>"
    )


def test_symbols_are_the_characters_that_show(tmp_path: Path) -> None:
    shown = [
        ("Symbol", "F0B1"),
        ("Symbol", "F061"),
        ("Wingdings", "F0FE"),
        ("Wingdings", "F0A8"),
        ("Arial", "00B5"),
    ]
    symbols = "".join(
        f'<w:r><w:sym w:font="{font}" w:char="{char}"/></w:r>{run(" ")}' for font, char in shown
    )
    text = run("\uf0fc ok", "").replace(
        "<w:rPr>", '<w:rPr><w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>'
    )
    odd = '<w:r><w:sym w:font="Odd Signs" w:char="F041"/></w:r>'
    parsed = read_word(tmp_path, paragraph(symbols) + paragraph(text.replace(" ok", "") + run(" ok") + odd))

    assert parsed.pages[0].text == "± α [x] [ ] µ\n\n✓ ok"
    assert states(parsed) == {"symbols": (PartState.UNREAD, 1)}


def test_fields_show_their_result_and_hyphens_their_sign(tmp_path: Path) -> None:
    codes, rest = field("IF x = y", run("shown")).split("</w:instrText></w:r>")
    nested = f"{codes}</w:instrText></w:r>{field('MERGEFIELD a', run('hidden'))}{rest}"
    body = paragraph(run("See clause ") + field("REF _Ref1 \\r \\h", run("7.4")) + run(" of ") + nested)
    body += paragraph(
        "<w:r><w:t>A</w:t><w:noBreakHyphen/><w:t>12 li</w:t><w:softHyphen/><w:t>mit</w:t></w:r>"
    )

    assert text_of(tmp_path, body) == "See clause 7.4 of shown\n\nA-12 limit"


def test_a_field_without_end_hides_nothing(tmp_path: Path) -> None:
    body = paragraph('<w:r><w:fldChar w:fldCharType="begin"/></w:r>' + run("Kept.")) + paragraph("And this.")

    assert text_of(tmp_path, body) == "Kept.\n\nAnd this."


def test_charts_and_diagrams_are_read_and_pictures_and_objects_are_gaps(tmp_path: Path) -> None:
    def points(*values: str) -> str:
        return "".join(f'<c:pt idx="{at}"><c:v>{each}</c:v></c:pt>' for at, each in enumerate(values))

    chart = (
        "<c:chart><c:title><a:t>Sales</a:t></c:title><c:ser><c:tx><c:v>Tons</c:v></c:tx>"
        f"<c:cat>{points('2031', '2032')}</c:cat><c:val>{points('4.5', '6')}</c:val></c:ser></c:chart>"
    )
    diagram = "<dgm:pt><a:t>Order</a:t></dgm:pt><dgm:pt><a:t>Deliver</a:t></dgm:pt>"
    picture = '<a:blip r:embed="rIdimage1"/>'
    body = paragraph(drawing('<c:chart r:id="rIdchart1"/>')) + paragraph(
        drawing('<dgm:relIds r:dm="rIddata1"/>')
    )
    body += (
        paragraph(drawing(picture))
        + paragraph(drawing(picture, 40))
        + paragraph(drawing(picture, 300, 'descr="Hall plan"'))
    )
    body += paragraph('<w:r><w:object><o:OLEObject ProgID="Excel.Sheet.12"/></w:object></w:r>')
    body += paragraph(drawing('<c:chart r:id="rIdlost"/>'))
    parsed = read_word(
        tmp_path, body, {"chart1.xml": root("x", chart), "data1.xml": root("x", diagram), "image1.png": b"-"}
    )

    assert parsed.pages[
        0
    ].text == "Sales\n | Tons\n2031 | 4.5\n2032 | 6\n\nOrder\nDeliver\n\nHall plan".replace("\n |", "\n|")
    gaps = {part.kind: part.count for part in parsed.parts if part.is_gap}
    assert gaps == {"images without text": 1, "embedded objects": 1, "charts": 1}
    assert all(part.reason for part in parsed.parts if part.is_gap)
