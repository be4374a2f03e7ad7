"""Rows of tables that a question speaks of by their labels, with the heads of their figures."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise

from core.answer.prose.calculation.expression import CalculationError
from core.answer.prose.calculation.operand import operand
from core.answer.prose.checks.quantities import StatedQuantity, quantities
from core.answer.prose.table_heads import is_row, table_heads
from core.domain.answer import Value
from core.domain.document import Page
from core.domain.ids import DocumentId
from core.domain.passage import StoredPassage
from core.search.evidence.base import Evidence, PageSource, Span, page_at
from core.search.evidence.score import WORD
from core.store.database.visibility import Visibility
from core.text.analyse import analyse, content_terms
from core.text.marks import blanked
from core.values.scales import stated_scales
from core.values.stated_years import find_years, written_years, years_said

_ASIDE = re.compile(r"/?\([^)\n]{0,60}\)")
_BORDER = re.compile(r"[()?!:;]|\.(?=\s|$)")
_ASKED = re.compile(
    r"\b(?:(?P<other>which|who|whom|whose|why|where|when|how(?! (?:much|many)\b))|what|how (?:much|many))\b",
    re.IGNORECASE,
)
_STEM = 5  # letters by which a line is looked at at all
_LONGEST = 300  # characters of a row
_HEAD_CHARS = 300  # of a page: what statement it is stands at its top
_UNKNOWN_RARITY = 2.0  # of a word of a label that the question does not have
_HALF = 0.5
_LEAST_TERMS = 2  # of a label that is taken for what is asked without any other sign
_TELLING_RARITY = 2.5  # of a single word of a label that is taken for it
_OTHER_YEARS, _NO_YEARS = 0.2, 0.5  # of the fit of a row whose head has none of the years asked for, or none
_MOST_ROWS, _MOST_READINGS = 4, 3
_NEXT = 0.5  # of the first row's fit, from which on a further part of the question has its row
_NAMED = 4.0  # rarity of words of the question at the top of a page that doubles the fit of its rows
_MOST_PAGES = 30  # that are read; each costs half a millisecond
_LIKELY = 12  # rows, by their labels, whose heads are read
_FIGURES = "0123456789.,%()+-\u2013\u2014|$\u20ac\u00a3 \t"
_CONNECTIVES = frozenset(analyse("of and the for in on to a by from at with as or s"))
_AMOUNT = frozenset(analyse("amount value total number balance"))
_BELOW_ZERO = re.compile(
    r"(?:\([ ]?[$\u20ac\u00a3]?[ ]?|(?<![\w)])[-\u2212][$\u20ac\u00a3]?)$"
)  # "- 5" is an empty cell
_CURRENCY = re.compile(r"[A-Z]{3}")


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A row with the heads of its table, and how it fits a question.

    first, last: the words of the question that its label takes, by number. fit: to order rows by. is_whole:
    the question has every word of its label, side by side, and the table has heads, of no other year.
    has_year: they name one that is asked for. figure: the one under the one year that is asked for, with its
    sign, or None; value: the same in its scale and currency, None where that is in doubt, and where other
    words of the question stand beside those of the label: "the change in revenue" is more than revenue.
    """

    span: Span
    heads: tuple[Span, ...]
    first: int
    last: int
    fit: float
    is_whole: bool
    has_year: bool
    figure: Decimal | None = None
    value: Value | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        """Heads and row, in the order of the page."""
        return (*self.heads, self.span)


@dataclass(frozen=True, slots=True)
class _QuestionWords:
    """A question as rows are held against it.

    words: the terms of each of its words that tells something; none for one that names a document or a
    period. asks_figure: for each, that the question about it may be one for a figure. is_parted: for each,
    that a bracket, the end of a sentence or a word that asks stands before it. terms: of all words; said:
    with those that tell nothing.
    """

    words: tuple[frozenset[str], ...]
    asks_figure: tuple[bool, ...]
    is_parted: tuple[bool, ...]
    years: tuple[str, ...]
    rarity: Mapping[str, float]

    terms: frozenset[str]
    said: frozenset[str]

    def weight(self, words: Iterable[Collection[str]]) -> float:
        """Rarity of words, summed; each counts as its rarest term."""
        return sum(max(self.rarity.get(term, _UNKNOWN_RARITY) for term in word) for word in words if word)


