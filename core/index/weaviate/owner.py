"""Owner of a collection: an installation writes into none but its own, whatever name the settings give."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from core.config.models import IndexSettings
from core.domain.ids import DocumentId, PassageId
from core.errors import IndexUnavailableError
from core.index.sync import PassageFeed
from core.index.weaviate.filters import clean
from core.index.weaviate.state import IndexState

if TYPE_CHECKING:
    from weaviate.collections import Collection

_COMPARED = 1_000
_AGREEING_01 = 0.9  # a killed server may have lost some, and kept some that were replaced


@dataclass(frozen=True, slots=True)
class Owner:
    """Owner that opens a collection. installation: the id of the records.

    records: what a collection is compared with that was made before collections named their installation.
    """

    installation: str
    records: PassageFeed


def check_owner(settings: IndexSettings, state: IndexState, owner: Owner | None) -> None:
    """Raises IndexUnavailableError where the collection names another installation.

    owner: None for tools that take whatever is there.
    """
    if owner is not None and state.installation not in ("", owner.installation):
        raise _of_another(settings, "")


def check_unnamed(
    settings: IndexSettings, collection: Collection[Any, Any], state: IndexState, owner: Owner | None
) -> None:
    """Raises IndexUnavailableError where a collection that names nobody holds what these records do not.

    It is theirs where it is no newer than they are and most of its passages stand in them; an empty one is
    anybody's. Reads the first thousand.
    """
    if owner is None or state.installation:
        return
    if state.sequence > owner.records.changes.data_version():
        raise _of_another(settings, " It is newer than these records.")
    found: defaultdict[DocumentId, list[PassageId]] = defaultdict(list)
    rows = collection.iterator(return_properties=["passage", "document"], cache_size=_COMPARED)
    for row in islice(rows, _COMPARED):
        if (passage := row.properties.get("passage")) is not None:
            found[DocumentId(str(row.properties.get("document")))].append(PassageId(int(str(passage))))
    changes = owner.records.changes
    changed = {clean(name) for name in changes.since(state.sequence).documents} | set(state.documents)
    for name in changed:
        found.pop(DocumentId(name), None)  # what it holds of these may well be old
    known = {
        (DocumentId(clean(row.stored.passage.document)), row.stored.id)
        for row in owner.records.passages.of_documents(found)
    }
    held = [(document, passage) for document, passages in found.items() for passage in passages]
    if sum(one in known for one in held) < _AGREEING_01 * len(held):
        raise _of_another(settings, " It holds passages that are not in these records.")


def _of_another(settings: IndexSettings, why: str) -> IndexUnavailableError:
    return IndexUnavailableError(
        f"The collection {settings.collection!r} on {settings.url!r} belongs to another installation.{why}",
        next_step="Give this one a name of its own in index.collection.",
    )
