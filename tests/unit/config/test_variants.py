"""Settings of a home with what a variant changes."""

from pathlib import Path

import pytest

from core.config.models import LlmSettings, Settings
from core.config.variants import model_choices, with_variant
from core.errors import UsageError


def test_a_variant_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    home = Settings(home=tmp_path, llm=LlmSettings(base_url="http://localhost:1/v1"))
    changes = {"retrieval.alpha": "0.3", "llm.writing_model": "small"}
    found = with_variant(home, changes, 3)
    assert (found.retrieval.alpha, found.llm.writing_model) == (0.3, "small")
    assert found.index.collection == "GroundworkSet3Passages"
    assert found.llm.model_fields_set == {"base_url", "writing_model"}
    assert with_variant(home, {}) == home
    assert model_choices(changes) == {"writing_model": "small"}


@pytest.mark.parametrize(
    ("name", "value"), [("app.port", "1"), ("retrieval.alpha", "two"), ("retrieval.rerank", "nonsense")]
)
def test_what_cannot_be_changed_so_is_named(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(UsageError, match=name):
        with_variant(Settings(home=tmp_path), {name: value})
