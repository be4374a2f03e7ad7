from __future__ import annotations

from streamlit.testing.v1 import AppTest

from tests.app.test_matrix import mounted, open_page
from tests.support.contracts_at_hand import Contracts


def deeds(app: AppTest) -> list[str]:
    return [each["cells"]["deed"] for each in mounted(app, "rows")["rows"]]


def test_entries_are_filtered_by_what_the_address_says(app: AppTest, contracts: Contracts) -> None:
    open_page(app, "audit")
    assert deeds(app)[:2] == ["bucket: add", "question: ask"]

    open_page(app, "audit", deed="bucket.add", who="admin")
    assert deeds(app) == ["bucket: add"]
    open_page(app, "audit", deed="question.", outcome="refused")
    assert "No entry fits" in app.info[0].value


def test_days_bound_the_entries(app: AppTest, contracts: Contracts) -> None:
    open_page(app, "audit", since="2001-01-01", until="2999-01-01")
    assert len(deeds(app)) >= 2

    open_page(app, "audit", until="2001-01-01")
    assert "No entry fits" in app.info[0].value


def test_a_filter_that_is_typed_goes_to_the_address(app: AppTest, contracts: Contracts) -> None:
    open_page(app, "audit", entry="2")

    app.selectbox(key="audit-deed").set_value("question.").run()

    assert app.query_params["deed"] == "question."
    assert "entry" not in app.query_params
    assert set(deeds(app)) == {"question: ask"}


def test_an_entry_opens_with_the_way_to_its_trace(app: AppTest, contracts: Contracts) -> None:
    entry = next(each for each in contracts.records.audit_log.entries() if each.deed.trace)
    open_page(app, "audit", entry=str(entry.sequence))
    assert [each.value for each in app.subheader] == [f"Entry {entry.sequence:,}: question: ask"]

    app.button(key="audit-follow").click().run()

    assert app.query_params["trace"] == entry.deed.trace


def test_long_logs_come_in_parts(app: AppTest, contracts: Contracts) -> None:
    for number in range(120):
        contracts.bench.local.audit_log.note("thing.change", str(number))
    open_page(app, "audit", deed="thing.change")
    assert len(deeds(app)) == 100

    app.button(key="audit-older").click().run()

    assert len(deeds(app)) == 20
    app.button(key="audit-newest").click().run()
    assert len(deeds(app)) == 100
