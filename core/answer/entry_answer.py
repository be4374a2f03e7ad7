"""Answers from one cell: the entry that has the names of a question, under what the rest of it asks for."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from core.answer.cite import Draft, Layout
from core.answer.entries import EntryCell, RowEntry, RowSource, find_entries
from core.answer.value import asked_words, asks_date, direct_value, stated_values
from core.domain.answer import Value
from core.fields.typed import currency_in
from core.search.evidence.base import Evidence, PageSource, Span, span_of
from core.search.evidence.score import WORD
from core.store.database.visibility import Visibility
from core.text.analyse import STOP_WORDS, analyse, content_terms
from core.text.marks import blanked
from core.values.dates import find_dates

CONFIDENCE = 0.8  # where row and column both match clearly
UNSURE = 0.35
ALIKE = "More than one entry fits equally:"
NEAREST = "The entry that fits best; which of it is meant is not certain:"
_MOST_ALIKE = 4
_EXPLAINED = 0.5  # of the words of a question, by an entry that has no name of it
_CLEARLY = 2 / 3  # of them, by one that is sure and has no name in its row
_MOST_AROUND = 4_000
_STEM = 4  # letters by which a row is looked at at all
_NONE: frozenset[str] = frozenset()
_YEAR = 4  # digits of a day that are its year
_SAME = 1e-9
_RIVALS = 5  # sentences that may say more


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a question. whole: what an identifier or a day is compared by, "" for plain words.

    is_name: a code, a number, or written with a capital inside the question.
    """

    text: str
    terms: frozenset[str]
    whole: str
    is_name: bool


@dataclass(frozen=True, slots=True)
class _Said:
    """Content of a text: its terms, its words as wholes, the years of its days; only: a word alone."""

    terms: frozenset[str]
    wholes: frozenset[str]
    years: frozenset[str]
    only: str = ""

    def has(self, word: _Word) -> bool:
        """True where a word of the question stands in it; a word that tells nothing has to be all of it."""
        if word.whole:
            return word.whole in self.wholes or word.whole in self.years
        return bool(word.terms & self.terms) if word.terms else bool(self.only) and word.text == self.only


@dataclass(frozen=True, slots=True)
class _Fit:
    """A cell as the answer, and which words of the question, by number, are where.

    row: in the other cells of its entry; column: in its name; given: in itself; called: in the names of its
    document; around: in these, in the names of its columns, and on its page outside of tables. share: of its
    name, that the question has.
    """

    entry: RowEntry
    cell: EntryCell
    row: frozenset[int]
    column: frozenset[int]
    around: frozenset[int]
    called: frozenset[int]
    given: frozenset[int]
    share: float

    @property
    def held(self) -> frozenset[int]:
        """The words that the entry itself has."""
        return self.row | self.column


def compose_entry(
    question: str, evidence: Evidence, pages: PageSource, rows: RowSource, visibility: Visibility
) -> Layout | None:
    """The cell of a table or form that a question asks for, with its row; None where nothing fits.

    An entry without a code of the question is none. It is sure only where its row is the only one with all
    names of the question, and its column the only one that is asked for; rows that fit equally are all said.
    """
    words = _words(question)
    entries = find_entries(evidence, pages, rows, visibility) if words else []
    stems = {
        stem[:_STEM]
        for word in words
        for stem in (word.text.casefold(), *word.terms)
        if word.terms or word.text in _TELLING
    }
    near = entries if any(not word.terms and word.whole for word in words) else _near(entries, stems)
    fits = [fit for entry in near for fit in _fits(words, entry)]
    fits = [fit for fit in fits if not _lacks_code(words, fit)]
    if not fits:
        return None
    counts = Counter(at for fit in fits for at in fit.held)
    weights = {at: math.log((len(fits) + 1) / count) for at, count in counts.items()}
    best = max(_weight(fit, weights) for fit in fits)
    leading = [fit for fit in fits if _weight(fit, weights) >= best - _SAME]
    return _layout(question, words, leading, fits, entries, evidence)


