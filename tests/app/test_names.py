"""The name of a document on its page: what it was made of, and another one by hand."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.test_document_fields import _open
from tests.support.fake_workbench import FakeWorkbench


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
