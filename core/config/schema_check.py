"""Problems of a schema, each in a sentence that names its file and its field."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from core.config.fields import FieldDefinition
from core.config.pattern import compile_pattern
from core.domain.fields import FieldType
from core.errors import SettingsError

Model = TypeVar("Model", bound=BaseModel)


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file; {} where there is none. Raises SettingsError, which names the file."""
    try:
        return toml_of(path.read_text(encoding="utf-8"), path)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(
            f"{str(path)!r} cannot be read: {error}.", next_step="Check the file's rights and encoding."
        ) from error


def toml_of(text: str, path: Path) -> dict[str, Any]:
    """The tables of a schema file's text. Raises SettingsError, which names the file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(
            f"{str(path)!r} is not valid TOML: {error}.", next_step="Correct that line."
        ) from error


def validated(model: type[Model], values: Mapping[str, Any], path: Path) -> Model:
    """`values` as `model`. Raises SettingsError, which names the file, the field and the key."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise _plain(error, values, path) from None


def field_definition(values: FieldDefinition | Mapping[str, Any]) -> FieldDefinition:
    """A field from its keys and values. Raises SettingsError, which names the key that is wrong."""
    if isinstance(values, FieldDefinition):
        return values
    try:
        return FieldDefinition.model_validate(values)
    except ValidationError as error:
        raise _of_field(error, values) from None


def check_field(
    definition: FieldDefinition, where: str, heads: Collection[str] | None, rules: Collection[str] | None
) -> None:
    """Raises SettingsError for a pattern that RE2 refuses and for heads and rules that nobody knows.

    where: the file or schema, for the message. heads, rules: None where they are not known.
    """
    for extractor in definition.extractors:
        if extractor.method == "pattern":
            for pattern in extractor.patterns:
                try:
                    compile_pattern(pattern)
                except SettingsError as error:
                    raise SettingsError(
                        f"Field {definition.name!r} in {where}: {error.message}", next_step=error.next_step
                    ) from None
        elif extractor.method == "head" and heads is not None and extractor.head not in heads:
            raise _unknown("head", extractor.head, definition.name, where, heads)
        elif extractor.method == "rule" and rules is not None and extractor.rule not in rules:
            raise _unknown("rule", extractor.rule, definition.name, where, rules)
        if extractor.method == "head" and definition.type is not FieldType.BOOLEAN:
            raise SettingsError(
                f"Field {definition.name!r} in {where} is of type '{definition.type}';"
                " a head says only whether a clause is there.",
                next_step="Give it the type 'boolean', or another extractor.",
            )


def _unknown(kind: str, name: str, field: str, where: str, known: Collection[str]) -> SettingsError:
    return SettingsError(
        f"Field {field!r} in {where} names the unknown {kind} {name!r}.",
        next_step=f"Use one of: {', '.join(sorted(known))}.",
    )


def _plain(error: ValidationError, values: Mapping[str, Any], path: Path) -> SettingsError:
    first = error.errors(include_url=False)[0]
    place = [str(each) for each in first["loc"]]
    field = _field_name(values, first["loc"])
    key = ".".join(each for each in place[2:] if each) if field else ".".join(place)
    subject = f"Field {field!r} in {str(path)!r}" if field else f"{str(path)!r}"
    message = str(first["msg"]).removeprefix("Value error, ")
    if key == "type" and first["type"] == "enum":
        message = f"{first['input']!r} is no type of a field. Expected one of: {', '.join(FieldType)}"
    at = f" at {key!r}" if key else ""
    return SettingsError(f"{subject} is wrong{at}: {message}.", next_step="Correct it and try again.")


def _of_field(error: ValidationError, values: Mapping[str, Any]) -> SettingsError:
    first = error.errors(include_url=False)[0]
    key = ".".join(str(each) for each in first["loc"])
    message = str(first["msg"]).removeprefix("Value error, ")
    if key == "name" and first["type"] == "string_pattern_mismatch":
        message = (
            "A name has small letters, digits and underscores only, at most 63, and begins with a letter"
        )
    if key == "type" and first["type"] == "enum":
        message = f"{first['input']!r} is no type of a field. Expected one of: {', '.join(FieldType)}"
    name = str(values.get("name", ""))[:80]
    at = f" at {key!r}" if key else ""
    return SettingsError(f"Field {name!r} is wrong{at}: {message}.", next_step="Correct it and try again.")


def _field_name(values: Mapping[str, Any], place: tuple[int | str, ...]) -> str:
    if len(place) < 2 or place[0] not in ("fields", "removed") or not isinstance(place[1], int):
        return ""
    table = values.get(str(place[0]), ())
    entry = table[place[1]] if place[1] < len(table) else {}
    name = entry.get("name") if isinstance(entry, Mapping) else ""
    return str(name or f"number {place[1] + 1}")
