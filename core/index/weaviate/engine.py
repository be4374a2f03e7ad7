"""The Weaviate engine: a SearchEngine on a server that other processes and machines share."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from core.config.models import IndexSettings
from core.domain.upkeep import IndexFacts, RepairReport
from core.encode.base import EncoderSignature
from core.errors import IndexUnavailableError
from core.index.base import (
    EngineHit,
    EngineStatus,
    Filter,
    IndexBatch,
    SearchRequest,
    TermFrequencies,
    check_query,
)
from core.index.rebuildable import OnProgress, ServerStart
from core.index.sync import PassageFeed, replay
from core.index.weaviate.collection import (
    VECTOR,
    check_name,
    create_collection,
    drop_collection,
    open_collection,
    passages_of,
    switch,
    vectorizer_of,
)
from core.index.weaviate.connection import Connection, Deadline, load, together
from core.index.weaviate.filters import clean, condition, every, sent_part
from core.index.weaviate.repair import check_counts
from core.index.weaviate.repair import repair as repair_collection
from core.index.weaviate.search import search
from core.index.weaviate.state import IndexState, check_owner, read_state, visible
from core.index.weaviate.writing import Writer, queue_length

if TYPE_CHECKING:
    from weaviate import WeaviateClient
    from weaviate.collections.classes.filters import _Filters as Condition


_KINDS = {"_RQConfig": "rq", "_BQConfig": "bq", "_PQConfig": "pq", "_SQConfig": "sq"}


def read_facts(client: WeaviateClient, settings: IndexSettings, state: IndexState, name: str) -> IndexFacts:
    """Contents of the collection now; state: the one that serves, name: of the engine."""
    collection = client.collections.use(state.generation)
    vector = (collection.config.get().vector_config or {})[VECTOR]
    objects = collection.aggregate.over_all(total_count=True).total_count or 0
    return IndexFacts(
        engine=name,
        place=settings.url,
        collection=settings.collection,
        version=state.generation,
        passages=max(0, objects - 1),  # the state object is none
        sequence=state.sequence,
        waiting=queue_length(client, state.generation),
        quantiser=_quantiser(vector),
        unlike_settings=_vectorizer_difference(vectorizer_of(vector), settings.vectorizer),
    )


def read_start(client: WeaviateClient, settings: IndexSettings) -> ServerStart:
    """Start of the server that runs now, from the terms of its own consensus log.

    A term is kept on the disk and rises with every election, and a server that is alone holds one at every
    start: measured after `kill -9` and after SIGTERM. Of several, one may come back without an election.
    """
    from weaviate.exceptions import InsufficientPermissionsError, UnexpectedStatusCodeError

    try:
        nodes = client.cluster.statistics().statistics
    except (InsufficientPermissionsError, UnexpectedStatusCodeError):
        return ServerStart("", is_certain=False)  # the key may not read it, or the server is too old
    terms = sorted(f"{node.name}:{node.raft.term}" for node in nodes if node.raft is not None)
    if not terms:
        return ServerStart("", is_certain=False)
    return ServerStart(f"{settings.url} {settings.collection} {' '.join(terms)}", is_certain=len(terms) == 1)


def _quantiser(vector: Any) -> str:
    """As settings name it: rq8, rq1, bq; none where vectors are kept whole."""
    found = getattr(vector.vector_index_config, "quantizer", None)
    if found is None:
        return "none"
    kind = _KINDS.get(type(found).__name__, type(found).__name__)
    return f"{kind}{getattr(found, 'bits', None) or ''}"


def _vectorizer_difference(found: str, wanted: str) -> str:
    if found == wanted:
        return ""
    return f"The collection was made with vectorizer {found!r}, index.vectorizer is {wanted!r}."


_T = TypeVar("_T")


NAME = "weaviate"


_COUNTS_AT_ONCE = 8


_COUNTS_KEPT = 50_000  # of each sight


_SIGHTS_KEPT = 32  # of the readers that may see the same


_ALL = ""  # no term: counts every passage


class WeaviateEngine:
    """A SearchEngine on a Weaviate server. Thread-safe; any number of processes search, one writes.

    Every call ends within its deadline. Searches go on while a batch is written, and see whole batches.
    """

    def __init__(
        self,
        connection: Connection,
        settings: IndexSettings,
        state: IndexState,
        owner: str | None = None,
    ) -> None:
        self._connection = connection
        self._settings = settings
        self._owner = owner
        self._signature = state.encoder
        self._state = state  # as last read; a search checks whether it still holds
        self._writing = threading.Lock()  # one batch at a time
        self._counts: tuple[tuple[str, int], dict[Filter | None, dict[str, int]]] = (("", -1), {})

    @classmethod
    def open(
        cls, settings: IndexSettings, signature: EncoderSignature, owner: str | None = None
    ) -> WeaviateEngine:
        """Open the collection that the settings name, or make an empty one.

        owner: whose it must be; None for tools that take whatever is there.
        Raises EncoderError where it holds vectors of another encoder; IndexUnavailableError where the
        server does not answer, refuses the key or is of another version, and where the collection is
        another's or was built by another version. All say what to do.
        """
        connection = Connection(settings)
        try:
            connection.probe()
            load()  # takes seconds the first time, which are not the server's
            state = connection.write(
                lambda client, _deadline: open_collection(client, settings, signature, owner)
            )
        except BaseException:
            connection.close()
            raise
        return cls(connection, settings, state, owner)

    @property
    def name(self) -> str:
        """Name of the engine in settings."""
        return NAME

    def search(self, request: SearchRequest) -> list[EngineHit]:
        """At most top_k hits, best first; ties by passage id. See SearchEngine.

        Raises IndexUnavailableError after `deadline_s`, EncoderError where the query vector does not fit.
        """
        check_query(request, self._signature.dimension)
        return self._consistently(partial(_search, settings=self._settings, request=request))

    def apply(self, batch: IndexBatch) -> None:
        """Make the batch visible and durable, or leave what searches see as it was.

        Blocks until the server has put its vectors into the vector index. Raises EncoderError where a
        vector does not fit, IndexUnavailableError where the server fails.
        """
        with self._writing:
            self._state = self._writer().apply(batch, self._signature)

    def document_frequencies(self, terms: Sequence[str], within: Filter | None = None) -> TermFrequencies:
        """In how many passages each analysed term stands, of how many; see SearchEngine.

        The counts of one state are kept: a question asks for the same terms more than once.
        """
        wanted = tuple(dict.fromkeys(terms))
        return self._consistently(partial(self._count, wanted=wanted, within=within))

    def status(self) -> EngineStatus:
        """State of the engine now, also where the collection was put back to an older one."""
        self._state = state = self._connection.search(lambda client, _deadline: self._read(client))
        return EngineStatus(NAME, state.sequence, state.passages, state.encoder, state.generation)

    def start(self) -> ServerStart:
        """Start of the server that runs now; see `read_start`."""
        return self._connection.search(lambda client, _deadline: read_start(client, self._settings))

    def facts(self) -> IndexFacts:
        """Contents of the collection, and their form. Raises IndexUnavailableError."""

        def read(client: WeaviateClient, _deadline: Deadline) -> IndexFacts:
            return read_facts(client, self._settings, self._read(client), NAME)

        return self._connection.search(read)

    def is_mostly_dead(self) -> bool:
        """Never: the server cleans up by itself."""
        return False

    def rebuild(self, records: PassageFeed, on_progress: OnProgress | None = None) -> str:
        """Build a new collection from the records while this one serves, then switch; gives its name.

        Blocks until done; searches go on. The old collection is dropped.
        """
        with self._writing:
            name = self._build(records, on_progress)
            self._state = self._connection.write(lambda client, _deadline: self._read(client))
            return name

    def repair(self, records: PassageFeed, on_progress: OnProgress | None = None) -> RepairReport:
        """Find passages that are missing, too many or lost from the vector index, and write them again.

        For after an outage. Blocks; searches go on. on_progress: documents done, documents in all. Where that
        does not help, the collection is built anew: a vector index that a kill has damaged may not find even
        what is inserted into it later (seen with 413 of 1,800 vectors lost to three kills).
        """
        with self._writing:
            report = self._mend(records, on_progress)
            if report.unrepaired:
                self._build(records, on_progress)
                after = self._mend(records, on_progress)
                report = replace(
                    report,
                    repaired=report.found - len(after.unrepaired),
                    unrepaired=after.unrepaired,
                    is_rebuilt=True,
                )
            return report

    def _build(self, records: PassageFeed, on_progress: OnProgress | None) -> str:
        return _build(self._connection, self._settings, self._signature, records, on_progress, self._owner)

    def _writer(self) -> Writer:
        return Writer(self._connection, self._settings, self._settings.collection, self._owner)

    def _mend(self, records: PassageFeed, on_progress: OnProgress | None) -> RepairReport:
        writer = self._writer()
        self._state = state = writer.recover()
        return repair_collection(
            self._connection,
            self._settings,
            state,
            records,
            lambda batch: writer.apply(batch, self._signature),
            on_progress,
        )

    def close(self) -> None:
        """Let the connection go; safe to call twice."""
        self._connection.close()

    def _consistently(self, read: Callable[[WeaviateClient, IndexState, Deadline], _T]) -> _T:
        """Result of `read` on one state of the collection, which is the newest when it ends."""

        def work(client: WeaviateClient, deadline: Deadline) -> _T:
            state = self._state
            while True:
                failure: Exception | None = None
                try:
                    result = read(client, state, deadline)
                except Exception as error:  # its collection may just have been replaced
                    failure = error
                newest = self._read(client)
                if newest.sequence < state.sequence:
                    self._state = newest
                    raise IndexUnavailableError(
                        f"The collection {self._settings.collection!r} was replaced by an older one.",
                        next_step="Nothing: a worker brings it up to date, where one runs.",
                    )
                if (newest.generation, newest.revision) == (state.generation, state.revision):
                    if failure is not None:
                        raise failure
                    return result
                self._state = state = newest
                deadline.check()

        return self._connection.search(work)

    def _read(self, client: WeaviateClient) -> IndexState:
        collection = passages_of(client, self._settings.collection, self._settings)
        state = read_state(collection)
        if state is None:
            raise IndexUnavailableError(
                f"The collection {self._settings.collection!r} is gone, or is not ours any more.",
                next_step="Run `groundwork reindex` to build it from the records.",
            )
        check_owner(self._settings, state, self._owner)
        return state

    def _count(
        self,
        client: WeaviateClient,
        state: IndexState,
        deadline: Deadline,
        wanted: tuple[str, ...],
        within: Filter | None,
    ) -> TermFrequencies:
        from weaviate.classes.query import Filter as By

        settled = None if within is None else within.settled(state.sequence)
        stamp = (state.generation, state.revision)
        known = self._counts[1].get(settled, {}) if self._counts[0] == stamp else {}
        collection = passages_of(client, state.generation, self._settings)
        admitted: Condition | None = None if settled is None else condition(sent_part(settled)[0])

        def count(term: str) -> int:
            own = By.by_property("stems").equal(term) if term else By.by_property("passage").greater_than(-1)
            found = collection.aggregate.over_all(
                filters=every([own, admitted, visible(state)]), total_count=True
            )
            return found.total_count or 0

        unknown = [term for term in (*wanted, *([_ALL] if settled else [])) if term not in known]
        counted = dict.fromkeys(unknown, 0)
        # Others are in no passage.
        askable = [term for term in unknown if term == _ALL or clean(term).split() == [term]]
        for start in range(0, len(askable), _COUNTS_AT_ONCE):
            group = askable[start : start + _COUNTS_AT_ONCE]
            numbers = together([partial(count, term) for term in group], deadline)
            counted.update(zip(group, numbers, strict=True))
        merged = known | counted
        kept = {settled: merged if len(merged) < _COUNTS_KEPT else counted}
        others = self._counts[1] if self._counts[0] == stamp and len(self._counts[1]) < _SIGHTS_KEPT else {}
        self._counts = (stamp, others | kept)
        total = state.passages if settled is None else merged[_ALL]
        return TermFrequencies(total, {term: merged[term] for term in wanted})


def rebuild(
    settings: IndexSettings,
    signature: EncoderSignature,
    records: PassageFeed,
    on_progress: Callable[[int, int], None] | None = None,
    owner: str | None = None,
) -> str:
    """Build the collection from the records, whatever of ours is there now, and let it serve; gives its name.

    For a collection that cannot be opened: of another encoder (encode the records first), or of another
    version. Raises IndexUnavailableError where the name belongs to another's collection.
    """
    connection = Connection(settings)
    try:
        connection.probe()
        load()
        return _build(connection, settings, signature, records, on_progress, owner)
    finally:
        connection.close()


def _build(
    connection: Connection,
    settings: IndexSettings,
    signature: EncoderSignature,
    records: PassageFeed,
    on_progress: Callable[[int, int], None] | None,
    owner: str | None,
) -> str:
    """A collection that holds all of the records, serving; what it replaced is dropped.

    Raises IndexUnavailableError where the name belongs to another, before anything is made.
    """

    def create(client: WeaviateClient, _deadline: Deadline) -> IndexState:
        check_name(client, settings, owner)
        return create_collection(client, settings, signature, owner)

    name = connection.write(create).generation
    writer = Writer(connection, settings, name, owner)
    try:
        replay(lambda batch: writer.apply(batch, signature), 0, records, on_progress)
        state = writer.recover()

        def count(client: WeaviateClient, _deadline: Deadline) -> int:
            return passages_of(client, name, settings).aggregate.over_all(total_count=True).total_count or 0

        check_counts(state.passages, connection.write(count) - 1, name)  # one is the state object
        connection.write(lambda client, _deadline: switch(client, settings, name, owner))
    except BaseException:
        connection.write(lambda client, _deadline: drop_collection(client, name))
        raise
    return name


def _search(
    client: WeaviateClient,
    state: IndexState,
    deadline: Deadline,
    *,
    settings: IndexSettings,
    request: SearchRequest,
) -> list[EngineHit]:
    return search(passages_of(client, state.generation, settings), state, request, deadline)
