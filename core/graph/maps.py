"""Maps of what may be seen, each made once for a data version and a sight, in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.cache import Cache
from core.config.fields import Schema
from core.errors import DeadlineError
from core.graph.make import make_map
from core.graph.walk import MapWalks
from core.store.database.visibility import Sight, Visibility
from core.store.documents.mentions import MentionPage
from core.store.store import Records

_KEPT = 4  # sights: a map of 200,000 nodes has some hundred MB
_Key = tuple[int, Sight, int]
_Who = tuple[object, object]


@dataclass(frozen=True, slots=True)
class MadeMap:
    """A map and when it was made. key: the state of the collection and the sight that it is of."""

    walks: MapWalks
    at: datetime
    key: _Key


@dataclass(slots=True)
class MapWork:
    """A map in the making: documents whose pages are looked through, of all; total 0 before that is known."""

    made: Future[MadeMap]
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class MapState:
    """What can be shown at once. map: the last, None for none; work: that it is being renewed, or made."""

    map: MadeMap | None
    work: MapWork | None = None


@dataclass(slots=True)
class Maps:
    """Makes maps and keeps the last ones. Thread-safe. A document that may not be seen is on none of them."""

    records: Records
    schemas: Callable[[], Sequence[Schema]]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _last: Cache[_Who, MadeMap] = field(default_factory=lambda: Cache(_KEPT))
    _making: dict[_Key, MapWork] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)  # guards: _making
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(2, thread_name_prefix="map")  # each holds a map in memory
    )
    _is_closed: threading.Event = field(default_factory=threading.Event)

    def find(self, visible: Visibility, within_s: float | None = None) -> MapWalks:
        """The map of the documents that may be seen, as they are now; blocks until it is made.

        visible: without copies of others. Raises DeadlineError where it is not made within that time.
        """
        key, schemas = self._key(visible)
        last = self._last.get(_who(visible))
        if last is not None and last.key == key:
            return last.walks
        work = self._start(key, visible, schemas)
        try:
            return work.made.result(within_s).walks
        except TimeoutError:
            done = f"{work.done:,} of {work.total:,} documents are looked through"
            raise DeadlineError(
                f"The map of these documents is being made: {done}.", next_step="Ask again in a moment."
            ) from None

    def state(self, visible: Visibility) -> MapState:
        """What can be shown at once; a map that is not there, or not of now, is being made from here on.

        The last map is shown only while all of its documents may be seen: its names may be theirs alone.
        """
        key, schemas = self._key(visible)
        last = self._last.get(_who(visible))
        if last is not None and last.key == key:
            return MapState(last)
        every = replace(visible, without=frozenset())
        if last is not None and not last.walks.documents <= self.records.connections.documents(every):
            last = None
        return MapState(last, self._start(key, visible, schemas, alike=True))

    def close(self) -> None:
        """Stop what is being made, and wait for its end."""
        self._is_closed.set()
        self._pool.shutdown(cancel_futures=True)
        with self._lock:
            for work in self._making.values():  # those that the pool never began
                if not work.made.done():
                    work.made.set_exception(CancelledError())

    def _key(self, visible: Visibility) -> tuple[_Key, tuple[Schema, ...]]:
        schemas = tuple(self.schemas())
        digest = hash(tuple(each.model_dump_json() for each in schemas))
        return (self.records.connections.version(visible), visible.sight, digest), schemas

    def _start(
        self, key: _Key, visible: Visibility, schemas: Sequence[Schema], *, alike: bool = False
    ) -> MapWork:
        """alike: where an earlier map for the same sight is being made, that one: the next would end later.

        Raises what has failed before, once.
        """
        with self._lock:
            others = (other for other in self._making if alike and other[1] == key[1])
            known = key if key in self._making else next(others, key)
            work = self._making.get(known)
            if work is not None and work.made.done():
                del self._making[known]
                work.made.result()
            if work is None:
                work = self._making[key] = MapWork(Future())
                self._pool.submit(self._make, key, work, visible, schemas)
            return work

    def _make(self, key: _Key, work: MapWork, visible: Visibility, schemas: Sequence[Schema]) -> None:
        try:
            records = self.records
            stated = records.connections.read(visible, schemas)
            contradictions = records.contradictions.find(visible, schemas)
            work.total = len(stated.documents)
            walks = MapWalks(make_map(stated, lambda: self._pages(visible, work), contradictions))
            walks.warm()
            made = self._last.put(_who(visible), MadeMap(walks, self.now(), key))
        except BaseException as error:  # whoever waits is told; it stays until somebody asks again
            work.made.set_exception(error)
            return
        with self._lock:
            del self._making[key]
        work.made.set_result(made)

    def _pages(self, visible: Visibility, work: MapWork) -> Iterator[MentionPage]:
        before = None
        for page in self.records.mentions.pages(visible):
            if self._is_closed.is_set():
                raise CancelledError
            work.done += page.document != before
            before = page.document
            yield page


def _who(visible: Visibility) -> _Who:
    """For whom a map is, and of which buckets; of which copies it is without changes with the collection."""
    return visible.groups, visible.buckets
