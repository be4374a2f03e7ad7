"""Mentions of a question: its words as columns, values, rows and titles of tables, beside the grammar.

Everything that words may be is proposed with a score; the pieces that come to the highest score together are
taken. Words that are misspelt are matched by their letters, words that nothing is called by their meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.domain.fields import FieldType
from core.plan.catalogue import TablePart
from core.plan.language.pieces import (
    Ask,
    DayRange,
    Filler,
    Grouping,
    Meaning,
    Negator,
    Quantity,
    Token,
    UnknownWord,
    stem,
    stems,
)
from core.plan.reader.reading import QuestionReading, SpanRole
from core.plan.tables.header import ColumnKind, ColumnWords
from core.plan.tables.links import ColumnLink, TableLinks, WordLikeness, is_general
from core.plan.tables.titles import titles
from core.plan.tables.vocabulary import MOST_WORDS, CellText, TableVocabulary
from core.text.analyse import STOP_WORDS
from core.text.words import word_list

_SURE_LINK = 0.5
_LINKED = 0.8  # score of a word that is only linked, at a weight of .5
_READ_COLUMN, _READ_IDLE = 1.1, 0.3  # scores of what only a trained reader says
_LIKE_FLAG = 0.42  # weight from which on words say what a column of yes and no says
_PART = 0.75  # weight of a column of what was paid, by another word for that
_MOST_PART = 200  # texts that one word may be a part of
_FUZZY_LENGTH = 5
_DATED = (ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PERIOD)


@dataclass(frozen=True, slots=True)
class ColumnMention:
    """Columns that words may name, the likeliest first, each with its weight up to 1.

    is_like: the words are only like their names in meaning.
    """

    columns: tuple[tuple[ColumnWords, float], ...]
    is_like: bool = False

    @property
    def first(self) -> ColumnWords:
        """The likeliest."""
        return self.columns[0][0]


@dataclass(frozen=True, slots=True)
class ValueOption:
    """Texts of one column that words may mean. is_part: the words are only a part of each.

    is_like: the words are only like it in meaning.
    """

    column: ColumnWords
    texts: tuple[str, ...]
    is_part: bool = False
    is_total: bool = False
    is_like: bool = False


@dataclass(frozen=True, slots=True)
class ValueMention:
    """Texts that words may mean, by column, the likeliest first."""

    options: tuple[ValueOption, ...]


@dataclass(frozen=True, slots=True)
class FlagMention:
    """Words that say what a column of yes and no says of a row."""

    column: ColumnWords
    holds: bool


@dataclass(frozen=True, slots=True)
class RowMention:
    """A row of a table, by what its rows are called. words: None for any table."""

    is_plural: bool
    words: TableVocabulary | None = None


@dataclass(frozen=True, slots=True)
class MentionedTable:
    """The table itself, by words of its sheet, its caption or its document."""

    parts: tuple[TablePart, ...]


Mention = ColumnMention | ValueMention | FlagMention | RowMention | MentionedTable | Meaning


@dataclass(frozen=True, slots=True)
class TablePiece:
    """Words of the question, from token `first` to before `end`, with what they mention."""

    first: int
    end: int
    text: str
    mention: Mention
    score: float


@dataclass(frozen=True, slots=True)
class MentionProposal:
    """Something that the tokens from `first` to before `end` may mention."""

    first: int
    end: int
    mention: Mention
    score: float


def pieces_over(
    question: str,
    tokens: Sequence[Token],
    grammar: Sequence[MentionProposal],
    tables: Sequence[TableVocabulary],
    reading: QuestionReading | None = None,
    meaning: WordLikeness | None = None,
) -> tuple[TablePiece, ...]:
    """The pieces of a question over tables, the first of which is the one that is asked.

    reading: of a trained reader; it says what words mean that are neither the table's nor the grammar's.
    meaning: likeness by which such words are linked to columns.
    Pieces have no gaps; what nothing took is unknown.
    """
    is_dated = any(words.of_kind(*_DATED) for words in tables)
    proposals = [each for each in grammar if is_dated or not isinstance(each.mention, DayRange)]
    known = set[int]()
    for place, words in enumerate(tables):
        own = list(_proposals(tokens, words, place))
        proposals += own
        known.update(at for each in own for at in range(each.first, each.end))
    proposals += _with_units(question, tokens, proposals, tables)
    known.update(at for each in proposals for at in range(each.first, each.end))
    unknown = [at for at in range(len(tokens)) if at not in known]
    lacks = any(isinstance(each.mention, Negator) for each in grammar) or any(
        token.word in word_list("tables", "absent") for token in tokens
    )
    links = TableLinks(tokens, tables, meaning, lacks=lacks, reading=reading)
    linked = list(_linked(links, tokens, unknown, reading)) if meaning is not None else []
    if meaning is not None:
        linked += _asked_nouns(links, tokens, grammar, proposals)
    proposals += linked
    known.update(at for each in linked for at in range(each.first, each.end))
    unknown = [at for at in unknown if at not in known]
    if reading is not None:
        read = list(read_mentions(reading, tokens, unknown, tables))
        proposals += read
        known.update(at for each in read for at in range(each.first, each.end))
        unknown = [at for at in unknown if at not in known]
    for words in tables[:1]:
        proposals += _misspelt(tokens, unknown, words)
    return _best(question, tokens, _merged(proposals))


def _with_units(
    question: str,
    tokens: Sequence[Token],
    proposals: Sequence[MentionProposal],
    tables: Sequence[TableVocabulary],
) -> list[MentionProposal]:
    """Numbers with the unit of a column behind them, of several signs: "50 mg/L"."""
    units = {
        column.unit: column.entry.unit
        for words in tables
        for column in words.columns
        if column.is_number and column.unit and column.entry.type is not FieldType.MONEY
    }
    found = []
    for each in proposals:
        if not isinstance(each.mention, Quantity):
            continue
        start = tokens[each.end - 1].end
        behind = question[start:].lstrip().casefold().replace("\u00b5", "\u03bc")
        for unit, written in units.items():
            rest = behind[len(unit) : len(unit) + 1]
            if len(unit) > 1 and behind.startswith(unit) and not rest.isalnum():
                until = len(question) - len(question[start:].lstrip()) + len(unit)
                end = max(at for at, token in enumerate(tokens) if token.start < until) + 1
                if end > each.end and each.mention.value.type is FieldType.NUMBER:
                    mention = replace(each.mention, value=replace(each.mention.value, unit=written))
                    found.append(MentionProposal(each.first, end, mention, 2.0 * (end - each.first)))
    return found


def read_mentions(
    reading: QuestionReading,
    tokens: Sequence[Token],
    unknown: Sequence[int],
    tables: Sequence[TableVocabulary],
) -> Iterator[MentionProposal]:
    """Unknown words by a trained reader: columns that a span means, and words that ask for nothing."""
    often = word_list("tables", "often")
    for span in reading.spans:
        inside = [at for at in unknown if span.start <= tokens[at].start and tokens[at].end <= span.end]
        inside = [at for at in inside if tokens[at].word not in often]
        link = next((each for each in span.links if each.schema == ""), None)
        if not inside or link is None or link.probability < _SURE_LINK or span.role is SpanRole.VALUE:
            continue
        named = [column for words in tables for column in words.columns if column.entry.name == link.field]
        if named:
            mention = ColumnMention(tuple((column, link.probability) for column in named), is_like=True)
            for run in _runs(inside):
                yield MentionProposal(run[0], run[-1] + 1, mention, _READ_COLUMN * len(run))
    for at in unknown:
        if any(start <= tokens[at].start and tokens[at].end <= end for start, end in reading.beside):
            yield MentionProposal(at, at + 1, Filler(), _READ_IDLE)


def _linked(
    links: TableLinks, tokens: Sequence[Token], unknown: Sequence[int], reading: QuestionReading | None
) -> Iterator[MentionProposal]:
    """Unknown words by how headers are shortened, by units, and by what they mean."""
    idle = reading.beside if reading is not None else ()
    wanted = [
        at
        for at in unknown
        if not is_general(tokens[at].word)
        and tokens[at].word not in word_list("tables", "often", "worths")
        and not any(start <= tokens[at].start and tokens[at].end <= end for start, end in idle)
    ]
    for link in links.found(wanted):
        size = link.end - link.first
        if isinstance(link, ColumnLink) and link.columns[0][0].kind is ColumnKind.FLAG:
            column, weight = link.columns[0]
            if weight >= _LIKE_FLAG:  # that it holds, where nothing else is said
                score = _LINKED * size * (0.5 + weight)
                yield MentionProposal(link.first, link.end, FlagMention(column, True), score)
        elif isinstance(link, ColumnLink):
            score = _LINKED * size * (0.5 + link.columns[0][1])
            yield MentionProposal(link.first, link.end, ColumnMention(link.columns, link.is_like), score)
        else:
            option = ValueOption(link.column, (link.text,), is_like=True)
            score = _LINKED * size * (0.5 + link.weight)
            yield MentionProposal(link.first, link.end, ValueMention((option,)), score)


def _asked_nouns(
    links: TableLinks,
    tokens: Sequence[Token],
    grammar: Sequence[MentionProposal],
    proposals: Sequence[MentionProposal],
) -> Iterator[MentionProposal]:
    """Nouns behind "which of the" or "per" that are neither a column, a value nor a row: "vets"."""
    known = set[int]()
    for each in proposals:
        if not isinstance(each.mention, MentionedTable | Filler | UnknownWord):
            known.update(range(each.first, each.end))
    places = []
    for each in grammar:
        is_which = isinstance(each.mention, Ask) and each.mention.how in ("which", "what", "who")
        if not is_which and not isinstance(each.mention, Grouping):
            continue
        at = each.end
        passed = STOP_WORDS | word_list("tables", "often") | {"our"}
        while at < len(tokens) and tokens[at].word in passed:
            at += 1
        is_plain = at < len(tokens) and tokens[at].is_word and not is_general(tokens[at].word)
        if is_plain and at not in known and at - each.end <= 3:
            places.append(at)
    for link in links.entities(sorted(set(places))):
        yield MentionProposal(link.first, link.end, ColumnMention(link.columns, is_like=True), 1.35)


def _runs(places: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for at in places:
        if runs and runs[-1][-1] == at - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _merged(proposals: Iterable[MentionProposal]) -> list[MentionProposal]:
    """Proposals for the same words that name columns, or values, as one."""
    found: dict[tuple[int, int, type], MentionProposal] = {}
    others = []
    for each in proposals:
        if not isinstance(each.mention, ColumnMention | ValueMention):
            others.append(each)
            continue
        key = (each.first, each.end, type(each.mention))
        known = found.get(key)
        if known is None:
            found[key] = each
            continue
        high, low = (known, each) if known.score >= each.score else (each, known)
        if isinstance(high.mention, ColumnMention) and isinstance(low.mention, ColumnMention):
            pairs = (*high.mention.columns, *low.mention.columns)
            columns: dict[int, tuple[ColumnWords, float]] = {}
            for column, weight in pairs:
                if weight > columns.get(id(column), (column, 0.0))[1]:
                    columns[id(column)] = (column, weight)
            ranked = sorted(columns.values(), key=lambda pair: -pair[1])
            mention = ColumnMention(tuple(ranked), is_like=high.mention.is_like and low.mention.is_like)
            found[key] = MentionProposal(each.first, each.end, mention, high.score)
        elif isinstance(high.mention, ValueMention) and isinstance(low.mention, ValueMention):
            options = (*high.mention.options, *low.mention.options)
            found[key] = MentionProposal(each.first, each.end, ValueMention(options), high.score)
    return [*others, *found.values()]


def _best(
    question: str, tokens: Sequence[Token], proposals: Sequence[MentionProposal]
) -> tuple[TablePiece, ...]:
    """The pieces without gaps that have the highest score together."""
    size = len(tokens)
    ending: list[list[MentionProposal]] = [[] for _ in range(size + 1)]
    for each in proposals:
        ending[each.end].append(each)
    for at, token in enumerate(tokens):
        is_idle = not token.is_word or token.word in STOP_WORDS
        rest: Mention = Filler() if is_idle else UnknownWord()
        ending[at + 1].append(MentionProposal(at, at + 1, rest, 0.3 if is_idle else 0.0))
    totals = [0.0] * (size + 1)
    chosen: list[MentionProposal | None] = [None] * (size + 1)
    for end in range(1, size + 1):
        best: tuple[float, float, MentionProposal] | None = None
        for each in ending[end]:
            total = totals[each.first] + each.score
            if best is None or (total, each.score) > (best[0] + 1e-9, best[1]):
                best = (total, each.score, each)
        assert best is not None  # every token has at least one
        totals[end], chosen[end] = best[0], best[2]
    pieces = []
    end = size
    while end > 0:
        taken = chosen[end]
        assert taken is not None  # as above
        text = question[tokens[taken.first].start : tokens[taken.end - 1].end]
        pieces.append(TablePiece(taken.first, taken.end, text, taken.mention, taken.score))
        end = taken.first
    return tuple(reversed(pieces))


def _proposals(tokens: Sequence[Token], words: TableVocabulary, place: int) -> Iterator[MentionProposal]:
    """What words mention of a table. place: 0 for the one that is asked; what others say counts less."""
    less = 0.15 * place
    for each in _all(tokens, words):
        yield MentionProposal(each.first, each.end, each.mention, each.score - less * (each.end - each.first))


def _all(tokens: Sequence[Token], words: TableVocabulary) -> Iterator[MentionProposal]:
    for at, token in enumerate(tokens):
        if not token.is_word:
            continue
        yield from _columns_at(tokens, at, words)
        yield from _cells_at(tokens, at, words)
        yield from _flags_at(tokens, at, words)
        if token.stem in words.nouns or token.word in word_list("tables", "row_nouns"):
            is_own = token.stem in words.nouns
            mention = RowMention(token.word.endswith("s"), words if is_own else None)
            score = 1.65 if token.stem in words.called_rows else 1.25 if is_own else 0.9
            yield MentionProposal(at, at + 1, mention, score)
    for first, end, parts, score in titles(tokens, words):
        yield MentionProposal(first, end, MentionedTable(parts), score)


def _columns_at(tokens: Sequence[Token], at: int, words: TableVocabulary) -> Iterator[MentionProposal]:
    for end in range(min(len(tokens), at + MOST_WORDS), at, -1):
        run = [token for token in tokens[at:end] if token.is_word]
        if not tokens[end - 1].is_word:
            continue
        key = tuple(token.stem for token in run)
        exact = words.names.get(key)
        size = end - at
        if exact and size == 1 and tokens[at].word in STOP_WORDS and not (tokens[at].is_capital and at):
            continue  # "in" is the column "In" only where it is written so
        if exact:
            score = 2.1 * size if len(key[0]) > 1 or size > 1 else 1.2
            yield MentionProposal(at, end, ColumnMention(tuple((c, 1.0) for c in exact)), score)
            continue
        if size > 1 and (inside := _containing(key, words)):
            pairs = tuple((column, 0.95) for column in inside)
            yield MentionProposal(at, end, ColumnMention(pairs), 1.9 * size)
    token = tokens[at]
    known = words.named_by(token)
    if known and token.word not in STOP_WORDS:
        best: dict[int, tuple[ColumnWords, float]] = {}
        for column, weight in ((column, _of_part(token, column, weight)) for column, weight in known):
            if weight > best.get(id(column), (column, 0.0))[1]:
                best[id(column)] = (column, weight)
        ranked = sorted(best.values(), key=lambda pair: (-pair[1], pair[0].place))
        score = 0.85 + 0.9 * ranked[0][1]
        yield MentionProposal(at, at + 1, ColumnMention(tuple(ranked)), score)


def _of_part(token: Token, column: ColumnWords, weight: float) -> float:
    """A weight that is greater where "paid" may name what was received, and "owed" what was due."""
    parts, wholes = word_list("tables", "parts_of"), word_list("tables", "wholes")
    is_alike = column.entry.type is FieldType.MONEY and weight < _PART
    said = any(token.word in words and set(column.words) & words for words in (parts, wholes))
    return _PART if is_alike and said else weight


def _containing(key: tuple[str, ...], words: TableVocabulary) -> list[ColumnWords]:
    """Columns whose name has all these words."""
    said = {word for word in key if word not in STOP_WORDS}
    if len(said) < 2 or len(said) < len(key) - 1:
        return []
    return [column for column in words.columns if said <= set(column.stems)]


def _cells_at(tokens: Sequence[Token], at: int, words: TableVocabulary) -> Iterator[MentionProposal]:
    """Texts that the words from here on are, or are a part of."""
    common: set[int] | None = None
    by_id: Mapping[int, CellText] = {}
    for end in range(at + 1, min(len(tokens), at + MOST_WORDS) + 1):
        token = tokens[end - 1]
        if not token.is_word and end < len(tokens):
            continue
        key = tuple(each.stem for each in tokens[at:end] if each.is_word)
        size = end - at
        whole = words.cells.get(key)
        if whole and token.is_word:
            whole = [*whole, *_listing(key, whole, words)]
            score = _of_whole(tokens, at, end)
            if size == 1 and all(cell.is_total for cell in whole):
                score = 0.9  # "total" mostly asks for a sum
            yield MentionProposal(at, end, _value(whole, is_part=False), score)
        here = words.cell_words.get(token.stem, ()) if token.is_word else ()
        is_small = token.word in STOP_WORDS
        if is_small and end > at + 1:
            continue  # "Kim of Seoul": small words tell no texts apart
        found = {id(cell): cell for cell in here}
        common = set(found) if common is None else common & set(found)
        by_id = {**by_id, **found}
        if not common:
            return
        if whole or is_small or len(common) > _MOST_PART or not _may_be_part(tokens, at, end):
            continue
        cells = [by_id[each] for each in common]
        shortest = min(_length(cell.text) for cell in cells)
        share = min(1.0, len(key) / shortest)
        capital = 0.3 if tokens[at].is_capital and at > 0 else 0.0
        score = size * (1.1 + 0.6 * share + capital) - 0.002 * len(cells)
        yield MentionProposal(at, end, _value(cells, is_part=True), score)


def _listing(key: tuple[str, ...], whole: Sequence[CellText], words: TableVocabulary) -> Iterator[CellText]:
    """Cells of the same column that list the words beside others: "headache, dizzy" beside "headache"."""
    columns = {id(cell.column) for cell in whole}
    seen = {id(cell) for cell in whole}
    for cell in words.cell_words.get(key[0], ()):
        is_other = id(cell.column) in columns and id(cell) not in seen
        is_category = is_other and cell.column.kind is ColumnKind.CATEGORY
        if is_category and any(stems(part) == key for part in _parts_of(cell.text)):
            yield cell


@lru_cache(maxsize=16_384)
def _parts_of(text: str) -> tuple[str, ...]:
    parts = tuple(part for part in re.split(r"[,;+]", text) if part.strip())
    return parts if len(parts) > 1 else ()


@lru_cache(maxsize=65_536)
def _length(text: str) -> int:
    return max(1, len(text.split()))


def _may_be_part(tokens: Sequence[Token], at: int, end: int) -> bool:
    run = tokens[at:end]
    return any(len(token.word) > 2 or token.is_capital for token in run) and not all(
        token.word.isdigit() and len(token.word) < 3 for token in run
    )


def _of_whole(tokens: Sequence[Token], at: int, end: int) -> float:
    size = end - at
    if size == 1 and not tokens[at].is_capital and tokens[at].word in STOP_WORDS:
        return 0.2
    return 2.05 * size + (0.3 if size > 1 or tokens[at].is_capital else 0.0)


def _value(cells: Sequence[CellText], *, is_part: bool) -> ValueMention:
    by_column: dict[tuple[int, bool], list[CellText]] = {}
    for cell in cells:
        by_column.setdefault((id(cell.column), cell.is_total), []).append(cell)
    options = [
        ValueOption(
            found[0].column,
            tuple(dict.fromkeys(cell.text for cell in sorted(found, key=lambda cell: cell.text))),
            is_part,
            found[0].is_total,
        )
        for found in by_column.values()
    ]
    options.sort(key=lambda option: (option.is_total, option.column.place))
    return ValueMention(tuple(options))


def _flags_at(tokens: Sequence[Token], at: int, words: TableVocabulary) -> Iterator[MentionProposal]:
    for end in range(min(len(tokens), at + 4), at, -1):
        flag = words.flags.get(tuple(token.stem for token in tokens[at:end]))
        if flag is not None:
            named = {stem(word) for word in flag[0].words}
            is_named = bool({token.stem for token in tokens[at:end]} & named)
            is_other_form = flag[0].kind is ColumnKind.DAY and not {
                t.word for t in tokens[at:end]
            } & _words_of(words)
            score = 2.15 if is_named or is_other_form else 1.8
            yield MentionProposal(at, end, FlagMention(*flag), score * (end - at))


def _words_of(words: TableVocabulary) -> set[str]:
    return {word for column in words.columns for word in column.words}


def _misspelt(
    tokens: Sequence[Token], unknown: Sequence[int], words: TableVocabulary
) -> Iterator[MentionProposal]:
    """Words that are a letter or two from those of a table."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    for at in unknown:
        token = tokens[at]
        is_worded = token.is_word and token.word.isalpha() and len(token.word) >= _FUZZY_LENGTH
        if not is_worded or token.word in STOP_WORDS or token.word in word_list("tables", "general"):
            continue
        edits = 1 if len(token.stem) < 8 else 2
        pool = sorted({*words.cell_words, *words.aliases, *(k[0] for k in words.names if len(k) == 1)})
        near = [
            each for each in pool if abs(len(each) - len(token.stem)) <= edits and each[:1] == token.stem[:1]
        ]
        found = extract(token.stem, near, scorer=OSA.distance, score_cutoff=edits, limit=3)
        if not found or (len(found) > 1 and found[0][1] == found[1][1]):
            continue
        meant = found[0][0]
        columns = tuple((c, 0.7) for c in words.names.get((meant,), ())) or tuple(
            words.aliases.get(meant, ())
        )
        if columns:
            yield MentionProposal(at, at + 1, ColumnMention(columns), 1.2)
        cells = words.cell_words.get(meant, [])
        if cells:
            is_part = any(_length(cell.text) > 1 for cell in cells)
            yield MentionProposal(at, at + 1, _value(cells, is_part=is_part), 1.15)
