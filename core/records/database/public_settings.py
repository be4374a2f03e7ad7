"""A settings file without its secrets: what may leave the home in a backup."""

from __future__ import annotations

import json
import tomllib
from typing import Any

_SECRET_WORDS = ("key", "secret", "password", "token", "credential", "url", "dsn")


def without_secrets(toml: str) -> str:
    """The same settings as TOML, without values whose key names a secret or an address, or comments.

    An address goes too: it may carry a password. A file that is not TOML gives an empty one.
    """
    try:
        settings = tomllib.loads(toml)
    except tomllib.TOMLDecodeError:
        return ""
    return "\n".join(_lines(_public(settings), ())) + "\n"


def _public(table: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in table.items() if not _is_secret(key)}
    return {key: _public(value) if isinstance(value, dict) else value for key, value in kept.items()}


def _is_secret(key: str) -> bool:
    return any(word in key.lower() for word in _SECRET_WORDS)


def _lines(table: dict[str, Any], path: tuple[str, ...]) -> list[str]:
    lines = [
        f"{json.dumps(key)} = {_value(value)}" for key, value in table.items() if not isinstance(value, dict)
    ]
    if path and (lines or not table):
        lines = ["", f"[{'.'.join(json.dumps(part) for part in path)}]", *lines]
    for key, value in table.items():
        if isinstance(value, dict):
            lines += _lines(value, (*path, key))
    return lines


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{json.dumps(k)} = {_value(v)}' for k, v in _public(value).items())}}}"
    if isinstance(value, bool | int | float | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value.isoformat())  # dates and times: all else that TOML has
