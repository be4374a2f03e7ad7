"""The schemas of a home: those that ship with the product, under what its people changed of them."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import Field, model_validator

from core import plugins
from core.config.fields import LONGEST_PHRASE, MOST_PHRASES, NAME, FieldDefinition, Schema, SchemaSubject
from core.config.models import SettingsSection
from core.config.schema_check import check_field, read_toml, toml_of, validated
from core.errors import NotFoundError, SettingsError

FOLDER = "schemas"
GENERIC = "generic"
_SPOKEN = (
    "order",
    "nouns",
    "things",
    "titled_nouns",
    "counts",
    "when_present",
)  # of a schema: how questions and people name it
_NOT_EXTRACTED = frozenset(
    {"title", "description", "includes", "excludes", "examples", "counter_examples"}
    | {"synonyms", "group", "buckets", "verbs", "loose_verbs", "phrases", "connects"}
)


class Overlay(SettingsSection):
    """Changes of a home's file to a schema: only what differs from the shipped one, or a schema of its own.

    fields: those added, and those of the shipped schema as they are now. removed: definitions that are kept,
    so that they can come back. renames: old name to new name. phrases: by field, beside those that its
    definition has, so that a field of which only its phrases were taught goes on as it ships. None means what
    the shipped one has.
    """

    name: str = Field(pattern=NAME)
    title: str = ""
    description: str = ""
    recognise: tuple[str, ...] | None = None
    buckets: tuple[str, ...] | None = None
    order: int | None = None
    nouns: tuple[str, ...] | None = None
    things: tuple[str, ...] | None = None
    titled_nouns: dict[str, tuple[str, ...]] | None = None
    counts: tuple[str, ...] | None = None
    subject: SchemaSubject | None = None
    when_present: bool | None = None
    renames: dict[str, str] = Field(default_factory=dict)
    phrases: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    fields: tuple[FieldDefinition, ...] = ()
    removed: tuple[FieldDefinition, ...] = ()

    @model_validator(mode="after")
    def _names_are_unique(self) -> Overlay:
        names = [each.name for each in (*self.fields, *self.removed)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"field {twice[0]!r} stands twice")
        return self


def fingerprint(schema: Schema, *parts: str) -> str:
    """Digest of all that extraction by `schema` depends on, 16 hexadecimal digits: no titles or synonyms.

    parts: what else counts, such as the version of the trained heads.
    """
    fields = [
        each.model_dump(mode="json", exclude_defaults=True, exclude=set(_NOT_EXTRACTED))
        for each in schema.fields
    ]
    text = json.dumps([schema.name, fields, *parts], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def shipped_schemas() -> dict[str, Schema]:
    """The schemas that come with what is installed, ours and of plug-ins, by name, as they are shown."""
    return _installed_schemas(plugins.registry())


@lru_cache(maxsize=4)
def _installed_schemas(registry: plugins.Registry) -> dict[str, Schema]:
    schemas = []
    for plugin in registry.plugins(plugins.SCHEMAS).values():
        path = registry.data_file(plugin, ".toml")
        try:
            schema = path and validated(Schema, read_toml(path), path)
            if schema and schema.name != plugin.name:
                raise SettingsError(f"{str(path)!r} calls its schema {schema.name!r}.")
            # Ours are checked by tests: a question need not load RE2 for them.
            for definition in schema.fields if schema and not plugin.is_shipped else ():
                check_field(definition, repr(str(path)), None, None)
        except SettingsError as error:
            if plugin.is_shipped:
                raise
            registry.leave_out(plugin, error.message.rstrip("."))
            continue
        if schema:
            schemas.append(schema)
    return {each.name: each for each in sorted(schemas, key=lambda each: (each.order, each.name))}


class SchemaStore:
    """Reads and changes the schemas of one home; safe to share between threads.

    Every change is written at once and as a whole, so that another process meets the old file or the new.
    heads, rules: the names that extractors may use; None where they are not checked.
    """

    def __init__(
        self, home: Path, *, heads: Collection[str] | None = None, rules: Collection[str] | None = None
    ) -> None:
        self._folder = home / FOLDER
        self._heads = heads
        self._rules = rules
        self._lock = threading.RLock()  # guards the cache, and a change from reading to writing
        self._seen: tuple[tuple[str, int, int], ...] | None = None
        self._overlays: dict[str, Overlay] = {}
        self._schemas: dict[str, Schema] = {}

    def schemas(self) -> list[Schema]:
        """All schemas: the shipped ones in their order, then the home's own by name.

        Raises SettingsError, which names the file and the field, where one cannot be used.
        """
        with self._lock:
            self._refresh()
            return list(self._schemas.values())

    def schema(self, name: str) -> Schema:
        """The schema of that name. Raises NotFoundError."""
        with self._lock:
            self._refresh()
            if name not in self._schemas:
                raise NotFoundError(
                    f"There is no schema {name!r}.", next_step=f"Use one of: {', '.join(self._schemas)}."
                )
            return self._schemas[name]

    def of_bucket(self, bucket: str) -> Schema | None:
        """The schema of all documents of `bucket`; None where every document's own looks decide."""
        wanted = bucket.strip().lower()
        schemas = self.schemas()
        by_claim = (each for each in schemas if wanted in (name.lower() for name in each.buckets))
        by_name = (each for each in schemas if each.name == wanted)
        return next(by_claim, None) or next(by_name, None)

    def schema_for(self, bucket: str, recognised: str = GENERIC) -> Schema:
        """The schema of a document of `bucket` that was recognised as a `recognised`."""
        found = self.of_bucket(bucket)
        if found is not None:
            return found
        names = {each.name: each for each in self.schemas()}
        return names.get(recognised, names[GENERIC])

    def removed(self, schema: str) -> tuple[FieldDefinition, ...]:
        """Fields that were taken out and can be restored."""
        return self._overlay(schema).removed

    def renames(self, schema: str) -> dict[str, str]:
        """Old names of fields and what they are called now, so that their cells can be found."""
        return dict(self._overlay(schema).renames)

    def check(self, schema: str, definition: FieldDefinition) -> None:
        """Raises SettingsError where the field could not be used; nothing is changed."""
        check_field(definition, f"schema {schema!r}", self._heads, self._rules)

    def add_field(self, schema: str, definition: FieldDefinition) -> Schema:
        """Adds a field at the end. Raises SettingsError where the name is taken, also by a removed field."""
        with self._lock:
            current = self.schema(schema)
            overlay = self._overlay(schema)
            self.check(schema, definition)
            if current.field(definition.name) is not None:
                raise SettingsError(
                    f"Schema {schema!r} already has a field {definition.name!r}.",
                    next_step="Choose another name, or change that field.",
                )
            if any(each.name == definition.name for each in overlay.removed):
                raise SettingsError(
                    f"Schema {schema!r} had a field {definition.name!r}, which was removed.",
                    next_step="Restore it and change it, or choose another name.",
                )
            return self._write(overlay.model_copy(update={"fields": (*overlay.fields, definition)}))

    def add_fields(self, schema: str, definitions: Sequence[FieldDefinition]) -> Schema:
        """Adds several at the end, all of them or none. Raises SettingsError as `add_field` does."""
        with self._lock:
            current, overlay = self.schema(schema), self._overlay(schema)
            taken = {each.name for each in (*current.fields, *overlay.removed)}
            for each in definitions:
                self.check(schema, each)
                if each.name in taken:
                    raise SettingsError(
                        f"Schema {schema!r} already has or had a field {each.name!r}.",
                        next_step="Choose another name, or change or restore that field.",
                    )
                taken.add(each.name)
            return self._write(overlay.model_copy(update={"fields": (*overlay.fields, *definitions)}))

    def change_field(self, schema: str, definition: FieldDefinition) -> Schema:
        """Replaces the field of that name where it stands. Raises NotFoundError, SettingsError."""
        with self._lock:
            self._field(schema, definition.name)
            self.check(schema, definition)
            overlay = self._overlay(schema)
            own = next((each for each in overlay.fields if each.name == definition.name), None)
            kept = definition if own is None else _with_words(definition, own)
            taught = overlay.phrases.get(definition.name, ())
            kept = kept.model_copy(update={"phrases": _apart(kept.phrases, taught)})
            return self._write(overlay.model_copy(update={"fields": _put(overlay.fields, kept)}))

    def add_phrase(self, schema: str, name: str, phrase: str) -> Schema:
        """Adds an example of how questions speak of a field; one that it has already changes nothing.

        Raises NotFoundError, and SettingsError where it is too long, or the field has as many as it may.
        """
        with self._lock:
            definition = self._field(schema, name)
            if not _apart((phrase,), definition.phrases):
                return self.schema(schema)
            if not phrase or len(phrase) > LONGEST_PHRASE or len(definition.phrases) >= MOST_PHRASES:
                raise SettingsError(
                    f"{definition.title!r} cannot take {phrase!r} as an example.",
                    next_step=f"A field has {MOST_PHRASES} examples at most, of {LONGEST_PHRASE} characters.",
                )
            overlay = self._overlay(schema)
            taught = {**overlay.phrases, name: (*overlay.phrases.get(name, ()), phrase)}
            return self._write(overlay.model_copy(update={"phrases": taught}))

    def remove_phrase(self, schema: str, name: str, phrase: str) -> Schema:
        """Takes an example out of a field again. Raises NotFoundError where it has none of these words."""
        with self._lock:
            definition = self._field(schema, name)
            if len(_apart(definition.phrases, (phrase,))) == len(definition.phrases):
                raise NotFoundError(f"{definition.title!r} has no example {phrase!r}.")
            overlay = self._overlay(schema)
            taught = {
                key: _apart(said, (phrase,) if key == name else ()) for key, said in overlay.phrases.items()
            }
            fields = tuple(
                each.model_copy(update={"phrases": _apart(each.phrases, (phrase,))})
                if each.name == name
                else each
                for each in overlay.fields
            )
            kept = {key: said for key, said in taught.items() if said}
            return self._write(overlay.model_copy(update={"fields": fields, "phrases": kept}))

    def remove_field(self, schema: str, name: str) -> Schema:
        """Takes a field out of sight; its definition and its cells are kept. Raises NotFoundError."""
        with self._lock:
            definition = self._field(schema, name)
            overlay = self._overlay(schema)
            return self._write(
                overlay.model_copy(
                    update={
                        "fields": _without(overlay.fields, name),
                        "removed": (*_without(overlay.removed, name), definition),
                    }
                )
            )

    def restore_field(self, schema: str, name: str) -> Schema:
        """Brings a removed field back as it was. Raises NotFoundError."""
        with self._lock:
            overlay = self._overlay(schema)
            definition = next((each for each in overlay.removed if each.name == name), None)
            if definition is None:
                raise NotFoundError(f"Schema {schema!r} has no removed field {name!r}.")
            shipped = shipped_schemas().get(schema)
            is_shipped = shipped is not None and shipped.field(name) == definition
            fields = overlay.fields if is_shipped else _put(overlay.fields, definition)
            return self._write(
                overlay.model_copy(update={"fields": fields, "removed": _without(overlay.removed, name)})
            )

    def rename_field(self, schema: str, name: str, new_name: str) -> Schema:
        """Calls a field `new_name`, in its place; the old definition is kept among the removed ones.

        Raises NotFoundError, SettingsError where the new name is taken or none.
        """
        with self._lock:
            old = self._field(schema, name)
            overlay = self._overlay(schema)
            if self.schema(schema).field(new_name) or any(each.name == new_name for each in overlay.removed):
                raise SettingsError(f"Schema {schema!r} already has a field {new_name!r}.")
            path = self._path(schema)
            new = validated(FieldDefinition, {**old.model_dump(), "name": new_name}, path)
            renames = {
                before: new_name if after == name else after for before, after in overlay.renames.items()
            }
            fields = tuple(new if each.name == name else each for each in overlay.fields)
            return self._write(
                overlay.model_copy(
                    update={
                        "phrases": {
                            new_name if key == name else key: value for key, value in overlay.phrases.items()
                        },
                        "fields": fields if new in fields else (*fields, new),
                        "removed": (*_without(overlay.removed, name), old),
                        "renames": {**renames, name: new_name},
                    }
                )
            )

    def add_schema(self, schema: Schema) -> Schema:
        """A schema of the home's own. Raises SettingsError where the name is taken or a field is wrong."""
        with self._lock:
            self._refresh()
            if schema.name in self._schemas:
                raise SettingsError(f"There is a schema {schema.name!r} already.")
            for definition in schema.fields:
                self.check(schema.name, definition)
            return self._write(Overlay.model_validate(schema.model_dump(exclude=_unsaid(schema))))

    def assign_bucket(self, schema: str, bucket: str) -> Schema:
        """Reads all documents of `bucket` as `schema`, and by no other any more."""
        with self._lock:
            others = [each for each in self.schemas() if each.name != schema]
            for each in (self.schema(schema), *others):  # the one first: where it cannot be, nothing changes
                kept = tuple(name for name in each.buckets if name.lower() != bucket.lower())
                buckets = (*kept, bucket) if each.name == schema else kept
                if buckets != each.buckets:
                    self._write(self._overlay(each.name).model_copy(update={"buckets": buckets}))
            return self.schema(schema)

    def count_kinds(self, schema: str, kinds: Sequence[str]) -> Schema:
        """Let the words for documents of a schema mean these kinds, () all. Raises SettingsError."""
        with self._lock:
            return self._write(self._overlay(schema).model_copy(update={"counts": tuple(kinds)}))

    def export(self, schema: str) -> str:
        """The whole schema as TOML text, which `add_schema` and a file in another home understand."""
        return schema_text(self.schema(schema))

    def _field(self, schema: str, name: str) -> FieldDefinition:
        found = self.schema(schema).field(name)
        if found is None:
            raise NotFoundError(f"Schema {schema!r} has no field {name!r}.")
        return found

    def _path(self, schema: str) -> Path:
        return self._folder / f"{schema}.toml"

    def _overlay(self, schema: str) -> Overlay:
        with self._lock:
            self.schema(schema)
            return self._overlays.get(schema) or Overlay(name=schema)

    def _refresh(self) -> None:
        """Reads the home's files anew where one of them changed."""
        seen = tuple(sorted(_signatures(self._folder)))
        if seen == self._seen:
            return
        overlays = {}
        for name, _, _ in seen:
            path = self._folder / name
            overlay = validated(Overlay, {"name": path.stem, **read_toml(path)}, path)
            if overlay.name != path.stem:
                raise SettingsError(
                    f"{str(path)!r} calls its schema {overlay.name!r}.",
                    next_step=f"Call the file {overlay.name}.toml, or the schema {path.stem!r}.",
                )
            overlays[overlay.name] = overlay
        schemas = {}
        for name in (*shipped_schemas(), *sorted(set(overlays) - set(shipped_schemas()))):
            schemas[name] = self._merged(name, overlays.get(name))
        self._overlays, self._schemas, self._seen = overlays, schemas, seen

    def _merged(self, name: str, overlay: Overlay | None) -> Schema:
        shipped = shipped_schemas().get(name)
        path = self._path(name)
        base = shipped or Schema(
            name=name, title=(overlay and overlay.title) or name.replace("_", " ").title()
        )
        if overlay is None:
            return base
        merged = {
            "name": name,
            "title": overlay.title or base.title,
            "description": overlay.description or base.description,
            **{
                key: getattr(base, key) if (own := getattr(overlay, key)) is None else own
                for key in ("recognise", "buckets", "subject", "when_present", *_SPOKEN)
            },
            "fields": _with_checks(_merge(base.fields, overlay), overlay),
        }
        if merged["subject"] is not None:
            merged["subject"] = merged["subject"].renamed(overlay.renames)
        schema = validated(Schema, merged, path)
        unknown = [each for each in overlay.counts or () if schema.kinds and each not in schema.kinds]
        if unknown:
            raise SettingsError(
                f"Schema {name!r} counts {unknown[0]!r}, which is no kind of its documents.",
                next_step=f"Name some of: {', '.join(schema.kinds)}.",
            )
        for definition in overlay.fields:
            check_field(definition, repr(str(path)), self._heads, self._rules)
        return schema

    def _write(self, overlay: Overlay) -> Schema:
        head = overlay.model_dump(exclude={"fields", "removed"}, exclude_none=True)
        tables = [("fields", each) for each in overlay.fields] + [
            ("removed", each) for each in overlay.removed
        ]
        text, path = document_text(head, tables), self._path(overlay.name)
        if validated(Overlay, toml_of(text, path), path) != overlay:
            raise SettingsError(
                f"Schema {overlay.name!r} cannot be written so that it is read as it is.",
                next_step="Take unusual characters out of its texts and patterns.",
            )
        self._merged(overlay.name, overlay)  # raises before anything is written
        _replace(path, text)
        self._seen = None
        return self.schema(overlay.name)


