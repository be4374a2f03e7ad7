from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.domain.trust.review import ReviewFilter
from core.workbench import Workbench
from tests.app.test_matrix import open_page


def opened(app: AppTest, bench: Workbench, words: str) -> str:
    """Open the flagged answer with these words, and what can be corrected of it."""
    [item] = bench.local.reviews.page(ReviewFilter(text=words)).items
    app.session_state["review-correct"] = True
    open_page(app, "review", item=item.id)
    return item.id


def test_a_cell_is_corrected_and_the_new_answer_kept_as_a_case(app: AppTest, bench: Workbench) -> None:
    item = opened(app, bench, "Cobalt")
    app.text_input(key=f"correct-value-{item}").set_value("Ohio").run()
    app.button(key="correct-cell").click().run()
    assert bench.local.reviews.get(item).item.corrections[0]["field"] == "governing_law"

    app.button(key="review-again").click().run()
    assert any("Ohio" in str(each.value) for each in app.markdown)
    app.button(key="review-keep-case").click().run()

    [case] = bench.local.reviews.cases()
    assert case.expect.value is not None
    assert case.expect.value.value == "Ohio"


def test_words_are_given_a_meaning(app: AppTest, bench: Workbench) -> None:
    item = opened(app, bench, "Cobalt")
    app.text_input(key=f"correct-phrase-{item}").set_value("home turf").run()
    app.selectbox(key=f"correct-schema-{item}").set_value("contracts").run()
    app.selectbox(key=f"correct-field-{item}-contracts").set_value("governing_law").run()
    app.button(key="correct-word").click().run()

    assert bench.local.reviews.get(item).item.corrections[0]["kind"] == "word"


def test_an_answer_that_stays_the_same_says_so(app: AppTest, bench: Workbench) -> None:
    opened(app, bench, "Acme")

    app.button(key="review-again").click().run()

    assert any("The answer is the same as before" in str(each.value) for each in app.info)
