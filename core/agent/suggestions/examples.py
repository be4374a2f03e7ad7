"""Examples of questions that work here: made of the collection's fields, run, and only then shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from core.answer.computed.wording import singular
from core.cache import Cache
from core.domain.fields import FieldType
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.text.titles import phrase

COUNT = 3
TRIED = 12  # questions that are run: 20 to 60 ms each
_KEPT = 16  # states of collections
_LEAST = 2  # documents that have to state a field
_MOST_GROUPS = 30
_SHORT, _LONG = 5, 60  # characters of a title that is quoted
_GROUPS = (FieldType.ENUM, FieldType.TEXT)
_REPEATS = 1.5  # documents for each value of a field that makes groups of them


class Examples:
    """Examples for each state of the collection. Thread-safe."""

    def __init__(self) -> None:
        self._found: Cache[tuple[str, tuple[str, ...], str], tuple[str, ...]] = Cache(_KEPT)

    def questions(
        self,
        catalogue: Catalogue,
        buckets: tuple[str, ...],
        is_answered: Callable[[str], bool],
        known_by: str = "",
    ) -> tuple[str, ...]:
        """At most COUNT questions of different kinds, each answered when it was tried; () where none was.

        is_answered: runs a question. known_by: of who asks, as `PlanDoor` has it.
        """

        def found() -> tuple[str, ...]:
            kept: list[str] = []
            for at, question in enumerate(example_questions(catalogue, buckets)):
                if len(kept) == COUNT or at == TRIED:
                    break
                if is_answered(question):
                    kept.append(question)
            return tuple(kept)

        return self._found.get_or_make((catalogue.fingerprint, buckets, known_by), found)


def example_questions(catalogue: Catalogue, buckets: tuple[str, ...] = ()) -> Iterator[str]:
    """Questions that may work, each next one of another kind and about other documents."""
    schemas = sorted(_filled(catalogue, buckets), key=lambda each: -each.documents)
    makers = (_lack, _highest, _of_one, _by_group)
    streams = [iter(_made(make, schemas, at, catalogue)) for at, make in enumerate(makers)]
    while streams:
        for stream in list(streams):
            question = next(stream, None)
            if question is None:
                streams.remove(stream)
            else:
                yield question


Maker = Callable[[SchemaEntry, Catalogue], Iterator[str]]


def _made(make: Maker, schemas: Sequence[SchemaEntry], at: int, catalogue: Catalogue) -> Iterator[str]:
    """The questions of one kind, begun with another schema for each kind."""
    first = at % len(schemas) if schemas else 0
    for schema in (*schemas[first:], *schemas[:first]):
        yield from make(schema, catalogue)


def _filled(catalogue: Catalogue, buckets: tuple[str, ...]) -> Iterator[SchemaEntry]:
    """The schemas with a noun of their own of which there are documents in the buckets."""
    inside = {each.schema for each in catalogue.documents if not buckets or each.bucket in buckets}
    for schema in catalogue.schemas:
        if schema.documents and schema.buckets and schema.name in inside:
            yield schema


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
        if len(each.units) < _LEAST:
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
        if each.type not in _GROUPS or each.many or each.documents < _LEAST * 2:
            continue
        values = [v for v in catalogue.values if v.schema == schema.name and v.field == each.name]
        if _LEAST <= len(values) <= min(_MOST_GROUPS, each.documents / _REPEATS):
            yield f"How many {_noun(schema)} are there by {phrase(each.title)}?"


def _stated(schema: SchemaEntry, *types: FieldType) -> list[FieldEntry]:
    """The fields of these types that most documents state, first."""
    found = [each for each in schema.fields if each.type in types and not each.many]
    return sorted((each for each in found if each.documents >= _LEAST), key=lambda each: -each.documents)
