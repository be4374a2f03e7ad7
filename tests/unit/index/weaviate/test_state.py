"""The state object is looked for again before it counts as gone."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from core.encode.base import EncoderSignature
from core.index.weaviate.state import IndexState, read_state

STATE = IndexState(generation="Passages_v000001", encoder=EncoderSignature("toy", 8, "0" * 64), sequence=7)


@dataclass
class Found:
    properties: dict[str, Any]


@dataclass
class Collection:
    """What `read_state` asks of a collection: gives what it holds, after some looks that find nothing."""

    blind_looks: int
    looks: int = 0
    query: Collection = field(init=False)

    def __post_init__(self) -> None:
        self.query = self

    def fetch_object_by_id(self, _id: object, *, return_properties: list[str]) -> Found | None:
        self.looks += 1
        if self.looks <= self.blind_looks:
            return None
        return Found({name: json.dumps(asdict(STATE)) for name in return_properties})


def test_a_state_that_one_look_misses_is_found_by_the_next() -> None:
    assert read_state(Collection(blind_looks=1)) == STATE  # type: ignore[arg-type]


def test_a_collection_without_a_state_is_not_ours() -> None:
    collection = Collection(blind_looks=99)

    assert read_state(collection) is None  # type: ignore[arg-type]
    assert collection.looks < 10
