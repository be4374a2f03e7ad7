from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.config.models import LlmSettings
from core.domain.fields import CellStatus, Finding
from core.extract.model.waiting import basis, waiting
from core.store.cells.model_readings import ModelReading
from core.store.database.visibility import Visibility
from core.store.store import Records
from tests.support.reading_cells import (
    DEFINITIONS,
    LEASES,
    fill_home,
    opened,
)

ALL = Visibility.everything()


@pytest.fixture
def records(tmp_path: Path) -> Iterator[Records]:
    with opened(tmp_path) as made:
        yield made


SETTINGS = LlmSettings(base_url="http://127.0.0.1:9/v1")
RENT = LEASES.fields[0]


def model_reading(status: CellStatus, of: str) -> ModelReading:
    return ModelReading("rent", Finding(status, method="model"), of, "m", "read_cells@1", "why")


def test_uncertain_cells_wait_by_document_with_their_definitions(records: Records) -> None:
    documents = fill_home(records)

    found = waiting(records, DEFINITIONS, SETTINGS, bucket="leases", fields=["rent", "pets"])

    assert [each.document for each in found] == sorted(documents)
    assert {each.name for each in found[0].cells} == {"rent", "pets"}
    assert waiting(records, DEFINITIONS, SETTINGS, bucket="elsewhere") == []


def test_what_was_answered_to_the_same_question_is_kept_or_counted(records: Records) -> None:
    [document] = fill_home(records, 1)
    own = basis(RENT, SETTINGS)
    records.model_readings.keep(document, 1, [model_reading(CellStatus.UNCERTAIN, own)], "j")

    [in_vain] = waiting(records, DEFINITIONS, SETTINGS, fields=["rent"])
    other = LlmSettings(base_url="http://127.0.0.1:9/v1", reading_model="another")
    [anew] = waiting(records, DEFINITIONS, other, fields=["rent"])

    assert (in_vain.cells, in_vain.in_vain) == ([], 1)
    assert len(anew.cells) == 1


def test_a_field_that_is_described_otherwise_is_asked_anew() -> None:
    changed = RENT.model_copy(update={"description": "What is paid a month."})

    assert basis(RENT, SETTINGS) != basis(changed, SETTINGS)
    assert basis(RENT, SETTINGS) == basis(RENT.model_copy(update={"verbs": ("rent",)}), SETTINGS)


def test_what_a_principal_may_not_see_does_not_wait(records: Records) -> None:
    fill_home(records, 1, acl=("owners",))

    assert waiting(records, DEFINITIONS, SETTINGS, visible=Visibility(frozenset({"tenants"}))) == []
    assert len(waiting(records, DEFINITIONS, SETTINGS, visible=Visibility(frozenset({"owners"})))) == 1
