"""Query of a question: cleaned text, weighted terms, rarity, a vector, the access filter, its searches."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from string import ascii_letters

import numpy as np

from core.domain.answer import Degradation
from core.domain.ids import DocumentId
from core.domain.passage import Vector
from core.domain.search import SearchQuery
from core.encode.base import Encoder
from core.errors import UsageError
from core.index.base import EVERYTHING, Filter, Mode, SearchEngine, SearchRequest
from core.search.classify import clean_question
from core.search.resolve import Resolution
from core.store.base import AccessChanges
from core.store.database.changes import Changes
from core.store.database.visibility import Visibility
from core.text.analyse import analyse_query
from core.values.stated_years import years_said

_STATES = 8  # of the engines that one search asks


def access_filter(changes: Changes, visible: Visibility) -> Filter:
    """The filter that admits the passages of documents that may be seen, for one search.

    Where the index is behind the records the records decide: see `Filter.settled`.
    """
    few = len(visible.without) <= MOST_EXCLUDED
    without = frozenset(map(DocumentId, visible.without)) if few else frozenset()
    if visible.groups is None:
        return Filter(buckets=visible.buckets, excluded_documents=without)

    @lru_cache(_STATES)
    def since(sequence: int) -> AccessChanges:
        return changes.access_since(sequence, visible)

    return Filter(
        buckets=visible.buckets, groups=visible.groups, access_since=since, excluded_documents=without
    )


MOST_EXCLUDED = 2_000  # documents that an engine is told to leave out; more leave with the records' own word
MAX_CHARS = 4_000  # of a query; a pasted book is searched by its opening
MAX_TERMS = 64  # the rarest are kept: each costs a posting list
# The first are counted to find the rarest: 4,000 Chinese characters are as many terms, each a request to a
# server; 4,000 characters of English prose have some 350.
MAX_COUNTED = 512
# What the vector is made of: 4,000 Chinese characters are as many tokens, and took 2.4 s to encode. Four
# ASCII letters count as one, blanks as none and any other character as one, so that English is encoded whole.
MAX_TOKENS = 1_000
_ASCII_LETTERS = frozenset(ascii_letters)
OTHERS = 10  # imagined passages without any word: in one of three, what all of them say is not yet common
CARRIED_WEIGHT = 0.4  # measured on conversations: R@5 .849 -> .928 with blended vectors


@dataclass(frozen=True, slots=True)
class QuestionAnalysis:
    """A question as ranking sees it.

    text: the cleaned question. search_text: the same without the name of a document that it names.
    terms: analysed terms of search_text with weights, each once; phrases: quoted runs of terms.
    idf: natural-log inverse document frequency of every term, over passages, >= 0.
    boosts: by what an engine has to multiply the weight of a term, since it knows the passages of everybody
    and idf only those that may be seen; () for those that it is right about.
    vector: (d,) unit norm of search_text; zeros where the search is by keyword only.
    """

    text: str
    search_text: str
    terms: tuple[tuple[str, float], ...]
    phrases: tuple[tuple[str, ...], ...]
    idf: Mapping[str, float]
    vector: Vector
    boosts: Mapping[str, float] = field(default_factory=dict)

    @property
    def idf_sum(self) -> float:
        """Sum of weight x idf over the terms: the scale of a full keyword match."""
        return sum(weight * self.idf[term] for term, weight in self.terms)

    @property
    def engine_terms(self) -> tuple[tuple[str, float], ...]:
        """The terms with the weights that give an engine's scores the idf of this analysis."""
        return tuple((term, weight * self.boosts.get(term, 1.0)) for term, weight in self.terms)


def mode_of(name: str) -> Mode:
    """The search mode of that name. Raises UsageError."""
    try:
        return Mode(name)
    except ValueError as error:
        expected = ", ".join(mode.value for mode in Mode)
        raise UsageError(
            f"Unknown search mode {name!r}. Expected one of: {expected}.",
            next_step="Use hybrid where in doubt.",
        ) from error


def clean_query(text: str) -> str:
    """The opening of `text`, cleaned as questions are; never raises."""
    return clean_question(text[: MAX_CHARS * 2])[:MAX_CHARS]


def analyse_question(
    text: str,
    search_text: str,
    vector: Vector,
    engine: SearchEngine,
    *,
    carried: str = "",
    within: Filter = EVERYTHING,
) -> QuestionAnalysis:
    """The analysis of one question; text and search_text come from `clean_query`.

    carried: what earlier turns add to a follow-up, "" for none; its terms weigh CARRIED_WEIGHT. within: the
    access filter: rarity is that among the passages that it admits.
    """
    query = analyse_query(search_text)
    weights = (
        {term: CARRIED_WEIGHT * weight for term, weight in analyse_query(carried).terms} if carried else {}
    )
    weights.update(query.terms[:MAX_COUNTED])
    for year in years_said(search_text):
        weights.setdefault(year, 1.0)
    seen = engine.document_frequencies(list(weights), None if within.groups is None else within)
    seen = replace(seen, passages=seen.passages + OTHERS)
    idf = {term: seen.idf(term) for term in weights}
    kept = set(sorted(weights, key=lambda term: -weights[term] * idf[term])[:MAX_TERMS])
    terms = tuple((term, weight) for term, weight in weights.items() if term in kept)
    return QuestionAnalysis(
        text=text,
        search_text=search_text,
        terms=terms,
        phrases=query.phrases,
        idf={term: idf[term] for term, _ in terms},
        vector=vector,
        boosts=_boosts([term for term, _ in terms], idf, engine) if within.groups is not None else {},
    )


