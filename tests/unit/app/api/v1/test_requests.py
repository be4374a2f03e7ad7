"""Bodies of requests that are checked against what is installed."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from app.api.v1.requests import ReindexRequest


def test_an_index_is_rebuilt_by_the_name_of_an_engine_that_is_installed() -> None:
    assert ReindexRequest(engine="embedded").engine == "embedded"
    assert ReindexRequest().engine is None
    with pytest.raises(ValidationError, match="one of: embedded, weaviate"):
        ReindexRequest(engine="moon")
