"""Catalogue as a reading model is told it: what is near the question, within a budget of tokens.

What there is no room for is counted, so that a model does not take what it sees for all there is.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from core.domain.fields import TEXTS, FieldType
from core.domain.rows.place import TablePlace
from core.llm.budget import CHARS_PER_TOKEN
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, SchemaEntry, TableEntry, once_for_each
from core.plan.readers.model.reply import NearTexts, as_reply, nearest, stems_of
from core.plan.reading import ReadInHand
from core.text.table_shape import is_unnamed
from core.values.naming.display import holder_of

CATALOGUE_TOKENS = 2_300

MOST_DOCUMENTS = 14
MOST_PARTIES = 10
MOST_FOLDERS = 4
MOST_IN_FOLDER = 50  # as many as one name of a reading may mean
MOST_TABLES = 6
MOST_FAR_TABLES = 2  # with nothing of the question
MOST_MEMBERS = 8
_MOST_DETAILED = 12
_LEAST_DETAILED = 5  # of the first kind, whatever the question says
_NEAR = 0.25  # of the nearest field or table: further ones are told by name, or counted
_MINOR_KIND = 0.1  # of all documents: of a kind with fewer, what no document states is not told
_MOST_VALUES = 4
_MOST_COLUMNS = 14  # of a table with their values; the others by name
_MOST_SHEETS = 12  # that can be asked about one by one
_MOST_BUCKETS = 20
_ROOM_OF_LEFT_OUT = 200  # characters
_LONGEST_VALUE = 40
_LONGEST_TEXT = 160
_FEW_VALUES = 80  # characters of a column's texts that are shown whole
_FEW_DOCUMENTS = 3  # are all told, near the question or not
_FEW_ROWS = 4  # a table with fewer is often no table but a list that was laid out as one
_LONGEST_CELLS = 2_000  # characters of a column's texts that are looked through
_RARE = 12  # a word that more documents share than this, and than a tenth of all, names none of them
_SHARE_WITHOUT_KINDS = 0.6
_SHARE_OF_TABLES, _SHARE_OF_HAND, _SHARE_OF_DOCUMENTS = 0.3, 0.2, 0.2


@dataclass(frozen=True, slots=True)
class CataloguePrompt:
    """The text, and what its short ids mean: documents ("d1"), folders ("f1") by the ids of the documents in
    them, tables ("t1") by their parts."""

    text: str
    documents: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    folders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Texts:
    """Texts of a catalogue by which its entries are near a question, made once."""

    fields: tuple[FieldEntry, ...]
    field_titles: NearTexts
    field_texts: NearTexts
    documents: NearTexts
    parties: NearTexts
    values: NearTexts
    own_values: Mapping[tuple[str, str], list[int]]
    tables: NearTexts
    cells: NearTexts


def catalogue_prompt(
    catalogue: Catalogue,
    question: str,
    most_tokens: int = CATALOGUE_TOKENS,
    *,
    buckets: Sequence[str] = (),
    in_hand: ReadInHand | None = None,
) -> CataloguePrompt:
    """Scope, set in hand, kinds with fields, then documents, organisations and tables near the question.

    buckets: those that are asked, () for all. A question that goes on is near what its set was near, too.
    """
    said = f"{question} {in_hand.question}" if in_hand is not None else question
    return _Writer(catalogue, stems_of(said), buckets, in_hand).write(most_tokens * CHARS_PER_TOKEN)


@once_for_each
def _texts_of(catalogue: Catalogue) -> _Texts:
    fields = tuple(each for schema in catalogue.schemas for each in schema.fields)
    own: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, value in enumerate(catalogue.values):
        own[value.schema, value.field].append(at)
    names = {each.id: f"{each.name} {_stem(each.source)}" for each in catalogue.documents}
    return _Texts(
        fields=fields,
        field_titles=NearTexts(f"{each.name} {each.title} {' '.join(each.synonyms)}" for each in fields),
        field_texts=NearTexts(
            f"{each.description} {' '.join((*each.verbs, *each.phrases, *each.options))}" for each in fields
        ),
        documents=NearTexts(
            f"{names[each.id]} {each.kind} {' '.join(each.parties)}" for each in catalogue.documents
        ),
        parties=NearTexts(f"{each.name} {each.normal}" for each in catalogue.parties),
        values=NearTexts(each.text for each in catalogue.values),
        own_values=own,
        tables=NearTexts(_called(each, names) for each in catalogue.rows_by_sql),
        cells=NearTexts(" ".join(map(_cells, each.columns)) for each in catalogue.rows_by_sql),
    )


def _counted(count: int, nouns: str) -> str:
    return f"{count:,} {nouns.removesuffix('s') if count == 1 else nouns}"


def _stem(source: str) -> str:
    return source.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _folder(source: str) -> str:
    parts = source.rsplit("/", 2)
    return parts[-2] if len(parts) > 1 else ""


def _called(table: TableEntry, names: Mapping[str, str]) -> str:
    parts = table.parts[:20]
    said = (f"{part.sheet} {part.caption} {names.get(part.document, '')}" for part in parts)
    return " ".join((*(column.name for column in table.columns), *said))


def _cells(column: ColumnEntry) -> str:
    return " ".join(column.texts[:400])[:_LONGEST_CELLS]


class _Writer:
    """Writer of one text. documents: those that are asked, counts: of each kind.

    told_tables, told_folders: by the short ids that were given; told_documents: these by their documents.
    """

    def __init__(
        self, catalogue: Catalogue, stems: Sequence[str], buckets: Sequence[str], in_hand: ReadInHand | None
    ) -> None:
        self.catalogue, self.stems, self.buckets, self.in_hand = catalogue, stems, buckets, in_hand
        self.texts = _texts_of(catalogue)
        self.documents = [each for each in catalogue.documents if self._in_scope(each.bucket)]
        self.counts = Counter(each.schema for each in self.documents)
        self.held = [each for each in catalogue.schemas if self.counts[each.name]]
        self.told_documents: dict[str, str] = {}
        self.told_tables: dict[str, tuple[str, ...]] = {}
        self.told_folders: dict[str, tuple[str, ...]] = {}
        self.left_out: list[str] = []

    def write(self, most: int) -> CataloguePrompt:
        """The text, of at most so many characters."""
        scope = self._scope()
        hand = _within(self._hand_documents(), int(most * _SHARE_OF_HAND))
        documents = _within([*self._folders(), *self._documents()], int(most * _SHARE_OF_DOCUMENTS))
        parties = _within(self._parties(), int(most * 0.1))
        tables = self._tables(int(most * (_SHARE_OF_TABLES if self.held else _SHARE_WITHOUT_KINDS)))
        first, behind = [*scope, *hand, *self._hand_reading()], [*documents, *parties, *tables]
        room = most - sum(len(line) + 1 for line in (*first, *behind)) - _ROOM_OF_LEFT_OUT
        lines = [*first, *self._kinds(room), *behind]
        if left_out := "; ".join(self.left_out)[: _ROOM_OF_LEFT_OUT - 50]:
            lines.append(f"Not shown, as less near the question: {left_out}.")
        ids = {short: id for id, short in self.told_documents.items()}
        return CataloguePrompt("\n".join(_within(lines, most)), ids, self.told_tables, self.told_folders)

    def _in_scope(self, bucket: str) -> bool:
        return not self.buckets or bucket in self.buckets

    def _scope(self) -> list[str]:
        buckets = Counter(each.bucket for each in self.documents).most_common()
        if not buckets:
            return ["There are no documents."]
        named = ", ".join(f"{name} ({count:,})" for name, count in buckets[:_MOST_BUCKETS])
        more = f" and {len(buckets) - _MOST_BUCKETS} more" if len(buckets) > _MOST_BUCKETS else ""
        kinds = [f"{count:,} {name}" for name, count in self.counts.most_common() if name][:_MOST_BUCKETS]
        kinds += [f"{self.counts['']:,} of no known kind"] if self.counts[""] else []
        which = "these buckets alone" if self.buckets else "all buckets"
        return [
            f"Asked are {which}, with their documents: {named}{more}.",
            f"{_counted(len(self.documents), 'documents')}: {', '.join(kinds)}.",
        ]

    def _hand_documents(self) -> list[str]:
        hand = self.in_hand
        if hand is None:
            return []
        noun = "rows" if hand.is_rows else "documents"
        lines = [f"The conversation's last question: {_short(hand.question)}"]
        if hand.answer:
            lines.append(f"It came to: {_short(hand.answer)}")
        if hand.count or hand.documents:
            lines.append(f'Result set in hand ("set"): {hand.count or len(hand.documents):,} {noun}.')
        seen = [each for each in hand.documents if self.catalogue.document(each) is not None]
        members = ", ".join(f"{self._document_id(each)} {self._name(each)}" for each in seen[:MOST_MEMBERS])
        if members and not hand.is_rows:
            lines.append(f"Its {'first ' if len(seen) > MOST_MEMBERS else ''}members in order: {members}.")
        return lines

    def _hand_reading(self) -> list[str]:
        """How the last question was read; told last, where all short ids are known."""
        if self.in_hand is None or self.in_hand.reading is None:
            return []
        told = self.told_tables.items()
        tables = {part: name for name, parts in told for part in parts if "." not in name}
        steps = json.dumps(as_reply(self.in_hand.reading, self.told_documents, tables), ensure_ascii=False)
        return [f"It was read as these steps: {steps}"] if len(steps) < 1_500 else []

    def _kinds(self, room: int) -> list[str]:
        """Kinds with fields: the nearest described, the others by name, as far as there is room."""
        if not self.held:
            return []
        counts, fields = self.counts, self.texts.fields
        scores = self._field_scores()
        rows: dict[str, list[int]] = defaultdict(list)
        most = sum(counts.values()) * _MINOR_KIND
        for at, entry in enumerate(fields):
            if entry.documents or counts[entry.schema] > most:
                rows[entry.schema].append(at)
        for own in rows.values():
            own.sort(key=lambda at: (-scores[at], -fields[at].documents))
        names = NearTexts(
            " ".join((each.name, each.title, *each.words, *each.buckets, *(noun.word for noun in each.nouns)))
            for each in self.held
        ).scores(self.stems)
        best = [max((scores[at] for at in rows[each.name]), default=0.0) for each in self.held]
        order = [-(3 * name + most) for name, most in zip(names, best, strict=True)]
        by = {each.name: (at, -counts[each.name]) for each, at in zip(self.held, order, strict=True)}
        held = sorted(self.held, key=lambda each: by[each.name])
        told = {at for each in held for at in rows[each.name]}
        least = _NEAR * max((scores[at] for at in told), default=0.0)
        near = [at for at in nearest(scores, 3 * _MOST_DETAILED) if at in told and scores[at] >= least]
        first = [at for at in rows[held[0].name] if fields[at].documents]
        ranked = tuple(dict.fromkeys((*near[:_MOST_DETAILED], *first[:_LEAST_DETAILED])))
        return self._fitted(held, rows, ranked, room)

    def _fitted(
        self, held: Sequence[SchemaEntry], rows: Mapping[str, Sequence[int]], ranked: Sequence[int], room: int
    ) -> list[str]:
        """Lines of the kinds. ranked: the fields that are described, as far as half the room goes round."""
        lines: dict[str, list[str]] = {}
        for schema in held:  # a line for each kind comes first
            line = _kind_line(schema, self.counts[schema.name])
            if room < len(line) + 1:
                break
            room -= len(line) + 1
            lines[schema.name] = [line]
        if len(lines) < len(held):
            self.left_out.append(_counted(len(held) - len(lines), "kinds"))
        named = sum(len(self.texts.fields[at].name) + 2 for name in lines for at in rows[name])
        room_of_names = min(named + 80 * len(lines), room // 2)
        room -= room_of_names
        values = self.texts.values.scores(self.stems)
        detailed: set[int] = set()
        for at in ranked:
            entry = self.texts.fields[at]
            line = self._field(entry, values)
            if entry.schema in lines and len(line) < room:
                room -= len(line) + 1
                lines[entry.schema].append(line)
                detailed.add(at)
        room += room_of_names
        untold: dict[str, int] = {}
        for schema in held:
            others = [self.texts.fields[at] for at in rows[schema.name] if at not in detailed]
            if schema.name not in lines or not others:
                continue
            line, kept = _by_type(others, room)
            room -= len(line) + 1 if line else 0
            lines[schema.name] += [line] if line else []
            if kept < len(others):
                untold[schema.name] = len(others) - kept
        if untold:
            first = next(iter(untold)) if len(untold) == 1 else f"{len(untold):,} kinds"
            self.left_out.insert(0, f"{_counted(sum(untold.values()), 'fields')} of {first}")
        return [line for own in lines.values() for line in own]

    def _field_scores(self) -> list[float]:
        """Nearness of every field: words of its names count twice, those of its description once."""
        titles = self.texts.field_titles.scores(self.stems)
        described = self.texts.field_texts.scores(self.stems)
        near: dict[tuple[str, str], float] = defaultdict(float)  # a value that is said says its field
        for value, score in zip(self.catalogue.values, self.texts.values.scores(self.stems), strict=True):
            near[value.schema, value.field] = max(near[value.schema, value.field], score)
        return [
            2 * a + b + near[each.schema, each.name]
            for each, a, b in zip(self.texts.fields, titles, described, strict=True)
        ]

    def _field(self, entry: FieldEntry, values: Sequence[float]) -> str:
        unit = list(filter(None, (*entry.units, entry.unit)))
        of = f" in {', '.join(dict.fromkeys(unit[:3]))}" if unit else ""
        many = ", several" if entry.many else ""
        samples = entry.options or self._samples(entry, values)
        such = f" Such as: {' | '.join(map(_value, samples[:_MOST_VALUES]))}." if samples else ""
        about = _short(entry.description or entry.title)
        also = f" Also called {', '.join(entry.synonyms[:2])}." if entry.synonyms else ""
        return f"- {entry.name} ({entry.type.value}{of}{many}; in {entry.documents:,}): {about}{also}{such}"

    def _samples(self, entry: FieldEntry, values: Sequence[float]) -> tuple[str, ...]:
        if entry.type is FieldType.PARTY:
            key = (entry.schema, entry.name)
            named = (each.name for each in self.catalogue.parties if key in each.fields)
            return tuple(name for name, _ in zip(named, range(_MOST_VALUES - 2), strict=False))
        own = self.texts.own_values.get((entry.schema, entry.name), [])
        best = sorted(own, key=lambda at: (-values[at], -self.catalogue.values[at].documents))
        return tuple(self.catalogue.values[at].text for at in best[:_MOST_VALUES])

    def _folders(self) -> list[str]:
        """Folders near the question, each as a set of documents that may be named at once."""
        held: dict[str, list[str]] = defaultdict(list)
        for each in self.documents:
            held[_folder(each.source)].append(each.id)
        names = [name for name, own in held.items() if name and len(own) <= MOST_IN_FOLDER]
        lines = []
        for number, at in enumerate(nearest(NearTexts(names).scores(self.stems), MOST_FOLDERS), 1):
            own = tuple(held[names[at]])
            self.told_folders[f"f{number}"] = own
            place = "within, but without, the file" if holder_of(f"{names[at]}/-") else "of the folder"
            lines.append(f"- f{number}: {_counted(len(own), 'documents')} {place} “{_short(names[at], 60)}”")
        return ["Folders near it:", *lines] if lines else []

    def _documents(self) -> list[str]:
        every = self.catalogue.documents
        scores = self.texts.documents.scores(self.stems, most=max(_RARE, len(every) // 10))
        some = (every[at] for at in nearest(scores, 3 * MOST_DOCUMENTS))
        few = self.documents if len(self.documents) <= _FEW_DOCUMENTS else ()
        near = [each for each in dict.fromkeys((*some, *few)) if self._in_scope(each.bucket)][:MOST_DOCUMENTS]
        lines = [
            f"- {self._document_id(each.id)}: {_short(each.name)} ({each.schema or 'of no known kind'}"
            + (f", {each.kind}" if each.kind else "")
            + (f"; within {holder}" if (holder := holder_of(each.source)) else "")
            + "".join(f"; {party}" for party in each.parties[:3] if party not in each.name.casefold())
            + ("; cannot be read)" if each.unreadable else ")")
            for each in near
        ]
        if len(self.documents) > len(near):
            self.left_out.append(_counted(len(self.documents) - len(near), "documents"))
        return ["Documents whose names or parties are near the question:", *lines] if lines else []

    def _parties(self) -> list[str]:
        every = self.catalogue.parties
        scores = self.texts.parties.scores(self.stems, most=max(_RARE, len(every) // 10))
        near = [every[at] for at in nearest(scores, MOST_PARTIES)]
        lines = [
            f"- {_value(each.name)}: "
            + ", ".join(f"{name} of {schema}" for schema, name in sorted(set(each.fields))[:4])
            for each in near
        ]
        if len(every) > len(near):
            self.left_out.append(_counted(len(every) - len(near), "organisations"))
        return ["Organisations near it:", *lines] if lines else []

    def _document_id(self, id: str) -> str:
        return self.told_documents.setdefault(id, f"d{len(self.told_documents) + 1}")

    def _name(self, id: str) -> str:
        entry = self.catalogue.document(id)
        return _short(entry.name, 80) if entry is not None else ""

    def _tables(self, room: int) -> list[str]:
        every = self.catalogue.rows_by_sql
        if not every:
            return []
        named, cells = self.texts.tables.scores(self.stems), self.texts.cells.scores(self.stems)
        scores = [
            (2 * a + b) * (1.0 if table.rows >= _FEW_ROWS and _named_part(table) >= 0.5 else 0.3)
            for a, b, table in zip(named, cells, every, strict=True)
        ]
        order = sorted(
            range(len(every)), key=lambda at: (-self._is_in_hand(every[at]), -scores[at], -every[at].rows)
        )
        lines: list[str] = []
        in_scope = [at for at in order if self._has_documents(every[at])]
        for at in self._near_tables(in_scope, scores):
            name = f"t{len(lines) + 1}"
            line = self._table(name, every[at])
            if room < len(line):
                line = line[: line.find("; columns: ")] + self._plain_columns(every[at], room)
                if room < len(line):
                    break
            room -= len(line) + 1
            self.told_tables[name] = tuple(part.name for part in every[at].parts)
            lines.append(line)
            for number, parts in enumerate(_sheets_of(every[at]).values(), 1):
                self.told_tables[f"{name}.{number}"] = parts
        if len(in_scope) > len(lines):
            self.left_out.append(_counted(len(in_scope) - len(lines), "tables"))
        of_fields = self._field_tables(len(lines), room) if lines else []
        return ["Tables, whose rows can be asked about:", *lines, *of_fields] if lines else []

    def _field_tables(self, told: int, room: int) -> list[str]:
        """Documents as rows, which a query joins with those of tables; the fields are told by their kind."""
        kinds = {each.schema for each in self.documents}
        lines = [_OF_FIELDS] if kinds else []
        for table in (each for each in self.catalogue.fields if each.schema in kinds):
            schema, part = table.schema, table.parts[0]
            field = (TablePlace.of(part.name).fields or ("", ""))[1]
            said = f"each {field} of these: document, {field}, {field}_status"
            whole = f"the {table.rows:,} documents of kind {schema}: document, source, bucket, its fields"
            name = f"t{told + len(lines)}"
            line = f"- {name}: {said if field else whole}"
            if room < sum(map(len, lines)) + len(line):
                break
            self.told_tables[name] = (part.name,)
            lines.append(line)
        return lines if len(lines) > 1 else []

    def _near_tables(self, order: Sequence[int], scores: Sequence[float]) -> list[int]:
        """All of a few; of many the near ones, two at least, and all sheets of the first one's workbook."""
        if len(order) <= MOST_TABLES:
            return list(order)
        tables = self.catalogue.rows_by_sql
        book = {part.document for part in tables[order[0]].parts if part.sheet}
        least = _NEAR * scores[order[0]]
        return [
            at
            for place, at in enumerate(order)
            if place < MOST_FAR_TABLES
            or (scores[at] > 0 and scores[at] >= least)
            or any(part.document in book for part in tables[at].parts)
        ][:MOST_TABLES]

    def _is_in_hand(self, table: TableEntry) -> bool:
        reading = self.in_hand.reading if self.in_hand is not None else None
        named = {name for step in reading.all_steps for name in step.tables} if reading is not None else set()
        return any(part.name in named for part in table.parts)

    def _has_documents(self, table: TableEntry) -> bool:
        if table in self.catalogue.datasets:
            return not self.buckets or table.schema in self.buckets
        found = (self.catalogue.document(id) for id in table.documents)
        return any(each is not None and self._in_scope(each.bucket) for each in found)

    def _table(self, name: str, table: TableEntry) -> str:
        named = [e for at, e in enumerate(table.columns) if not (at and is_unnamed(e.name))]  # 0 names rows
        columns = named if len(named) > 1 else table.columns
        scores = NearTexts(f"{each.name} {_cells(each)}" for each in columns).scores(self.stems)
        full = set(sorted(range(len(columns)), key=lambda at: -scores[at])[:_MOST_COLUMNS])
        said = [
            self._column(each) if at in full else f"{each.name} ({each.type.value})"
            for at, each in enumerate(columns)
        ]
        sheets = "".join(
            f"; {name}.{number} is “{_short(sheet, 60)}” alone"
            for number, sheet in enumerate(_sheets_of(table), 1)
        )
        return f"- {name}: {table.rows:,} rows of {self._place(table)}{sheets}; columns: {', '.join(said)}"

    def _plain_columns(self, table: TableEntry, room: int) -> str:
        names = [each.name for each in table.columns]
        said = f"; columns: {', '.join(names)}"
        return said if len(said) < room else f"; {len(names)} columns, such as {', '.join(names[:8])}"

    def _place(self, table: TableEntry) -> str:
        if table in self.catalogue.datasets:
            files = f" of {len(table.parts):,} files" if table.title else ""
            return (
                f"the dataset “{_short(table.title or table.parts[0].sheet, 60)}”{files}, for `query` alone"
            )
        documents = list(dict.fromkeys(part.document for part in table.parts)) or list(table.documents)
        sheets = list(dict.fromkeys(part.sheet or part.caption for part in table.parts))
        if len(documents) > 1:
            return f"{len(documents):,} documents, such as “{self._name(documents[0])}”"
        sheet = f"“{_short(sheets[0], 60)}” in " if len(sheets) == 1 and sheets[0] else ""
        sheet = f"{len(sheets)} sheets of " if len(sheets) > 1 else sheet
        return f"{sheet}“{self._name(documents[0])}”" if documents else f"{sheet}a document"

    def _column(self, column: ColumnEntry) -> str:
        unit = list(filter(None, (*column.units, column.unit)))
        of = f" in {', '.join(dict.fromkeys(unit[:2]))}" if unit else ""
        said = ""
        if column.type in TEXTS:
            texts = column.texts[:400] or column.numbers[:3]
            scores = NearTexts(texts).scores(self.stems)
            order = sorted(range(len(scores)), key=lambda at: -scores[at])[:3]
            few = column.is_whole and bool(column.texts) and sum(map(len, texts)) <= _FEW_VALUES
            samples = texts if few else tuple(texts[at] for at in order)
            more = " | …" if samples and not few else ""
            said = f": {' | '.join(map(_value, samples))}{more}" if samples else ""
        elif column.low is not None and column.high is not None:
            said = f" {_end(column.low, column.type)} to {_end(column.high, column.type)}"
        return f"{column.name} ({column.type.value}{of}{said})"


