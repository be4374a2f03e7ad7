"""Catalogue, statistics and corrections that planners go by, kept until the home changes."""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from core import plugins
from core.cache import Cache
from core.config.fields import KIND, Schema
from core.config.schema_store import SchemaStore
from core.datasets.engine import dataset_table
from core.datasets.families import families
from core.datasets.names import sql_name
from core.domain.annotation import Accounting
from core.domain.document import OpeningNames
from core.domain.fields import MONEY_SCALE, NUMBER_SCALE, FieldType
from core.domain.ids import DocumentId
from core.domain.matrix import Asking
from core.domain.passage import Matrix
from core.domain.rows.dataset import Dataset
from core.encode.base import Encoder, TokenCounter
from core.errors import PluginError, RecordsError
from core.plan.catalogue import (
    Catalogue,
    ColumnEntry,
    DocumentEntry,
    FieldEntry,
    NounEntry,
    PartyEntry,
    SchemaEntry,
    TableEntry,
    TablePart,
    ValueEntry,
)
from core.plan.corrections import LearnedPlanner
from core.plan.ir.statistics import Cost, Histogram, Statistics, line_through
from core.plan.readers.connected import read_connection
from core.plan.readers.trained.reading import PluginReader, QuestionReader, ReaderSpec, TextReader
from core.plan.reading import BUILT_IN, Reading
from core.plan.reading_planner import ReadingPlanner
from core.store.cells.tables import KnownColumn, KnownTable, TableRecords
from core.store.conversations.corrections import Corrected, Lessons
from core.store.database.visibility import Sight, Visibility
from core.store.query.vocabulary import Distributions, KnownDocument, NamedParty, StatedText, Vocabulary
from core.store.store import Records
from core.workbench.fields.field_tables import field_entries
from core.workbench.fields.scope import asking_of
from core.workbench.openings import KnownOpenings

if TYPE_CHECKING:
    from core.graph.maps import Maps

KEPT = 16  # catalogues: one for each visibility that asks
READ_WITHIN_S = 5.0  # of a plug-in: ours takes 15 ms
_Key = tuple[int, Sight, str, str]


class CatalogueLoader:
    """Makes catalogues; one is made once for a data version, a visibility and a state of the schemas.

    Thread-safe.
    """

    def __init__(self, records: Records, schemas: SchemaStore, home: Path | None = None) -> None:
        """home: where names in openings are kept for the next start; None for nowhere."""
        self._records = records
        self._vocabulary = Vocabulary(records.database)
        self._tables = TableRecords(records.database)
        self._openings = KnownOpenings(records, home)
        self._schemas = schemas
        self._kept: Cache[_Key, Catalogue] = Cache(KEPT)

    def load(self, visible: Visibility) -> Catalogue:
        """The catalogue of what may be seen now."""
        schemas = self._schemas.schemas()
        now = self._records.accounting.now()
        version = self._records.changes.version_for(visible)
        key = (version, visible.sight, _fingerprint(schemas), now.version)
        return self._kept.get_or_make(key, lambda: self._make(visible, schemas, key, now))

    def _make(
        self, visible: Visibility, schemas: list[Schema], key: _Key, accounting: Accounting
    ) -> Catalogue:
        read, seen = self._vocabulary, self._records.copies.counted_once(visible)
        texts, named = read.texts(seen), read.parties(seen)
        asking = asking_of(self._schemas, self._records, visible, None)
        known = read.documents(visible, KIND, asking)
        stated, units = read.stated(seen), read.units(seen)
        every = _documents(known, named, self._schemas, self._openings.names())
        documents = tuple(each for each in every if each.id not in seen.without)
        counts: dict[str, int] = defaultdict(int)
        for document in documents:
            counts[document.schema] += 1
        entries = tuple(
            _schema(each, stated, units, counts[each.name])
            for each in schemas
            if counts[each.name] or not each.when_present
        )
        shown = "|".join("*" if each is None else ",".join(sorted(each)) for each in key[1])
        said = f"{self._records.database.address}|{key[0]}|{shown}|{key[2]}|{key[3]}"  # of no other home
        return Catalogue(
            fingerprint=hashlib.sha256(said.encode()).hexdigest()[:16],
            schemas=entries,
            parties=_parties(texts, named),
            documents=documents,
            copies=tuple(each for each in every if each.id in seen.without),
            values=tuple(
                ValueEntry(each.schema, each.field, each.text, each.documents)
                for each in texts
                if each.type is not FieldType.PARTY
            ),
            columns=tuple(read.columns(seen)),
            tables=table_entries(*self._tables.known(seen), documents),
            accounting=accounting,
            datasets=tuple(map(_dataset, families(self._records.datasets.list(seen)))),
            fields=field_entries(entries),
        )


