"""The catalogue for planning, loaded from real records."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from core.config.models import Settings
from core.config.schema_store import SchemaStore
from core.domain.fields import FieldType
from core.plan.ir.nodes import Plan
from core.plan.reading_planner import ReadingPlanner
from core.store.database.visibility import Visibility
from core.store.store import Records
from core.workbench import Workbench
from core.workbench.catalogue import CatalogueLoader
from tests.support.filled_matrix import NAMES, fill
from tests.support.marked_reader import MarkedReader

ALL = Visibility.everything()
READER = MarkedReader(["list\t[contracts]{kind} governed by [Delaware law]{=governing_law}"])


@pytest.fixture(name="home", scope="module")
def _home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    fill(home)
    return home


@pytest.fixture(name="loader")
def _loader(home: Path) -> CatalogueLoader:
    return CatalogueLoader(Records.open(Settings(home=home)), SchemaStore(home))


def test_documents_are_of_the_schema_that_they_were_extracted_by(loader: CatalogueLoader) -> None:
    catalogue = loader.load(ALL)
    assert len(catalogue.documents) == len(NAMES)
    assert {document.schema for document in catalogue.documents} == {"contracts"}
    assert not {"minutes", "policies"} & {each.name for each in catalogue.schemas}  # there are none
    contracts = catalogue.schema("contracts")
    assert contracts is not None
    assert contracts.documents == len(NAMES)


def test_fields_say_how_many_documents_state_them_and_in_which_units(loader: CatalogueLoader) -> None:
    value = loader.load(ALL).field("contract_value", "contracts")
    assert value is not None
    assert value.documents > 0
    assert "USD" in value.units


def test_texts_that_are_values_are_known_with_their_counts(loader: CatalogueLoader) -> None:
    laws = [each for each in loader.load(ALL).values if each.field == "governing_law"]
    assert "Delaware" in {each.text for each in laws}
    assert all(each.documents > 0 for each in laws)


def test_a_catalogue_is_kept_until_the_collection_changes(loader: CatalogueLoader) -> None:
    assert loader.load(ALL) is loader.load(ALL)


def test_another_visibility_has_a_catalogue_of_its_own(loader: CatalogueLoader) -> None:
    everyone = loader.load(Visibility(frozenset()))
    assert everyone.fingerprint != loader.load(ALL).fingerprint
    assert len(everyone.documents) == len(NAMES)


def test_what_may_not_be_seen_is_in_no_catalogue(tmp_path: Path) -> None:
    fill(tmp_path)
    records = Records.open(Settings(home=tmp_path))
    secret = records.documents.list(ALL)[0]
    records.documents.record_failure(secret.bucket, secret.source, "restricted", acl=("board",))
    loader = CatalogueLoader(records, SchemaStore(tmp_path))
    assert loader.load(ALL).document(secret.id) is not None
    assert loader.load(Visibility(frozenset({"sales"}))).document(secret.id) is None
    assert loader.load(Visibility(frozenset({"board"}))).document(secret.id) is not None


def test_a_question_is_planned_over_it(loader: CatalogueLoader) -> None:
    planner = ReadingPlanner(loader.load(ALL), READER, today=date(2024, 11, 22))
    plan = planner.plan("contracts governed by Delaware law")
    assert isinstance(plan, Plan)
    assert plan.uncovered == ()


def test_a_phrase_that_is_taught_is_known_at_once_and_makes_another_catalogue(
    loader: CatalogueLoader, home: Path
) -> None:
    before = loader.load(ALL)
    SchemaStore(home).add_phrase("contracts", "audit_rights", "rummage in the books")
    after = loader.load(ALL)
    SchemaStore(home).remove_phrase("contracts", "audit_rights", "rummage in the books")

    field = after.field("audit_rights", "contracts")
    assert field is not None
    assert field.phrases == ("rummage in the books",)
    assert after.fingerprint != before.fingerprint


def test_a_column_whose_sign_stands_on_the_first_row_alone_is_money(tmp_path: Path) -> None:
    (tmp_path / "costs.csv").write_text("Item,Added\nExits,$39.20\nSites,3.20\nOther,120\nRent,8\n")
    with Workbench.open(home=tmp_path / "home") as bench:
        bench.ingest([tmp_path / "costs.csv"])
    loader = CatalogueLoader(Records.open(Settings(home=tmp_path / "home")), SchemaStore(tmp_path / "home"))
    added = next(each for each in loader.load(ALL).tables[0].columns if each.name == "Added")
    assert (added.type, added.unit) == (FieldType.MONEY, "USD")
    assert (added.low, added.high) == (Decimal("3.2"), Decimal(120))
