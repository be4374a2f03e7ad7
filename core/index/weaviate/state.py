"""The state of a collection, in one object inside it: what readers may see, and what a writer is doing.

A batch is many requests and there are no transactions. The object says in which phase the writer is, and
each phase has a condition that shows a reader exactly the whole batches:

phase     the passages that count
READY     all
ADDING    those of batches up to `epoch`; newer ones are being inserted
REMOVING  those of batch `epoch`, and older ones of documents that are not in `documents`

A batch that failed is deleted, and its number stays in `aborted` until the next batch: a request that was
given up may still arrive.

Every write of the object raises `revision`. A reader that finds the same revision after its search as it
assumed before has seen one state.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

from core.config.models import IndexSettings
from core.encode.base import EncoderSignature
from core.errors import IndexUnavailableError
from core.text.analyse import ANALYSER_VERSION

if TYPE_CHECKING:
    from weaviate.collections import Collection
    from weaviate.collections.classes.filters import _Filters as Condition


FORMAT = 1


_LOOKS = 3  # an overloaded server once did not find the object in the midst of its being replaced


STATE_ID = uuid5(NAMESPACE_URL, "groundwork/state")


class Phase(StrEnum):
    """Phase of the writer."""

    READY = "ready"
    ADDING = "adding"
    REMOVING = "removing"


@dataclass(frozen=True, slots=True)
class IndexState:
    """Content of the state object. generation: name of the collection; epoch: number of the last batch.

    installation: whose it is; "" where a tool made it.
    """

    generation: str
    encoder: EncoderSignature
    revision: int = 0
    sequence: int = 0
    epoch: int = 0
    passages: int = 0
    phase: Phase = Phase.READY
    documents: tuple[str, ...] = ()
    aborted: tuple[int, ...] = ()
    format: int = FORMAT
    analyser: int = ANALYSER_VERSION
    installation: str = ""

    def write(self, collection: Collection[Any, Any], *, first: bool = False) -> IndexState:
        """Store the state under the next revision; gives it as stored."""
        state = replace(self, revision=self.revision + 1)
        properties = {"state": json.dumps(asdict(state))}
        if first:
            collection.data.insert(properties, uuid=STATE_ID)
        else:
            collection.data.replace(uuid=STATE_ID, properties=properties)
        return state


def read_state(collection: Collection[Any, Any]) -> IndexState | None:
    """The state of a collection or of the one behind an alias; None where it is not ours."""
    for _ in range(_LOOKS):
        found = collection.query.fetch_object_by_id(STATE_ID, return_properties=["state"])
        if found is not None:
            break
    else:
        return None
    try:
        facts = json.loads(str(found.properties["state"]))
        facts["encoder"] = EncoderSignature(**facts["encoder"])
        facts["phase"] = Phase(facts["phase"])
        facts["documents"] = tuple(facts["documents"])
        facts["aborted"] = tuple(facts["aborted"])
        return IndexState(**facts)
    except (ValueError, KeyError, TypeError):
        return None


def visible(state: IndexState) -> Condition | None:
    """The condition on passages that a reader of this state must add; None where there is none."""
    from weaviate.classes.query import Filter

    if state.phase is Phase.ADDING:
        return Filter.by_property("since").less_or_equal(state.epoch)
    if state.phase is Phase.REMOVING:
        return Filter.by_property("since").greater_or_equal(state.epoch) | Filter.by_property(
            "document"
        ).contains_none(list(state.documents))
    if state.aborted:
        return Filter.by_property("since").contains_none(list(state.aborted))
    return None


def check_owner(settings: IndexSettings, state: IndexState, owner: str | None) -> None:
    """Raises IndexUnavailableError where the collection names another installation.

    owner: id of the installation that opens it; None for tools that take whatever is there.
    """
    if owner is not None and state.installation != owner:
        raise IndexUnavailableError(
            f"The collection {settings.collection!r} on {settings.url!r} belongs to another installation.",
            next_step="Give this one a name of its own in index.collection.",
        )