def _fingerprint(schemas: list[Schema]) -> str:
    """Digest of the schemas' words by which questions are understood; the extractors do not matter."""
    said = "|".join(
        f"{schema.name}:{schema.title}:{schema.buckets}:{nouns_of(schema)}:{schema.counts}:"
        + ";".join(
            f"{f.name},{f.title},{f.type},{f.many},{f.unit},{f.synonyms},{f.options},{f.description},"
            f"{f.verbs},{f.loose_verbs},{f.phrases},{f.buckets}"
            for f in schema.fields
        )
        for schema in schemas
    )
    return hashlib.sha256(said.encode()).hexdigest()[:16]


_OF_DEFINITION = (
    "name", "title", "type", "many", "unit", "description", "synonyms", "options", "verbs", "loose_verbs",
    "phrases", "group",
)  # fmt: skip
"""What an entry takes over from the definition of its field."""


def _schema(
    schema: Schema,
    stated: dict[tuple[str, str], int],
    units: dict[tuple[str, str], tuple[str, ...]],
    documents: int,
) -> SchemaEntry:
    fields = tuple(
        FieldEntry(
            schema=schema.name,
            documents=stated.get((schema.name, each.name), 0),
            units=units.get((schema.name, each.name), ()),
            **{name: getattr(each, name) for name in _OF_DEFINITION},
        )
        for each in schema.fields
    )
    return SchemaEntry(
        schema.name, schema.title, schema.buckets, (), fields, documents, nouns_of(schema), schema.counts
    )


def nouns_of(schema: Schema) -> tuple[NounEntry, ...]:
    """The nouns that a schema says its documents are called by."""
    return (
        *(NounEntry(word) for word in schema.nouns),
        *(NounEntry(word, is_thing=True) for word in schema.things),
        *(NounEntry(word, titles) for word, titles in schema.titled_nouns.items()),
    )


def _documents(
    known: list[KnownDocument],
    named: list[NamedParty],
    schemas: SchemaStore,
    openings: Mapping[DocumentId, OpeningNames],
) -> tuple[DocumentEntry, ...]:
    parties: dict[str, list[str]] = defaultdict(list)
    for each in named:
        if each.normal not in parties[each.document]:
            parties[each.document].append(each.normal)
    of_bucket: dict[str, str] = {}
    for document in known:
        if document.bucket not in of_bucket:
            schema = schemas.of_bucket(document.bucket)
            of_bucket[document.bucket] = schema.name if schema is not None else ""
    return tuple(
        DocumentEntry(
            id=each.id,
            title=each.title,
            source=each.source,
            bucket=each.bucket,
            schema=each.schema or of_bucket[each.bucket],
            kind=each.kind,
            parties=tuple(parties.get(each.id, ())),
            unreadable=each.unreadable,
            opening=openings.get(each.id, OpeningNames()),
            name=each.name,
            is_of_unknown_kind=each.is_of_unknown_kind,
        )
        for each in known
    )


