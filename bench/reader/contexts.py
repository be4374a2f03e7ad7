"""Matter of composed questions: the shipped schemas with their wordings, and tables with random columns."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from core.domain.fields import FieldType

HERE = Path(__file__).parent
SCHEMAS = HERE.parent.parent / "core" / "config" / "schemas"
SHIPPED = ("contracts", "invoices", "certificates", "datasheets", "manuals", "generic")
WITH_FIELDS = (*SHIPPED, "pages")
"""Shipped schemas of which writers asked; of the last nothing is composed."""
_WORDS = {"contracts": "contract", "invoices": "invoice", "certificates": "certificate"} | {
    "datasheets": "datasheet",
    "manuals": "manual",
    "generic": "generic",
}


@dataclass(frozen=True, slots=True)
class Wording:
    """A field with all wordings that frames need. phrases: by kind, as the files of `phrases` name them."""

    schema: str
    name: str
    title: str
    type: FieldType
    unit: str
    description: str
    synonyms: tuple[str, ...]
    options: tuple[str, ...]
    phrases: Mapping[str, tuple[str, ...]]

    def of(self, kind: str) -> tuple[str, ...]:
        """The wordings of a kind; () where there are none."""
        return self.phrases.get(kind, ())

    @property
    def is_clause(self) -> bool:
        """True for a field that is there or not, and says no more; a column holds a yes or a no."""
        return self.type is FieldType.BOOLEAN and bool(self.schema)


@dataclass(frozen=True, slots=True)
class Context:
    """A kind of documents, or a table, with the words for it. schema: "" for a table."""

    name: str
    schema: str
    fields: tuple[Wording, ...]
    plain: tuple[str, ...]
    plain1: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    kinds1: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@cache
def pools() -> dict[str, tuple[str, ...]]:
    """Words that frames are filled with."""
    return {key: parted(text) for key, text in _read(HERE / "frames" / "pools.toml").items()}


def parted(text: str) -> tuple[str, ...]:
    """The alternatives of a line."""
    return tuple(part.strip() for part in text.split(" | ") if part.strip())


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def phrases() -> dict[tuple[str, str], dict[str, tuple[str, ...]]]:
    """The wordings by (schema, field) and kind; `contracts_clauses.toml` is of the schema `contracts`."""
    found: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    for file in sorted((HERE / "phrases").glob("*.toml")):
        schema = file.stem.split("_")[0]
        for field, kinds in _read(file).items():
            if isinstance(kinds, dict):
                entry = found.setdefault((schema, field), {})
                for kind, text in kinds.items():
                    if isinstance(text, str):
                        entry[kind] = (*entry.get(kind, ()), *parted(text))
    return found


@cache
def schema_wordings(schema: str) -> tuple[Wording, ...]:
    """The fields of a shipped schema, also of one for which nothing is composed."""
    return tuple(
        _wording(schema, field, phrases().get((schema, field["name"]), {}))
        for field in _read(SCHEMAS / f"{schema}.toml")["fields"]
    )


@cache
def schema_context(schema: str) -> Context:
    """The context of a shipped schema, with all of its fields."""
    known = pools()
    word = _WORDS[schema]
    return Context(
        schema,
        schema,
        schema_wordings(schema),
        known[f"{word}_plain"],
        known[f"{word}_plain1"],
        known[f"{word}_whole_kinds"],
        known[f"{word}_whole_kind1"],
    )


@cache
def invented_contexts() -> tuple[Context, ...]:
    """Schemas that nobody has: they teach the linker to go by titles and descriptions."""
    contexts = []
    for file in sorted((HERE / "invented").glob("*.toml")):
        content = _read(file)
        fields = tuple(
            _wording(f"invented_{file.stem}", field | {"name": name}, _kinds(field))
            for name, field in content["fields"].items()
        )
        contexts.append(
            Context(
                file.stem,
                f"invented_{file.stem}",
                fields,
                parted(content["plain"]),
                parted(content["plain1"]),
                parted(content.get("kinds", "")),
                parted(content.get("kinds1", "")),
            )
        )
    return tuple(contexts)


def _kinds(field: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    left = {"title", "type", "description", "synonyms", "unit"}
    return {key: parted(text) for key, text in field.items() if key not in left and isinstance(text, str)}


def _wording(schema: str, field: Mapping[str, Any], kinds: Mapping[str, tuple[str, ...]]) -> Wording:
    synonyms = field.get("synonyms", ())
    return Wording(
        schema,
        field["name"],
        field["title"],
        FieldType(field.get("type", "boolean")),
        field.get("unit", ""),
        field.get("description", ""),
        parted(synonyms) if isinstance(synonyms, str) else tuple(synonyms),
        tuple(field.get("options", ())),
        kinds,
    )


@cache
def _tables() -> dict[str, Any]:
    """Tables by topic, of all files of `tables`."""
    found: dict[str, Any] = {}
    for file in sorted((HERE / "tables").glob("*.toml")):
        found |= {f"{file.stem}.{topic}": table for topic, table in _read(file).items()}
    return found


def table_context(rng: random.Random) -> Context:
    """A table of a topic at random: some of its columns, one header each as somebody might have typed it."""
    topic = rng.choice(sorted(_tables()))
    table = _tables()[topic]
    columns = list(table["columns"])
    first, rest = columns[0], columns[1:]
    rng.shuffle(rest)
    chosen = [first, *rest[: rng.randint(3, len(rest))]]
    if rng.random() < 0.35:
        other = _tables()[rng.choice(sorted(_tables()))]["columns"]
        chosen += rng.sample(list(other), rng.randint(1, 3))
    fields: list[Wording] = []
    for each in chosen:
        column = _column(each, rng)
        if column.name.casefold() not in {field.name.casefold() for field in fields}:
            fields.append(column)
    rows = parted(table["rows"])
    singles = tuple(word[:-1] if word.endswith("s") else word for word in rows)
    return Context(topic, "", tuple(fields), rows, singles)


def _column(column: Mapping[str, str], rng: random.Random) -> Wording:
    """A column under one of its headers, with the everyday words for it where there are any."""
    variants = [name.strip() for name in column["headers"].split(" / ")]
    header = dressed(rng.choice(variants), rng)
    spoken = tuple(dict.fromkeys(spoken_header(name) for name in [header, *rng.sample(variants, 1)]))
    said = parted(column.get("noun", ""))
    asking = tuple(each for each in said if each.split()[0].casefold() in _ASKING)
    names = tuple(each for each in said if each not in asking)
    kinds = {kind: parted(column.get(kind, "")) for kind in _KINDS} | {
        "noun": (*spoken, *names),
        "by": (*spoken[:1], *parted(column.get("by", ""))),
        "values": tuple(each.strip() for each in column.get("values", "").split(",") if each.strip()),
        "question": tuple(form.format(each) for each in asking for form in _QUESTIONS),
    }
    kinds = {kind: texts for kind, texts in kinds.items() if texts}
    return Wording("", header, header, FieldType(column["type"]), column.get("unit", ""), "", (), (), kinds)


_KINDS = ("adj", "verb", "order", "rank", "stated", "absent")
_ASKING = frozenset(("what", "how", "who", "when", "where", "whose", "which", "whether", "whom", "why"))
_QUESTIONS = ("[{}]: <doc>", "<doc>, [{}]", "[{}] for <doc>")


def dressed(header: str, rng: random.Random) -> str:
    """A header as it may stand in a sheet: as it is, in capitals, joined by underscores, or in camel case."""
    draw = rng.random()
    if draw < 0.7:
        return header
    if draw < 0.8:
        return header.upper()
    if draw < 0.9:
        return header.lower().replace(" ", "_")
    return "".join(part.capitalize() for part in header.split())


def spoken_header(header: str) -> str:
    """A header as people say it."""
    from core.plan.readers.trained.linker import plain_words

    return plain_words(header).lower()
