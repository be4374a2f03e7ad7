from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from core.config.field_words import WordedField, definition_of_words
from core.config.fields import Schema
from core.config.models import Settings
from core.domain.passage import Matrix
from core.extract.base import Definitions
from core.extract.jobs.word_learning import learn_field, unlearnt
from core.store.cells.word_heads import StoredHead
from core.store.store import Records

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FIELD = definition_of_words(WordedField("Audit", "One side may look into the books of the other"))


def encode(texts: Sequence[str]) -> Matrix:
    return np.zeros((len(texts), 4), np.float32)


def test_a_field_whose_verdicts_were_all_taken_back_loses_its_head(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        records.word_heads.put(StoredHead("contracts", FIELD.name, NOW, 25, NOW, "{}"))

        found = learn_field(records, Definitions(()), "contracts", FIELD, encode, NOW)

        assert found is None
        assert records.word_heads.get("contracts", FIELD.name) is None


def test_a_field_that_is_found_otherwise_is_not_learnt(tmp_path: Path) -> None:
    other = FIELD.model_copy(update={"extractors": ()})
    with Records.open(Settings(home=tmp_path)) as records:
        assert learn_field(records, Definitions(()), "contracts", other, encode, NOW) is None


OTHER = FIELD.model_copy(update={"name": "other", "extractors": ()})
DEFINITIONS = Definitions((Schema(name="contracts", title="Contracts", fields=(FIELD, OTHER)),))


def test_a_field_without_new_verdicts_is_not_learnt_again(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        assert unlearnt(records, DEFINITIONS) == []


def test_a_field_whose_verdicts_came_or_went_is_learnt(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        records.word_heads.put(StoredHead("contracts", FIELD.name, NOW, 6, NOW, "{}"))

        assert unlearnt(records, DEFINITIONS, least=5) == [("contracts", FIELD)]
        assert unlearnt(records, DEFINITIONS, least=7) == []


def test_a_field_that_is_asked_for_is_learnt_whatever_changed(tmp_path: Path) -> None:
    with Records.open(Settings(home=tmp_path)) as records:
        wanted = {"contracts": (FIELD.name, OTHER.name)}

        assert unlearnt(records, DEFINITIONS, wanted) == [("contracts", FIELD)]