_OF_FIELDS = (
    "Documents as rows, for `query` alone, to join them with tables. Beside a field X are X_status (present, "
    "absent, or nobody knows: uncertain, unreadable, unread), of money X_currency; a duration X is X_days. "
    "Companies are the same where name_key(a) = name_key(b):"
)


def _sheets_of(table: TableEntry) -> dict[str, tuple[str, ...]]:
    """The parts of a table by their sheet, where it is several sheets of one workbook."""
    sheets: dict[str, tuple[str, ...]] = {}
    for part in table.parts:
        sheets[part.sheet] = (*sheets.get(part.sheet, ()), part.name)
    is_one_book = len({part.document for part in table.parts}) == 1
    return sheets if is_one_book and "" not in sheets and 1 < len(sheets) <= _MOST_SHEETS else {}


def _named_part(table: TableEntry) -> float:
    """Share of the columns that have a name of their own: by "column 3" nobody asks."""
    return 1 - sum(is_unnamed(each.name) for each in table.columns) / max(len(table.columns), 1)


def _kind_line(schema: SchemaEntry, count: int) -> str:
    words = dict.fromkeys((*schema.words, *(noun.word for noun in schema.nouns)))
    called = f", also called {', '.join(list(words)[:3])}" if words else ""
    return f"Kind {schema.name} ({schema.title}{called}): {count:,} documents. Its fields:"


