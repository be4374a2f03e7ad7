"""The family of a document on its page."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.test_document_fields import _open
from tests.support.fake_workbench import FakeWorkbench


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