def _words(question: str) -> list[_Word]:
    """The words of a question, each once; days as one word each."""
    days = find_dates(question)
    found: dict[str, _Word] = {}
    for start, end, day in days:
        found[day.text] = _Word(question[start:end], frozenset(), _day(day.text), is_name=True)
    for match in WORD.finditer(question):
        text, terms = match.group(), content_terms(match.group())
        if any(start < match.end() and match.start() < end for start, end, _ in days):
            continue
        is_code = any(sign.isdigit() for sign in text)
        is_name = is_code or (bool(terms) and match.start() > 0 and text != text.casefold())
        whole = terms[0] if is_code and terms else ""
        found.setdefault(text, _Word(text, frozenset(terms), whole, is_name))
    return list(found.values())


def _day(text: str) -> str:
    return f"day {text}"


@lru_cache(maxsize=4_000)
def _said(text: str) -> _Said:
    heads = {terms[0] for word in WORD.findall(text.replace("/", " ")) if (terms := analyse(word))}
    found = [day.text for _, _, day in find_dates(text)] if any(map(str.isdigit, text)) else []
    wholes, years = heads.union(map(_day, found)), {day[:_YEAR] for day in found}
    only = text.strip() if text.strip() in _TELLING else ""
    return _Said(frozenset(analyse(text)), frozenset(wholes), frozenset(years), only)


_TELLING = frozenset(word.capitalize() for word in STOP_WORDS)
"""Words that tell nothing in a sentence, and all in a cell of their own: Yes, No, All."""


def _near(entries: Sequence[RowEntry], stems: Iterable[str]) -> list[RowEntry]:
    """The entries without rows that have no word of the question: reading days takes most of the time."""
    known = re.compile("|".join(sorted(map(re.escape, stems))) or "$^")
    return [
        each
        for each in entries
        if each.table < 0 or known.search(" ".join(cell.text for cell in each.cells).casefold())
    ]


def _fits(words: Sequence[_Word], entry: RowEntry) -> Iterable[_Fit]:
    """Every cell of an entry as an answer; none of a row that has no word of the question."""
    called = _held(words, entry.called, is_whole=False)
    near = _held(words, entry.around[:_MOST_AROUND], is_whole=False)
    near = near.union(*(_held(words, cell.name) for cell in entry.cells if entry.table >= 0))
    plain = frozenset(at for at in called if not words[at].whole)  # what names the document names no row
    held = [_held(words, cell.text) - plain for cell in entry.cells]
    often = Counter(each for some in held for each in some)
    for at, cell in enumerate(entry.cells):
        own = _held(words, cell.name)
        own = own - called if entry.is_title else own
        others = frozenset(each for each in often if often[each] > (each in held[at]))
        if not own and not (entry.table >= 0 and others):
            continue
        if entry.table >= 0 and held[at] - others:
            continue  # what a question gives is not what it asks for
        yield _Fit(entry, cell, others, own, called | near, called, held[at], _share(words, cell.name))


def _held(words: Sequence[_Word], text: str, *, is_whole: bool = True) -> frozenset[int]:
    """The numbers of the words that stand in a text; of identifiers their pieces, too, if not as wholes."""
    said = _said(text)
    return frozenset(
        at for at, word in enumerate(words) if said.has(word) or (not is_whole and word.whole in said.terms)
    )


def _share(words: Sequence[_Word], text: str) -> float:
    """The share of a text's words that tell something which the question has; 0 for none."""
    said = [replace(_said(each), years=_NONE) for each in WORD.findall(text.replace("/", " "))]
    said = [each for each in said if each.terms - STOP_WORDS]
    return sum(any(each.has(word) for word in words) for each in said) / len(said) if said else 0.0


def _weight(fit: _Fit, weights: Mapping[int, float]) -> float:
    return sum(weights[at] for at in fit.held)


def _lacks_code(words: Sequence[_Word], fit: _Fit) -> bool:
    """True where a code or number of the question is neither in an entry nor around it."""
    return any(word.whole and at not in fit.held | fit.around for at, word in enumerate(words))


