"""Writes batches: each becomes visible as a whole, and one that was cut off is undone or finished."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, UUID, uuid5

import numpy as np

from core.config.models import IndexSettings
from core.encode.base import EncoderSignature
from core.errors import IndexUnavailableError
from core.index.base import IndexBatch, check_vectors
from core.index.weaviate.collection import VECTOR, passages_of
from core.index.weaviate.connection import WALK_S, Connection, Deadline, together
from core.index.weaviate.filters import clean, every, values
from core.index.weaviate.state import IndexState, Phase, check_owner, read_state
from core.store.base import IndexedPassage
from core.text.analyse import passage_terms

if TYPE_CHECKING:
    from weaviate import WeaviateClient
    from weaviate.collections import Collection
    from weaviate.collections.classes.filters import _Filters as Condition

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

_OBJECTS_PER_REQUEST = 200  # 740 a second; 500 at once gave 690
_BYTES_PER_REQUEST = 4_000_000
_REQUESTS_AT_ONCE = 2  # one is being made while the other is being stored
_NAMES_PER_DELETE = 1_000
_POLL_S = 0.05  # between looks at the vector queue
_LARGEST_ID = 2**53 - 1  # the server keeps whole numbers as float64


class Writer:
    """Writes to one version of the collection; one thread and one process at a time."""

    def __init__(
        self, connection: Connection, settings: IndexSettings, name: str, owner: str | None = None
    ) -> None:
        """name: of the version, or of the alias that points at it; owner: for whom it writes."""
        self._connection = connection
        self._settings = settings
        self._name = name
        self._owner = owner

    def apply(self, batch: IndexBatch, signature: EncoderSignature) -> IndexState:
        """Make the batch visible and durable, or leave what readers see as it was; gives the new state.

        Readers see the batch at once when its new objects are in the vector index; what it replaces is
        deleted after that. Raises EncoderError before anything is written, IndexUnavailableError when the
        server fails: the next `apply` then undoes or finishes what was begun.
        """
        check_vectors(batch.passages, signature)
        check_ids(batch.passages)
        stale = tuple(values({*batch.documents, *(one.stored.passage.document for one in batch.passages)}))
        state = self.recover()
        sequence = max(batch.sequence, state.sequence)
        if not stale and sequence == state.sequence:
            return state
        if batch.passages:
            state = self._set(replace(state, phase=Phase.ADDING, documents=stale))
            try:
                self._insert(state, batch.passages)
                self._drain(state)
            except IndexUnavailableError as error:
                self._try_to_undo(state, error)
                raise
        old, in_all = self._counts(state, stale)
        state = replace(
            state,
            sequence=sequence,
            epoch=state.epoch + 1,
            passages=in_all - old - 1,  # the state object is none
            phase=Phase.REMOVING if old else Phase.READY,
            documents=stale if old else (),
        )
        state = self._set(state)
        return self._remove(state) if old else state

    def recover(self) -> IndexState:
        """Undo or finish a batch that was cut off; gives the state, which is READY.

        Raises IndexUnavailableError where the collection is another installation's.
        """
        state = self._write(lambda collection, _deadline: read_state(collection))
        if state is None:
            raise IndexUnavailableError(
                f"The collection {self._name!r} holds no state object.",
                next_step="Run `groundwork reindex` to build it again from the records.",
            )
        check_owner(self._settings, state, self._owner)
        if state.phase is Phase.ADDING:
            state = self._undo(state)
        if state.phase is Phase.REMOVING:
            state = self._remove(state)
        return self._forget_aborted(state) if state.aborted else state

    def _undo(self, state: IndexState) -> IndexState:
        """Delete what a batch inserted that never became visible."""
        from weaviate.classes.query import Filter as By

        self._delete(state, By.by_property("since").greater_than(state.epoch))
        self._delete_unindexed(state, lambda since, _document: since > state.epoch)
        self._drain(state)
        epoch = state.epoch + 1
        return self._set(replace(state, phase=Phase.READY, documents=(), epoch=epoch, aborted=(epoch,)))

    def _forget_aborted(self, state: IndexState) -> IndexState:
        """Delete what arrived of a batch after it had been undone."""
        from weaviate.classes.query import Filter as By

        self._delete(state, By.by_property("since").contains_any(list(state.aborted)))
        return self._set(replace(state, aborted=()))

    def _try_to_undo(self, state: IndexState, error: IndexUnavailableError) -> None:
        try:
            self._undo(state)
        except IndexUnavailableError:
            _LOG.warning("A batch was cut off (%s); the next one cleans up behind it.", error)

    def _remove(self, state: IndexState) -> IndexState:
        """Delete what the visible batch replaced."""
        for condition in _replaced(state, state.documents):
            self._delete(state, condition)
        replaced = frozenset(state.documents)
        self._delete_unindexed(state, lambda since, document: since < state.epoch and document in replaced)
        self._drain(state)
        return self._set(replace(state, phase=Phase.READY, documents=()))

    def _insert(self, state: IndexState, passages: Sequence[IndexedPassage]) -> None:
        """Insert the passages of the batch after `state`; those that fail are tried once more, one by one."""
        failed: list[tuple[IndexedPassage, str]] = []
        for groups in _several(_groups(passages), _REQUESTS_AT_ONCE):
            sending = [partial(self._insert_group, state, group) for group in groups]
            for refused in together(sending, Deadline(2 * self._settings.write_deadline_s)):
                failed += refused
        still = [bad for one, _ in failed for bad in self._insert_group(state, [one])]
        if still:
            first, reason = still[0]
            raise IndexUnavailableError(
                f"The Weaviate server refused {len(still)} of {len(passages)} passages, such as passage "
                f"{first.stored.id} of {first.stored.source!r}: {reason[:300]}",
                next_step=(
                    "Free disk space there and set the shard to READY; nothing here is lost."
                    if "read-only" in reason.lower() or "readonly" in reason.lower()
                    else "Look into the server's log; nothing here is lost."
                ),
            )

    def _insert_group(
        self, state: IndexState, group: Sequence[IndexedPassage]
    ) -> list[tuple[IndexedPassage, str]]:
        """Insert some passages; gives those that the server refused, with its reasons."""
        from weaviate.classes.data import DataObject
        from weaviate.exceptions import WeaviateInsertManyAllFailedError

        epoch = state.epoch + 1
        objects = [
            DataObject(
                properties=properties_of(one, epoch),
                uuid=object_id(one, epoch),
                vector={VECTOR: np.asarray(one.vector, np.float32).tolist()},
            )
            for one in group
        ]

        def insert(collection: Collection[Any, Any], _deadline: Deadline) -> dict[int, str]:
            try:
                answer = collection.data.insert_many(objects)
            except WeaviateInsertManyAllFailedError as error:
                return dict.fromkeys(range(len(objects)), str(error))
            return {at: error.message for at, error in answer.errors.items()}

        return [(group[at], reason) for at, reason in self._write(insert, state.generation).items()]

    def _drain(self, state: IndexState) -> None:
        """Wait until every vector is in the vector index; time is up when the queue stands still."""
        deadline, before = Deadline(self._settings.write_deadline_s), None
        while True:
            left = self._connection.write(lambda client, _deadline: queue_length(client, state.generation))
            if left == 0:
                return
            if before is None or left < before:
                deadline, before = Deadline(self._settings.write_deadline_s), left
            elif deadline.left_s == 0.0:
                raise IndexUnavailableError(
                    f"The Weaviate server has {left} vectors to index and makes no progress.",
                    next_step="Look into its log; nothing here is lost.",
                )
            time.sleep(_POLL_S)

    def _counts(self, state: IndexState, documents: Sequence[str]) -> tuple[int, int]:
        """Number of objects that the next batch replaces of these documents, and number of all objects."""
        conditions = list(_replaced(replace(state, epoch=state.epoch + 1), documents))

        def count(collection: Collection[Any, Any], _deadline: Deadline) -> tuple[int, int]:
            every_one = collection.aggregate.over_all(total_count=True).total_count or 0
            matching = [
                collection.aggregate.over_all(filters=condition, total_count=True).total_count or 0
                for condition in conditions
            ]
            return sum(matching), every_one

        return self._write(count, state.generation)

    def _delete(self, state: IndexState, condition: Condition) -> None:
        """Delete all that match; the server does at most 10,000 at a time."""

        def delete(collection: Collection[Any, Any], _deadline: Deadline) -> tuple[int, int]:
            answer = collection.data.delete_many(where=condition)
            return answer.matches, answer.failed

        while True:
            matches, failed = self._write(delete, state.generation)
            if matches == 0:
                return
            if failed == matches:
                raise IndexUnavailableError(
                    f"The Weaviate server deletes none of {matches} replaced passages.",
                    next_step="Look whether its disk is full, and into its log.",
                )

    def _delete_unindexed(self, state: IndexState, is_wrong: Callable[[int, str], bool]) -> None:
        """Delete by id what no filter finds: a killed server may keep objects that it had not indexed yet.

        is_wrong: tells from `since` and `document`. Walks the whole collection, but only where there are
        more objects than indexed ones.
        """
        from weaviate.classes.query import Filter as By

        indexed = By.by_property("since").greater_or_equal(0)

        def find(client: WeaviateClient, deadline: Deadline) -> list[UUID]:
            collection = passages_of(client, state.generation, self._settings)
            in_all, found = (
                collection.aggregate.over_all(filters=condition, total_count=True).total_count or 0
                for condition in (None, indexed)
            )
            if in_all == found + 1:  # the state object has no `since`
                return []
            wrong = []
            for row in collection.iterator(return_properties=["since", "document"], cache_size=1000):
                deadline.check()
                since, document = row.properties.get("since"), str(row.properties.get("document"))
                if since is not None and is_wrong(int(str(since)), document):
                    wrong.append(row.uuid)
            return wrong

        def delete(collection: Collection[Any, Any], deadline: Deadline) -> None:
            for one in wrong:
                deadline.check()
                collection.data.delete_by_id(one)

        wrong = self._connection.run(find, max(self._settings.write_deadline_s, WALK_S))
        self._write(delete, state.generation)

    def _set(self, state: IndexState) -> IndexState:
        return self._write(lambda collection, _deadline: state.write(collection), state.generation)

    def _write(self, call: Callable[[Collection[Any, Any], Deadline], T], name: str = "") -> T:
        def work(client: WeaviateClient, deadline: Deadline) -> T:
            return call(passages_of(client, name or self._name, self._settings), deadline)

        return self._connection.write(work)


def queue_length(client: WeaviateClient, generation: str) -> int:
    """Number of vectors that wait to be indexed, on all nodes; 0 where indexing is synchronous."""
    nodes = client.cluster.nodes(collection=generation, output="verbose")
    return sum(shard.vector_queue_length for node in nodes for shard in node.shards or ())


def check_ids(passages: Iterable[IndexedPassage]) -> None:
    """Raises IndexUnavailableError where the server could not keep a passage's id as it is."""
    for one in passages:
        if not 0 <= one.stored.id <= _LARGEST_ID:
            raise IndexUnavailableError(
                f"Passage id {one.stored.id} is too large for the Weaviate server.",
                next_step="Use the embedded engine for this home.",
            )


