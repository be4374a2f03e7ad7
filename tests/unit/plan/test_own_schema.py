"""A schema that somebody adds is spoken of by its own nouns and verbs, without a change of code."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.config.fields import FieldDefinition, Schema
from core.config.schema_store import SchemaStore
from core.domain.fields import FieldType
from core.workbench import Workbench
from tests.support.known_collection import in_a_line

PATENTS = """
name = "patents"
title = "Patents"
nouns = ["invention"]
things = ["gadget"]

[titled_nouns]
"utility model" = ["utility"]

[[fields]]
name = "filed"
title = "Filed"
type = "date"
verbs = ["lodge", "hand in"]

[[fields]]
name = "fee"
title = "Renewal fee"
type = "money"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "patents.toml").write_text(PATENTS, "utf-8")
    return tmp_path


def planned(home: Path, question: str) -> str:
    with Workbench.open(home=home) as bench:
        (home / "one.txt").write_text("A patent for a gadget. Filed: 3 May 2024.", "utf-8")
        bench.ingest([home / "one.txt"], bucket="patents")
        return in_a_line(bench.plan(question))


def test_its_nouns_and_verbs_ask_for_it(home: Path) -> None:
    expected = "patents[filed between 2024-01-01 .. 2024-12-31]"
    assert planned(home, "Which inventions were lodged in 2024?") == expected


def test_a_home_of_before_has_the_shipped_nouns_and_verbs(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    old = '[[fields]]\nname = "expiration_date"\ntitle = "Ends on"\ntype = "date"\n'
    (tmp_path / "schemas" / "contracts.toml").write_text(old, "utf-8")
    schema = SchemaStore(tmp_path).schema("contracts")
    field = schema.field("expiration_date")
    assert field is not None
    assert (field.title, "expire" in field.verbs, "deal" in schema.nouns) == ("Ends on", True, True)


def test_a_changed_field_keeps_its_verbs_where_a_page_says_nothing_of_them(home: Path) -> None:
    store = SchemaStore(home)
    changed = FieldDefinition(name="filed", title="Day of filing", type=FieldType.DATE)
    field = store.change_field("patents", changed).field("filed")
    assert field is not None
    assert field.verbs == ("lodge", "hand in")


def test_an_exported_schema_says_what_it_is_called_by(home: Path) -> None:
    store = SchemaStore(home)
    assert 'nouns = ["invention"]' in store.export("patents")
    plain = store.add_schema(Schema(name="deeds", title="Deeds"))
    assert "nouns" not in store.export(plain.name)


def test_shipped_schemas_stand_in_the_order_that_they_say(tmp_path: Path) -> None:
    names = [each.name for each in SchemaStore(tmp_path).schemas()]
    papers = ["minutes", "incidents", "policies", "filings", "budgets"]
    assert names == [
        *("contracts", "invoices", "datasheets", "certificates", "manuals", "pages"),
        *papers,
        "generic",
    ]
