"""The choices that parts of a reading offer: fields, those most alike first, values, kinds of documents."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.domain.answer import ReadingPart
from core.domain.fields import FieldType
from core.errors import EncoderError
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.ir.node import schema_of
from core.plan.ir.nodes import Plan
from core.plan.ir.verbalise import KIND
from core.plan.readers.trained.reading import QuestionReader
from core.plan.reading_line.parts import kind_word, reading_parts
from core.text.titles import phrase

NEAR = 6  # fields that stand above the list of all
MOST_VALUES = 60


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """A field, or a column of tables. documents: how many state it."""

    name: str
    title: str
    type: FieldType
    documents: int = 0


@dataclass(frozen=True, slots=True)
class SubjectChoice:
    """Documents that may be asked about; to: as a change names them."""

    to: str
    label: str
    documents: int


@dataclass(frozen=True, slots=True)
class PartChoices:
    """Choices of one part. fields: the name of its list of fields; near: those most alike, best first."""

    fields: str = ""
    near: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingChoices:
    """Choices of a whole reading, its parts in their order. fields: the lists, by name."""

    fields: dict[str, tuple[FieldChoice, ...]]
    subjects: tuple[SubjectChoice, ...]
    parts: tuple[PartChoices, ...]


def choices_of(plan: Plan, catalogue: Catalogue, reader: QuestionReader | None) -> ReadingChoices:
    """The choices of a plan over what the catalogue knows, which is what may be seen.

    reader: tells what is like what; None compares the names of fields by their letters.
    """
    nodes = {each.id: each for each in plan.nodes}
    schemas: dict[str, SchemaEntry] = {}
    parts = []
    for part in reading_parts(plan, catalogue):
        node = nodes[part.node]
        name = schema_of(node, nodes)
        if name not in schemas:
            schemas[name] = catalogue.schema(name) or _of_any(catalogue)
        schema = schemas[name]
        near = _near(plan, part, schema, reader) if {"field", "operation"} & set(part.actions) else ()
        values = _values(schema.field(part.field), catalogue) if "value" in part.actions else ()
        parts.append(PartChoices(name, near, values))
    fields = {
        name: tuple(FieldChoice(each.name, each.title, each.type, each.documents) for each in schema.fields)
        for name, schema in schemas.items()
    }
    return ReadingChoices(fields, _subjects(catalogue), tuple(parts))


def _near(
    plan: Plan, part: ReadingPart, schema: SchemaEntry, reader: QuestionReader | None
) -> tuple[str, ...]:
    """The fields most like the words that a part stands for; its own is not among them."""
    own, said = schema.field(part.field), plan.question
    if own is not None:  # in the words that were taken for it, else by its title
        notes = (note for note in plan.notes if own.title.casefold() in note.reading.casefold())
        said = next((note.phrase for note in notes if note.phrase), own.title)
    others = [each for each in schema.fields if each.name != part.field]
    texts = [text for each in others for text in (each.title, each.description or each.title)]
    likes = [_alike(said, each) for each in others]
    if reader is not None and others:
        with contextlib.suppress(EncoderError):
            likes = list(reader.likeness([said], texts)[0].reshape(-1, 2).max(axis=1))
    best = sorted(zip(likes, others, strict=True), key=lambda pair: -pair[0])
    return tuple(each.name for _, each in best[:NEAR])


def _alike(said: str, field: FieldEntry) -> float:
    names = (field.title, *field.synonyms)
    return max(SequenceMatcher(None, said.casefold(), each.casefold()).ratio() for each in names)


def _of_any(catalogue: Catalogue) -> SchemaEntry:
    """The fields of all schemas, each name once."""
    found: dict[str, FieldEntry] = {}
    for schema in catalogue.schemas:
        for each in schema.fields:
            found.setdefault(each.name, each)
    return SchemaEntry("", "", fields=tuple(found.values()))


def _values(field: FieldEntry | None, catalogue: Catalogue) -> tuple[str, ...]:
    """Texts that a field states, the most frequent first, to choose from while one is written."""
    if field is None:
        return ()
    key = (field.schema, field.name)
    found = [(each.documents, each.text) for each in catalogue.values if (each.schema, each.field) == key]
    if field.type is FieldType.PARTY:
        found = [(each.documents, each.name) for each in catalogue.parties if key in each.fields]
    texts = (text for _, text in sorted(found, key=lambda pair: -pair[0]))
    return tuple(dict.fromkeys((*texts, *field.options)))[:MOST_VALUES]


def _subjects(catalogue: Catalogue) -> tuple[SubjectChoice, ...]:
    """Kinds of documents that there are; of a schema whose documents are of several kinds, each kind, too."""
    found = [SubjectChoice("", "all documents", len(catalogue.documents))]
    for schema in catalogue.schemas:
        if not schema.documents:
            continue
        kinds = [each for each in catalogue.values if (each.schema, each.field) == (schema.name, KIND)]
        if len(kinds) > 1:
            found += [
                SubjectChoice(f"{schema.name}/{each.text}", kind_word(each.text), each.documents)
                for each in sorted(kinds, key=lambda each: -each.documents)
            ]
        label = f"{phrase(schema.title)} of any kind" if len(kinds) > 1 else phrase(schema.title)
        found.append(SubjectChoice(schema.name, label, schema.documents))
    return tuple(found)