def object_id(one: IndexedPassage, epoch: int) -> UUID:
    """The id of a passage as one batch writes it: the same when the batch is sent again.

    Not of the passage alone: readers still need the old object while its replacement is being written.
    """
    return uuid5(NAMESPACE_URL, f"groundwork/passage/{one.stored.id}/{epoch}")


def properties_of(one: IndexedPassage, epoch: int) -> dict[str, Any]:
    """The properties of a passage's object."""
    stored, passage = one.stored, one.stored.passage
    first = passage.parts[0] if passage.parts else None
    return {
        "content": clean(passage.text),
        "stems": clean(" ".join(passage_terms(stored))),
        "source": clean(stored.source),
        "domain": _domain(stored.source),
        "doc_type": clean(stored.doc_type),
        "chunk_id": str(stored.id),
        "passage": int(stored.id),
        "chunk_index": passage.ordinal,
        "document": clean(passage.document),
        "version": passage.version,
        "section_title": clean(" > ".join(passage.section)),
        "images": [clean(name) for name in passage.images],
        "pdfs": [clean(name) for name in passage.pdfs],
        "bucket": clean(stored.bucket),
        "acl": values(stored.acl),
        "open": not stored.acl,
        "page": first.page_no if first else 0,
        "start": first.start if first else 0,
        "end": first.end if first else 0,
        "since": epoch,
        **{name: _cleaned(value) for name, value in one.columns.items() if value is not None},
    }


