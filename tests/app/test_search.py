from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app import services
from app.api.routes import ROUTES
from core.workbench import Workbench
from tests.support.fake_workbench import FakeWorkbench
from tests.support.mapped import papers

QUERY = "total liability of ACME"


def lists(app: AppTest) -> dict[str, Any]:
    """The data of the lists on the page."""
    found = [json.loads(element.proto.json)[0] for element in app.get("bidi_component") if element.proto.json]
    [data] = [each for each in found if "columns" in each and "alpha" in each]
    return dict(data)


def titles(app: AppTest) -> list[str]:
    return [column["title"] for column in lists(app)["columns"]]


def open_page(app: AppTest, **parameters: str) -> None:
    app.run()
    app._page_hash = calc_hash("search")  # the public switch_page knows page files only, ours are functions
    for key, value in parameters.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception


def test_without_a_query_the_page_says_what_it_is_for(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app)

    assert "why a passage came first" in app.info[0].value


def test_without_documents_the_page_leads_to_where_they_are_added(
    app: AppTest, empty_bench: FakeWorkbench
) -> None:
    open_page(app)

    assert "no documents to search" in app.info[0].value


def test_a_query_shows_three_lists_with_the_parts_of_every_score(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, q=QUERY, alpha="0.25")

    assert titles(app) == ["Words", "Meaning", "Both"]
    first = lists(app)["columns"][2]["entries"][0]
    assert "ACME" in first["title"]
    assert sum(first["parts"]) == first["score"]
    assert lists(app)["alpha"] == 0.25


def test_a_typed_query_is_shown_word_by_word(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app)
    app.text_input(key="q").set_value(QUERY).run()

    assert [term["term"] for term in lists(app)["terms"]] == QUERY.lower().split()


def test_a_bucket_bounds_the_lists(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, q=QUERY, within="manuals")

    assert all(not column["entries"] for column in lists(app)["columns"])


def test_alpha_rests_where_one_list_is_searched_alone(app: AppTest, bench: FakeWorkbench) -> None:
    open_page(app, q=QUERY, by="Words")

    assert app.slider(key="alpha").disabled
    assert [bool(column["entries"]) for column in lists(app)["columns"]] == [True, False, True]


def test_two_engines_stand_side_by_side(app: AppTest, bench: FakeWorkbench) -> None:
    bench.server_reason = ""
    open_page(app, q=QUERY, engine="Side by side")

    assert titles(app) == ["Weaviate server", "Local files"]
    assert {column["by"] for column in lists(app)["columns"]} == {"fused"}


def test_a_server_that_is_away_is_said_and_the_local_lists_are_shown(
    app: AppTest, bench: FakeWorkbench
) -> None:
    bench.server_reason = "Nothing listens on port 8080."
    open_page(app, q=QUERY)

    assert "E003" in app.warning[0].value
    assert "8080" in app.warning[0].value
    assert titles(app) == ["Words", "Meaning", "Both"]


def test_the_map_and_ways_on_it_are_given_by_the_interface(tmp_path: Path) -> None:
    with Workbench.open(home=tmp_path / "home") as bench:
        papers(bench._parts.records)
        services.use(bench)
        client = TestClient(Starlette(routes=[Mount("/api", Starlette(routes=ROUTES))]))
        whole = client.get("/api/v1/map", params={"kind": "product"}).json()
        way = client.get("/api/v1/map/path", params={"from": "ACME Widgets", "to": "beta"}).json()
        wrong = [
            client.get("/api/v1/map", params=asked).status_code
            for asked in ({"depth": 9}, {"kind": "odd"}, {"around": "nobody at all"})
        ]
    services.close()

    assert {each["kind"] for each in whole["nodes"]} == {"product", "document"}
    assert whole["left_out"] == {}
    assert way["from"]["name"] == "ACME Widgets Ltd"
    assert way["paths"][0]["edges"][0]["places"][0]["quote"] == "ACME Widgets Ltd"
    assert wrong == [422, 422, 404]
