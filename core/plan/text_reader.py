"""A reader that takes every question for one about the text, where the trained one cannot be used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.domain.passage import Matrix
from core.plan.catalogue import Catalogue
from core.plan.reader.reading import Operation, QuestionReading


class TextReader:
    """A QuestionReader that knows no field and no likeness."""

    def read(self, question: str, catalogue: Catalogue) -> QuestionReading:
        """The question, to be looked for in the text as it is."""
        return QuestionReading(question, ((Operation.TEXT, 1.0),), (), 1.0)

    def likeness(self, phrases: Sequence[str], texts: Sequence[str]) -> Matrix:
        """(len(phrases), len(texts)) of zeros: nothing is like another."""
        return np.zeros((len(phrases), len(texts)), dtype=np.float32)