_PLURAL = {FieldType.BOOLEAN: "boolean (there or not)", FieldType.ENUM: "choice"}


def _by_type(fields: Sequence[FieldEntry], room: int) -> tuple[str, int]:
    """Fields by name in one line, those of one type together, and how many of them there was room for."""
    kept = len(_within([f"{each.name} " for each in fields], room - 80))
    groups: dict[FieldType, list[str]] = defaultdict(list)
    for each in fields[:kept]:
        groups[each.type].append(each.name)
    said = "; ".join(f"{_PLURAL.get(kind, kind.value)}: {', '.join(own)}" for kind, own in groups.items())
    return (f"- more: {said}" if said else ""), kept


def _within(lines: Sequence[str], most: int) -> list[str]:
    """The lines from the first that do not take more than so many characters."""
    kept: list[str] = []
    for line in lines:
        most -= len(line) + 1
        if most < 0:
            break
        kept.append(line)
    return kept


def _short(text: str, most: int = _LONGEST_TEXT) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _value(text: str) -> str:
    return _short(text, _LONGEST_VALUE)


def _end(amount: Decimal, kind: FieldType) -> str:
    if kind is FieldType.DATE and 0 < amount < 3_652_060:
        return date.fromordinal(int(amount)).isoformat()
    return f"{amount:,f}".rstrip("0").rstrip(".") if "." in f"{amount:f}" else f"{amount:f}"