def _layout(
    question: str,
    words: Sequence[_Word],
    leading: Sequence[_Fit],
    fits: Sequence[_Fit],
    entries: Sequence[RowEntry],
    evidence: Evidence,
) -> Layout | None:
    ranked = sorted(leading, key=lambda fit: (not _is_typed(question, fit.cell), -fit.share))
    first = ranked[0]
    content = {at for at, word in enumerate(words) if word.terms or word.whole}
    names = {at for at, word in enumerate(words) if word.is_name}
    explained = (first.held | first.around) & content
    has_names = bool(names & first.held) and names <= first.held | first.around
    if not has_names and len(explained) < _EXPLAINED * len(content):
        return None
    if _is_said_elsewhere(words, first, entries, evidence):
        return None
    rows = _different(fit for fit in ranked if fit.row == first.row and fit.column == first.column)
    rivals = [fit for fit in rows if fit.entry.span != first.entry.span]
    if rivals:
        shown = [first, *rivals][:_MOST_ALIKE]
        drafts = tuple(_draft(fit, marker="-", is_named=False) for fit in shown)
        return Layout(drafts, lead=ALIKE, is_complete=False)
    beside = _beside(first, fits)
    chosen = (first, *beside)[:_MOST_ALIKE]
    is_clear = (
        names <= first.held | first.around
        and (beside or _has_column(question, first, ranked))
        and all(_has_row(words, each, fits) for each in chosen)
        and _is_explained(question, words, chosen)
    )
    if beside:
        in_order = sorted(chosen, key=lambda each: each.cell.start)
        drafts = tuple(_draft(each, marker="-") for each in in_order)
        return Layout(drafts, confidence=CONFIDENCE if is_clear else UNSURE)
    if not is_clear:
        others = _different(each for each in fits if _is_beside(each, first) and each.row - first.held)
        shown = [first, *sorted(others, key=lambda each: -len(each.held))][:_MOST_ALIKE]
        marker = "-" if len(shown) > 1 else ""
        drafts = tuple(_draft(each, marker, is_named=False) for each in shown)
        return Layout(drafts, lead=NEAREST, is_in_doubt=True, confidence=UNSURE)
    return Layout((_draft(first),), value=_value(question, first.cell), confidence=CONFIDENCE)


def _different(fits: Iterable[_Fit]) -> list[_Fit]:
    """The first of those that say the same of the same: copies, and one place that was read twice."""
    found: dict[str, _Fit] = {}
    for fit in fits:
        found.setdefault(fit.entry.span.quote, fit)
    return list(found.values())


def _is_explained(question: str, words: Sequence[_Word], fits: Sequence[_Fit]) -> bool:
    """True where little of the question is left: by the entries, their document, and what is near them."""
    content = {at for at, word in enumerate(words) if word.terms or word.whole}
    settled = set(asked_words(question)) if any(_is_typed(question, fit.cell) for fit in fits) else set()
    own = {at for at in content if words[at].text in settled}.union(*(fit.held | fit.called for fit in fits))
    near = own.union(*(fit.around for fit in fits))
    names = {at for at, word in enumerate(words) if word.is_name}
    is_named = fits[0].entry.table >= 0 and bool(names & fits[0].row)
    least = _EXPLAINED if is_named else _CLEARLY
    return len(own & content) > _EXPLAINED * len(content) and len(near & content) > least * len(content)


def _is_beside(fit: _Fit, other: _Fit) -> bool:
    """True of entries of one table."""
    key = (fit.entry.span.page_key, fit.entry.table)
    return key == (other.entry.span.page_key, other.entry.table) and fit.entry.span != other.entry.span


def _has_row(words: Sequence[_Word], fit: _Fit, fits: Sequence[_Fit]) -> bool:
    """True where the entry has every word of the question that tells entries of its table apart."""
    if fit.entry.table < 0:
        return fit.share >= 1.0
    key = (fit.entry.span.page_key, fit.entry.table)
    telling = {at for each in fits if (each.entry.span.page_key, each.entry.table) == key for at in each.row}
    others = (each.text for each in fit.entry.cells if each != fit.cell)
    is_called = any(_share(words, text) >= 1.0 for text in others)
    return is_called and telling <= fit.held | fit.around


