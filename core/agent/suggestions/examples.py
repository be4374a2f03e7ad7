"""Examples of questions that work here: made of the collection's fields, run, and only then shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice, zip_longest

from core.agent.suggestions.computed import COUNT, MANY
from core.answer.computed.wording import singular
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.text.titles import phrase

TRIED = 12  # questions that are run: 20 to 60 ms each
_MOST_GROUPS = 30
_SHORT, _LONG = 5, 60  # characters of a title that is quoted
_REPEATS = 1.5  # documents for each value of a field that makes groups of them


def examples(
    catalogue: Catalogue, buckets: tuple[str, ...], is_answered: Callable[[str], bool]
) -> tuple[str, ...]:
    """At most COUNT questions of different kinds, each answered when it was tried; () where none was.

    is_answered: runs a question.
    """
    tried = islice(example_questions(catalogue, buckets), TRIED)
    return tuple(islice(filter(is_answered, tried), COUNT))


def example_questions(catalogue: Catalogue, buckets: tuple[str, ...] = ()) -> Iterator[str]:
    """Questions that may work, each next one of another kind and, as far as there are more, schema."""
    inside = {each.schema for each in catalogue.documents if not buckets or each.bucket in buckets}
    filled = [each for each in catalogue.schemas if each.documents and each.buckets and each.name in inside]
    schemas = sorted(filled, key=lambda each: -each.documents)

    def made(at: int) -> Iterator[str]:
        first = at % len(schemas) if schemas else 0
        for schema in (*schemas[first:], *schemas[:first]):
            yield from _MAKERS[at](schema, catalogue)

    for some in zip_longest(*map(made, range(len(_MAKERS)))):
        yield from filter(None, some)


def _noun(schema: SchemaEntry) -> str:
    """The plural for documents of a schema: its title, or its name where that names two kinds."""
    title = schema.words[0] if schema.words else schema.title.casefold()
    return schema.name.replace("_", " ") if " and " in title else title


def _lack(schema: SchemaEntry, _: Catalogue) -> Iterator[str]:
    """ "Which contracts lack force majeure?": of a thing that about half of them have."""
    flags = [each for each in schema.fields if each.type is FieldType.BOOLEAN]
    split = [each for each in flags if 0 < each.documents < schema.documents]
    for each in sorted(split, key=lambda each: abs(each.documents - schema.documents / 2))[:2]:
        yield f"Which {_noun(schema)} lack {phrase(each.title)}?"


def _highest(schema: SchemaEntry, _: Catalogue) -> Iterator[str]:
    for each in _stated(schema, FieldType.MONEY, FieldType.NUMBER)[:2]:
        if len(each.units) < MANY:
            yield f"Which {singular(_noun(schema))} has the highest {phrase(each.title)}?"


def _of_one(schema: SchemaEntry, catalogue: Catalogue) -> Iterator[str]:
    """A value that one document states, by its title."""
    own = [each for each in catalogue.documents if each.schema == schema.name and not each.unreadable]
    titles = [" ".join(each.title.split()) for each in own]
    unlike = [title for title in titles if titles.count(title) == 1 and _SHORT < len(title) <= _LONG]
    for entry in _stated(schema, FieldType.DATE, FieldType.MONEY, FieldType.DURATION)[:2]:
        for title in unlike[:2]:
            yield f"What is the {phrase(entry.title)} of “{title}”?"


def _by_group(schema: SchemaEntry, catalogue: Catalogue) -> Iterator[str]:
    """Questions for how many there are for each value of a field that several documents state alike."""
    for each in schema.fields:
        if each.type in (FieldType.ENUM, FieldType.TEXT) and not each.many and each.documents >= MANY * 2:
            values = sum((v.schema, v.field) == (schema.name, each.name) for v in catalogue.values)
            if MANY <= values <= min(_MOST_GROUPS, each.documents / _REPEATS):
                yield f"How many {_noun(schema)} are there by {phrase(each.title)}?"


_MAKERS = (_lack, _highest, _of_one, _by_group)


def _stated(schema: SchemaEntry, *types: FieldType) -> list[FieldEntry]:
    """The fields of these types that most documents state, first."""
    found = [each for each in schema.fields if each.type in types and not each.many]
    return sorted((each for each in found if each.documents >= MANY), key=lambda each: -each.documents)
