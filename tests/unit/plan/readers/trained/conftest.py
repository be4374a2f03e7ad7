"""The shipped reader and a small catalogue, made once."""

from __future__ import annotations

import pytest

from core.domain.fields import FieldType
from core.encode.identity import find_model
from core.encode.minilm import MiniLm
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, SchemaEntry, TableEntry
from core.plan.readers.trained.trained import TrainedReader


@pytest.fixture(scope="session")
def minilm() -> MiniLm:
    return MiniLm.load(find_model("minilm"))


@pytest.fixture(scope="session")
def reader(minilm: MiniLm) -> TrainedReader:
    return TrainedReader.load(minilm)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    fields = (
        FieldEntry(
            "contracts", "governing_law", "Governing law", FieldType.TEXT, synonyms=("applicable law",)
        ),
        FieldEntry("contracts", "expiration_date", "Expiration date", FieldType.DATE, synonyms=("expiry",)),
        FieldEntry(
            "contracts",
            "force_majeure",
            "Force majeure",
            FieldType.BOOLEAN,
            description="Events beyond control excuse a party.",
        ),
        FieldEntry("contracts", "insurance", "Insurance", FieldType.BOOLEAN),
    )
    table = TableEntry(
        (
            ColumnEntry("Unit price", FieldType.MONEY, "EUR"),
            ColumnEntry("Ship_to", FieldType.TEXT, texts=("Leeds", "Oslo")),
        ),
        ("d1",),
        rows=3,
    )
    return Catalogue(
        "small", (SchemaEntry("contracts", "Contracts", fields=fields, documents=3),), tables=(table,)
    )
