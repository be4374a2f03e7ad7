from __future__ import annotations

from dataclasses import replace

from streamlit.testing.v1 import AppTest

from core.domain.principal import LOCAL_ADMIN
from core.domain.trust.review import ReviewFilter
from core.workbench import Workbench
from tests.app.test_matrix import open_page


def words(app: AppTest) -> str:
    return "\n".join(str(each.value) for each in (*app.info, *app.markdown, *app.caption))


def test_without_verdicts_both_parts_say_so(app: AppTest, bench: Workbench) -> None:
    open_page(app, "review", **{"review-part": "Quality"})

    assert "Nothing was reviewed yet" in words(app)
    assert "No two reviewers" in words(app)


def test_precision_and_agreement_are_told_with_their_numbers(app: AppTest, bench: Workbench) -> None:
    eve = bench.for_principal(replace(LOCAL_ADMIN, user="eve"))
    for at, item in enumerate(bench.local.reviews.page(ReviewFilter()).items):
        bench.local.reviews.resolve(item.id, "wrong" if at else "correct")
        eve.reviews.resolve(item.id, "wrong")
    open_page(app, "review", **{"review-part": "Quality"})

    tables = [each.value for each in app.table]
    assert tables[0].iloc[0]["Flagged for"] == "marked as wrong"
    assert tables[0].iloc[0]["Wrong or partly"] == "2"
    assert tables[1].iloc[0]["Agreed"] == "1 (50 %)"


def test_cases_are_listed_and_removed(app: AppTest, bench: Workbench) -> None:
    open_page(app, "review", **{"review-part": "Cases"})
    assert "No answer has become a case yet" in words(app)
    for item in bench.local.reviews.page(ReviewFilter()).items:
        bench.local.reviews.resolve(item.id, "correct")
    open_page(app, "review", **{"review-part": "Cases"})
    assert list(app.dataframe[0].value["Expected"]) in (["Texas", "Delaware"], ["Delaware", "Texas"])

    app.selectbox(key="review-case").set_value(bench.local.reviews.cases()[0].id).run()
    app.button(key="review-remove-case").click().run()

    assert len(bench.local.reviews.cases()) == 1
