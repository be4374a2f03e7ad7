"""Links of words that no column is called by: to columns and values, by abbreviation, unit and meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from core.domain.passage import Matrix
from core.plan.language.pieces import Token
from core.plan.reader.reading import Operation, QuestionReading, ReadSpan, SpanRole
from core.plan.tables.abbreviation import abbreviates, are_initials, expansions, short_forms
from core.plan.tables.header import ColumnKind, ColumnWords, is_short_of_other
from core.plan.tables.vocabulary import TableVocabulary
from core.text.analyse import STOP_WORDS
from core.text.words import word_lines, word_list

_SHORTENED, _INITIALS, _UNIT = 0.85, 0.95, 0.75
_OF_RATE = 0.3  # less of a unit that is only a part of one, as in kg/hl
_LEAST_LIKENESS = 0.36  # of words and a header; "road" has up to .31 with columns that it does not mean
_LEAST_OF_GAPS = 0.37
_LEAST_OF_ENTITY = 0.25
_MARGIN = 0.04
_LEAST_VALUE = 0.62  # of words and a value
_LIKELY_VALUE, _AHEAD = 0.5, 0.12  # as above, where no other value is near
_OF_EXPANSION = 0.06  # less of what a short header may stand for
_MOST_VALUES = 40
_LONGEST = 3  # words of a phrase
_SAMPLES = 4
_READ = 0.12  # likeness that a column counts more of which a reader is certain
_FITS = 0.04  # as above, for a kind of column that the part of the words asks for
_LEAST_COMPUTED = 0.6

_ORDERED = (ColumnKind.MEASURE, ColumnKind.DAY, ColumnKind.YEAR, ColumnKind.PLACE)
_GROUPS = (ColumnKind.CATEGORY, ColumnKind.NAME, ColumnKind.IDENTITY, ColumnKind.PERIOD, ColumnKind.FLAG)


class WordLikeness(Protocol):
    """Likeness of words by what they mean. Thread-safe."""

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        """(len(phrases), len(texts)), 1 where both are the same."""
        ...


@dataclass(frozen=True, slots=True)
class ColumnLink:
    """Columns that tokens from `first` to before `end` may mean, likeliest first, with weights up to 1.

    is_like: the words are only like them in meaning, and neither short for them nor their unit.
    """

    first: int
    end: int
    columns: tuple[tuple[ColumnWords, float], ...]
    is_like: bool = False


@dataclass(frozen=True, slots=True)
class ValueLink:
    """A value of a column that is like the tokens from `first` to before `end` in meaning."""

    first: int
    end: int
    column: ColumnWords
    text: str
    weight: float


class TableLinks:
    """Links of the words of one question over some tables. meaning: None for no likeness of meaning.

    lacks: it says that something is not there, so that columns with gaps are meant more easily.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        tables: Sequence[TableVocabulary],
        meaning: WordLikeness | None,
        *,
        lacks: bool = False,
        reading: QuestionReading | None = None,
    ) -> None:
        self._tokens = tokens
        self._lacks = lacks
        self._columns = [column for words in tables for column in words.columns]
        self._meaning = meaning
        self._priors = LinkPriors(reading, tokens) if reading is not None else None

    def found(self, unknown: Sequence[int]) -> Iterator[ColumnLink | ValueLink]:
        """The links of tokens that nothing else took, by their places."""
        open_ones = [at for at in unknown if self._may_name(at)]
        taken = set[int]()
        for link in (*self._initials(), *self._areas(), *self._single(open_ones)):
            taken.update(range(link.first, link.end))
            yield link
        left = [at for at in open_ones if at not in taken and not self._is_outside(at)]
        if self._meaning is not None and left:
            yield from self._by_meaning(self._meaning, left)

    def _may_name(self, at: int) -> bool:
        token = self._tokens[at]
        return token.is_word and token.word not in STOP_WORDS and not token.word.isdigit()

    def _is_outside(self, at: int) -> bool:
        """True of names inside a sentence, which are no columns, and of units that no column is in."""
        token = self._tokens[at]
        return (token.is_capital and at > 0) or token.word in _unit_words()

    def _initials(self) -> Iterator[ColumnLink]:
        for size in (3, 2):
            for at in range(len(self._tokens) - size + 1):
                words = [token.word for token in self._tokens[at : at + size]]
                named = [each for each in self._columns if are_initials(each.entry.name, words)]
                if named:
                    yield ColumnLink(at, at + size, tuple((each, _INITIALS) for each in named))

    def _areas(self) -> Iterator[ColumnLink]:
        """ "Square metres"."""
        for at in range(len(self._tokens) - 1):
            if self._tokens[at].word == "square" and self._tokens[at + 1].word in _units().get("m", ()):
                named = [(c, _UNIT) for c in self._columns if c.unit.replace("²", "2") in ("m2", "sqm")]
                if named:
                    yield ColumnLink(at, at + 2, tuple(named))

    def _single(self, places: Sequence[int]) -> Iterator[ColumnLink]:
        for at in places:
            word = self._tokens[at].word
            found = [
                (column, _SHORTENED)
                for column in self._columns
                if any(
                    abbreviates(part, word)
                    for part in short_forms(column.entry.name)
                    if not is_short_of_other(part, word)
                )
            ]
            united = [column for column in self._columns if word in spoken_units(column.unit)]
            found += [(each, _UNIT - _OF_RATE * ("/" in each.unit)) for each in united]
            found.sort(key=lambda pair: -pair[1])
            if found:
                yield ColumnLink(at, at + 1, tuple(found))

    def _by_meaning(self, meaning: WordLikeness, places: Sequence[int]) -> Iterator[ColumnLink | ValueLink]:
        spans = list(self._spans(places))
        phrases = [" ".join(token.word for token in self._tokens[a:b]) for a, b in spans]
        owners = [(column, text) for column in self._columns for text in column_texts(column)]
        named = len(owners)
        owners += [(column, text) for column in self._columns for text in expansions(column.entry.name)]
        values = [
            (column, text)
            for column in self._columns
            if column.kind is ColumnKind.CATEGORY
            for text in column.entry.texts[:_MOST_VALUES]
        ]
        likeness = meaning.likeness(phrases, [text for _, text in (*owners, *values)])
        for row, (first, end) in zip(likeness, spans, strict=True):
            best: dict[int, tuple[ColumnWords, float]] = {}
            for place, ((column, _), score) in enumerate(zip(owners, row[: len(owners)], strict=True)):
                score -= _OF_EXPANSION * (place >= named)
                if self._priors is not None:
                    score += self._priors.of(first, end, column)
                if score > best.get(id(column), (column, -1.0))[1]:
                    best[id(column)] = (column, float(score))
            ranked = sorted(best.values(), key=lambda pair: -pair[1])
            near = [pair for pair in ranked if pair[1] >= ranked[0][1] - _MARGIN]
            is_clear = bool(ranked) and ranked[0][1] >= _LEAST_LIKENESS and len(near) <= 2
            chosen = ranked[: max(1, len(near))] if is_clear else []
            if self._lacks:
                chosen += [pair for pair in ranked if pair not in chosen and self._may_lack(pair)]
            if chosen and self._priors is not None:
                weighed = [(c, max(score, self._priors.named(first, end, c))) for c, score in chosen]
                chosen = sorted(weighed, key=lambda pair: -pair[1])
            if chosen:
                yield ColumnLink(first, end, tuple(chosen), is_like=True)
            scored = [(float(s), pair) for pair, s in zip(values, row[len(owners) :], strict=True)]
            scored.sort(key=lambda each: -each[0])
            top = next(iter(scored), None)
            ahead = top[0] - scored[1][0] if top is not None and len(scored) > 1 else 0.0
            if top is not None and (top[0] >= _LEAST_VALUE or (top[0] >= _LIKELY_VALUE and ahead >= _AHEAD)):
                yield ValueLink(first, end, *top[1], top[0])

    def _may_lack(self, pair: tuple[ColumnWords, float]) -> bool:
        column, score = pair
        return score >= _LEAST_OF_GAPS and column.entry.rows < column.table.rows

    def entities(self, places: Sequence[int]) -> Iterator[ColumnLink]:
        """The columns of names and kinds that nouns which are asked for are most like."""
        kinds = (ColumnKind.NAME, ColumnKind.CATEGORY, ColumnKind.IDENTITY)
        owners = [(c, text) for c in self._columns if c.kind in kinds for text in column_texts(c)]
        if self._meaning is None or not owners or not places:
            return
        words = [self._tokens[at].word for at in places]
        likeness = self._meaning.likeness(words, [text for _, text in owners])
        for at, row in zip(places, likeness, strict=True):
            scored = zip(map(float, row), owners, strict=True)
            own = self._columns[0].table
            score, (column, _) = max(
                scored, key=lambda each: each[0] + (_MARGIN if each[1][0].table is own else 0.0)
            )
            if score >= _LEAST_OF_ENTITY:
                yield ColumnLink(at, at + 1, ((column, max(score, _LEAST_LIKENESS)),), is_like=True)

    def _spans(self, places: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Each of some places alone, and with those that stand beside it."""
        known = set(places)
        for at in places:
            for end in range(at + 1, min(at + _LONGEST, len(self._tokens)) + 1):
                if end - 1 not in known:
                    break
                yield at, end


class LinkPriors:
    """Priors of links of the words of one question."""

    def __init__(self, reading: QuestionReading, tokens: Sequence[Token]) -> None:
        self._reading = reading
        self._tokens = tokens
        shares = dict(reading.operations)
        self._computes = shares.get(Operation.COMPUTE, 0.0) >= _LEAST_COMPUTED

    def of(self, first: int, end: int, column: ColumnWords) -> float:
        """Likeness that a column counts more for the tokens from `first` to before `end`."""
        span = self._span(first, end)
        if span is None:
            return 0.0
        share = self.share(first, end, column)
        return _READ * share + span.probability * _FITS * self._fits(span, column)

    def named(self, first: int, end: int, column: ColumnWords) -> float:
        """As `share`, of tokens that are no value of the column: "coins" are paid by, and no name of "By"."""
        span = self._span(first, end)
        is_value = span is not None and span.role is SpanRole.VALUE
        return 0.0 if is_value else self.share(first, end, column)

    def share(self, first: int, end: int, column: ColumnWords) -> float:
        """Probability that the reader takes the tokens for the column; 0 outside its spans."""
        span = self._span(first, end)
        links = span.links if span is not None else ()
        share = next((each.probability for each in links if each.field == column.entry.name), 0.0)
        return span.probability * share if span is not None else 0.0

    def _span(self, first: int, end: int) -> ReadSpan | None:
        start, last = self._tokens[first].start, self._tokens[end - 1].end
        return next((each for each in self._reading.spans if each.start <= start and last <= each.end), None)

    def _fits(self, span: ReadSpan, column: ColumnWords) -> bool:
        if span.role is SpanRole.ORDER:
            return column.kind in _ORDERED
        if span.role is SpanRole.GROUP:
            return column.kind in _GROUPS
        return span.role is SpanRole.ASKED and self._computes and column.kind is ColumnKind.MEASURE


def column_texts(column: ColumnWords) -> tuple[str, ...]:
    """Texts by which a column is known in meaning: its name, with its unit, and with values of it."""
    name = column.name
    units = sorted(spoken_units(column.unit), key=len)[:1]
    texts = [name, *(f"{name} {unit}" for unit in units)]
    if column.kind is ColumnKind.CATEGORY:
        texts.append(f"{name} {', '.join(column.entry.texts[:_SAMPLES])}")
    return tuple(dict.fromkeys(texts))


@lru_cache(maxsize=4_096)
def spoken_units(unit: str) -> frozenset[str]:
    """How questions may say a unit; nothing for none. Of "kg/hl" how they say both."""
    known = _units()
    return frozenset(
        word for part in unit.replace("²", "2").split("/") for word in known.get(part.strip(), ())
    )


@lru_cache(maxsize=1)
def _unit_words() -> frozenset[str]:
    return frozenset(word for words in _units().values() for word in words)


@lru_cache(maxsize=1)
def _units() -> dict[str, tuple[str, ...]]:
    return {line[0]: line[1:] for line in word_lines("tables", "units")}


def all_units() -> frozenset[str]:
    """The units of which it is known how questions say them."""
    return frozenset(_units())


def is_general(word: str) -> bool:
    """True of words that say that something is there, and name nothing."""
    known = word_list("tables", "general", "persons") | word_list("idle", "rows", "verbs", "adverbs")
    return word in known or word.removesuffix("s") in known