@dataclass(frozen=True, slots=True)
class _Place:
    """A page with the passage that names its document; nearness: how early it was found, 1 to .5.

    text: of the page, without what is deleted.
    """

    page: Page
    text: str
    stored: StoredPassage
    version: int
    nearness: float

    def span(self, start: int, end: int) -> Span:
        """A stretch of the page as a quoted place."""
        return Span(
            document=self.stored.passage.document,
            version=self.version,
            page=self.page.page_no,
            start=start,
            end=end,
            quote=self.page.text[start:end],
            title=self.stored.name,
            source=self.stored.source,
        )


@dataclass(frozen=True, slots=True)
class _Line:
    """A row of a page by its label alone."""

    place: _Place
    start: int
    end: int
    first: int
    last: int
    fit: float
    is_whole: bool


def find_rows(
    question: str, evidence: Evidence, pages: PageSource, visibility: Visibility
) -> tuple[LabelledRow, ...]:
    """The rows that a question speaks of, one for each of its parts, in order; () for none.

    They stand in documents that it names, or whose names share most with it. Rows that are called alike and
    state other figures are all given, the best first, also those of a later report that restates a figure.
    """
    stored = _documents(evidence)
    asked = _read(question, evidence, stored)
    if not asked.terms or not any(asked.asks_figure):
        return ()
    likely = sorted(_all_rows(asked, evidence, stored, pages, visibility), key=lambda line: -line.fit)
    found = sorted((_row(asked, each) for each in likely[:_LIKELY]), key=lambda row: -row.fit)
    best = next((row for row in found if row.is_whole), None)
    if best is None or best.fit < _NEXT * found[0].fit:
        return ()
    alike = [row for row in found if row.span.document == best.span.document and row.fit >= _NEXT * best.fit]
    same = [
        row
        for row in found
        if (row.first, row.last) == (best.first, best.last) and row.fit >= _NEXT * best.fit
    ]
    if best.first == best.last:  # a word alone is part of many labels
        readings = [row for row in same if row.has_year]
    else:
        readings = [row for row in same if row.is_whole and row.has_year == best.has_year]
    stated: dict[object, LabelledRow] = {best.figure: best}
    for row in readings:
        stated.setdefault(row.span.quote if row.figure is None else row.figure, row)
    if best.figure is not None and len(stated) > 1:
        return tuple(replace(row, value=None) for row in stated.values())[:_MOST_READINGS]
    chosen = [best]
    for row in alike:
        if row.is_whole and all(row.last < each.first or each.last < row.first for each in chosen):
            chosen.append(row)
    return tuple(sorted(chosen[:_MOST_ROWS], key=lambda row: row.first))


def _documents(evidence: Evidence) -> dict[DocumentId, StoredPassage]:
    """A passage of each document that is named, or whose name has most of the question's words.

    Nothing where none does: what holds for one document is no answer for another.
    """
    found = {c.stored.passage.document: c.stored for c in reversed(evidence.candidates)}
    if evidence.named_documents:
        return {id: stored for id, stored in found.items() if id in evidence.named_documents}
    terms = {term for term, _ in evidence.analysis.terms if not term.isdigit()}
    shared = {
        id: sum(evidence.analysis.idf[t] for t in terms & set(analyse(f"{s.name} {s.source}")))
        for id, s in found.items()
    }
    most = max(shared.values(), default=0.0)
    chosen = {id: stored for id, stored in found.items() if shared[id] >= most}
    return chosen if most > 0 or len(chosen) == 1 else {}


