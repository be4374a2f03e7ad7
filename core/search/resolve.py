"""Finds the document that a question names, and takes the name out of the question.

Score of a document = sum over its matched tokens of rarity squared x name-ness x alias weight. It is a first
stage, never a hard filter: measured on questions about other collections, one in four finds a false friend.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.ids import DocumentId
from core.search.names import WORD, NamesIndex, Posting, VisibleNames, word_forms
from core.text.analyse import STOP_WORDS
from core.values.stated_years import find_years, years_said

MAX_WORDS = 200
_LEGAL_FORMS = "inc corp corporation company co llc ltd limited plc lp llp gmbh ag sa nv bv"
LEGAL_FORMS = frozenset(_LEGAL_FORMS.split())
POSSESSIVE = re.compile(r"['’]s$")
QUOTE = re.compile(r'["“”«»]')
FRAME = re.compile(
    r"^\s*(?:consider(?:ing)?|according to|as per|per|in|under|within|from|for|of|on|regarding|concerning|"
    r"with (?:respect|regard) to|as (?:to|for)|about|based on|given|looking at|by|pursuant to)\b"
    r"(?!\s+(?:wh|how\b))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of the question with its place and whether it is written like a name.

    run: words of one number stand side by side, all written like names; is_plain: a function word.
    """

    text: str
    start: int
    end: int
    is_quoted: bool
    is_capitalised: bool
    run: int

    @property
    def is_plain(self) -> bool:
        """True where this is a function word, or part of a company's legal form."""
        return self.text.lower() in STOP_WORDS or self.text.lower() in LEGAL_FORMS


def question_words(question: str) -> list[QueryWord]:
    """The words of a question, at most MAX_WORDS, with what their writing says about being a name.

    A capital says nothing at the start of a sentence, nor where nearly all words have one.
    """
    found = list(WORD.finditer(question))[:MAX_WORDS]
    capitals = [any(char.isupper() for char in match.group()) for match in found]
    is_shouted = len(found) > 3 and sum(capitals) > 0.8 * len(found)
    quoted = _quoted_spans(question)
    words: list[QueryWord] = []
    run = 0
    for match, has_capital in zip(found, capitals, strict=True):
        start, end = match.span()
        before = question[:start].rstrip(" \"“'‘(")
        opens = not before or before[-1] in ".?!;:"
        inner = any(char.isupper() or char.isdigit() for char in match.group()[1:])
        is_quoted = any(left <= start and end <= right for left, right in quoted)
        is_capitalised = has_capital and not is_shouted and (inner or not opens)
        is_name = is_quoted or is_capitalised
        joins = bool(words) and is_name and (words[-1].is_quoted or words[-1].is_capitalised)
        if joins:
            gap = question[words[-1].end : start]
            joins = (
                len(gap) <= 2 and ";" not in gap and "'" not in gap and not POSSESSIVE.search(words[-1].text)
            )
        if not joins:
            run += 1
        words.append(QueryWord(match.group(), start, end, is_quoted, is_capitalised, run))
    return words


def strip_name(
    question: str,
    words: list[QueryWord],
    used: Collection[int],
    titled: Collection[int],
    kept: Collection[int] = (),
) -> str:
    """`question` without the words of the name; the question itself where nothing would be left.

    A clause in front that only frames the question ("Consider the X agreement; ...") goes with its name.
    used: words that name a document; titled: those of its title or file name. Of what only its first page
    has, names alone go: "the price of article T-17" is asked of what stands there. kept: words beside the
    name that are none of it, such as the year of "Amazon's FY2017 sales".
    """
    if not used:
        return question
    rest = _without_frame(question, words, used, kept)
    if rest is not None:
        return rest
    named = {at for at in used if at in titled or (words[at].is_capitalised and words[at].text.isalpha())}
    gone = _with_joined_capitals(words, _once(words, named), kept)
    pieces, position = [], 0
    for index in sorted(gone):
        pieces.append(question[position : words[index].start])
        position = words[index].end
    pieces.append(question[position:])
    left = re.sub(r"[\"“”«»]+", " ", "".join(pieces))
    left = re.sub(r"\s+(?=[,.;:?!])|(?<=[\s(])'s\b", "", left)
    left = " ".join(left.split())
    return left if _content_words(left) else question


