from __future__ import annotations

from streamlit.testing.v1 import AppTest


def _page() -> None:
    import streamlit as st

    from app.presenting.field_draft import Draft
    from app.views.schemas.example_panel import draw_counts, draw_proposals, held
    from core.domain.ids import DocumentId
    from core.fields.word_field import ExampleProposal

    draft = draw_counts(Draft(includes="Pets.", examples=("One dog.",)), "f")
    known = held("f", draft)
    proposals = [
        ExampleProposal("One cat.", DocumentId("d"), "Flat 1", None, by_model=True),
        ExampleProposal("No noise.", DocumentId("d"), "Flat 2", False),
        ExampleProposal("One fish.", DocumentId("d"), "Flat 3", True),
    ]
    draw_proposals([each for each in proposals if each.quote not in known], "f")
    st.json({"examples": draft.examples, "counter": draft.counter_examples})


def test_a_click_takes_a_proposal_over_on_the_side_that_people_chose() -> None:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    assert [each.key for each in app.button] == ["f-take-0", "f-refuse-0", "f-refuse-1", "f-take-2"]

    app.button(key="f-refuse-0").click().run()
    app.button(key="f-take-1").click().run()

    assert not app.exception
    assert app.text_area(key="f-examples").value == "One dog.\nOne fish."
    assert app.text_area(key="f-counter").value == "One cat."
    assert [each.key for each in app.button] == ["f-refuse-0"]  # what is left: a person rejected it


def test_an_example_that_is_a_counterexample_too_is_told() -> None:
    app = AppTest.from_function(_page).run()
    app.text_area(key="f-counter").set_value("No noise.\none  dog.").run()

    assert ["One dog." in each.value for each in app.warning] == [True]
