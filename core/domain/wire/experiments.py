"""Variants of a home as programs read them."""

from __future__ import annotations

from typing import Any

from core.domain.experiments.variant import VariantState
from core.domain.wire.records import JobRow
from core.domain.wire.shapes import Moment, Shape


class VariantRecord(Shape):
    """status: live | ready | behind | waiting | building | failed. missing: passages without its vectors.

    uncut: documents without passages of its chunk profile. is_before: a roll-back leads to it.
    settings: by dotted name. warnings: what lags behind with the next step, one each.
    """

    id: int
    name: str
    status: str
    is_before: bool
    settings: dict[str, str]
    encoder: str
    dimension: int
    passages: int
    missing: int
    uncut: int
    created_at: Moment | None
    user: str
    job: JobRow | None
    warnings: tuple[str, ...]


def variant_record(state: VariantState) -> VariantRecord:
    """The record of a variant with how far it is."""
    own: dict[str, Any] = {key: getattr(state.variant, key) for key in ("id", "name", "created_at", "user")}
    told = ("status", "is_before", "encoder", "dimension", "passages", "missing", "uncut")
    return VariantRecord(
        **own,
        **{key: getattr(state, key) for key in told},
        settings=dict(state.variant.settings),
        warnings=tuple(each.explanation for each in state.lags),
        job=None if state.job is None else JobRow.of(state.job),
    )
