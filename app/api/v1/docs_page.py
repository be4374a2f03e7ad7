"""The page of the OpenAPI document: plain HTML without a script, so that it works with no network at all.

It needs nothing that a strict Content-Security-Policy forbids.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from html import escape
from typing import Any

STYLE = """
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0 auto;padding:1rem 1.25rem 4rem;max-width:60rem;background:Canvas;color:CanvasText}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem;border-bottom:1px solid GrayText}
details{border:1px solid GrayText;border-radius:.4rem;margin:.6rem 0;padding:.45rem .7rem}
summary{cursor:pointer}code,pre{font:.875rem/1.45 ui-monospace,monospace}
pre{overflow:auto;border:1px solid GrayText;border-radius:.3rem;padding:.6rem}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.25rem .6rem .25rem 0;border-bottom:1px solid GrayText}
.method{display:inline-block;min-width:4rem;font-weight:600}
nav a{margin-right:1rem}:focus-visible{outline:.15rem solid #1f5fa8;outline-offset:.1rem}
"""
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "private, no-cache",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_DEEPEST = 3


def docs_page(document: dict[str, Any]) -> str:
    """HTML of an OpenAPI document: its operations by tag, each with parameters, body and responses."""
    groups: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            shown = "".join(_operation(document, path, method, operation))
            groups.setdefault((operation.get("tags") or ["Other"])[0], []).append(shown)
    links = "".join(f'<a href="#{escape(_anchor(tag))}">{escape(tag)}</a>' for tag in groups)
    parts = "".join(
        f'<h2 id="{escape(_anchor(tag))}">{escape(tag)}</h2>{"".join(found)}' for tag, found in groups.items()
    )
    info = document["info"]
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(info['title'])} API</title>"
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
        f"<h1>{escape(info['title'])} API, version {escape(info['version'])}</h1>"
        f"{_prose(info.get('description', ''))}"
        '<p>The same as a document for programs: <a href="/api/v1/openapi.json">openapi.json</a>.</p>'
        f"<nav>{links}</nav>{parts}</body></html>"
    )


def _operation(document: dict[str, Any], path: str, method: str, operation: dict[str, Any]) -> Iterator[str]:
    base = document["servers"][0]["url"]
    yield (
        f'<details id="{escape(operation["operationId"])}"><summary>'
        f'<span class="method">{escape(method.upper())}</span> <code>{escape(base + path)}</code> '
        f"{escape(_summary(operation))}</summary>{_prose(operation.get('description', ''))}"
    )
    parameters = operation.get("parameters", [])
    if parameters:
        rows = "".join(_parameter(each) for each in parameters)
        yield f"<table><tr><th>parameter</th><th>in</th><th>type</th><th></th></tr>{rows}</table>"
    for media, body in operation.get("requestBody", {}).get("content", {}).items():
        schema = _resolved(document, body["schema"])
        yield f"<h4>Body, <code>{escape(media)}</code></h4>{_prose(schema.get('description', ''))}"
        yield f"<pre>{escape(_example(document, schema))}</pre>"
    for status, response in sorted(operation["responses"].items()):
        if status < "300":
            yield f"<h4>{escape(status)} {escape(response.get('description', ''))}</h4>"
            for media, body in response.get("content", {}).items():
                shape = _example(document, _resolved(document, body.get("schema", {})))
                yield f"<p><code>{escape(media)}</code></p><pre>{escape(shape)}</pre>"
    faults = ", ".join(status for status in sorted(operation["responses"]) if status >= "400")
    yield f"<p>Problem documents: {escape(faults)}.</p></details>"


def _parameter(each: dict[str, Any]) -> str:
    must = " (required)" if each.get("required") else ""
    cells = (each["name"] + must, each["in"], _type(each.get("schema", {})), each.get("description", ""))
    return f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in cells)}</tr>"


def _example(document: dict[str, Any], schema: dict[str, Any]) -> str:
    return json.dumps(_shape(document, schema, 0), indent=2, ensure_ascii=False)


def _shape(document: dict[str, Any], schema: dict[str, Any], depth: int) -> Any:
    """A value that shows the keys and types of a schema; deeper parts by their name alone."""
    found = _resolved(document, schema)
    if depth > _DEEPEST:
        return found.get("title", "…")
    if "anyOf" in found:
        options = [each for each in found["anyOf"] if each.get("type") != "null"]
        return _shape(document, options[0], depth) if options else None
    if found.get("properties"):
        return {name: _shape(document, each, depth + 1) for name, each in found["properties"].items()}
    if found.get("type") == "array":
        return [_shape(document, found.get("items", {}), depth + 1)]
    if "const" in found:
        return found["const"]
    return _type(found)


def _type(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(_type(each) for each in schema["anyOf"])
    kind = str(
        schema.get("format") or schema.get("type") or schema.get("$ref", "").rpartition("/")[2] or "any"
    )
    default = schema.get("default")
    return kind if default in (None, "", []) else f"{kind} = {json.dumps(default)}"


def _resolved(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rpartition("/")[2]
    if not name:
        return schema
    found: dict[str, Any] = document["components"]["schemas"].get(name, {})
    return found


def _summary(operation: dict[str, Any]) -> str:
    return str(operation.get("summary", ""))


def _prose(text: str) -> str:
    return "".join(f"<p>{escape(part)}</p>" for part in text.strip().split("\n\n") if part)


def _anchor(tag: str) -> str:
    return tag.lower().replace(" ", "-")
