from __future__ import annotations

from typing import Any

from app.api.v1.docs_page import docs_page

HURT = "<img src=x onerror=alert(1)>"


def document(**operation: Any) -> dict[str, Any]:
    whole = {
        "operationId": "op",
        "summary": "Do it",
        "tags": ["A tag"],
        "responses": {"200": {}},
        **operation,
    }
    return {
        "info": {"title": HURT, "version": "1", "description": HURT},
        "servers": [{"url": "/api/v1"}],
        "paths": {"/x/{id}": {"post": whole}},
        "components": {
            "schemas": {
                "Deep": {
                    "title": "Deep",
                    "description": HURT,
                    "properties": {"self": {"$ref": "#/components/schemas/Deep"}, "n": {"type": "integer"}},
                },
                "Kind": {"enum": ["a", "b"]},
            }
        },
    }


def test_whatever_a_description_says_is_text() -> None:
    parameter = {"name": HURT, "in": "query", "description": HURT, "schema": {"type": "string"}}
    page = docs_page(document(summary=HURT, description=HURT, parameters=[parameter], tags=[HURT]))

    assert "<img" not in page
    assert page.count("&lt;img") >= 6


def test_bodies_are_shown_by_their_keys_and_types_and_end_where_they_hold_themselves() -> None:
    deep = {"$ref": "#/components/schemas/Deep"}
    body = {"content": {"application/json": {"schema": deep}}}
    some = {
        "properties": {
            "const": {"const": 1},
            "maybe": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"type": "number"}}]},
            "kind": {"$ref": "#/components/schemas/Kind"},
            "none": {"anyOf": [{"type": "null"}]},
            "default": {"type": "integer", "default": 7},
        }
    }
    responses = {"200": {"description": "Fine", "content": {"application/json": {"schema": some}}}, "404": {}}
    page = docs_page(document(requestBody=body, responses=responses))

    assert page.count("&quot;self&quot;") == 4
    assert "&quot;n&quot;: &quot;integer&quot;" in page
    assert "&quot;const&quot;: 1" in page
    assert "a | b" in page
    assert "integer = 7" in page
    assert "Problem documents: 404." in page
    assert '<h2 id="a-tag">A tag</h2>' in page


def test_a_parameter_says_where_it_stands_and_whether_it_must_be_there() -> None:
    parameters = [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "n", "in": "query", "schema": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
        {"name": "any", "in": "query"},
    ]
    page = docs_page(document(parameters=parameters))

    assert "<td>id (required)</td><td>path</td><td>string</td>" in page
    assert "<td>n</td><td>query</td><td>integer | null</td>" in page
    assert "<td>any</td><td>query</td><td>any</td>" in page
