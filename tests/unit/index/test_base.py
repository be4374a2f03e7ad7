from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.domain.passage import Vector
from core.errors import EncoderError, IndexUnavailableError, UsageError
from core.index.base import Mode, check_index, check_query, check_vectors
from tests.support.indexed import DIMENSION, SIGNATURE, ask, indexed, toward

MISFITS = [np.ones(3, np.float32), np.full(DIMENSION, np.nan, np.float32)]


@pytest.mark.parametrize("change", [{"name": "other"}, {"dimension": DIMENSION + 1}, {"sha256": "1" * 64}])
def test_an_index_of_another_encoder_is_refused_with_both_names(change: dict[str, object]) -> None:
    other = replace(SIGNATURE, **change)  # type: ignore[arg-type]
    with pytest.raises(EncoderError, match="The shelf holds vectors of 'toy'") as refused:
        check_index("The shelf", SIGNATURE, other, is_of_this_version=True)
    assert repr(other.name) in refused.value.message
    assert "groundwork reindex" in refused.value.next_step


def test_an_index_of_another_version_is_refused_and_one_that_fits_is_not() -> None:
    with pytest.raises(IndexUnavailableError, match="The shelf was built by another version"):
        check_index("The shelf", SIGNATURE, SIGNATURE, is_of_this_version=False)
    check_index("The shelf", SIGNATURE, SIGNATURE, is_of_this_version=True)


@pytest.mark.parametrize("vector", MISFITS)
def test_a_passage_whose_vector_does_not_fit_is_named(vector: Vector) -> None:
    with pytest.raises(EncoderError, match="passage 7 "):
        check_vectors([indexed(1, "a", "alpha"), indexed(7, "a", "alpha", vector=vector)], SIGNATURE)


@pytest.mark.parametrize("vector", MISFITS)
def test_a_query_whose_vector_does_not_fit_is_refused(vector: Vector) -> None:
    for mode in (Mode.SEMANTIC, Mode.HYBRID):
        with pytest.raises(EncoderError):
            check_query(ask("alpha", vector=vector, mode=mode), DIMENSION)


def test_only_a_search_by_keyword_needs_no_vector() -> None:
    check_query(ask("alpha", mode=Mode.KEYWORD), DIMENSION)
    check_query(ask(vector=toward(1), mode=Mode.SEMANTIC), DIMENSION)
    for mode in (Mode.SEMANTIC, Mode.HYBRID):
        with pytest.raises(UsageError, match=mode.value):
            check_query(ask("alpha", mode=mode), DIMENSION)
