"""Fit of a query with what a question asks for: whose rows it names, and what it wants of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.language.pieces import Token, stem
from core.plan.tables.assembly.combining import takings, worths
from core.plan.tables.header import ColumnKind
from core.plan.tables.links import all_units, spoken_units
from core.plan.tables.measures import (
    adjective_of,
    by_adjective,
    is_additive,
    is_rate_name,
    is_unique,
    quantity_of,
)
from core.plan.tables.query import ColumnFilter, TableOperation, TableQuery
from core.plan.tables.vocabulary import TablesVocabulary, TableVocabulary
from core.text.analyse import STOP_WORDS
from core.text.words import word_list

_OF_OTHERS = 0.6  # rows of another table are asked for
_NO_DAY = 0.8  # "when", of rows without a day
_NO_MONEY = 0.5
_ASKING = frozenset(["which", "what", "many", "list", "number", "show", "name", "for"])
_NOUNS_READ = 2
_IGNORED = 0.8  # a word of absence or of groups of which nothing was made
_UNORDERED = 0.6
_DATED = 0.2  # more, where rows have a day or a year that could order them
_ABSENT = ("never", "nobody", "nothing", "none", "not", "without", "cannot")
_GROUPING = ("each", "every", "per")


_SHORT = word_list("tables", "absent")
_NEGATIVE = (Operator.MISSING, Operator.NOT_EQUAL)
_OF_PLACE = frozenset(["first", "last", "second", "third", "fourth", "fifth", "latest", "row", "rows", "top"])


def misfit(query: TableQuery, tokens: Sequence[Token], vocabulary: TablesVocabulary) -> float:
    """Doubt that a query is about the rows that a question asks for; 0 where nothing speaks against it."""
    doubt = 0.0
    if _asks_rows_of_others(query, tokens, vocabulary):
        doubt += _OF_OTHERS
    said = [token.word for token in tokens]
    doubt += _IGNORED * (_ignores_absence(query, said) + _ignores_groups(query, said))
    if query.operation in (TableOperation.EXISTS, TableOperation.ALL) and (
        _names_it(said) or said[:1] == ["what"]
    ):
        doubt += _OF_OTHERS
    doubt += _IGNORED * (_ignores_mean(query, said) + _ignores_share(query, said))
    doubt += _UNORDERED * (_gives_number(query, said) + _orders_by_another(query, said))
    if query.combined is None and set(said) & word_list("tables", "worths") | ({"value"} & set(said)):
        doubt += _IGNORED * (takings(query.words) is not None)
    doubt += _NO_MONEY * (_goes_on_unseen(query, said) + _most_of_another(query, said))
    if _adds_rates(query, said) or _averages_takings(query, said):
        doubt += _NO_MONEY
    doubt += _IGNORED * _ignores_rest(query, said)
    doubt += _UNORDERED * _asks_for_gaps(query)
    doubt += _IGNORED * (_measures_for_pieces(query, said) + _in_another_unit(query, said))
    doubt += _UNORDERED * (_shows_no_person(query, said) + _counts_for_size(query, said))
    doubt += _IGNORED * _counts_for_rows(query, said)
    doubt += _UNORDERED * _counts_once_each(query, said, vocabulary)
    order = query.order
    if order is not None and order.column is None and not query.groups and not set(said) & _OF_PLACE:
        doubt += _IGNORED + _DATED * bool(query.words.of_kind(ColumnKind.DAY, ColumnKind.YEAR))
    brought = [query.words, *(used.other for used in query.used if used.how == "with")]
    if "when" in said[:3]:
        doubt += _without_day(brought, [words for words in vocabulary.tables if words not in brought])
    is_money = any(column.entry.type is FieldType.MONEY for words in brought for column in words.columns)
    asks_money = " ".join(said[:2]) == "how much" and set(said) & word_list("tables", "money")
    others = (c for words in vocabulary.tables for c in words.columns)
    if (
        asks_money
        and not is_money
        and query.operation is not TableOperation.ROWS
        and any(column.entry.type is FieldType.MONEY for column in others)
    ):
        doubt += _NO_MONEY
    return doubt


def _names_it(said: Sequence[str]) -> bool:
    """ "Is there one that ...? Its name?": what there is is asked for, and not only whether."""
    return bool({"its", "their"} & set(said[3:])) and bool({"name", "names"} & set(said[3:]))


def _ignores_absence(query: TableQuery, said: Sequence[str]) -> bool:
    """True where a question says that something is not there, or not so, and no condition does."""
    if not any(word in _ABSENT or (word.endswith(("n't", "nt")) and word in _SHORT) for word in said):
        return False
    if "whether" in said or "or not" in " ".join(said):
        return False
    clauses = [*query.clauses, *(clause for side in query.sides for clause in side.clauses)]
    filters = [each for clause in clauses for each in clause]
    is_negative = any(
        each.op in _NEGATIVE or each.column.kind is ColumnKind.FLAG or each.values == ("0",)
        for each in filters
    )
    is_said = any(set(_words_of(each)) & set(_ABSENT) for each in filters)
    is_turned = any("turns" in note.reading or "leaves" in note.reading for note in query.notes)
    return not (is_negative or is_said or is_turned or any(used.how == "without" for used in query.used))


def _words_of(found: ColumnFilter) -> list[str]:
    return [word for value in found.values for word in value.casefold().split()]


def _ignores_groups(query: TableQuery, said: Sequence[str]) -> bool:
    """True where a result is asked for each of something, and one is given for all."""
    if not any(word in _GROUPING for word in said) or query.operation is TableOperation.ALL:
        return False
    if query.operation is TableOperation.AVG and _is_per_row(query, said):
        return False  # "the average toll per trip"
    is_single = query.operation not in (TableOperation.ROWS, TableOperation.EXISTS)
    measured = query.measure is not None and set(query.measure.words) & set(_GROUPING)
    return is_single and not (query.groups or query.over_groups or query.sides or measured)


def _is_per_row(query: TableQuery, said: Sequence[str]) -> bool:
    """True where what stands behind "per" or "each" is what rows are called."""
    behind = [word for before, word in pairwise(said) if before in _GROUPING]
    rows = word_list("tables", "row_nouns")
    return bool(behind) and all(word in rows or stem(word) in query.words.nouns for word in behind)


def _ignores_mean(query: TableQuery, said: Sequence[str]) -> bool:
    """True where a mean is asked for and rows are counted or added up."""
    if not set(said) & word_list("tables", "means") or query.over_groups or query.sides:
        return False
    named = {word for column in query.words.columns for word in column.words}
    plain = query.operation in (TableOperation.COUNT, TableOperation.SUM, TableOperation.DISTINCT)
    compares = any(each.average for clause in query.clauses for each in clause)
    is_ratio = query.combined is not None and query.combined.how == "per"
    return plain and not compares and not is_ratio and not set(said) & word_list("tables", "means") & named


def _counts_for_size(query: TableQuery, said: Sequence[str]) -> bool:
    """True where "the largest flat" is taken for that with most rows."""
    if query.operation is not TableOperation.COUNT or not query.groups or query.order is None:
        return False
    is_often = set(said) & (word_list("tables", "often") | {"number", "many"})
    return not is_often and any(word.endswith("est") and adjective_of(word) is not None for word in said)


def _counts_for_rows(query: TableQuery, said: Sequence[str]) -> bool:
    """True where "which jobs" is answered by numbers of rows for each of something."""
    if query.operation is not TableOperation.COUNT or not query.groups or query.over_groups:
        return False
    if query.lists_values:
        return False
    counts = set(said) & (word_list("tables", "often") | {"many", "number", "count", *_GROUPING})
    return said[:1] in (["which"], ["who"]) and not counts and query.order is None and query.having is None


def _counts_once_each(query: TableQuery, said: Sequence[str], vocabulary: TablesVocabulary) -> bool:
    """True where "how often" is answered by rows that other tables look up, each of which is there once."""
    if said[:2] != ["how", "often"] or query.operation is not TableOperation.COUNT:
        return False
    return any(key.right.table is query.words.table for key, _ in vocabulary.keys_of(query.words))


def _shows_no_person(query: TableQuery, said: Sequence[str]) -> bool:
    """True where "who" is answered by rows whose table names persons in a column that is not shown."""
    if said[:1] not in (["who"], ["whose"]) or query.operation is not TableOperation.ROWS or not query.shown:
        return False
    persons = word_list("tables", "named_persons")
    named = [column for column in query.words.columns if column.is_text and set(column.words) & persons]
    texts = [column for column in query.shown if column.is_text]
    return bool(named) and not any(column in named or column.table is not named[0].table for column in texts)


def _measures_for_pieces(query: TableQuery, said: Sequence[str]) -> bool:
    """True where "how many pots" is answered by litres that nobody speaks of."""
    measure = query.measure
    is_counted = said[:2] == ["how", "many"] and query.operation is TableOperation.SUM
    if (
        not is_counted
        or measure is None
        or query.combined is not None
        or measure.kind is not ColumnKind.MEASURE
    ):
        return False
    spoken = spoken_units(measure.unit)
    return bool(spoken) and not {measure.unit, *spoken} & set(said)


def _ignores_rest(query: TableQuery, said: Sequence[str]) -> bool:
    """True where what is left over of an amount is asked for, and nothing is taken from it."""
    asks_rest = "left over" in " ".join(said) or bool(
        set(said) & {"remaining", "remains", "minus", "leftover"}
    )
    if not asks_rest or query.combined is not None or query.sides:
        return False
    named = {word for column in query.words.columns for word in column.words}
    is_filtered = any(each.column.kind is ColumnKind.FLAG for clause in query.clauses for each in clause)
    shows_number = query.measure is not None or any(column.is_number for column in query.shown)
    says_rest = bool(named & {"left", "remaining", "balance", "outstanding", "rest"})
    return shows_number and not is_filtered and not says_rest


def _in_another_unit(query: TableQuery, said: Sequence[str]) -> bool:
    """True where "how many hectolitres" is answered by kilos, or by kilos for each hectolitre."""
    measure = query.measure
    if said[:2] != ["how", "many"] or measure is None or measure.kind is not ColumnKind.MEASURE:
        return False
    wanted = {unit for unit in all_units() if said[2:3] and said[2] in spoken_units(unit)}
    own = measure.unit.replace("\u00b2", "2")
    if query.combined is not None or not wanted or not own:
        return False
    return not wanted & {own}


def _ignores_share(query: TableQuery, said: Sequence[str]) -> bool:
    """True where a share is asked for and something else is given."""
    named = {word for column in query.words.columns for word in (*column.words, column.unit)}
    cues = set(said) & word_list("tables", "shares") - named
    units = {column.unit for column in query.words.columns}
    return bool(cues) and "%" not in units and not query.sides


def _gives_number(query: TableQuery, said: Sequence[str]) -> bool:
    """True where "who" or "which" is answered by a number for all; or "how many" by rows without a number."""
    if said[:1] and said[0] in ("who", "whose", "where", "which"):
        computed = query.operation not in (TableOperation.ROWS, TableOperation.EXISTS, TableOperation.ALL)
        return computed and not (query.groups or query.sides)
    if said[:2] == ["how", "many"] and query.operation is TableOperation.ROWS:
        return not any(column.is_number for column in query.shown)
    return False


def _orders_by_another(query: TableQuery, said: Sequence[str]) -> bool:
    """True where "the longest" is ordered by what is no length, and is not named either."""
    order = query.order
    column = (order.column or query.measure) if order is not None else None
    if column is None or query.combined is not None:
        return False
    for word in said:
        line = adjective_of(word) if word.endswith("est") else None
        if line is None or line[0] in word_list("tables", "of_amounts"):
            continue
        known = {stem(each) for each in said}
        found, _ = by_adjective(query.words, word)
        return found is not column and not known & set(column.stems)
    return False


def _asks_for_gaps(query: TableQuery) -> bool:
    """True where rows that say nothing in a column are chosen, and all of them say something there."""
    filters = [each for clause in query.clauses for each in clause if each.op is Operator.MISSING]
    return any(each.column.entry.rows >= each.column.table.rows for each in filters)


def _goes_on_unseen(query: TableQuery, said: Sequence[str]) -> bool:
    """True where something still goes on, the table says when it ends, and nothing was made of it."""
    open_ended = [c for c in query.words.of_kind(ColumnKind.DAY) if c.entry.rows < c.table.rows]
    if not set(said) & word_list("tables", "lasting") or len(open_ended) != 1 or query.combined is not None:
        return False
    filters = [each for clause in query.clauses for each in clause]
    return not any(each.op in _NEGATIVE or each.column.kind is ColumnKind.FLAG for each in filters)


def _most_of_another(query: TableQuery, said: Sequence[str]) -> bool:
    """True where "most" orders rows by a column that nobody names."""
    order = query.order
    if order is None or order.column is None or not {"most", "fewest", "least"} & set(said):
        return False
    known = {stem(word) for word in said}
    return not known & set(order.column.stems) and "often" not in said


def _averages_takings(query: TableQuery, said: Sequence[str]) -> bool:
    """True where what rows come to in money is answered by a mean, which nothing asks for."""
    asks_mean = bool(set(said) & word_list("tables", "means"))
    return query.operation is TableOperation.AVG and not asks_mean and bool(set(said) & worths())


def _adds_rates(query: TableQuery, said: Sequence[str]) -> bool:
    """True where prices or rates of several rows are added up; the price of an order is what it brings in."""
    measure = query.measure
    if measure is not None and set(said) & worths() and quantity_of(query.words) is None:
        return is_rate_name(measure.entry.name) and query.operation is TableOperation.SUM
    if query.operation is not TableOperation.SUM or measure is None or query.combined is not None:
        return False
    is_one = any(each.op is Operator.EQUAL and is_unique(each.column) for c in query.clauses for each in c)
    return not is_additive(measure) and not is_one


def _without_day(brought: Sequence[TableVocabulary], others: Sequence[TableVocabulary]) -> float:
    """Doubt of asking rows without a day for one; less where they have years, and others have days."""
    if any(words.of_kind(ColumnKind.DAY, ColumnKind.PERIOD) for words in brought):
        return 0.0
    if any(words.of_kind(ColumnKind.YEAR) for words in brought):
        return _NO_DAY / 2 if any(words.of_kind(ColumnKind.DAY) for words in others) else 0.0
    return _NO_DAY


def _asks_rows_of_others(query: TableQuery, tokens: Sequence[Token], vocabulary: TablesVocabulary) -> bool:
    """True where the noun behind "which" or "how many" is what rows of other tables are called alone."""
    for noun in _asked_nouns(tokens):
        claims = [words for words in vocabulary.tables if _calls_rows(words, noun, vocabulary)]
        if claims:
            return all(words is not query.words for words in claims)
    return False


def _asked_nouns(tokens: Sequence[Token]) -> Iterator[str]:
    """The stems of the words behind the first word that asks."""
    asking = [at for at, token in enumerate(tokens) if token.word.removesuffix("s") in _ASKING]
    counting = [at for at in asking if tokens[at].word in ("many", "number")]
    first = next(iter(counting or asking), -1)
    read = 0
    for token in tokens[first + 1 :] if first >= 0 else ():
        if token.word in STOP_WORDS or token.word in _ASKING:
            continue
        if not token.is_word or read == _NOUNS_READ:
            return
        read += 1
        yield token.stem


def _calls_rows(words: TableVocabulary, noun: str, vocabulary: TablesVocabulary) -> bool:
    """True where rows are called so by their sheet, its caption or the column that numbers or names them.

    What only the document is called stands for the table that looks others up, and not for those.
    """
    if noun in words.called_rows or noun in words.heads:
        return True
    subject = words.subject
    if subject is not None and noun in subject.stems:
        return True
    sheets = {stem(word) for part in words.parts for word in part.sheet.casefold().split()}
    if noun in sheets:
        return True
    titled = any(noun in title for title in words.document_titles.values())
    is_looked_up = any(key.right.table is words.table for key, _ in vocabulary.keys_of(words))
    return titled and not is_looked_up
