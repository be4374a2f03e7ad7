"""Maps of what may be seen, each made once for a data version and a sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.cache import Cache
from core.config.fields import Schema
from core.graph.make import make_map
from core.graph.walk import MapWalks
from core.store.database.visibility import Sight, Visibility
from core.store.store import Records

_KEPT = 4  # sights: a map of 200,000 nodes has some hundred MB


class Maps:
    """Makes maps and keeps the last ones. Thread-safe. A document that may not be seen is on none of them."""

    def __init__(self, records: Records, schemas: Callable[[], Sequence[Schema]]) -> None:
        self._records, self._schemas = records, schemas
        self._kept: Cache[tuple[int, Sight, int], MapWalks] = Cache(_KEPT)

    def find(self, visible: Visibility) -> MapWalks:
        """The map of the documents that may be seen. Blocks for seconds where a large collection changed.

        visible: without copies of others.
        """
        schemas = tuple(self._schemas())
        digest = hash(tuple(each.model_dump_json() for each in schemas))
        key = (self._records.connections.version(visible), visible.sight, digest)
        return self._kept.get_or_make(key, lambda: self._make(visible, schemas))

    def _make(self, visible: Visibility, schemas: Sequence[Schema]) -> MapWalks:
        records = self._records
        stated = records.connections.read(visible, schemas)
        contradictions = records.contradictions.find(visible, schemas)
        return MapWalks(make_map(stated, lambda: records.mentions.pages(visible), contradictions))