def _parties(texts: list[StatedText], named: list[NamedParty]) -> tuple[PartyEntry, ...]:
    names: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    documents: dict[str, set[str]] = defaultdict(set)
    fields: dict[str, set[tuple[str, str]]] = defaultdict(set)
    stated: dict[str, int] = defaultdict(int)
    for each in named:
        names[each.normal][each.name] += 1
        documents[each.normal].add(each.document)
    for text in texts:
        if text.type is FieldType.PARTY:
            names[text.key][text.text] += text.documents
            fields[text.key].add((text.schema, text.field))
            stated[text.key] = max(stated[text.key], text.documents)
    return tuple(
        PartyEntry(
            name=min(spelled, key=lambda name: (-spelled[name], name)),
            normal=normal,
            documents=max(len(documents[normal]), stated[normal]),
            fields=tuple(sorted(fields[normal])),
        )
        for normal, spelled in sorted(names.items())
    )


_KEPT = 16  # visibilities
_FIELDS = 2_000  # of which the spread is kept


class HomeStatistics(Statistics):
    """Statistics for one visibility and one data version. Thread-safe."""

    def __init__(self, records: Records, visible: Visibility, costs: Mapping[str, Cost]) -> None:
        self._distributions = Distributions(records.database)
        self._visible = visible
        self._costs = costs
        self._known: Cache[tuple[str, str], Mapping[str, Histogram]] = Cache(_FIELDS)

    def amounts(self, schema: str, field: str) -> Mapping[str, Histogram]:
        """Spread of a field's values, by unit."""
        return self._known.get_or_make((schema, field), lambda: self._read(schema, field))

    def _read(self, schema: str, field: str) -> Mapping[str, Histogram]:
        read = self._distributions.amounts(self._visible, schema, field)
        total = sum(len(amounts) for amounts in read.values())
        return {unit: Histogram.of(amounts, total) for unit, amounts in read.items()}

    def cost(self, kind: str) -> Cost | None:
        """Cost of a kind of node in earlier runs."""
        return self._costs.get(kind)


