"""Past corrections, from the records to the planner."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping

from core.domain.passage import Matrix
from core.encode.base import Encoder
from core.errors import RecordsError
from core.plan.learned import Correction
from core.records.work.corrections import Corrected, Lessons


class PastCorrections:
    """The corrections of this home, as a planner reads them."""

    def __init__(self, lessons: Lessons, encoder: Callable[[], Encoder]) -> None:
        self._lessons = lessons
        self._encoder = encoder

    def exist(self) -> bool:
        """Whether there is any."""
        return self._lessons.corrections_exist()

    def of_shape(self, shape: str) -> list[Correction]:
        """The corrections of questions of one shape, the newest first."""
        found = self._lessons.corrections(shape)
        return [self._correction(each) for each in found]

    def keep(self, vectors: Mapping[str, Matrix]) -> None:
        """Keep the vectors of corrected questions; where nothing can be written they are made again."""
        with contextlib.suppress(RecordsError):
            self._lessons.keep_vectors(vectors, self._encoder().signature.sha256)

    def _correction(self, found: Corrected) -> Correction:
        signature = self._encoder().signature
        vectors = found.vectors if found.encoder == signature.sha256 else None
        if vectors is not None and vectors.shape[1] != signature.dimension:
            vectors = None
        return Correction(
            found.id, found.question, found.slots, found.plan, found.corrected, found.at, found.by, vectors
        )