def schema_text(schema: Schema) -> str:
    """A schema as TOML text."""
    head = schema.model_dump(exclude={"fields", *_unsaid(schema)})
    return document_text(head, [("fields", each) for each in schema.fields])


def _merge(shipped: Iterable[FieldDefinition], overlay: Overlay) -> tuple[FieldDefinition, ...]:
    own = {each.name: each for each in overlay.fields}
    removed = {each.name for each in overlay.removed}
    merged = []
    for each in shipped:
        if each.name in own:
            merged.append(_with_words(own.pop(each.name), each))
        elif each.name not in removed:
            merged.append(each)
        renamed = own.pop(overlay.renames.get(each.name, ""), None)
        if renamed is not None:
            merged.append(_with_words(renamed, each))
    return tuple(_taught(each, overlay.phrases) for each in (*merged, *own.values()))


def _with_checks(fields: tuple[FieldDefinition, ...], overlay: Overlay) -> tuple[FieldDefinition, ...]:
    """The fields with checks against other fields by their names of now; those of removed ones rest."""
    names = {each.name for each in fields}
    removed = {each.name for each in overlay.removed}
    found = []
    for each in fields:
        checks = []
        for check in each.checks:
            name = check.field if check.field in names else overlay.renames.get(check.field, check.field)
            if name in names or name not in removed:
                checks.append(check.model_copy(update={"field": name}))
        found.append(
            each if tuple(checks) == each.checks else each.model_copy(update={"checks": tuple(checks)})
        )
    return tuple(found)


