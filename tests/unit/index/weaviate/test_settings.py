"""Settings that contradict each other."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.config.models import IndexSettings


def test_a_weaviate_engine_needs_an_address() -> None:
    with pytest.raises(ValidationError, match=r"index\.url"):
        IndexSettings(engine="weaviate")


@pytest.mark.parametrize("url", ["localhost:8080", "ftp://x", "http://user:secret@x", "http://x/path"])
def test_an_address_is_a_scheme_and_a_host(url: str) -> None:
    with pytest.raises(ValidationError):
        IndexSettings(engine="weaviate", url=url)


def test_the_key_is_not_printed() -> None:
    settings = IndexSettings.model_validate({"engine": "weaviate", "url": "http://x", "api_key": "hidden"})
    assert "hidden" not in repr(settings)