def _once(words: list[QueryWord], used: Collection[int]) -> set[int]:
    """The words of a name where most of them stand together: of the "order" in "which orders does order 5
    replace" the second.
    """
    runs: list[set[int]] = []
    for at in sorted(used):
        is_near = bool(runs) and all(word.is_plain for word in words[max(runs[-1]) + 1 : at])
        runs[-1:] = [runs[-1] | {at}] if is_near else [*runs[-1:], {at}]
    kept: set[int] = set()
    told: set[str] = set()
    for run in sorted(runs, key=len, reverse=True):
        kept |= {at for at in run if words[at].text.casefold() not in told}
        told |= {words[at].text.casefold() for at in run}
    return kept


def _without_frame(
    question: str, words: list[QueryWord], used: Collection[int], kept: Collection[int]
) -> str | None:
    name = _with_joined_capitals(words, used, kept)
    is_framed = FRAME.match(question) is not None
    quoted = _quoted_spans(question)
    for match in re.finditer(r"[;:]\s|,\s", question):
        if any(left < match.start() < right for left, right in quoted):
            continue
        before = {index for index, word in enumerate(words) if word.end <= match.start()}
        goes_on = match.group() == ", " and len(before) in name  # "BridgeBio Pharma, Inc."
        if goes_on or (match.group() == ", " and not is_framed):
            continue
        rest = question[match.end() :].strip()
        return rest if before & set(used) and _content_words(rest) >= 2 else None
    return None


def _with_joined_capitals(words: list[QueryWord], used: Collection[int], kept: Collection[int]) -> set[int]:
    """`used` with the words right beside names among them that are written like these: Inc., first names."""
    gone = set(used)
    for index in sorted(at for at in used if words[at].is_quoted or words[at].is_capitalised):
        for step in (-1, 1):
            near = index + step
            while 0 <= near < len(words) and near not in gone and near not in kept:
                left, right = words[min(near, near - step)], words[max(near, near - step)]
                is_close = right.start - left.end <= 2
                if not (is_close and (words[near].is_quoted or words[near].is_capitalised)):
                    break
                gone.add(near)
                near += step
    return gone


def _content_words(text: str) -> int:
    return sum(word.lower() not in STOP_WORDS for word in WORD.findall(text))


def _quoted_spans(question: str) -> list[tuple[int, int]]:
    marks = [match.start() for match in QUOTE.finditer(question)]
    return list(zip(marks[::2], marks[1::2], strict=False))


Names = NamesIndex | VisibleNames

MIN_SCORE = 0.45
MIN_RARITY_JOINED = 0.25
MIN_SCORE_FURTHER = 0.6  # for a second document beside the first
MIN_RARITY = 0.55  # of at least one matched token: "without a rare alias" nothing is named
YEAR_PART = 0.6  # of rarity squared: the gain of a document whose title has the name and a year asked for
MARGIN = 0.8  # a runner-up this close to the best makes the name ambiguous
MAX_AMBIGUOUS = 3
MAX_FUZZY = 4
JOINED = re.compile(r"(?:'s)?,? (?:and|or|vs\.?|versus|with|to|than|against) (?:the )?")


@dataclass(frozen=True, slots=True)
class Resolution:
    """Names in a question. documents: best first, () for nothing; is_ambiguous: they fit a name equally.

    stripped: the question without the name; equal to the question where nothing is named.
    """

    documents: tuple[DocumentId, ...]
    is_ambiguous: bool
    stripped: str


@dataclass(frozen=True, slots=True)
class _Match:
    words: frozenset[int]
    posting: Posting
    rarity: float
    nameness: float

    @property
    def strength(self) -> float:
        return self.rarity * self.rarity * self.nameness

    @property
    def is_anchor(self) -> bool:
        """True where this word alone can say that a document is meant."""
        return self.rarity >= MIN_RARITY and self.nameness >= 0.5


