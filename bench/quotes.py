"""Citation accuracy: whether every quote is the stored text at its offsets."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.answer import Answer
from core.domain.ids import DocumentId
from core.store.database.visibility import Visibility
from core.store.store import Records


@dataclass(slots=True)
class QuoteCount:
    """Citations seen so far, and how many of them quote something else than the stored text."""

    citations: int = 0
    wrong: int = 0

    def add(self, answer: Answer, records: Records) -> None:
        """Compare every citation of an answer with its page."""
        for citation in answer.citations:
            page = records.documents.page(
                DocumentId(citation.document), citation.version, citation.page, Visibility.everything()
            )
            self.citations += 1
            self.wrong += page.text[citation.start : citation.end] != citation.quote
