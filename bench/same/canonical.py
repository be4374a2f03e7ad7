"""Values as they are compared: plain JSON without what is random, measured or dated, floats to 4 decimals."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

DECIMALS = 4
DROPPED = {
    "timings_ms": "measured",
    "ran.latency_ms": "measured; that of an estimate stays: where nothing ran yet it is a constant",
    "trace_id": "random for every question; where it stands in another text, TRACE takes its place",
    "created_at": "the moment of writing",
    "updated_at": "the moment of writing",
    "reviewed_at": "the moment of writing",
}
"""Keys that are left out of every record, with the reason: a name, or the end of a dotted path."""


def canonical(value: Any, trace: str = "") -> Any:
    """The value as plain JSON without DROPPED. trace: the id of the answer that it is of, "" for none."""
    text = json.dumps(value, ensure_ascii=False)
    return _rounded(without(json.loads(text.replace(trace, "TRACE") if trace else text), DROPPED))


def without(value: Any, names: Collection[str]) -> Any:
    """Plain JSON without the keys that `names` names, each by its name or by the end of its dotted path.

    Lists add nothing to a path: the `rows` of `plan.nodes[0].estimate` is `plan.nodes.estimate.rows`.
    """
    return _without(value, [tuple(name.split(".")) for name in names], ())


def _without(value: Any, names: list[tuple[str, ...]], path: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {
            key: _without(each, names, (*path, key))
            for key, each in value.items()
            if not any((*path, key)[-len(name) :] == name for name in names)
        }
    if isinstance(value, list):
        return [_without(each, names, path) for each in value]
    return value


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0  # without a sign where it is nought
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    return [_rounded(each) for each in value] if isinstance(value, list) else value
