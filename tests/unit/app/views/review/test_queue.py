from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.domain.trust.review import ReviewFilter
from core.workbench import Workbench
from tests.app.test_matrix import mounted, open_page


def rows(app: AppTest) -> list[str]:
    return [each["cells"]["question"] for each in mounted(app, "rows")["rows"]]


def test_the_address_says_which_answers_are_shown_and_in_which_order(app: AppTest, bench: Workbench) -> None:
    open_page(app, "review", by="question", down="0")
    assert [each.split()[-1] for each in rows(app)] == ["Acme?", "Cobalt?"]
    assert mounted(app, "rows")["rows"][0]["cells"]["reasons"].startswith("marked as wrong")


def test_words_of_the_question_find_it(app: AppTest, bench: Workbench) -> None:
    open_page(app, "review", find="COBALT")

    assert len(rows(app)) == 1
    assert "**1 answer**" in [each.value for each in app.markdown]


def test_a_choice_goes_to_the_address_and_closes_what_is_open(app: AppTest, bench: Workbench) -> None:
    item = bench.local.reviews.page(ReviewFilter()).items[0].id
    open_page(app, "review", item=item)

    app.selectbox(key="review-reason").set_value("conflict").run()

    assert app.query_params["reason"] == "conflict"
    assert "item" not in app.query_params
    assert "No answer waits" in app.info[0].value


def test_resolved_answers_say_how_they_were_found(app: AppTest, bench: Workbench) -> None:
    for item in bench.local.reviews.page(ReviewFilter()).items:
        bench.local.reviews.resolve(item.id, "partly")
    open_page(app, "review", state="resolved")

    assert {each["cells"]["state"] for each in mounted(app, "rows")["rows"]} == {"found partly correct"}
