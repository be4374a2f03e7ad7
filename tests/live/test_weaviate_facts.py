"""Collections of facts on a real server: found as on local files, with columns that others can filter by."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from core.config.models import Settings
from core.domain.search import SearchQuery
from core.index.collections import COLUMNS, Collection
from core.search.facts import FactSearch
from core.store.database.visibility import Visibility
from core.workbench.engines.facts import FactEngines
from tests.support.stated import TEXT, Stating
from tests.support.weaviate_server import WeaviateServer

pytestmark = pytest.mark.live
ALL = Visibility.everything()


def test_facts_are_found_on_the_server_as_on_local_files(
    tmp_path: Path, weaviate_server: WeaviateServer
) -> None:
    import weaviate
    from weaviate.classes.query import Filter

    index = weaviate_server.settings("FactsPassages")
    with closing(Stating(tmp_path / "home")) as place:
        for name in ("one", "two"):
            place.state(place.publish(name, f"{TEXT} Of house {name}."))  # equal texts would be copies
        settings = Settings(home=tmp_path / "home", index=index)
        signature = place.encoder.signature
        with closing(FactEngines(place.records, settings, lambda: signature, "index")) as served:
            served.repair()
            search = FactSearch(place.records, served.engine, lambda: place.encoder, 100)
            for collection in COLUMNS:
                query = SearchQuery("hall liability landlord cap legal", index=collection.value)
                on_server = {hit.passage: hit.score for hit in search.search(query, ALL).hits}
                assert served.degradation(collection) == ""
                place.index()
                local = {hit.passage: hit.score for hit in place.facts.search(query, ALL).hits}
                assert local
                assert on_server == pytest.approx(local, abs=1e-3)  # equal scores may stand in either order
            chosen = SearchQuery("hall", index="clauses", where=("type = insurance",))
            assert len(search.search(chosen, ALL).hits) == 2
            served.mend("weaviate")

    client = weaviate.connect_to_custom(
        http_host="127.0.0.1",
        http_port=int(index.url.rsplit(":", 1)[1]),
        http_secure=False,
        grpc_host="127.0.0.1",
        grpc_port=index.grpc_port,
        grpc_secure=False,
    )
    with closing(client):
        amounts = client.collections.use("FactsFinancials")
        found = amounts.query.fetch_objects(
            filters=Filter.by_property("amount").greater_than(4_000)
            & Filter.by_property("currency").equal("USD")
        )
        assert [row.properties["metric"] for row in found.objects] == ["liability_cap"] * 2
        names = {each.name for each in client.collections.use("FactsClauses").config.get().properties}
        assert names >= set(COLUMNS[Collection.CLAUSES])
