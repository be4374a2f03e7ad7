"""Strict JSON schemas of reply forms, and checks of replies against them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

_CARRIED = ("type", "description", "enum")
_TYPES: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "null": type(None),
    "array": list,
    "object": dict,
}


def strict_schema(reply: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a form as servers decode it strictly.

    Every field is required, objects are closed, references are inlined, unions are `anyOf`; bounds, patterns
    and defaults are left out, since servers refuse them: pydantic checks those. Raises TypeError for a form
    that cannot be closed: free dictionaries, `Any`, fixed tuples, forms that hold themselves.
    """
    schema = reply.model_json_schema()
    made: dict[str, Any] = _strict(schema, schema.get("$defs", {}), ())
    return made


def with_values(schema: Mapping[str, Any], name: str, values: Sequence[str]) -> dict[str, Any]:
    """The same schema where every property `name`, or each item of it, is one of these strings."""
    changed = json.loads(json.dumps(schema))
    _restrict(changed, name, list(values))
    return dict(changed)


def without_nulls(value: Any, schema: Mapping[str, Any]) -> Any:
    """The value without parts that are null and may not be, which were to be left out."""
    if isinstance(value, list) and "items" in schema:
        return [without_nulls(each, schema["items"]) for each in value]
    if not isinstance(value, dict) or "properties" not in schema:
        return value
    inner = schema["properties"]
    return {
        name: without_nulls(each, inner.get(name, {}))
        for name, each in value.items()
        if each is not None or name not in inner or not any(find_problems(None, inner[name]))
    }


def find_problems(value: Any, schema: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """Every way in which a value does not fit a strict schema, each with its place."""
    where = place or "the reply"
    if "anyOf" in schema:
        if all(any(find_problems(value, option, place)) for option in schema["anyOf"]):
            yield f"{where} fits none of the allowed forms"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where} must be one of {', '.join(map(json.dumps, schema['enum']))}"
        return
    kinds = schema.get("type", [])
    names = [kinds] if isinstance(kinds, str) else list(kinds)
    if names and not any(_is_of(value, name) for name in names):
        yield f"{where} must be of type {' or '.join(names)}"
    elif isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from find_problems(item, schema["items"], f"{place}[{index}]")
    elif isinstance(value, dict) and "properties" in schema:
        for name, inner in schema["properties"].items():
            if name in value:
                yield from find_problems(value[name], inner, f"{place}.{name}".lstrip("."))


def _is_of(value: Any, name: str) -> bool:
    if isinstance(value, bool) and name != "boolean":
        return False
    return isinstance(value, _TYPES[name])


def _strict(schema: Mapping[str, Any], definitions: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        if name in inside:
            raise TypeError(f"{name!r} holds itself, so its schema cannot be written out.")
        found = _strict(definitions[name], definitions, (*inside, name))
        return {**found, **_carried(schema)}
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        forms = [_strict(option, definitions, inside) for option in options]
        return {"anyOf": forms, **_carried(schema)}
    if "allOf" in schema and len(schema["allOf"]) == 1:
        return {**_strict(schema["allOf"][0], definitions, inside), **_carried(schema)}
    if "const" in schema:
        return {**_carried(schema), "enum": [schema["const"]]}
    made = _carried(schema)
    kind = schema.get("type")
    if kind == "object":
        if "properties" not in schema and schema.get("additionalProperties", True) is not False:
            raise TypeError(f"{schema.get('title', 'An object')!r} is a free dictionary; name its fields.")
        fields = {
            name: _strict(inner, definitions, inside) for name, inner in schema.get("properties", {}).items()
        }
        made |= {"properties": fields, "required": list(fields), "additionalProperties": False}
    elif kind == "array":
        if "items" not in schema:
            raise TypeError(f"{schema.get('title', 'A list')!r} is a list of anything; say of what.")
        made["items"] = _strict(schema["items"], definitions, inside)
    elif kind is None and "enum" not in schema:
        raise TypeError(f"{schema.get('title', 'A field')!r} may hold anything; give it a type.")
    return made


def _carried(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: schema[key] for key in _CARRIED if key in schema}


def _restrict(schema: Any, name: str, values: list[str]) -> None:
    if isinstance(schema, list):
        for each in schema:
            _restrict(each, name, values)
    if not isinstance(schema, dict):
        return
    for key, inner in schema.get("properties", {}).items():
        if key == name:
            (inner["items"] if inner.get("type") == "array" else inner)["enum"] = values
        else:
            _restrict(inner, name, values)
    _restrict(schema.get("items"), name, values)
    _restrict(schema.get("anyOf"), name, values)
