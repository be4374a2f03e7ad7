"""Conditions on facts mean the same on Postgres."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from core.config.models import RecordsSettings, Settings
from tests.support.postgres_server import PostgresServer
from tests.support.stated import TEXT, Stating

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, postgres_server: PostgresServer) -> Iterator[Stating]:
    home = tmp_path_factory.mktemp("facts")
    url = postgres_server.address(postgres_server.create_database())
    settings = Settings(home=home, records=RecordsSettings.model_validate({"url": url}))
    with closing(Stating(home, settings)) as made:
        made.state(made.publish("one", f"{TEXT} Of house one."), "Delaware")  # equal texts would be copies
        made.state(made.publish("two", f"{TEXT} Of house two."), "Nevada")
        made.index()
        yield made


@pytest.mark.parametrize(
    ("index", "where", "count"),
    [
        ("clauses", "type = 'Cap on liability'", 2),
        ("clauses", "section contains cover", 2),
        ("clauses", "confidence >= 0.85", 2),
        ("clauses", "type ~ ^cap", 2),
        ("clauses", "governing_law = Delaware", 2),
        ("financials", "amount between 1000 USD and 5000 USD", 2),
        ("financials", "fiscal_year is-missing", 2),
        ("parties", "name contains mill", 2),
        ("parties", "identifiers contains lei", 0),
        ("summaries", "kind = legal", 2),
    ],
)
def test_conditions_choose_before_the_ranking(place: Stating, index: str, where: str, count: int) -> None:
    assert len(place.texts("hall liability mill", index, where)) == count