def _read(question: str, evidence: Evidence, documents: Mapping[DocumentId, StoredPassage]) -> _QuestionWords:
    names = {
        term
        for stored in documents.values()
        for term in analyse(f"{stored.title} {stored.name} {stored.source.rsplit('/', 1)[-1]}")
    }
    periods = [(each.start, each.end) for each in find_years(question)]
    words: list[frozenset[str]] = []
    starts: list[int] = []
    for match in WORD.finditer(question):
        is_period = any(start < match.end() and match.start() < end for start, end in periods)
        terms = frozenset(term for term in content_terms(match.group()) if not term.isdigit())
        if terms or is_period:
            is_name = match.group()[0].isupper() and bool(terms & names)
            words.append(frozenset() if is_period or is_name else terms)
            starts.append(match.start())
    years = tuple(dict.fromkeys((*years_said(question), *written_years(question))))
    borders = [0, *starts]
    is_parted = tuple(
        bool(_BORDER.search(question, *each) or _ASKED.search(question, *each)) for each in pairwise(borders)
    )
    return _QuestionWords(
        words=tuple(words),
        asks_figure=_asks(question, starts),
        is_parted=is_parted,
        years=years,
        rarity=evidence.analysis.idf,
        terms=frozenset().union(*words),
        said=frozenset(analyse(question)),
    )


def _asks(question: str, starts: Sequence[int]) -> tuple[bool, ...]:
    """For each place of a question, that the last word before it that asks does not ask for another thing."""
    asking = list(_ASKED.finditer(question))
    last = (next((m for m in reversed(asking) if m.start() <= start), None) for start in starts)
    return tuple(match is None or match["other"] is None for match in last)


def _all_rows(
    asked: _QuestionWords,
    evidence: Evidence,
    documents: Mapping[DocumentId, StoredPassage],
    pages: PageSource,
    visibility: Visibility,
) -> Iterator[_Line]:
    """The rows on the pages of the passages found, each page once."""
    places = dict.fromkeys(
        (c.stored.passage.document, c.stored.passage.version, part.page_no)
        for c in evidence.candidates
        if c.stored.passage.document in documents
        for part in c.stored.passage.parts
    )
    stems = re.compile("|".join(sorted({re.escape(term[:_STEM]) for term in asked.terms})), re.IGNORECASE)
    for rank, (document, version, page_no) in enumerate(list(places)[:_MOST_PAGES]):
        if page := page_at(pages, document, version, page_no, visibility):
            nearness = 1 - rank / (2 * _MOST_PAGES)
            place = _Place(page, blanked(page.text), documents[document], version, nearness)
            yield from _lines(asked, place, stems)


def _lines(asked: _QuestionWords, place: _Place, stems: re.Pattern[str]) -> Iterator[_Line]:
    """The rows of a page that share a word with the question, as they are called."""
    text = place.text
    top = frozenset(analyse(text[:_HEAD_CHARS]))
    windows: dict[frozenset[str], tuple[int, int]] = {}
    named = 1 + min(1.0, asked.weight([word for word in asked.words if word & top]) / _NAMED)
    start = 0
    for raw in text.splitlines(keepends=True):
        line, begin = raw.rstrip(), start
        start += len(raw)
        if len(line) > _LONGEST or not stems.search(line) or not is_row(line):
            continue
        label = _label(line)
        called = [word for word in label if _is_called(word, asked.said)]
        shared = frozenset(term for word in called for term in word) & asked.terms
        weight, whole = asked.weight(called), asked.weight(label)
        if not shared or weight < _HALF * whole:
            continue
        if shared not in windows:
            windows[shared] = _window(asked, shared)
        first, last = windows[shared]
        between = [word for word in asked.words[first : last + 1] if word]
        dense = sum(bool(word & shared) for word in between) / max(len(between), len(called))
        if not asked.asks_figure[first]:
            continue
        is_telling = len(between) >= _LEAST_TERMS or weight >= _TELLING_RARITY
        yield _Line(
            place,
            begin,
            begin + len(line),
            first,
            last,
            fit=weight * weight / whole * dense * named * place.nearness,
            is_whole=is_telling and len(called) == len(label) and dense >= 1 and not line[0].islower(),
        )


