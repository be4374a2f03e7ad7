from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from app.api.routes import V1
from core.domain.trust.account import SCOPES


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return V1.open().openapi()


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        for name, each in part.items():
            if name == "$ref":
                yield each
            else:
                yield from references(each)
    elif isinstance(part, list):
        for each in part:
            yield from references(each)


def test_every_reference_leads_to_a_schema(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    missing = {each for each in references(document) if each.rpartition("/")[2] not in schemas}

    assert missing == set()
    assert "HTTPValidationError" not in schemas


def test_operations_say_which_scope_they_take_and_how_they_fail(document: dict[str, Any]) -> None:
    operations = {path: each for path, each in document["paths"].items() if path != "/healthz"}
    for each in operations.values():
        for operation in each.values():
            assert operation["x-scope"] in SCOPES
            assert operation["security"] == [{"token": []}, {}]
            for status, response in operation["responses"].items():
                if status >= "400":
                    schema = response["content"]["application/problem+json"]["schema"]
                    assert schema == {"$ref": "#/components/schemas/Problem"}
    health = document["paths"]["/healthz"]["get"]
    assert "security" not in health
    assert set(health["responses"]["503"]["content"]) == {"application/json", "application/problem+json"}


def test_it_is_made_once(document: dict[str, Any]) -> None:
    assert V1.open().openapi() is document