def _taught(definition: FieldDefinition, phrases: Mapping[str, tuple[str, ...]]) -> FieldDefinition:
    """A field with the phrases of the home beside its own."""
    more = _apart(phrases.get(definition.name, ()), definition.phrases)
    if not more:
        return definition
    return definition.model_copy(update={"phrases": (*definition.phrases, *more)[:MOST_PHRASES]})


def _apart(phrases: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """The phrases that are not among others, whatever their capitals."""
    known = {each.casefold() for each in others}
    return tuple(each for each in phrases if each.casefold() not in known)


def _with_words(definition: FieldDefinition, other: FieldDefinition) -> FieldDefinition:
    """A field with the verbs and phrases of another where it has none: homes of before know of no verbs, and
    the form of a field shows neither.
    """
    more: dict[str, object] = {}
    if not (definition.verbs or definition.loose_verbs):
        more |= {"verbs": other.verbs, "loose_verbs": other.loose_verbs}
    if not definition.phrases:
        more["phrases"] = other.phrases
    return definition.model_copy(update=more) if more else definition


def _unsaid(schema: Schema) -> set[str]:
    """The keys for how a schema is spoken of that it does not have."""
    plain = Schema(name=schema.name, title=schema.title)
    return {key for key in _SPOKEN if getattr(schema, key) == getattr(plain, key)}


def _put(fields: tuple[FieldDefinition, ...], definition: FieldDefinition) -> tuple[FieldDefinition, ...]:
    if any(each.name == definition.name for each in fields):
        return tuple(definition if each.name == definition.name else each for each in fields)
    return (*fields, definition)


def _without(fields: tuple[FieldDefinition, ...], name: str) -> tuple[FieldDefinition, ...]:
    return tuple(each for each in fields if each.name != name)


def _signatures(folder: Path) -> Iterable[tuple[str, int, int]]:
    try:
        entries = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        if entry.name.endswith(".toml") and not entry.name.startswith(".") and entry.is_file():
            status = entry.stat()
            yield entry.name, status.st_mtime_ns, status.st_size


def _replace(path: Path, text: str) -> None:
    """Writes the file as a whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


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