def resolve(
    question: str,
    names: Names,
    *,
    documents: Collection[DocumentId] = (),
) -> Resolution:
    """The documents that a cleaned question names, among those of `names`. documents: () for all of these."""
    words = question_words(question)
    matches = _matches(words, names)
    of_years = _of_years(question, names)
    in_periods = _in_periods(question, words)
    allowed = _allowed(names, frozenset(documents))
    named: list[DocumentId] = []
    scores: list[float] = []
    rows: list[int] = []
    is_ambiguous = False
    used: set[int] = set()
    while matches and len(named) < MAX_AMBIGUOUS:
        open_matches = [match for match in matches if not match.words & used]
        group = _best_group(open_matches, words, names, allowed, of_years)
        if not group or len(named) + len(group) > MAX_AMBIGUOUS:
            break
        if named and not _is_certain(group, [each for each in open_matches if not each.words <= in_periods]):
            break
        is_ambiguous = is_ambiguous or len(group) > 1
        for row, score, hit_words in group:
            found = names.document(row)
            if found is not None and found.id not in named:
                named.append(found.id)
                scores.append(score)
                rows.append(row)
            used |= hit_words
    if not named or _names_others(matches, words, used, set(rows), question):
        return Resolution((), False, question)
    titled = {
        at
        for match in matches
        if (match.posting.weights[np.isin(match.posting.rows, rows)] == 1.0).any()
        for at in match.words & used
    }
    return Resolution(tuple(named), is_ambiguous, strip_name(question, words, used, titled, in_periods))


def _names_others(
    matches: list[_Match], words: list[QueryWord], used: Collection[int], rows: set[int], question: str
) -> bool:
    """True where a name of many documents is joined to the one found: "between ACME and Beta" means both."""
    for match in matches:
        if match.nameness < 0.5 or match.rarity < MIN_RARITY_JOINED or match.words & set(used):
            continue
        titled = set(match.posting.rows[match.posting.weights == 1.0].tolist())
        is_joined = any(
            JOINED.fullmatch(question[words[min(a, b)].end : words[max(a, b)].start])
            for a in match.words
            for b in used
        )
        if titled and is_joined and not set(match.posting.rows.tolist()) & rows:
            return True
    return False


def _is_certain(group: list[tuple[int, float, set[int]]], matches: list[_Match]) -> bool:
    """True where a further document is named by its title: by first pages, 1 question in 7 falsely was."""
    return all(
        score >= MIN_SCORE_FURTHER
        and any(
            match.is_anchor and (match.posting.weights[match.posting.rows == row] == 1.0).any()
            for match in matches
        )
        for row, score, _ in group
    )


def _matches(words: list[QueryWord], names: Names) -> list[_Match]:
    found: dict[str, _Match] = {}
    guesses = 0
    for index, word in enumerate(words):
        if word.text.lower() in STOP_WORDS:
            continue
        for form in dict.fromkeys(word_forms(word.text)):
            token, certainty = form, 1.0
            if not names.frequency(form):
                if names.is_known(form) or guesses >= MAX_FUZZY:
                    continue
                guesses += 1
                near = names.near(form)
                if near is None:
                    continue
                token, certainty = near
            _note(found, token, {index}, certainty * _nameness(word, token, names), names)
    for size in (2, 3, 4):
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            if not (word_forms(run[0].text) and word_forms(run[-1].text)):
                continue  # "Verizon a" is no longer name than "Verizon"
            glued = "".join(form for word in run for form in list(word_forms(word.text))[-1:])
            if len(glued) >= 6 and names.frequency(glued):
                nameness = max(_nameness(word, glued, names) for word in run)
                # A file's "DisclosureAgreement" is no rarer a name than the two words of it.
                ceiling = max(names.rarity(form) for word in run for form in word_forms(word.text))
                _note(found, glued, set(range(start, start + size)), nameness, names, ceiling)
    return list(found.values())


def _note(
    found: dict[str, _Match], token: str, words: set[int], nameness: float, names: Names, ceiling: float = 1.0
) -> None:
    posting = names.posting(token)
    if posting is None:
        return
    earlier = found.get(token)
    if earlier is not None:
        words = words | earlier.words
        nameness = max(nameness, earlier.nameness)
    found[token] = _Match(frozenset(words), posting, min(names.rarity(token), ceiling), nameness)


def _nameness(word: QueryWord, token: str, names: Names) -> float:
    """Likeness of a word to a name, 0 to 1: by its writing here, and by the collection's."""
    if token.isdigit():
        return 0.9 if len(token) >= 5 else 0.0
    if any(char.isdigit() for char in token):
        return 1.0
    share = names.capitalised_share(token)
    if word.is_quoted:
        return 1.0
    if word.is_capitalised:
        return max(0.6, share)
    return share * share


