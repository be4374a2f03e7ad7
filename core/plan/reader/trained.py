"""The trained reader: from a question and a catalogue to its reading."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Self, TypeVar

import numpy as np

from core.cache import Cache
from core.domain.passage import Matrix, Vector
from core.encode.base import Encoder
from core.encode.load import load_shipped
from core.encode.minilm import MiniLm
from core.errors import EncoderError, UsageError
from core.plan.catalogue import Catalogue
from core.plan.reader.anchors import LinkTarget, candidates
from core.plan.reader.artefact_file import ARRAYS, SHIPPED, ReaderArtefact, read_artefact
from core.plan.reader.asking_part import asking_parts
from core.plan.reader.confidence import PartialSureness
from core.plan.reader.decode import WordSpan, coordinated, log_softmax, whole_scores, word_spans
from core.plan.reader.existence import ROLES, existence_signs
from core.plan.reader.known_texts import TEXTS, TextPair, read_known_texts
from core.plan.reader.linker import Linker, LinkSpace, SpanQuery, TextVectors, probabilities
from core.plan.reader.network import OPERATIONS, TAGS, ReaderHeads, ReaderNetwork, WordStates
from core.plan.reader.reading import (
    FUNCTIONS,
    LEAST_LINK,
    NAMING,
    RELATIONS,
    FieldLink,
    Operation,
    QuestionReading,
    ReadSpan,
)

MOST_TOKENS = 72
SURE_OUTSIDE = 0.95
SURE_OF_HALVES = 0.6
_MOST_SIGNS = 2_000
_MOST_LINKS = 8
_CATALOGUES_KEPT = 4
_Told = TypeVar("_Told")
_COMPUTED = [
    number
    for number, each in enumerate(OPERATIONS)
    if each not in (Operation.TEXT, Operation.HELP, Operation.ALL)
]


@dataclass(frozen=True, slots=True)
class ReadWords:
    """A question with the states of its words, and its spans before they are linked.

    offset: where the part that was read begins in the question. parts: of each span that joins words by "and"
    or the like, its halves. queries: of the spans and halves that may be linked. operations, functions,
    relations: log probabilities.
    """

    question: str
    offset: int
    words: WordStates
    spans: tuple[WordSpan, ...]
    parts: tuple[tuple[WordSpan, ...], ...]
    queries: Mapping[WordSpan, SpanQuery]
    operations: Vector
    functions: Vector
    relations: Vector


class TrainedReader:
    """A QuestionReader over the shipped encoder. Thread-safe, deterministic."""

    def __init__(
        self, encoder: MiniLm, artefact: ReaderArtefact, known: Mapping[str, TextPair] = MappingProxyType({})
    ) -> None:
        if artefact.encoder_sha256 != encoder.signature.sha256:
            raise UsageError(
                f"The trained reader goes on from another encoder than {encoder.signature.name!r}:"
                " it needs the shipped one."
            )
        self._encoder = encoder
        self._confidence = artefact.confidence
        self._existence = artefact.existence
        self._network = ReaderNetwork(encoder, artefact.layers, artefact.heads)
        self._vectors = TextVectors(encoder, self._network, known)
        self._linker = Linker(self._vectors, artefact.bank, artefact.weights)
        self._candidates: dict[tuple[str, ...], tuple[LinkTarget, ...]] = {}
        self._lock = threading.Lock()  # guards _candidates

    @classmethod
    def load(cls, encoder: MiniLm, folder: Path | None = None) -> Self:
        """The reader in `folder`, or the shipped one. Raises UsageError where it cannot be used."""
        place = folder or SHIPPED
        known = read_known_texts(place / TEXTS, place / ARRAYS)
        return cls(encoder, read_artefact(place), known)

    def read(self, question: str, catalogue: Catalogue) -> QuestionReading:
        """The reading of a question over a catalogue; never raises for any text.

        Of a text longer than MOST_TOKENS the part that asks is read; its spans stand as in the whole.
        """
        return self.link(self.words(question), self._known(catalogue))

    def words(self, question: str) -> ReadWords:
        """The parts of a question, before they are linked to fields."""
        plain = question.encode("utf-8", "replace").decode("utf-8")
        if len(plain) <= MOST_TOKENS or self._fits(plain):  # no text has more tokens than characters
            return self._words(plain, question)
        return self._words(*self._asking(plain, question))

    def _fits(self, text: str) -> bool:
        return len(self._encoder.offsets(text)) <= MOST_TOKENS

    def _asking(self, plain: str, question: str) -> tuple[str, str, int]:
        """The part that asks most surely for something, the whole, and where the part begins."""
        parts = asking_parts(plain, self._fits)
        if not parts:
            return plain[:_MOST_SIGNS], question, 0
        reads = self._network.read([plain[start:end] for start, end in parts])
        scores = [whole_scores(each.whole, self._network.heads.operation)[_COMPUTED].max() for each in reads]
        best = len(scores) - 1 - int(np.argmax(scores[::-1]))
        start, end = parts[best]
        return plain[start:end], question, start

    def _words(self, text: str, whole: str, offset: int = 0) -> ReadWords:
        (read,) = self._network.read([text])
        heads = self._network.heads
        spans = tuple(word_spans(text, read, heads))
        parts = [coordinated(text, read, each) for each in spans]
        wanted = [each for span, halves in zip(spans, parts, strict=True) for each in (span, *halves)]
        wanted = [each for each in wanted if each.role not in NAMING]
        texts = [span_text(text, read, each) for each in wanted]
        frozen = self._encoder.encode_queries(texts)
        queries: dict[WordSpan, SpanQuery] = {}
        for span, words, vector in zip(wanted, texts, frozen, strict=True):
            states = read.states[list(span.pieces)]
            types = log_softmax((heads.type[0] @ states.mean(axis=0) + heads.type[1])[None])[0]
            queries[span] = SpanQuery(words, span.role, vector, self._network.span_vector(states), types)
        told = [whole_scores(read.whole, each) for each in (heads.operation, heads.function, heads.relation)]
        return ReadWords(whole, offset, read, spans, tuple(parts), queries, *told)

    def link(self, read: ReadWords, known: tuple[LinkTarget, ...]) -> QuestionReading:
        """The reading of a question whose words may mean these fields."""
        space = self._linker.space(known)
        linked = [each for number in range(len(read.spans)) for each in self._linked(read, number, space)]
        found = []
        for span, links, known_at_all in linked:
            start, end = read.words.words[span.first][0], read.words.words[span.last - 1][1]
            sure = span.negated if span.is_negated else 1 - span.negated
            start, end = start + read.offset, end + read.offset
            found.append(
                ReadSpan(
                    start,
                    end,
                    span.role,
                    span.is_negated,
                    links,
                    span.probability * sure,
                    known_at_all,
                    span.traits.comparison,
                    span.traits.descending,
                    span.traits.either,
                    span.traits.part,
                )
            )
        operations = ranked(OPERATIONS, read.operations)
        sureness = sureness_of(read, operations, found)
        beside = sure_words(read.words, self._network.heads, found, read.offset)
        return QuestionReading(
            read.question,
            operations,
            tuple(found),
            self._confidence.probability(sureness),
            beside,
            ranked(FUNCTIONS, read.functions),
            ranked(RELATIONS, read.relations),
        )

    def _linked(
        self, read: ReadWords, number: int, space: LinkSpace
    ) -> list[tuple[WordSpan, tuple[FieldLink, ...], float]]:
        """A span with its links and whether it means any field at all.

        Its halves where these mean two fields: "the wind and the snow figures".
        """

        def linked(span: WordSpan) -> tuple[WordSpan, tuple[FieldLink, ...], float]:
            query = read.queries.get(span)
            return (span, *self._links(query, space)) if query is not None else (span, (), 1.0)

        halves = [linked(each) for each in read.parts[number]]
        fields = {(links[0].schema, links[0].field) for _, links, _ in halves if links}
        if len(fields) > 1 and all(links[0].probability >= SURE_OF_HALVES for _, links, _ in halves):
            return halves
        return [linked(read.spans[number])]

    def _links(self, query: SpanQuery, space: LinkSpace) -> tuple[tuple[FieldLink, ...], float]:
        """The fields that a span may mean, best first, and the probability that it means any."""
        found, scores = self._linker.scores(query, space)
        if not len(scores):
            return (), 1.0
        shares = probabilities(scores)
        order = np.argsort(-shares, kind="stable")[:_MOST_LINKS]
        best = [int(at) for rank, at in enumerate(order) if rank == 0 or shares[at] >= LEAST_LINK]
        columns = [at for at, each in enumerate(space.candidates) if not each.schema]
        columns.sort(key=lambda at: -shares[at])  # those of a table stay known beside surer fields
        best += [at for at in columns[:_MOST_LINKS] if at not in best]
        links = tuple(
            FieldLink(space.candidates[at].schema, space.candidates[at].field, float(shares[at]))
            for at in best
        )
        is_named = query.role in ROLES and bool(links[0].schema)
        return links, self._existence.of_signs(existence_signs(found, scores)) if is_named else 1.0

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        """(len(phrases), len(texts)), the mean of both spaces; 1 where two texts are the same."""
        frozen, own = self._vectors.of(list(phrases))
        others, trained = self._vectors.of(list(texts))
        found: Matrix = ((frozen @ others.T + own @ trained.T) / 2).astype(np.float32)
        return found

    def _known(self, catalogue: Catalogue) -> tuple[LinkTarget, ...]:
        # One reader serves all homes of a process: those at the same data version differ in their columns.
        fingerprint = (
            catalogue.fingerprint,
            *(column.key for table in catalogue.tables for column in table.columns),
        )
        with self._lock:
            if catalogue.fingerprint and fingerprint in self._candidates:
                return self._candidates[fingerprint]
        made = candidates(catalogue)
        with self._lock:
            self._candidates[fingerprint] = made
            while len(self._candidates) > _CATALOGUES_KEPT:
                self._candidates.pop(next(iter(self._candidates)))
        return made


_READERS_KEPT = 2
_readers: Cache[str, TrainedReader | None] = Cache(
    _READERS_KEPT
)  # one for a process: it holds no home's data


def load_reader(encoder: Encoder) -> TrainedReader | None:
    """The shipped reader, whatever encoder passages have; None where it cannot be used on this machine."""
    own = encoder.signature.sha256 if isinstance(encoder, MiniLm) else ""
    return _readers.get_or_make(own, lambda: _load(encoder))


def _load(encoder: Encoder) -> TrainedReader | None:
    try:
        return TrainedReader.load(load_shipped(encoder))
    except (EncoderError, UsageError):
        return None


def ranked(names: Sequence[_Told], scores: Vector) -> tuple[tuple[_Told, float], ...]:
    """What the outputs of a head mean with their probabilities, best first. scores: log probabilities."""
    shares = np.exp(scores)
    return tuple((names[int(at)], float(shares[at])) for at in np.argsort(-shares, kind="stable"))


def sureness_of(
    read: ReadWords, operations: Sequence[tuple[Operation, float]], spans: Sequence[ReadSpan]
) -> PartialSureness:
    """Sureness of the parts of a reading. operations: with their shares; spans: those of `read`, linked."""
    return PartialSureness(
        tuple(share for _, share in operations),
        tuple(spans),
        tuple(max(each.negated, 1 - each.negated) for each in read.spans),
        min((each.probability for each in read.spans), default=1.0),
        len(read.words.words),
    )


def sure_words(
    read: WordStates, heads: ReaderHeads, spans: Sequence[ReadSpan], offset: int
) -> tuple[tuple[int, int], ...]:
    """The words outside all spans that ask for nothing, with a probability of SURE_OUTSIDE or more.

    Of words that writers marked, 1 % are so sure to be outside, nearly all pronouns and the like; of those
    that they left unmarked, half. Content that no training has seen ("on purple paper") has .0 to .9.
    """
    if not len(read.states):
        return ()
    outside = np.exp(log_softmax(read.states @ heads.tag[0].T + heads.tag[1])[:, TAGS.index("O")])
    words = [(start + offset, end + offset) for start, end in read.words]
    return tuple(
        (start, end)
        for (start, end), share in zip(words, outside, strict=True)
        if share >= SURE_OUTSIDE and not any(span.start < end and span.end > start for span in spans)
    )


def span_text(question: str, read: WordStates, span: WordSpan) -> str:
    """The words of a span, also where it stands in parts."""
    parts: list[str] = []
    for first, last in _stretches(span.pieces):
        parts.append(question[read.words[first][0] : read.words[last][1]])
    return " ".join(parts)


def _stretches(numbers: Sequence[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs
