from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from app import services
from core.domain.ids import TraceId
from core.domain.principal import LOCAL_ADMIN
from core.domain.trust.review import ReviewFilter, ReviewItem
from core.workbench import Workbench
from tests.app.test_matrix import mounted, open_page


def first(bench: Workbench) -> ReviewItem:
    return bench.local.reviews.page(ReviewFilter()).items[0]


def test_an_item_opens_with_its_claims_and_the_place_that_they_cite(app: AppTest, bench: Workbench) -> None:
    item = first(bench)
    open_page(app, "review", item=item.id)

    data = mounted(app, "claims")
    assert (data["question"], data["place"], data["total"]) == (item.question, 0, 2)
    assert data["claims"]
    assert data["feedback"] == ["admin: thumbs down."]
    assert mounted(app, "hash")["focus"]["page"] == 2


def test_an_answer_without_citations_names_its_documents(app: AppTest, bench: Workbench) -> None:
    trace = TraceId(bench.ask("Which contracts lack force majeure?").trace_id)
    bench.local.feedback.give(trace, "down")
    [item] = bench.local.reviews.page(ReviewFilter(text="force majeure")).items
    open_page(app, "review", item=item.id)

    [listed] = [each.value for each in app.markdown if "/documents?document=" in each.value]
    assert ": uncertain" in listed


def test_an_item_that_somebody_works_on_says_so(app: AppTest, bench: Workbench) -> None:
    item = first(bench)
    eve = bench.for_principal(replace(LOCAL_ADMIN, user="eve"))
    eve.reviews.claim(item.id)
    open_page(app, "review", item=item.id)

    assert mounted(app, "claims")["said"] == "eve works on this answer."


def test_an_item_that_is_none_leaves_the_queue(app: AppTest, bench: Workbench) -> None:
    open_page(app, "review", item="nothing")

    assert "There is no flagged answer" in app.warning[0].value


def test_an_answer_whose_document_is_gone_keeps_its_quote(app: AppTest, bench: Workbench) -> None:
    item = first(bench)
    answer = bench.local.reviews.get(item.id).answer
    assert answer is not None
    bench.local.documents.remove([each.document for each in answer.citations])  # type: ignore[misc]
    open_page(app, "review", item=item.id)

    assert "The quote is kept as it was cited" in app.warning[0].value


def test_the_page_is_for_reviewers(app: AppTest, bench: Workbench, monkeypatch: pytest.MonkeyPatch) -> None:
    analyst = replace(LOCAL_ADMIN, user="ann", roles=frozenset({"analyst"}))
    monkeypatch.setattr(services, "current_principal", lambda: analyst)
    open_page(app, "review")

    assert [each.value for each in app.title] != ["Review"]