def _allowed(names: Names, documents: frozenset[DocumentId]) -> Callable[[int], bool]:
    def is_allowed(row: int) -> bool:
        found = names.document(row)
        return found is not None and (not documents or found.id in documents)

    return is_allowed


def _best_group(
    matches: list[_Match],
    words: list[QueryWord],
    names: Names,
    is_allowed: Callable[[int], bool],
    of_years: Mapping[int, float],
) -> list[tuple[int, float, set[int]]]:
    """The documents that fit these words best, as (row, score, indexes of words): [] where none is named.

    of_years: rows whose titles say a year of the question, with its worth; among documents of one name these
    are meant.
    """
    anchors = [match for match in matches if match.is_anchor]
    if not anchors:
        return []
    scores = _scores(matches, words, names)
    anchored = np.zeros(names.rows, dtype=bool)
    titled: dict[int, float] = {}
    for match in anchors:
        anchored[match.posting.rows] = True
        for row in of_years.keys() & set(match.posting.rows[match.posting.weights == 1.0].tolist()):
            titled[row] = of_years[row]
    scores[~anchored] = 0.0
    for row, worth in titled.items():
        scores[row] += worth
    best: list[int] = []
    for row in _descending(scores):
        if is_allowed(row):
            best.append(row)
            if scores[row] < MARGIN * scores[best[0]] or (len(best) > MAX_AMBIGUOUS and not of_years):
                break
    dated = [row for row in best if row in of_years and scores[row] >= MARGIN * scores[best[0]]]
    best = dated or best
    if not best or scores[best[0]] < MIN_SCORE:
        return []
    group = [row for row in best if scores[row] >= MARGIN * scores[best[0]]]
    if len(group) > MAX_AMBIGUOUS:
        return []
    return [(row, float(scores[row]), _words_of(row, anchors)) for row in group]


def _of_years(question: str, names: Names) -> dict[int, float]:
    """The rows of documents whose titles say a year that the question says, with what the rarest is worth."""
    found: dict[int, float] = {}
    for year in years_said(question):
        posting, worth = names.posting(year), YEAR_PART * names.rarity(year) ** 2
        for row in [] if posting is None else posting.rows[posting.weights == 1.0].tolist():
            found[row] = max(worth, found.get(row, 0.0))
    return found


def _in_periods(question: str, words: list[QueryWord]) -> set[int]:
    """Indexes of the words that stand in a stated period: the "FY" of "FY 2022" names no further document."""
    spans = find_years(question)
    return {
        index
        for index, word in enumerate(words)
        if any(span.start <= word.start and word.end <= span.end for span in spans)
    }


def _scores(matches: list[_Match], words: list[QueryWord], names: Names) -> NDArray[np.float32]:
    """Every row's score. A name that a document has only in part counts by that part, squared."""
    scores = np.zeros(names.rows, dtype=np.float32)
    by_run: dict[int, list[_Match]] = {}
    for match in matches:
        by_run.setdefault(words[min(match.words)].run, []).append(match)
    for run, members in by_run.items():
        covered = {index for match in members for index in match.words}
        missing = sum(
            1.0 for i, word in enumerate(words) if word.run == run and i not in covered and not word.is_plain
        )
        mass = sum(match.strength for match in members) + missing
        has = np.zeros(names.rows, dtype=np.float32)
        fits = np.zeros(names.rows, dtype=np.float32)
        for match in members:
            has[match.posting.rows] += match.strength
            fits[match.posting.rows] += match.strength * match.posting.weights
        scores += fits * (has / max(mass, 1e-9)) ** 2 if len(members) + missing > 1 else fits
    return scores


def _descending(scores: NDArray[np.float32]) -> list[int]:
    rows = np.flatnonzero(scores >= MIN_SCORE * MARGIN)
    return [int(row) for row in rows[np.argsort(-scores[rows], kind="stable")]]


def _words_of(row: int, anchors: list[_Match]) -> set[int]:
    words: set[int] = set()
    for match in anchors:
        if (match.posting.rows == row).any():
            words |= match.words
    return words