def _has_column(question: str, fit: _Fit, ranked: Sequence[_Fit]) -> bool:
    """True where no other cell of the entry is asked for as well."""
    others = [each for each in ranked[1:] if each.entry.span == fit.entry.span and each.cell != fit.cell]
    typed = _is_typed(question, fit.cell)
    if not fit.column and not typed:
        return len(fit.entry.cells) == 2
    return not any(_is_typed(question, each.cell) == typed and each.share >= fit.share for each in others)


def _beside(fit: _Fit, fits: Sequence[_Fit]) -> list[_Fit]:
    """Other cells of the row, or lines of the page, whose whole names the question has in other words."""
    found = [fit]
    for each in fits:
        is_here = each.entry.span.page_key == fit.entry.span.page_key and each.entry.table == fit.entry.table
        is_row = is_here and (fit.entry.table < 0 or (each.entry.span == fit.entry.span and not each.given))
        if is_row and each.share >= 1.0 and not any(each.column & other.held for other in found):
            found.append(each)
    return found[1:]


def _is_said_elsewhere(
    words: Sequence[_Word], fit: _Fit, entries: Sequence[RowEntry], evidence: Evidence
) -> bool:
    """True where a sentence that is no entry names what the best one does not, or as much with more words."""
    names = frozenset(at for at, word in enumerate(words) if word.is_name)
    said = (text for cell in fit.entry.cells for text in (cell.name, cell.text))
    held = fit.held.union(*(_held(words, text) for text in said)) - fit.called
    for sentence in evidence.sentences[:_RIVALS]:
        span = span_of(sentence)
        other = _held(words, span.quote) - fit.called
        if names & held - other or any(_meet(span, each) for each in entries):
            continue
        if names & other - held or len(other) > len(held) + 1:
            return True
    return False


def _meet(span: Span, entry: RowEntry) -> bool:
    """True where a place shares a character with an entry."""
    other = entry.span
    return span.page_key == other.page_key and span.start < other.end and other.start < span.end


def _is_typed(question: str, cell: EntryCell) -> bool:
    """True where a cell states a value of the kind that is asked for."""
    shown = _shown(cell)
    return bool(stated_values(question, shown)) or (asks_date(question) and bool(find_dates(cell.text)))


def _shown(cell: EntryCell) -> str:
    """A cell with the currency that its name states."""
    currency = currency_in(cell.name)
    return f"{currency} {cell.text}" if currency and cell.text[:1].isdigit() else cell.text


def _value(question: str, cell: EntryCell) -> Value:
    """Statement of a cell: the value that is asked for where that is plain, else its words."""
    text = cell.text.removesuffix(".") if cell.text[-2:-1].isdigit() else cell.text  # of a sentence
    return direct_value(question, _shown(cell)) or Value(type="text", value=text)


def _part(entry: RowEntry, cell: EntryCell) -> Span:
    """A cell as a place of its own."""
    quote = entry.span.quote[cell.start - entry.span.start : cell.end - entry.span.start]
    return replace(entry.span, start=cell.start, end=cell.end, quote=quote)


def _draft(fit: _Fit, marker: str = "", *, is_named: bool = True) -> Draft:
    """The entry as a claim; where it is the answer by the names of its row and column."""
    entry, cell = fit.entry, fit.cell
    is_row = entry.table >= 0
    key = next((each for each in entry.cells if each != cell), cell)
    label = ", ".join(filter(None, (key.text, cell.name))) if is_named and is_row else ""
    spans = entry.spans
    if is_row and blanked(entry.span.quote) != entry.span.quote:  # what is deleted in it is no answer
        cells = (key, cell) if is_named else entry.cells
        spans = (*entry.heads, *(_part(entry, each) for each in cells))
    return Draft(spans, label, marker, is_whole=True)
