"""Vectors of a variant beside those that serve: built, and kept level while documents come in."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence

import numpy as np

from core.domain.experiments.variant import HomeVariant
from core.domain.ids import DocumentId
from core.domain.passage import StoredPassage
from core.encode.base import EncodedText, Encoder, EncoderSignature, TextToEncode
from core.errors import EncoderError, GroundworkError, HomeBusyError, NotFoundError, RecordsError
from core.index.base import IndexBatch
from core.index.sync import IndexLead, SharedEngine
from core.ingest.pipeline import Pace
from core.jobs.base import JobContext
from core.store.database.visibility import Visibility
from core.workbench.wiring import Parts

_log = logging.getLogger(__name__)
_AGAIN_S = 60.0  # after a variant could not follow
_BUSY_S = 1.0  # after another process was writing its index
_NO_MEMORY = "alloc"  # in what torch raises: "can't allocate memory", "Cannot allocate", "bad alloc"

OnEncoded = Callable[[int], None]
"""Told how many passages were encoded; may raise to end it."""


class _SliceIsOver(Exception):  # noqa: N818 - no error: others have their turn
    pass


def bring_up(parts: Parts, context: JobContext) -> bool:
    """Cut what lacks passages of the variant, encode them, index them; gives whether more is left.

    What a kill or a cancel leaves stays, and is gone on from. Raises EncoderError where the encoder cannot be
    used, HomeBusyError, IndexUnavailableError.
    """
    records, vector_set = parts.records, parts.variant.vector_set
    require_encoder(parts.batch_encoder, records.variants.encoder(vector_set))
    done = records.passages.count_vectors()

    def tell(more: int) -> None:
        nonlocal done
        done += more
        context.check()
        records.jobs.progress(context.order.id, done, max(done, records.passages.count()))
        if context.should_yield():
            raise _SliceIsOver

    try:
        tell(0)
        fill(parts, tell)
        records.variants.set_whole(vector_set)  # from now on an index is told of what is filled in
        level(parts, on_encoded=tell)
    except _SliceIsOver:
        return True
    return False


def level(
    parts: Parts,
    documents: Collection[DocumentId] | None = None,
    on_encoded: OnEncoded = lambda more: None,
) -> None:
    """Bring a set of vectors and its index up to the records. documents: that alone can lack vectors."""
    fill(parts, on_encoded, documents)
    parts.engines.catch_up()
    if documents is None:
        parts.engines.of_facts.repair()


def fill(parts: Parts, on_encoded: OnEncoded, documents: Collection[DocumentId] | None = None) -> None:
    """Cut documents without passages of the variant's profile, then encode every passage without a vector.

    A document is cut in one transaction, passages are encoded some in a transaction, until there is none.
    """
    passages, encoder, pace = parts.records.passages, parts.batch_encoder, Pace()
    _cut(parts, on_encoded, documents)
    is_told = parts.records.variants.is_whole(parts.variant.vector_set)
    while rows := passages.lacking(pace.size, documents):
        began = time.perf_counter()
        encoded = encoded_by(encoder, rows)
        pace.note(len(rows), time.perf_counter() - began)
        given = [(row.id, one.vector, one.sentences) for row, one in zip(rows, encoded, strict=True)]
        on_encoded(passages.add_vectors(given, is_told=is_told))


def _cut(parts: Parts, on_encoded: OnEncoded, documents: Collection[DocumentId] | None) -> None:
    """From the pages that are stored: citations are of those, so they hold whatever the passages are."""
    from core.ingest.chunk import chunk

    passages, profile = parts.records.passages, parts.settings.ingest.profile
    for document in passages.uncut(documents):
        try:
            stored = parts.records.documents.version(document, None, Visibility.everything())
        except NotFoundError:  # it was removed since
            continue
        cut = chunk(stored.pages, parts.words, profile, document=document, links=stored.links)
        if not cut:
            raise RecordsError(
                f"The stored pages of {stored.summary.title!r} hold no text to cut.",
                next_step="Ingest that document again, then resume the job.",
            )
        passages.add_cut(document, stored.version, cut)
        on_encoded(0)


def encoded_by(encoder: Encoder, rows: Sequence[StoredPassage]) -> list[EncodedText]:
    """The vectors of passages. Raises EncoderError where they are none, or memory does not suffice."""
    name, dimension = encoder.signature.name, encoder.signature.dimension
    with _memory_told(name):
        found = encoder.encode_passages(
            [TextToEncode(row.passage.text, row.passage.sentences) for row in rows]
        )
    for one in found:
        if one.vector.shape != (dimension,) or not np.isfinite(one.vector).all():
            raise EncoderError(
                f"{name!r} gave {one.vector.shape} numbers that are not {dimension} finite ones.",
                next_step="Its config does not fit its weights: name a complete encoder.",
            )
    return found


def require_encoder(encoder: Encoder, kept: EncoderSignature | None) -> None:
    """Raises EncoderError for one that gives no vectors, or whose weights are not those of the set."""
    if kept is not None and encoder.signature != kept:
        raise EncoderError(
            f"The weights of {encoder.signature.name!r} were changed since the variant was made.",
            next_step="Remove the variant and make it anew.",
        )
    probe = "The agreement is governed by the laws of the State of New York."
    with _memory_told(encoder.signature.name):
        found = encoder.encode_queries([probe, "Panel width"])
    if found.shape != (2, encoder.signature.dimension) or not np.isfinite(found).all():
        raise EncoderError(
            f"{encoder.signature.name!r} gives {found.shape[1]} finite numbers for a text; its config says "
            f"{encoder.signature.dimension}.",
            next_step="Name a complete encoder: a folder with config.json, tokenizer and weights.",
        )


@contextlib.contextmanager
def _memory_told(name: str) -> Iterator[None]:
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and _NO_MEMORY not in str(error).lower():
            raise
        raise EncoderError(
            f"There is not enough memory to encode with {name!r}.",
            next_step="Set encode.batch_size lower or close other programs, then resume the job.",
        ) from error


class Followers:
    """The variants beside the one that serves: what is ingested is encoded for those that were built, too.

    Thread-safe. Their indices are written by this process alone, which has the lead.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._open: dict[int, Parts] = {}
        self._reached: dict[int, int] = {}
        self._again_at: dict[int, float] = {}
        self.leveling = threading.RLock()  # guards all of these, and lets one thread write an index

    def parts_of(self, variant: HomeVariant) -> Parts:
        """The parts of a variant, kept open; those of this process where both search the same vectors.

        Two of them over one index would refuse each other the right to write it.
        """
        if variant.vector_set == self._parts.variant.vector_set:
            return self._parts
        with self.leveling:
            known = self._open.get(variant.id)
            if known is None:
                known = self._open[variant.id] = self._parts.beside(variant)
            return known

    def follow(self, documents: Collection[DocumentId] | None = None) -> None:
        """Bring each up. documents: that alone changed. One that cannot follow is tried again in a minute."""
        newest = self._parts.records.changes.data_version()
        with self.leveling:
            for variant in self._built():
                at = (self._reached.get(variant.id), self._again_at.get(variant.id, 0.0))
                if at[0] == newest or time.monotonic() < at[1]:
                    continue
                try:
                    level(self.parts_of(variant), documents)
                    self._reached[variant.id] = newest if documents is None else -1
                except HomeBusyError:
                    self._again_at[variant.id] = time.monotonic() + _BUSY_S
                except GroundworkError as error:
                    self._again_at[variant.id] = time.monotonic() + _AGAIN_S
                    _log.warning("Variant %r is behind: %s", variant.name, error.explanation)

    def close(self) -> None:
        """Close what was opened; safe to call twice."""
        with self.leveling:
            while self._open:
                self._open.popitem()[1].close()

    def _built(self) -> list[HomeVariant]:
        """A variant for each other set of vectors that was built; those that are gone are closed."""
        variants, own = self._parts.records.variants, self._parts.variant.vector_set
        there = variants.list()
        for gone in self._open.keys() - {each.id for each in there}:
            self._open.pop(gone).close()
        by_set = {each.vector_set: each for each in reversed(there) if each.vector_set != own}
        return [each for each in by_set.values() if variants.is_whole(each.vector_set)]


class EngineWithVariants(SharedEngine):
    """The engine that documents are written to, whose variants follow each batch."""

    def __init__(self, parts: Parts, lead: IndexLead) -> None:
        super().__init__(parts.engines.passages, parts.records, lead)
        self._followers = parts.part(Followers)

    def apply(self, batch: IndexBatch) -> None:
        """Apply the batch, then let the variants follow; the worker with the lead sees to it for others."""
        super().apply(batch)
        if batch.documents and self._lead.is_held:
            self._followers.follow(batch.documents)
