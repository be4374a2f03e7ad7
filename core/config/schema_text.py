"""Schemas as TOML text: what is written to the home folder and what people export."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from core.config.models import SettingsSection

_WIDTH = 108
_RAW_AFTER = "\\"  # strings with a backslash are patterns: they read better as they are


def document_text(head: Mapping[str, Any], tables: Iterable[tuple[str, SettingsSection]]) -> str:
    """A TOML document: the plain keys of `head`, then one `[[name]]` table for every model."""
    lines = [_entry(key, value) for key, value in head.items() if value not in ("", {}, None)]
    for name, model in tables:
        lines.append(f"\n[[{name}]]")
        values = model.model_dump(mode="python", exclude_defaults=True)
        values = {key: _tagged(key, values[key], model) for key in type(model).model_fields if key in values}
        lines += [_entry(key, value) for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _tagged(key: str, value: Any, model: SettingsSection) -> Any:
    """Extractors with their method, which is a default of its class and yet tells which class it is."""
    if key != "extractors":
        return value
    return [{"method": each.method, **kept} for each, kept in zip(getattr(model, key), value, strict=True)]


def _entry(key: str, value: Any) -> str:
    if isinstance(value, list | tuple) and value and isinstance(value[0], dict):
        return f"{key} = [\n" + "".join(f"  {_value(each)},\n" for each in value) + "]"
    line = f"{key} = {_value(value)}"
    if len(line) <= _WIDTH or not isinstance(value, list | tuple):
        return line
    return f"{key} = [\n" + "".join(f"  {_value(each)},\n" for each in value) + "]"


def _value(value: Any) -> str:
    if isinstance(value, Enum):
        return _string(str(value.value))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(each) for each in value) + "]"
    return _string(str(value))


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _string(key)


def _string(text: str) -> str:
    if _RAW_AFTER in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    quoted = json.dumps(text.encode("utf-8", "replace").decode("utf-8"), ensure_ascii=False)
    return quoted.replace("\x7f", "\\u007f")