def _boosts(terms: Sequence[str], idf: Mapping[str, float], engine: SearchEngine) -> dict[str, float]:
    whole = engine.document_frequencies(terms)
    return {term: idf[term] / known for term in terms if (known := whole.idf(term)) > 0.0}


def encode_question(texts: Sequence[str], carried: str, encoder: Encoder) -> list[Vector]:
    """A vector of unit norm for each wording of one question, in one pass of the encoder.

    With carried text each becomes half the wording's own, half that of both together.
    """
    unique = list(dict.fromkeys(texts))
    wordings = unique + ([f"{carried} {text}" for text in unique] if carried else [])
    rows = encoder.encode_queries([_opening(text) for text in wordings])
    vectors = {text: rows[index] for index, text in enumerate(unique)}
    if carried:
        for index, text in enumerate(unique):
            both = vectors[text] + rows[len(unique) + index]
            vectors[text] = np.asarray(both / max(float(np.linalg.norm(both)), 1e-12), dtype=np.float32)
    return [vectors[text] for text in texts]


def _opening(text: str) -> str:
    """As much of a text as has about MAX_TOKENS tokens."""
    if len(text) <= MAX_TOKENS:
        return text
    tokens = accumulate(0.0 if char == " " else 0.25 if char in _ASCII_LETTERS else 1.0 for char in text)
    return text[: next((at for at, count in enumerate(tokens) if count > MAX_TOKENS), len(text))]


DEFAULT_ALPHA = 0.5  # best or within .005 of it on five of five sets, leave one out


class StageTimer:
    """Milliseconds by stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        """Book the time since the last lap under `name`."""
        now = time.perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 3)
        self._last = now


@dataclass(frozen=True)
class RetrievalContext:
    """Context that all stages of one retrieval share: the query cleaned, resolved and encoded.

    access: what may be seen, for engines. mode: what is searched by, which is the query's unless the encoder
    could not be used. stripped, full: vectors of the text without the name of a document, and of all of it;
    zeros in a keyword search.
    """

    text: str
    mode: Mode
    query: SearchQuery
    visibility: Visibility
    access: Filter
    pool: int
    resolution: Resolution
    stripped: Vector
    full: Vector
    degradations: tuple[Degradation, ...] = ()

    @cached_property
    def has_period(self) -> bool:
        """True where years are asked about, here or in what is carried: figures of them are looked for."""
        return bool(years_said(f"{self.text} {self.query.carried}"))

    @property
    def alpha(self) -> float:
        """The weight of meaning, 0 to 1."""
        alpha = DEFAULT_ALPHA if self.query.alpha is None else self.query.alpha
        return min(max(alpha, 0.0), 1.0) if alpha == alpha else DEFAULT_ALPHA  # nan: no number to weigh by

    def tiers(self, engine: SearchEngine) -> Iterator[Tier]:
        """The searches to make, in order; each is analysed when it is asked for."""
        named = frozenset(self.resolution.documents)
        carried = self.query.carried
        first = analyse_question(
            self.text, self.resolution.stripped, self.stripped, engine, carried=carried, within=self.access
        )
        yield Tier(self, first, named or None)
        if named:
            wider = analyse_question(
                self.text, self.text, self.full, engine, carried=carried, within=self.access
            )
            yield Tier(self, wider, None, excluded=named)


@dataclass(frozen=True, slots=True)
class Tier:
    """One search of a reading. documents: those that the query names, None for any.

    excluded: the same in the search of all others.
    """

    reading: RetrievalContext
    analysis: QuestionAnalysis
    documents: frozenset[DocumentId] | None
    excluded: frozenset[DocumentId] = frozenset()

    def request(self, mode: Mode) -> SearchRequest:
        """Request to an engine, by `mode`.

        Phrases bind in a keyword search only: in a question, quotation marks mostly set off a name.
        """
        reading = self.reading
        asked = frozenset(reading.query.documents) or None
        return SearchRequest(
            terms=self.analysis.engine_terms,
            vector=None if mode is Mode.KEYWORD else self.analysis.vector,
            mode=mode,
            alpha=reading.alpha,
            top_k=reading.pool,
            pool=reading.pool,
            phrases=self.analysis.phrases if reading.mode is Mode.KEYWORD else (),
            filter=replace(
                reading.access,
                buckets=reading.visibility.buckets,
                documents=self.documents or asked,
                excluded_documents=self.excluded,
            ),
        )