def _cleaned(value: Any) -> Any:
    """A column's value as the server can take it."""
    if isinstance(value, str):
        return clean(value)
    return [clean(each) for each in value] if isinstance(value, list) else value


def _domain(source: str) -> str:
    """The host of a web address; "" for a file."""
    try:
        return clean(urlsplit(source).hostname or "") if "://" in source else ""
    except ValueError:
        return ""


def _replaced(state: IndexState, documents: Sequence[str]) -> Iterator[Condition]:
    """Conditions that together match the objects of some documents that the batch `epoch` replaced."""
    from weaviate.classes.query import Filter as By

    for start in range(0, len(documents), _NAMES_PER_DELETE):
        both = every(
            [
                By.by_property("document").contains_any(list(documents[start : start + _NAMES_PER_DELETE])),
                By.by_property("since").less_than(state.epoch),
            ]
        )
        if both is not None:
            yield both


def _several(groups: Iterable[list[IndexedPassage]], size: int) -> Iterator[list[list[IndexedPassage]]]:
    """Groups, a few at a time."""
    taken = iter(groups)
    while several := list(islice(taken, size)):
        yield several


def _groups(passages: Sequence[IndexedPassage]) -> Iterator[list[IndexedPassage]]:
    """Passages in requests of a size that the server takes well."""
    group: list[IndexedPassage] = []
    size = 0
    for one in passages:
        weight = 3 * len(one.stored.passage.text) + 8 * len(one.vector)
        if group and (len(group) == _OBJECTS_PER_REQUEST or size + weight > _BYTES_PER_REQUEST):
            yield group
            group, size = [], 0
        group.append(one)
        size += weight
    if group:
        yield group
