"""Fields of forms and annotations of PDFs in the stored text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, TextStringObject

from core.domain.document import PartState
from core.ingest.pdfium import annotations
from core.ingest.render_process import find_boxes
from core.text.file_parts import part_in_words
from tests.support.files import pdf
from tests.support.pdf_files import annotated, drawn, edited, lines, parsed, with_layers


def _form(canvas: Any) -> None:
    form = canvas.acroForm
    lines(canvas, 60, 780, ["Sum applied for:"])
    form.textfield(name="sum", x=150, y=776, width=120, height=16, value="EUR 48,250")
    lines(canvas, 60, 750, ["Name of the society"])
    form.textfield(name="name", x=60, y=728, width=200, height=16, value="Lindholm Choir")
    lines(canvas, 60, 700, ["Insured:"])
    for name, x, label, is_ticked in (("yes", 120, "yes", True), ("no", 180, "no", False)):
        form.checkbox(name=name, x=x, y=698, size=12, checked=is_ticked)
        lines(canvas, x + 16, 700, [label])
    lines(canvas, 60, 670, ["Season:"])
    form.choice(
        name="season", value="Autumn", options=["Spring", "Autumn"], x=120, y=666, width=80, height=16
    )
    lines(canvas, 60, 640, ["We ask you to fill in every field of this page and the next"])
    lines(canvas, 60, 626, ["Days to pay"])
    form.textfield(name="days", x=200, y=622, width=90, height=16, value="30 days net")
    lines(canvas, 60, 600, ["Berth number"])
    form.textfield(name="berth", x=200, y=596, width=90, height=16, value="")
    form.textfield(name="form.bank_account[0]", x=300, y=60, width=100, height=16, value="NO-77")


def test_values_stand_beside_their_labels(tmp_path: Path) -> None:
    document = parsed(tmp_path, drawn(_form))

    assert document.pages[0].text.split("\n") == [
        "Sum applied for: EUR 48,250",
        "Name of the society: Lindholm Choir",
        "Insured: [x] yes [ ] no",
        "Season: Autumn",
        "We ask you to fill in every field of this page and the next",
        "Days to pay: 30 days net",
        "Berth number: ____",
        "bank account: NO-77",
    ]
    assert {(part.kind, part.count) for part in document.parts} == {
        ("form fields", 5),
        ("empty form fields", 1),
        ("boxes to tick", 2),
    }
    assert document.gaps == 0


def test_fields_that_nobody_filled_in_are_said_to_be_empty(tmp_path: Path) -> None:
    def blank(canvas: Any) -> None:
        for name, y in (("sum", 776), ("day", 740)):
            lines(canvas, 60, y + 4, [f"The {name}:"])
            canvas.acroForm.textfield(name=name, x=150, y=y, width=120, height=16)

    parts = parsed(tmp_path, drawn(blank)).parts

    assert [part_in_words(part) for part in parts] == ["2 empty form fields (page 1)"]


def test_a_value_is_found_at_the_place_of_its_field(tmp_path: Path) -> None:
    text = parsed(tmp_path, drawn(_form)).pages[0].text
    start = text.index("EUR 48,250")

    ((box,),) = find_boxes(tmp_path / "paper.pdf", 1, [(start, start + 10)], text)

    assert box.x0 == pytest.approx(150 / 595, abs=0.01)
    assert box.y1 == pytest.approx(1 - 776 / 842, abs=0.01)


def test_a_value_that_differs_from_what_is_shown_is_told_with_it(tmp_path: Path) -> None:
    from pypdf.generic import NameObject, TextStringObject

    def edit(writer: Any) -> None:
        field = writer.root_object["/AcroForm"]["/Fields"][0].get_object()
        field[NameObject("/V")] = TextStringObject("EUR 9,900")

    document = parsed(tmp_path, edited(drawn(_form), edit))

    assert "Sum applied for: EUR 9,900 (shown: EUR 48,250)" in document.pages[0].text
    assert "form fields that show other words than their value" in [part.kind for part in document.parts]


def test_typed_words_that_look_like_a_mark_are_told_from_marks(tmp_path: Path) -> None:
    def typed(canvas: Any) -> None:
        lines(canvas, 60, 780, ["Fee [deleted: 90] 75", "Berth:"])
        canvas.acroForm.textfield(name="b", x=150, y=763, width=90, height=16, value="[comment by A: 6]")

    (page,) = parsed(tmp_path, drawn(typed)).pages
    assert page.text == "Fee [ deleted: 90] 75\nBerth: [ comment by A: 6]"


@pytest.mark.parametrize("entry", ["/Parent", "/Kids"])
def test_fields_that_belong_to_themselves_keep_their_values(tmp_path: Path, entry: str) -> None:
    def tie(writer: Any) -> None:
        for field in writer.pages[0]["/Annots"]:
            field.get_object()[NameObject(entry)] = field if entry == "/Parent" else ArrayObject([field])

    text = parsed(tmp_path, edited(drawn(_form), tie)).pages[0].text
    assert text.startswith(
        "Sum applied for: EUR 48,250\nName of the society: Lindholm Choir\nInsured: [x] yes [ ] no"
    )
    assert "Season: Autumn" in text


def test_notes_that_many_pages_share_are_read_up_to_a_bound_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(annotations, "_MOST_OF_FILE", 40)
    monkeypatch.setattr(annotations, "_ALWAYS", 5)

    def share(writer: Any) -> None:
        notes = [
            writer._add_object(
                DictionaryObject(
                    {
                        NameObject("/Subtype"): NameObject("/Text"),
                        NameObject("/Rect"): ArrayObject(map(FloatObject, (60, 700, 80, 712))),
                        NameObject("/Contents"): TextStringObject(f"n{number}"),
                    }
                )
            )
            for number in range(8)
        ]
        for page in writer.pages:
            page[NameObject("/Annots")] = ArrayObject(notes)

    document = parsed(tmp_path, edited(pdf([f"Page {number}" for number in range(9)]), share))
    assert [(part.kind, part.count, part.is_gap) for part in document.parts] == [
        ("annotations", 9, True),
        ("comments", 9 * 5, False),
    ]


def test_lines_drawn_through_words_are_deletions_and_other_lines_are_not(tmp_path: Path) -> None:
    def struck(canvas: Any) -> None:
        lines(canvas, 60, 780, ["Rent 900 a month, 950 from May on."])
        canvas.line(84, 783.5, 101, 783.5)
        lines(canvas, 60, 740, ["Deposit of two rents"])
        canvas.line(60, 738, 150, 738)  # below the words
        lines(canvas, 60, 700, ["Heating"])
        canvas.line(20, 703.5, 500, 703.5)  # a rule of the page

    document = parsed(tmp_path, drawn(struck))
    text = "Rent [deleted: 900] a month, 950 from May on.\nDeposit of two rents\nHeating"
    assert document.pages[0].text == text
    assert [(part.kind, part.count) for part in document.parts] == [("words struck through", 1)]


@pytest.mark.parametrize("name", ["Draft", "Shown"])
def test_layers_that_are_switched_off_are_left_out_and_said(tmp_path: Path, name: str) -> None:
    document = parsed(tmp_path, with_layers("Rent 950.", "Rent 900.", ("Draft", name)))

    assert document.pages[0].text == "Rent 950." if name == "Shown" else "Rent 950.\nRent 900."
    state = PartState.LEFT_OUT if name == "Shown" else PartState.UNREAD  # one name is both on and off
    assert [part.state for part in document.parts] == [state]


def test_annotations_stand_where_they_are_pinned(tmp_path: Path) -> None:
    data = annotated(
        "The fee is EUR 900 a month.\nIt is due on Mondays.",
        ("/FreeText", (60, 700, 300, 720), {"Contents": "Paid <script>alert(1)</script>"}),
        ("/Stamp", (300, 600, 400, 640), {"Name": "/NotApproved"}),
        ("/Text", (500, 775, 520, 790), {"Contents": "Ask [legal]: sure?", "T": "Ines"}),
        ("/StrikeOut", (106, 777, 148, 790), {"Quad": "", "Contents": "waived", "T": "Otto"}),
    )
    document = parsed(tmp_path, data)

    assert document.pages[0].text.split("\n") == [
        "The fee is [deleted: EUR 900] [comment by Otto: waived] a month."
        " [comment by Ines: Ask (legal): sure?]",
        "It is due on Mondays.",
        "Paid <script>alert(1)</script>",
        "Not Approved",
    ]
    assert {part.kind for part in document.parts} == {
        "text annotations", "stamps", "comments", "words struck through",
    }  # fmt: skip


def test_ten_thousand_comments_and_broken_ones_are_read_in_time(tmp_path: Path) -> None:
    notes = [
        ("/Text", (10.0, 100.0, 20.0, 100.0 + n % 600), {"Contents": f"note {n}"}) for n in range(10_000)
    ]
    broken = ("/StrikeOut", (0.0, 0.0, 1e9, 1e9), {})
    document = parsed(tmp_path, annotated("Plain words.", broken, *notes))

    assert document.pages[0].text.count("[comment: note ") == 10_000
    assert "[deleted: Plain words.]" in document.pages[0].text


def test_a_layer_of_a_long_name_is_hidden_too(tmp_path: Path) -> None:
    document = parsed(tmp_path, with_layers("Rent 950.", "Rent 900.", ("Draft " * 200, "Final")))
    assert document.pages[0].text == "Rent 950."
