"""What a document states, on its page."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.domain.principal import Principal
from tests.app.test_pages import mounted, open_page, texts
from tests.support.fake_workbench import FakeWorkbench
from tests.support.roles import MAY_ASK


def _open(app: AppTest, bench: FakeWorkbench, text: str, tab: str) -> None:
    document = bench.documents(text=text)[0].id
    open_page(app, "documents", document=document)
    app.session_state["document-tabs-Pages-Text"] = tab
    app.run()


def _statements(app: AppTest, kind: str) -> dict[str, Any]:
    [found] = [data for data in mounted(app) if data.get("kind") == kind]
    return found


def _marked(app: AppTest) -> list[tuple[int, int]]:
    [pages] = [data for data in mounted(app) if "hits" in data]
    return [(hit["page"], hit["start"]) for hit in pages["hits"]]


def test_fields_are_listed_with_status_value_confidence_and_place(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "Master", "Fields")

    rows = {row["name"]: row for row in _statements(app, "fields")["rows"]}
    assert (rows["governing_law"]["word"], rows["governing_law"]["text"]) == ("Present", "Delaware")
    assert rows["governing_law"]["confidence"] == 98
    assert rows["governing_law"]["places"][0]["page"] == 2
    assert rows["audit_rights"]["sign"] == "○"


def test_an_uncertain_field_shows_where_it_may_stand(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "Master", "Fields")

    [row] = [row for row in _statements(app, "fields")["rows"] if row["name"] == "termination"]
    assert row["places"] == []
    assert row["maybe"][0]["quote"].startswith("Either party may terminate")


def test_the_places_of_all_fields_are_marked_on_the_pages(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "Master", "Fields")

    rows = _statements(app, "fields")["rows"]
    assert _marked(app) == [(place["page"], place["start"]) for row in rows for place in row["places"]]


def test_a_link_to_a_place_is_the_place_that_the_list_shows_as_open(
    app: AppTest, bench: FakeWorkbench
) -> None:
    app.query_params["page"], app.query_params["start"], app.query_params["end"] = "2", "10", "20"
    _open(app, bench, "Master", "Fields")

    assert _statements(app, "fields")["focus"] == [2, 10, 20]


def test_summaries_come_in_one_order_with_cited_sentences(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "Master", "Summary")

    executive, legal = _statements(app, "summary")["parts"]
    assert (executive["name"], legal["name"]) == ("Executive", "Legal")
    assert legal["risks"] == legal["sentences"]
    assert executive["sentences"][0]["page"] == 1


def test_parties_are_a_table_without_empty_columns(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "Master", "Parties")

    data = _statements(app, "parties")
    assert data["columns"] == ["Name", "Role", "Entity type", "Identifiers"]
    assert data["rows"][0]["cells"] == ["ACME Corporation", "Vendor", "Corporation", "LEI X1"]


def test_dates_stand_on_a_line_and_in_a_table(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "Master", "Dates")

    data = _statements(app, "dates")
    assert data["points"] == [{"day": "2024-10-01", "title": "Effective date", "text": "1 Oct 2024"}]
    assert data["rows"][0]["cells"] == ["1 Oct 2024", "Effective date"]


def test_amounts_name_what_they_are(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "Master", "Amounts")

    assert _statements(app, "amounts")["rows"][0]["cells"][:3] == [
        "Liability cap",
        "USD 750,000",
        "$750,000",
    ]


def test_a_document_without_fields_says_how_to_get_them(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "Battery", "Fields")

    assert "No fields were read from this document yet." in app.info[0].value
    app.button(key="read-fields-one").click().run()
    assert [job.kind for job in bench.jobs()] == ["extract"]


def test_who_may_not_begin_the_job_is_told_who_can(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "current_principal", lambda: Principal("ann", MAY_ASK))
    _open(app, bench, "Battery", "Fields")

    assert "read-fields-one" not in {button.key for button in app.button}
    assert "An administrator can begin it." in texts(app)


def test_a_scan_can_be_read_from_its_page(
    app: AppTest, bench: FakeWorkbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.views.documents.document.is_installed", lambda: True)
    open_page(app, "documents", document=bench.documents(text="old-scan")[0].id)

    app.button(key="read-scan").click().run()

    assert [job.kind for job in bench.jobs()] == ["ocr"]


def test_a_document_with_text_offers_no_reading_of_it(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, "documents", document=bench.documents(text="Master")[0].id)

    assert "read-scan" not in {button.key for button in app.button}


def test_what_was_read_off_images_is_marked_with_how_sure_it_is(app: AppTest, bench: FakeWorkbench) -> None:
    document = bench.documents(text="Master")[0].id
    bench.mark_as_read(document, 0.957)

    open_page(app, "documents", document=document)

    assert "read by OCR, 96 % sure" in texts(app)


def test_relatives_are_linked_by_name_with_their_words_and_likely_ones_are_marked(
    app: AppTest, bench: FakeWorkbench
) -> None:
    _open(app, bench, "acme-master-services.pdf", "Fields")

    said = [each.value for each in app.markdown]
    (amended,) = (each for each in said if each.startswith("**Amended by**"))
    (under,) = (each for each in said if each.startswith("**Under it**"))
    assert r"[Amendment \*1\*](/documents?document=d7) · :gray[likely]" in amended
    assert "“Amendment to the Master Services Agreement”" in amended
    assert "[Statement of Work](/documents?document=d8)" in under
    assert "likely" not in under
    assert not any("Belongs to" in each for each in said)
    assert any(each.value == "and 58 more documents" for each in app.caption)


def test_the_parts_of_a_name_are_shown_and_guesses_are_marked(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "acme-master-services.pdf", "Fields")

    said = [each.value for each in app.markdown]
    assert any(each.startswith("What it is: **Master Services**") and "guess" not in each for each in said)
    assert any(each.startswith("When: **2024**") and each.endswith("best guess, 50 %") for each in said)


def test_a_document_is_renamed_by_hand(app: AppTest, bench: FakeWorkbench) -> None:
    _open(app, bench, "acme-master-services.pdf", "Fields")

    field = next(each for each in app.text_input if each.label == "Name")
    field.set_value("Our master agreement")
    app.button(key="rename").click().run()

    assert any("Our master agreement" in each.value for each in app.toast) or any(
        "Our master agreement" in each.value for each in (*app.success, *app.info, *app.markdown)
    )
