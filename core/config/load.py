"""Settings from groundwork.toml and the environment, with errors that name the key."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from core.config.models import Settings
from core.config.schema_check import read_toml
from core.errors import SettingsError

FILE_NAME = "groundwork.toml"
PREFIX = "GROUNDWORK_"
SEPARATOR = "__"
GROQ_KEY = "GROQ_API_KEY"


def default_home(environ: Mapping[str, str] = os.environ) -> Path:
    """GROUNDWORK_HOME, or the user's data folder."""
    configured = environ.get("GROUNDWORK_HOME")
    if configured:
        return Path(configured)
    import platformdirs

    return Path(platformdirs.user_data_dir("groundwork"))


def load_settings(home: Path | str | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """The settings of `home`: defaults, then its groundwork.toml, then the environment.

    An empty or missing file is fine. Raises SettingsError, which names the file or variable and the key.
    """
    folder = Path(home) if home is not None else default_home(environ)
    folder = folder.expanduser().absolute()
    path = folder / FILE_NAME
    values = read_toml(path)
    _refuse_secrets(values, path)
    for section, key, raw in _overrides(environ):
        values.setdefault(section, {})
        if not isinstance(values[section], dict):
            raise SettingsError(
                f"{section!r} in {str(path)!r} must be a table.", next_step=f"Write [{section}]."
            )
        values[section][key] = _parse_scalar(raw)
    _take_groq_key(values, environ)
    if "home" in values:
        raise SettingsError(
            f"'home' cannot be set in {str(path)!r}.", next_step="Use --home or GROUNDWORK_HOME instead."
        )
    try:
        return Settings(home=folder, **values)
    except ValidationError as error:
        raise _plain(error, path) from None


def _refuse_secrets(values: Mapping[str, Any], path: Path) -> None:
    """Refuse what may stand in the environment alone."""
    section = values.get("sign_in")
    if isinstance(section, dict) and "client_secret" in section:
        raise SettingsError(
            f"'sign_in.client_secret' may not stand in {str(path)!r}.",
            next_step="Take it out there, and set GROUNDWORK_SIGN_IN__CLIENT_SECRET in the environment.",
        )


def _take_groq_key(values: dict[str, Any], environ: Mapping[str, str]) -> None:
    """GROQ_API_KEY, as its own tools know it, is llm.api_key unless GROUNDWORK_LLM__API_KEY is set."""
    key = environ.get(GROQ_KEY, "").strip()
    section = values.setdefault("llm", {}) if key else None
    if isinstance(section, dict) and f"{PREFIX}LLM{SEPARATOR}API_KEY" not in environ:
        section["api_key"] = key


def _overrides(environ: Mapping[str, str]) -> list[tuple[str, str, str]]:
    found = []
    for name, raw in sorted(environ.items()):
        if name.startswith(PREFIX) and SEPARATOR in name:
            section, _, key = name.removeprefix(PREFIX).partition(SEPARATOR)
            found.append((section.lower(), key.lower(), raw))
    return found


def _parse_scalar(raw: str) -> Any:
    """Lists and tables are given in TOML or JSON; anything else stays text for pydantic to convert."""
    if raw.startswith(("[", "{")):
        try:
            return tomllib.loads(f"value = {raw}")["value"]
        except tomllib.TOMLDecodeError:
            pass
        try:
            return json.loads(raw)
        except json.JSONDecodeError:
            return raw
    return raw


def _plain(error: ValidationError, path: Path) -> SettingsError:
    first = error.errors()[0]
    location = [str(part) for part in first["loc"]]
    name = ".".join(location)
    variable = PREFIX + SEPARATOR.join(part.upper() for part in location)
    if first["type"] == "extra_forbidden":
        known = ", ".join(_known_keys(location[:-1]))
        return SettingsError(
            f"Unknown setting {name!r} (in {str(path)!r} or as {variable}).",
            next_step=f"Expected one of: {known}." if known else "Remove it.",
        )
    reason = first["msg"].removeprefix("Value error, ")
    where = variable if len(location) > 1 else f"{variable}{SEPARATOR}..."
    return SettingsError(
        f"Setting {name!r} is wrong: {reason[:1].lower()}{reason[1:]}.",
        next_step=f"Correct it in {str(path)!r}, or {where} in the environment.",
    )


def _known_keys(section: list[str]) -> list[str]:
    model: Any = Settings
    for part in section:
        field = getattr(model, "model_fields", {}).get(part)
        model = getattr(field, "annotation", None)
    return [key for key in getattr(model, "model_fields", {}) if key != "home"]