def _row(asked: _QuestionWords, line: _Line) -> LabelledRow:
    """A row with the heads of its table, which tell whether it is of a year asked for."""
    place, text = line.place, line.place.text
    quote = text[line.start : line.end]
    heads = table_heads(text, line.start)
    figures = quantities(quote)
    years = _years(text, heads, len(figures))
    known = {year for each in heads for year in written_years(text[slice(*each)])}
    is_other = bool(asked.years and known) and not known & set(asked.years)
    is_all = _is_all(asked, line)
    one = asked.years[0] if len(asked.years) == 1 else ""
    figure = figures[years.index(one)] if one in years else None
    fits = _OTHER_YEARS if is_other else 1.0 if known else _NO_YEARS
    return LabelledRow(
        span=place.span(line.start, line.end),
        heads=tuple(place.span(*each) for each in heads),
        first=line.first,
        last=line.last,
        fit=line.fit * fits,
        is_whole=line.is_whole and bool(heads) and not is_other,
        has_year=bool(known & set(asked.years)),
        figure=_signed(quote, figure) if figure is not None else None,
        value=_value(text, line, figure) if figure is not None and line.is_whole and is_all else None,
    )


def _label(line: str) -> list[tuple[str, ...]]:
    """The words before the cells of a row, without brackets, numbers and connectives, as their terms."""
    words = WORD.findall(_ASIDE.sub(" ", line).rstrip(_FIGURES))
    terms = (tuple(term for term in analyse(word) if not term.isdigit()) for word in words)
    return [each for each in terms if each and not _CONNECTIVES & set(each)]


def _is_called(word: Sequence[str], asked: frozenset[str]) -> bool:
    """True where a question has a word of a label, or all pieces of a compound ("short term")."""
    return word[0] in asked or (len(word) > 1 and all(piece in asked for piece in word[1:]))


def _window(asked: _QuestionWords, shared: frozenset[str]) -> tuple[int, int]:
    """The fewest words of the question in a row that have all of some terms of it."""
    best = (0, len(asked.words) - 1)
    for first, word in enumerate(asked.words):
        missing = set(shared)
        if not word & missing:
            continue
        for last in range(first, len(asked.words)):
            missing -= asked.words[last]
            if not missing:
                best = min(best, (first, last), key=lambda each: each[1] - each[0])
                break
    return best


def _years(text: str, heads: Sequence[tuple[int, int]], count: int) -> tuple[str, ...]:
    """The years of the columns of a row with `count` figures; () where no line of its heads has as many."""
    stated = (written_years(text[slice(*each)]) for each in heads)
    return next((years for years in stated if len(years) == count and len(set(years)) == count), ())


def _is_all(asked: _QuestionWords, line: _Line) -> bool:
    """True where borders, names, periods or words for an amount stand on both sides of a label's words."""
    beside = ((line.first - 1, line.first), (line.last + 1, line.last + 1))
    return line.last > line.first and all(
        not 0 <= at < len(asked.words)
        or not asked.words[at]
        or asked.is_parted[border]
        or bool(asked.words[at] & _AMOUNT)
        for at, border in beside
    )


def _signed(quote: str, figure: StatedQuantity) -> Decimal | None:
    """The amount of a cell: below zero in brackets, and behind a minus that touches it."""
    if figure.value is None:
        return None
    return -abs(figure.value) if _BELOW_ZERO.search(quote[: figure.start]) else figure.value


def _value(text: str, line: _Line, figure: StatedQuantity) -> Value | None:
    """A figure of a row in the scale and currency that its table states."""
    quote = text[line.start : line.end]
    sign = -1 if (_signed(quote, figure) or 0) < 0 else 1
    try:
        found = operand(text, line.start, line.end, quote, quote[figure.start : figure.end])
    except CalculationError:
        return None
    is_scaled = not any(stated_scales(text[slice(*head)]) for head in found.heads) or found.scale != 1
    if not is_scaled and not (figure.is_money and "." in figure.written):  # "except per share": only such
        return None
    read = replace(found.quantity, value=sign * abs(found.quantity.value))
    if _CURRENCY.fullmatch(read.unit):
        return Value(type="money", value=f"{read.value:.2f}", unit=read.unit)
    return Value(type="number", value=format(read.value.normalize(), "f"), unit=read.unit or None)
