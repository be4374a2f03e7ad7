"""Form fields and content controls of Word files."""

from __future__ import annotations

from pathlib import Path

from core.domain.document import PartState
from tests.support.word import field, paragraph, read_word, run, states


def test_form_fields_show_their_state(tmp_path: Path) -> None:
    entries = "".join(f'<w:listEntry w:val="{each}"/>' for each in ("14 days", "28 days"))
    forms = [
        ("Terms: ", "FORMDROPDOWN", "", f'<w:ddList><w:result w:val="1"/>{entries}</w:ddList>'),
        ("First: ", "FORMDROPDOWN", "", f"<w:ddList>{entries}</w:ddList>"),
        ("Both: ", "FORMDROPDOWN", "21 days", f"<w:ddList>{entries}</w:ddList>"),
        ("", "FORMCHECKBOX", "", "<w:checkBox><w:checked/></w:checkBox>"),
        ("", "FORMCHECKBOX", "", '<w:checkBox><w:default w:val="1"/><w:checked w:val="0"/></w:checkBox>'),
        ("Name: ", "FORMTEXT", "Oda Lind", '<w:textInput><w:default w:val="your name"/></w:textInput>'),
        ("Town: ", "FORMTEXT", " ", '<w:textInput><w:default w:val="Bergen"/></w:textInput>'),
        ("Berth", "FORMTEXT", " ", "<w:textInput/>"),
    ]
    body = "".join(
        paragraph(
            (run(lead) if lead else "")
            + field(code, run(shown) if shown else "", f"<w:ffData>{form}</w:ffData>")
        )
        for lead, code, shown, form in forms
    )
    parsed = read_word(tmp_path, body)

    assert parsed.pages[0].text.split("\n\n") == [
        "Terms: 28 days", "First: 14 days", "Both: 21 days (14 days)", "[x]", "[ ]", "Name: Oda Lind",
        "Town: Bergen", "Berth ____",
    ]  # fmt: skip
    assert states(parsed)["form fields"] == (PartState.READ, 7)
    assert states(parsed)["empty form fields"] == (PartState.READ, 1)


def test_content_controls_show_their_content_and_no_placeholder(tmp_path: Path) -> None:
    def control(properties: str, shown: str) -> str:
        return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{run(shown)}</w:sdtContent></w:sdt>"

    choice = '<w:dropDownList w:lastValue="2"><w:listItem w:displayText="Oslo" w:value="2"/></w:dropDownList>'
    content = [
        control('<w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>', "☒"),
        run(" agreed "),
        control('<w14:checkbox><w14:checked w14:val="0"/></w14:checkbox>', "☐"),
        run(" declined "),
        control("<w:showingPlcHdr/><w:text/>", "Click to enter text"),
        control("<w:text/>", "from Lund"),
        run(" to "),
        control(choice, ""),
    ]
    parsed = read_word(tmp_path, paragraph("".join(content)) + paragraph("☑ paid"))

    assert parsed.pages[0].text == "[x] agreed [ ] declined  ____ from Lund to Oslo\n\n[x] paid"
    assert states(parsed)["empty form fields"] == (PartState.READ, 1)
