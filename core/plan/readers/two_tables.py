"""Questions that name a second table, or figure: the same of both beside each other, or values that it has.

No rule of English: a table is named by its own name, a field and a key by theirs, and no word may be left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.datasets.sql.beside import beside
from core.domain.fields import TEXTS, FieldType
from core.domain.predicate import Operator
from core.domain.rows.place import TablePlace
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, TableEntry, column_key
from core.plan.check.context import ASKED, COMPARING
from core.plan.check.coverage import IDLE
from core.plan.ir.nodes import Plan
from core.plan.ir.sql_tables import entries_of, query_sources, told_table
from core.plan.kinds import kind_names
from core.plan.operators.as_query import only_query
from core.plan.operators.names_in_list import names_in_list_sql
from core.plan.readers.trained.condition_values import content_words
from core.plan.readers.trained.tables_meant import measures, name_terms
from core.plan.reading import Function, Operation, ReadCondition, ReadField, Reading
from core.text.analyse import STOP_WORDS, text_terms
from core.text.words import word_list

NAME = "tables"
Called = dict[tuple[str, ...], list[tuple[TableEntry, ColumnEntry | None]]]
PlanOf = Callable[[Reading, bool, bool], Plan | None]
"""The plan of a reading, None where there is none; whether no word may be left, and how sure it is."""

_NEGATIVE = word_list("checks", "negative")
_OWN = frozenset(("in", "of", "from"))  # before a table whose own rows are asked about
_MOST_WORDS = 6  # of the name of a table
_LEAST_KNOWN = 4  # values of a column, from which on it says something else in each row
_NAMES = (FieldType.PARTY, FieldType.TEXT)
_ASKING = word_list("asking", "instructions", "auxiliaries").union(STOP_WORDS, _NEGATIVE)
_DEFINITE = frozenset(("the", "our", "this", "that", "your"))
_FIGURES = frozenset().union(*ASKED.values())
_TURNING = _NEGATIVE.union(*COMPARING.values())
_ADDED = (Function.SUM, Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX)


@dataclass(frozen=True, slots=True)
class NamedTable:
    """A table that question[start:end] names, with the word before it, and the question without it.

    column: of its amounts, where that is named instead.
    """

    table: TableEntry
    column: ColumnEntry | None
    start: int
    end: int
    before: str
    rest: str


def read_two_tables(
    question: str, catalogue: Catalogue, read: Callable[[str], Reading], plan_of: PlanOf
) -> Iterator[Reading]:
    """The readings of a question that names a table, or figure, beside what it asks for.

    read: reads other words.
    """
    every = _named_tables(question, _names(catalogue))
    for named in every:
        listed = _listed(named, question, catalogue) if len(every) == 1 else None
        if listed is not None:
            yield listed
        elif named.before not in _OWN | _TURNING:
            one = read(named.rest)
            others = (each.table for each in every if each is not named)
            if all(any(part.name in one.tables for part in table.parts) for table in others):
                yield from _beside(named, question, one, plan_of)
    for named in _named_tables(question, _amounts(catalogue)):
        is_last = named.before not in _OWN | _TURNING and not content_words(question[named.end :])
        if is_last and all(each.table is named.table for each in every):
            yield from _beside(named, question, read(named.rest), plan_of)


def unread_table(question: str, reading: Reading, catalogue: Catalogue) -> str:
    """The words that name a table of which a reading of rows says nothing; "" for none."""
    names = {name for step in reading.all_steps for name in step.tables}
    used = [table for table in catalogue.rows_by_sql if any(part.name in names for part in table.parts)]
    cells = (text for table in used for each in table.columns for text in (each.name, *each.texts))
    said = {each.casefold() for each in cells}
    for named in _named_tables(question, _names(catalogue)) if used else ():
        words = question[named.start : named.end]
        if named.table not in used and words.casefold() not in said:
            return words
    return ""


def _query(question: str, sql: str, places: tuple[str, ...]) -> Reading:
    return Reading(
        by=NAME, question=question, operation=Operation.QUERY, tables=places, is_rows=True, sql=sql
    )


# -- tables by their names -------------------------------------------------------------------------------


def _named_tables(question: str, called: Called) -> list[NamedTable]:
    """The tables that are named, the last one first; none where a name is that of several."""
    words = [(start, end, question[start:end].casefold()) for start, end in content_words(question)]
    found: dict[tuple[int, int], list[tuple[TableEntry, ColumnEntry | None]]] = {}
    for size in range(1, _MOST_WORDS + 1):
        for at in range(len(words) - size + 1):
            said = tuple(word for _, _, word in words[at : at + size])
            bare = (*said[:-1], said[-1].rpartition(".")[0]) if "." in said[-1] else said
            if tables := called.get(said) or called.get(bare):
                found[words[at][0], words[at + size - 1][1]] = tables
    longest = [at for at in found if not any(at != o and o[0] <= at[0] and at[1] <= o[1] for o in found)]
    if any(len(found[at]) > 1 for at in longest):
        return []
    return [_named(question, words, at, *found[at][0]) for at in sorted(longest, reverse=True)]


def _amounts(catalogue: Catalogue) -> Called:
    """Tables by what the columns are called that are added up: "Plan EUR" is plan, too."""
    found: Called = {}
    for table in catalogue.rows_by_sql:
        for each in measures(table):
            own = _plain(each.name)
            units = {unit.casefold() for unit in (each.unit, *each.units)}
            for words in dict.fromkeys((own, tuple(word for word in own if word not in units))):
                found.setdefault(words, []).append((table, each))
    return found


def _names(catalogue: Catalogue) -> Called:
    """Tables by the words of their sheets, captions and files."""
    found: Called = {}
    for table in catalogue.rows_by_sql:
        called = {_plain(text) for part in table.parts for text in (part.sheet, part.caption)}
        own = catalogue.document(table.parts[0].document) if len(table.parts) == 1 else None
        called |= {_plain(own.name.rsplit(".", 1)[0])} if own is not None else set()
        for words in called:
            found.setdefault(words, []).append((table, None))
    return found


def _named(
    question: str,
    words: Sequence[tuple[int, int, str]],
    at: tuple[int, int],
    table: TableEntry,
    column: ColumnEntry | None,
) -> NamedTable:
    start, end = at
    first = next(n for n, word in enumerate(words) if word[0] == start)
    while first and words[first - 1][2] in _DEFINITE:
        first -= 1
    before = words[first - 1][2] if first else ""
    idle = (STOP_WORDS | IDLE) - _TURNING
    while first and words[first - 1][2] in idle:
        first -= 1  # "compared with", "against"
    behind = next((n for n, word in enumerate(words) if word[0] >= end), len(words))
    while not first and behind < len(words) and words[behind][2] in idle - _FIGURES:
        end, behind = words[behind][1], behind + 1  # "the plan versus total spend"
    rest = f"{question[: words[first][0]]} {question[end:]}"
    return NamedTable(table, column, start, end, before, " ".join(rest.split()))


def _plain(text: str) -> tuple[str, ...]:
    return tuple(text.replace("_", " ").replace("·", " ").casefold().split())


# -- values that stand in another table -----------------------------------------------------------------


def _listed(named: NamedTable, question: str, catalogue: Catalogue) -> Reading | None:
    """The documents of which a field stands in the one column of a table that says each name once."""
    text = f"{question[: named.start]}{' ' * (named.end - named.start)}{question[named.end :]}"
    kinds = [each for each in kind_names(catalogue).find(text) if each.kind.schema]
    keys = [each for each in named.table.columns if each.type in _NAMES and _is_key(each)]
    fields = _fields_named(text, kinds[0].kind.schema, catalogue) if len(kinds) == 1 else []
    if len(keys) > 1:  # beside the names stands what else is told of each: its country, its number
        known = {said.casefold() for each in catalogue.parties for said in (each.name, each.normal)}
        keys = [each for each in keys if any(text.casefold() in known for text in each.texts)]
    if len(keys) != 1 or len(fields) != 1 or kinds[0].kind.titles:
        return None
    (start, end, field), (kind,) = fields[0], kinds
    if field.type is not FieldType.PARTY and name_terms(keys[0]) != text_terms(field.title):
        return None
    left = [
        text[at:stop].casefold()
        for at, stop in content_words(text)
        if not (start <= at < end or kind.start <= at < kind.end)
    ]
    denied = [word for word in left if word in _NEGATIVE]
    lost = [word for word in left if text_terms(word) and word not in _ASKING]
    if lost or len(denied) > 1 or (denied and field.many) or _TURNING.difference(_NEGATIVE) & {*left}:
        return None
    every, place = (str(TablePlace.of_fields(field.schema, name)) for name in ("", field.name * field.many))
    kinds_too = (every,) if kind.kind.kinds and every != place else ()
    places = (place, *(part.name for part in named.table.parts), *kinds_too)
    sources = {each.places[0]: each for each in query_sources(places, catalogue)}
    own, other = (told_table(e.name, entries_of(e, catalogue)) for e in map(sources.__getitem__, places[:2]))
    sql = names_in_list_sql(
        own,
        field.name,
        other,
        keys[0].name,
        are_names=field.type is FieldType.PARTY,
        kinds=kind.kind.kinds,
        kinds_in=sources[every].name if kinds_too else "",
        is_counted="many" in left,
        is_denied=bool(denied),
    )
    return _query(question, sql, places)


def _is_key(column: ColumnEntry) -> bool:
    """True of a column that says something else in each row, as far as its values are known."""
    known = len(column.texts)
    return known > 1 and (
        known == column.rows if column.is_whole else known >= min(column.rows, _LEAST_KNOWN)
    )


def _fields_named(text: str, schema: str, catalogue: Catalogue) -> list[tuple[int, int, FieldEntry]]:
    """The fields of names or texts that words call by their title or a synonym, the longest words."""
    entry = catalogue.schema(schema)
    known = {
        text_terms(said.replace("_", " ")): field
        for field in reversed(entry.fields if entry is not None else ())
        for said in (*field.synonyms, field.name, field.title)
        if field.type in _NAMES
    }
    words = [each for each in content_words(text) if text_terms(text[slice(*each)])]
    pairs = (words[at : at + size] for size in range(4, 0, -1) for at in range(len(words) - size + 1))
    runs = [(some[0][0], some[-1][1]) for some in pairs]
    found: list[tuple[int, int, FieldEntry]] = []
    for start, end in runs:
        field = known.get(text_terms(text[start:end]))
        if field is not None and not any(start < o_end and end > o_start for o_start, o_end, _ in found):
            found.append((start, end, field))
    return found


# -- the same figure of two tables ----------------------------------------------------------------------


def _beside(named: NamedTable, question: str, one: Reading, plan_of: PlanOf) -> Iterator[Reading]:
    """A figure of each group of one table with that of the only measure of the other, by the same column."""
    if one.function is Function.NONE:
        one = one.model_copy(update={"function": Function.SUM})
    group = one.groups[0] if len(one.groups) == 1 and one.function in _ADDED else None
    is_plain = not (one.steps or one.order or one.having or one.sides or one.on or one.names or one.within)
    places = tuple(part.name for part in named.table.parts)
    is_own = not {*places}.isdisjoint(one.tables)
    if group is None or group.part or not is_plain or not one.tables or is_own is (named.column is None):
        return
    columns = {column.key: column for column in named.table.columns}
    shared = columns.get(column_key(group.name))
    is_called = all(text_terms(e.words) & text_terms(e.name) for e in (group, *one.asked))
    sums = [each for each in measures(named.table) if not (_says_years(each) or each is shared)]
    sums = [named.column] if named.column is not None else sums
    conditions = [_as_of(each, named.table) for each in one.conditions]
    if shared is None or len(sums) != 1 or None in conditions:
        return
    other = one.model_copy(
        update={
            "tables": one.tables if is_own else places,
            "asked": (ReadField(name=sums[0].name),),
            "groups": (ReadField(name=shared.name),),
            "conditions": tuple(conditions),
        }
    )
    first, second = only_query(plan_of(one, True, is_called)), only_query(plan_of(other, False, True))
    if first is None or second is None:
        return
    sql = beside(first.sql, second.sql, is_text=shared.type in TEXTS)
    both = dict.fromkeys(
        place for node in (first, second) for source in node.tables for place in source.places
    )
    if sql:
        yield _query(question, sql, tuple(both))


def _says_years(column: ColumnEntry) -> bool:
    """True of numbers that are years, as far as they are known."""
    known = column.texts if column.type is FieldType.NUMBER else ()
    are_years = all(len(each) == 4 and each[:2] in ("19", "20") for each in known)
    return column.is_of_years or (bool(known) and are_years)


def _as_of(read: ReadCondition, table: TableEntry) -> ReadCondition | None:
    """The condition over the columns of another table: the same column, or the year that its days are of."""
    same = next((each for each in table.columns if each.key == column_key(read.field.name)), None)
    if same is not None:
        return read.model_copy(update={"field": ReadField(name=same.name, part=read.field.part)})
    days = [each for each in table.columns if each.type is FieldType.DATE]
    years = [each for each in table.columns if _says_years(each)]
    ends = [value[4:] for value in read.values]
    is_day = all(len(value) == 10 and value[4:5] == "-" for value in read.values)
    if is_day and len(days) == 1 and not years:
        return read.model_copy(update={"field": ReadField(name=days[0].name)})
    is_year = (
        read.op is Operator.BETWEEN
        and ends == ["-01-01", "-12-31"]
        and read.values[0][:4] == read.values[1][:4]
    )
    if is_year and is_day and len(years) == 1 and not days:
        year = {"field": ReadField(name=years[0].name), "op": Operator.EQUAL, "values": (read.values[0][:4],)}
        return read.model_copy(update=year)
    return None