class StatisticsLoader:
    """Gives the statistics of the collection as it is now. Thread-safe."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._kept: Cache[tuple[int, Sight], HomeStatistics] = Cache(_KEPT)

    def load(self, visible: Visibility) -> Statistics:
        """Statistics of a visibility. Costs are those of when it was first asked for this data version."""
        key = (self._records.changes.version_for(visible), visible.sight)
        return self._kept.get_or_make(key, lambda: HomeStatistics(self._records, visible, self._costs()))

    def _costs(self) -> dict[str, Cost]:
        figures = self._records.node_results.figures()
        lines = {
            kind: line_through(each.runs, each.rows, each.ms, each.rows_rows, each.rows_ms)
            for kind, each in figures.items()
        }
        return {kind: line for kind, line in lines.items() if line is not None}


class PastCorrections:
    """The corrections of this home that hold for one asker, as a planner reads them."""

    def __init__(self, lessons: Lessons, visible: Visibility, encoder: Callable[[], Encoder]) -> None:
        self._lessons = lessons
        self._visible = visible
        self._encoder = encoder

    def exist(self) -> bool:
        """True where there is any."""
        return self._lessons.corrections_exist()

    def of_shape(self, shape: str, question: str = "") -> list[Corrected]:
        """The corrections of questions of one shape or of these very words, the newest first."""
        found = self._lessons.corrections(shape, self._visible, question)
        return [self._correction(each) for each in found]

    def keep(self, vectors: Mapping[str, Matrix]) -> None:
        """Keep the vectors of corrected questions; where nothing can be written they are made again."""
        with contextlib.suppress(RecordsError):
            self._lessons.keep_vectors(vectors, self._encoder().signature.sha256)

    def _correction(self, found: Corrected) -> Corrected:
        signature = self._encoder().signature
        made, is_ours = found.vectors, found.encoder == signature.sha256
        is_known = made is not None and is_ours and made.shape[1] == signature.dimension
        return found if is_known else replace(found, vectors=None)


class KeptAsking:
    """Fields asked of documents, found once for a data version and a visibility."""

    def __init__(self, records: Records, schemas: SchemaStore, catalogues: CatalogueLoader) -> None:
        self._records = records
        self._schemas = schemas
        self._catalogues = catalogues
        self._kept: Cache[str, Asking] = Cache(KEPT)

    def of(self, visible: Visibility) -> Asking:
        """As the schemas and the collection are now."""
        known_by = self._catalogues.load(visible).fingerprint  # of the data version and the groups, too
        return self._kept.get_or_make(
            known_by, lambda: asking_of(self._schemas, self._records, visible, None)
        )


class PluginReaders:
    """The readers of plug-ins, each opened once. Thread-safe."""

    def __init__(self, encoder: Callable[[], Encoder]) -> None:
        self._encoder = encoder
        self._opened: dict[plugins.Plugin, PluginReader | None] = {}

    def readings(self, question: str, catalogue: Catalogue) -> Iterator[Reading]:
        """Their readings of a question, by the name of the plug-in.

        A reader that raises, is slow or gives something else is left out.
        """
        registry = plugins.registry()
        for name, plugin in registry.plugins(plugins.READERS).items():
            reader = None if plugin.is_shipped else self._reader(registry, plugin)
            if reader is None:
                continue
            reading = registry.call(plugin, partial(reader.read, question, catalogue), within_s=READ_WITHIN_S)
            if isinstance(reading, Reading):
                yield reading.model_copy(update={"by": name, "question": question})
            elif reading is not None:
                registry.leave_out(plugin, f"it gave a {type(reading).__name__!r}, not a 'Reading'")

    def _reader(self, registry: plugins.Registry, plugin: plugins.Plugin) -> PluginReader | None:
        if plugin.name in BUILT_IN:
            registry.leave_out(plugin, "its name is that of a reader of our own")
            return None
        if plugin not in self._opened:
            try:
                spec = registry.load(plugins.READERS, plugin.name, ReaderSpec)
            except PluginError:
                return None  # it is left out by name
            opened = registry.call(plugin, lambda: spec.open(self._encoder()), within_s=READ_WITHIN_S)
            if opened is not None and not callable(getattr(opened, "read", None)):
                registry.leave_out(plugin, f"its reader is a {type(opened).__name__!r} without 'read'")
                opened = None
            self._opened[plugin] = opened  # type: ignore[assignment]  # of a plug-in: no QuestionReader
        return self._opened[plugin]


MAP_WITHIN_S = 5.0
"""Time in which a reading waits for a map that is being made; its plan waits again, and says so."""


@dataclass(frozen=True)
class Planners:
    """Makes planners that know the words of this home and its past corrections."""

    records: Records
    encoder: Callable[[], Encoder]
    words: TokenCounter
    reader: Callable[[], QuestionReader | None] = lambda: None
    others: Callable[[str, Catalogue], Iterable[Reading]] = lambda _question, _catalogue: ()
    maps: Callable[[], Maps] | None = None

    def of(self, catalogue: Catalogue, visible: Visibility) -> LearnedPlanner:
        """The planner for a catalogue of what may be seen."""
        past = PastCorrections(self.records.lessons, visible, self.encoder)
        reader = self.reader() or TextReader()
        others = partial(self._others, visible)
        return LearnedPlanner(catalogue, reader, self.words, others, corrections=past, encoder=self.encoder)

    def _others(self, visible: Visibility, question: str, catalogue: Catalogue) -> Iterator[Reading]:
        """Readings of plug-ins, then of the map."""
        yield from self.others(question, catalogue)
        if (maps := self.maps) is not None:
            once = self.records.copies.counted_once
            yield from read_connection(question, lambda: maps().find(once(visible), MAP_WITHIN_S))

    def planner(self, catalogue: Catalogue) -> ReadingPlanner:
        """The planner over readings, which knows no past corrections."""
        return ReadingPlanner(catalogue, self.reader() or TextReader(), self.words, self.others)


MOST_TEXTS = 2_000  # of one column
_OF_ONE_KIND = 0.6  # at least this share of a column's cells are of its type and unit


def table_entries(
    known: Sequence[KnownTable], is_whole: bool, documents: Sequence[DocumentEntry]
) -> tuple[TableEntry, ...]:
    """The tables, in the order of the documents that have them first."""
    schemas = {each.id: each.schema for each in documents}
    alike: dict[tuple[str, frozenset[str]], list[KnownTable]] = {}
    for table in known:
        key = (schemas.get(table.document, ""), frozenset(table.columns))
        alike.setdefault(key, []).append(table)
    return tuple(
        TableEntry(
            columns=tuple(
                _column([table.columns[key] for table in tables], is_whole) for key in tables[0].columns
            ),
            documents=tuple(dict.fromkeys(table.document for table in tables)),
            schema=schema,
            rows=sum(map(_rows, tables)),
            parts=tuple(
                TablePart(table.document, table.number, table.sheet, table.caption) for table in tables
            ),
        )
        for (schema, _), tables in alike.items()
    )


_AMOUNTS = (FieldType.NUMBER.value, FieldType.MONEY.value)


def _dataset(dataset: Dataset) -> TableEntry:
    """A registered table, or several files as one; its bucket stands in place of a schema."""
    units = {each.name: each.units for each in dataset_table(dataset).columns}
    columns = tuple(
        ColumnEntry(
            each.head if sql_name(each.head, "") == each.name else each.name,
            FieldType(each.type),
            "" if len(units[each.name]) > 1 else each.unit,
            rows=each.filled,
            texts=tuple(bar.label for bar in each.often) or each.examples,
            is_whole=each.distinct <= len(each.often),
            units=units[each.name],
            low=Decimal(each.least) if each.least and each.type in _AMOUNTS else None,
            high=Decimal(each.greatest) if each.greatest and each.type in _AMOUNTS else None,
        )
        for each in dataset.columns
    )
    parts = tuple(TablePart(str(each.id), 0, each.name) for each in dataset.files or (dataset,))
    title = dataset.table if dataset.files else ""
    documents = tuple(part.document for part in parts)
    return TableEntry(columns, documents, dataset.bucket, dataset.rows, parts, title)


def _rows(table: KnownTable) -> int:
    return max(each.rows for each in table.columns.values())


_PLAIN = (FieldType.NUMBER, "")


def _column(parts: Sequence[KnownColumn], is_whole: bool) -> ColumnEntry:
    kinds, texts, numbers = Counter[tuple[FieldType, str]](), Counter[str](), Counter[str]()
    for part in parts:
        kinds.update(part.kinds)
        texts.update(part.texts)
        numbers.update(part.numbers)
    money = [key for key, _ in kinds.most_common() if key[0] is FieldType.MONEY]
    if money and _PLAIN in kinds:  # a sign often stands on the first and the last row alone
        kinds[money[0]] += kinds.pop(_PLAIN)
    types = Counter[FieldType]()
    for (kind, _), count in kinds.items():
        types[kind] += count
    main = types.most_common(1)[0][0] if types else FieldType.TEXT
    units = [unit for (kind, unit), _ in kinds.most_common() if kind is main]
    # "Value" of a table of facts holds watts, percents and texts; money in several currencies is all money
    alike = types[main] if main is FieldType.MONEY else kinds.most_common(1)[0][1] if kinds else 0
    if kinds and alike < _OF_ONE_KIND * sum(kinds.values()):
        main, units = FieldType.TEXT, []
    scale = {FieldType.MONEY: MONEY_SCALE, FieldType.NUMBER: NUMBER_SCALE, FieldType.DURATION: NUMBER_SCALE}
    ends = [
        Decimal(end).scaleb(-scale.get(key[0], 0))
        for part in parts
        for key, both in part.ranges.items()
        if key[0] is main or (main is FieldType.MONEY and key == _PLAIN)
        for end in both
    ]
    return ColumnEntry(
        name=parts[0].name,
        type=main,
        unit=units[0] if units else "",
        rows=sum(part.rows for part in parts),
        texts=tuple(text for text, _ in texts.most_common(MOST_TEXTS)),
        is_whole=is_whole and len(texts) <= MOST_TEXTS,
        units=tuple(units),
        numbers=tuple(text for text, _ in numbers.most_common(MOST_TEXTS)),
        low=min(ends, default=None),
        high=max(ends, default=None),
    )
