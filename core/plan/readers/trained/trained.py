"""The trained reader, from its files: from a question and a catalogue to its reading."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, Self, TypeVar

import numpy as np

from core.cache import Cache
from core.domain.passage import Matrix, Vector
from core.encode.base import Encoder
from core.encode.load import load_shipped
from core.encode.minilm import MiniLm, TransformerLayer
from core.errors import EncoderError, UsageError
from core.plan.catalogue import Catalogue
from core.plan.readers.trained.linker import (
    EXISTING,
    Confidence,
    Existence,
    LinkSpace,
    LinkTarget,
    LinkWeights,
    PhraseBank,
    SpanQuery,
    TextPair,
    TextVectors,
    candidates,
    existence_signs,
    features,
    make_space,
    probabilities,
    signs,
    weighted,
)
from core.plan.readers.trained.network import (
    HEADS,
    OPERATIONS,
    TAGS,
    ReaderHeads,
    ReaderNetwork,
    WordSpan,
    WordStates,
    coordinated,
    log_softmax,
    whole_scores,
    word_spans,
)
from core.plan.readers.trained.reading import (
    FUNCTIONS,
    LEAST_LINK,
    NAMING,
    RELATIONS,
    FieldLink,
    Operation,
    QuestionReading,
    ReaderSpec,
    ReadSpan,
)
from core.text.sentences import split_sentences

FORMAT = 3
ARRAYS = "reader.npz"
FACTS = "reader.json"
TEXTS = "texts.npz"
SHIPPED = Path(__file__).parent / "artefact"
LAYER = ("qkv", "qkv_bias", "out", "out_bias", "up", "up_bias", "down", "down_bias")
MOST_TOKENS = 72
SURE_OUTSIDE = 0.95
SURE_OF_HALVES = 0.6
_MOST_SIGNS = 2_000
MOST_PARTS = 12
_MOST_LINKS = 8
_CATALOGUES_KEPT = 4
_Told = TypeVar("_Told")
_COMPUTED = [
    number
    for number, each in enumerate(OPERATIONS)
    if each not in (Operation.TEXT, Operation.HELP, Operation.ALL)
]


@dataclass(frozen=True, slots=True)
class ReaderArtefact:
    """Everything that a trained reader needs beside the shipped encoder.

    encoder_sha256: of the encoder whose lower layers it goes on from. facts: what the model card shows.
    """

    layers: tuple[TransformerLayer, ...]
    heads: ReaderHeads
    weights: LinkWeights
    bank: PhraseBank
    existence: Existence
    confidence: Confidence
    encoder_sha256: str
    facts: Mapping[str, Any]


def read_artefact(folder: Path | None = None) -> ReaderArtefact:
    """The artefact in `folder`, or the shipped one. Raises UsageError if there is none of this format."""
    place = folder or SHIPPED
    try:
        return from_files(place / ARRAYS, (place / FACTS).read_bytes())
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise UsageError(
            f"The trained reader in {str(place)!r} cannot be read: {error}. Expected {ARRAYS} and {FACTS} as"
            " written by this version; train it again with: python -m bench.train_reader"
        ) from error


def from_files(arrays: Path | BinaryIO, written: bytes) -> ReaderArtefact:
    """Artefact that `bench.reader.artefact_file` wrote. Raises ValueError or KeyError for anything else.

    Arrays are read one by one: all at once took 90 MB, of which 47 stay.
    """
    facts = json.loads(written)
    made = (facts.get("format"), facts.get("heads"))
    if made != (FORMAT, {name: list(outputs) for name, outputs in HEADS.items()}):
        raise ValueError("its format, or what its heads tell, is not that of this version")
    with np.load(arrays, allow_pickle=False) as stored:

        def of(name: str) -> Matrix:
            return np.asarray(stored[name], np.float32)

        def head(name: str) -> tuple[Matrix, Vector]:
            return of(f"head_{name}"), of(f"head_{name}_bias")

        bank = of("bank")
        norms = np.linalg.norm(bank, axis=-1, keepdims=True)
        return ReaderArtefact(
            tuple(_layer(of, number) for number in range(facts["layers"])),
            ReaderHeads(
                **{name: head(name) for name in HEADS}, span=of("head_span"), anchor=of("head_anchor")
            ),
            LinkWeights(of("link_shared"), of("link_of_role"), of("link_types")),
            PhraseBank(
                tuple((schema, field) for schema, field in facts["bank"]),
                np.asarray(bank / np.where(norms == 0, 1, norms), dtype=np.float32),
                stored["bank_owner"].astype(np.int64),
            ),
            Existence.from_facts(facts["existence"]),
            Confidence.from_facts(facts["confidence"]),
            facts["encoder"],
            facts["facts"],
        )


def _layer(of: Callable[[str], Matrix], number: int) -> TransformerLayer:
    values: dict[str, Any] = {name: of(f"layer{number}_{name}") for name in LAYER}
    values |= {name: tuple(of(f"layer{number}_{name}")) for name in ("norm", "out_norm")}
    return TransformerLayer(**values)


def read_known_texts(folder: Path | None = None) -> Mapping[str, TextPair]:
    """Vectors by text; none where the file is missing, damaged, or of another training than the arrays."""
    place = folder or SHIPPED
    try:
        with (place / TEXTS).open("rb") as file, np.load(file, allow_pickle=False) as kept:
            with (place / ARRAYS).open("rb") as arrays:
                if str(kept["reader"]) != hashlib.file_digest(arrays, "sha256").hexdigest():
                    return {}
            frozen, own = kept["frozen"].astype(np.float32), kept["own"].astype(np.float32)
            return dict(zip(kept["texts"].tolist(), zip(frozen, own, strict=True), strict=True))
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}


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
        self._artefact = artefact
        self._network = ReaderNetwork(encoder, artefact.layers, artefact.heads)
        self._vectors = TextVectors(encoder, self._network, known)
        self._spaces: Cache[tuple[str, ...], LinkSpace] = Cache(_CATALOGUES_KEPT)

    @classmethod
    def load(cls, encoder: MiniLm, folder: Path | None = None) -> Self:
        """The reader in `folder`, or the shipped one. Raises UsageError where it cannot be used."""
        return cls(encoder, read_artefact(folder), read_known_texts(folder))

    def read(self, question: str, catalogue: Catalogue) -> QuestionReading:
        """The reading of a question over a catalogue; never raises for any text.

        Of a text longer than MOST_TOKENS the part that asks is read; its spans stand as in the whole.
        """
        words = self.words(question)
        if not catalogue.fingerprint:
            return self.link(words, self.space(candidates(catalogue)))
        # One reader serves all homes of a process: those at the same data version differ in their columns.
        columns = (column.key for table in catalogue.rows_by_sql for column in table.columns)
        key = catalogue.fingerprint, *columns
        return self.link(words, self._spaces.get_or_make(key, lambda: self.space(candidates(catalogue))))

    def space(self, known: tuple[LinkTarget, ...]) -> LinkSpace:
        """The vectors of fields that words may mean."""
        return make_space(known, self._vectors, self._artefact.bank)

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

    def link(self, read: ReadWords, space: LinkSpace) -> QuestionReading:
        """The reading of a question whose words may mean the fields of a space."""
        found = [each for number in range(len(read.spans)) for each in self._linked(read, number, space)]
        operations = ranked(OPERATIONS, read.operations)
        return QuestionReading(
            read.question,
            operations,
            tuple(found),
            self._artefact.confidence.of_signs(signs_of(read, operations, found)),
            sure_words(read.words, self._network.heads, found, read.offset),
            ranked(FUNCTIONS, read.functions),
            ranked(RELATIONS, read.relations),
        )

    def _linked(self, read: ReadWords, number: int, space: LinkSpace) -> list[ReadSpan]:
        """A span, or its halves where these mean two fields: "the wind and the snow figures"."""
        halves = [self._read_span(read, each, space) for each in read.parts[number]]
        fields = {(each.links[0].schema, each.links[0].field) for each in halves if each.links}
        is_sure = all(each.links and each.links[0].probability >= SURE_OF_HALVES for each in halves)
        if len(fields) > 1 and is_sure:
            return halves
        return [self._read_span(read, read.spans[number], space)]

    def _read_span(self, read: ReadWords, span: WordSpan, space: LinkSpace) -> ReadSpan:
        query = read.queries.get(span)
        links, known = self._links(query, space) if query is not None else ((), 1.0)
        return ReadSpan(
            read.words.words[span.first][0] + read.offset,
            read.words.words[span.last - 1][1] + read.offset,
            span.role,
            span.is_negated,
            links,
            span.probability * max(span.negated, 1 - span.negated),
            known,
            span.comparison,
            span.descending,
            span.either,
            span.part,
        )

    def _links(self, query: SpanQuery, space: LinkSpace) -> tuple[tuple[FieldLink, ...], float]:
        """The fields that a span may mean, best first, and the probability that it means any."""
        found = features(query, space)
        scores = weighted(found, query.role, space, self._artefact.weights)
        if not len(scores):
            return (), 1.0
        shares = probabilities(scores)
        order = np.argsort(-shares, kind="stable")[:_MOST_LINKS]
        best = [int(at) for rank, at in enumerate(order) if rank == 0 or shares[at] >= LEAST_LINK]
        columns = [at for at, each in enumerate(space.candidates) if not each.schema]
        columns.sort(key=lambda at: -shares[at])  # those of a table stay known beside surer fields
        best += [at for at in columns[:_MOST_LINKS] if at not in best]
        links = tuple(FieldLink(*space.candidates[at].key, float(shares[at])) for at in best)
        is_named = query.role in EXISTING and bool(links[0].schema)
        known = self._artefact.existence.of_signs(existence_signs(found, scores)) if is_named else 1.0
        return links, known

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        """(len(phrases), len(texts)), the mean of both spaces; 1 where two texts are the same."""
        frozen, own = self._vectors.of(list(phrases))
        others, trained = self._vectors.of(list(texts))
        found: Matrix = ((frozen @ others.T + own @ trained.T) / 2).astype(np.float32)
        return found


_readers: Cache[str, TrainedReader | None] = Cache(2)  # of a process: they hold no home's data


def load_reader(encoder: Encoder) -> TrainedReader | None:
    """The shipped reader, whatever encoder passages have; None where it cannot be used on this machine."""
    own = encoder.signature.sha256 if isinstance(encoder, MiniLm) else ""
    return _readers.get_or_make(own, lambda: _load(encoder))


def _load(encoder: Encoder) -> TrainedReader | None:
    try:
        return TrainedReader.load(load_shipped(encoder))
    except (EncoderError, UsageError):
        return None


READER = ReaderSpec(load_reader)


def asking_parts(text: str, fits: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Spans of a text that may be its question: a pasted e-mail has it somewhere in the middle.

    Those that end in a question mark where there are any, else all sentences; neighbours together where
    they fit. At most MOST_PARTS, the last ones.
    """
    sentences = []
    for start, end in split_sentences(text):
        said = text[start:end]
        start += len(said) - len(said.lstrip())
        sentences += [(start, start + len(said.strip()))] if said.strip() else []
    asking = [(start, end) for start, end in sentences if text[start:end].rstrip("\"')” ").endswith("?")]
    joined: list[tuple[int, int]] = []
    for start, end in asking or sentences:
        first, last = joined[-1] if joined else (0, 0)
        if joined and not text[last:start].strip() and fits(text[first:end]):
            joined[-1] = first, end
        else:
            joined.append((start, end))
    return joined[-MOST_PARTS:]


def ranked(names: Sequence[_Told], scores: Vector) -> tuple[tuple[_Told, float], ...]:
    """What the outputs of a head mean with their probabilities, best first. scores: log probabilities."""
    shares = np.exp(scores)
    return tuple((names[int(at)], float(shares[at])) for at in np.argsort(-shares, kind="stable"))


def signs_of(
    read: ReadWords, operations: Sequence[tuple[Operation, float]], spans: Sequence[ReadSpan]
) -> Vector:
    """Signs of a reading. operations: with their shares; spans: those of `read`, linked."""
    return signs([share for _, share in operations], spans, read.spans, len(read.words.words))


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
    runs: list[list[int]] = []
    for number in span.pieces:
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return " ".join(question[read.words[first][0] : read.words[last][1]] for first, last in runs)
