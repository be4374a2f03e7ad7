from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def drawn() -> None:
    import streamlit as st

    from app.components.controls import draw_choice, draw_choices

    known = draw_choice("Known", ["a", "b"], "b", "known", says=str.upper)
    foreign = draw_choice("Foreign", ["a", "b"], "z", "foreign", hides_label=True)
    several = draw_choices("Several", ["a", "b"], ("b", "z"), "several")
    st.text(f"{known} {foreign} {several}")


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_function(drawn, default_timeout=20).run()


def test_what_is_chosen_is_offered_also_where_it_is_no_option(app: AppTest) -> None:
    known, foreign = app.selectbox

    assert known.options == ["A", "B"]
    assert foreign.options == ["z", "a", "b"]
    assert app.multiselect[0].options == ["z", "a", "b"]
    assert app.text[0].value == "b z ('b', 'z')"


def test_another_choice_is_given_back(app: AppTest) -> None:
    app.selectbox(key="foreign").select("a")
    app.multiselect(key="several").unselect("z").run()

    assert app.text[0].value == "b a ('b',)"
