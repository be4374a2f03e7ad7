"""Written summaries kept for what they were written of: the documents' versions, their values, the model."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from core.domain.answer import Answer
from core.errors import RecordsError
from core.llm.prompts import read_prompt
from core.store.store import Records

_WRITTEN = (
    *("status", "text", "claims", "calculations", "struck", "sources", "value", "confidence"),
    *("confidence_label", "flags", "gaps", "written_by", "quoted"),
)
STALE = "A summary that a model wrote earlier is not shown: what it was written of has changed since."


@dataclass(frozen=True, slots=True)
class KeptSummaries:
    """Finds and keeps what a model wrote of summaries. Thread-safe."""

    records: Records

    def fresh(self, answer: Answer, model: str) -> Answer | None:
        """The summary as the model wrote it of the same values and quotes; None where it has to write it."""
        kept = self.records.written_summaries.get(self._scope(answer, model))
        if kept is None or kept.basis != _basis(answer):
            return None
        return answer.model_copy(update={name: getattr(kept.answer, name) for name in _WRITTEN})

    def shown(self, answer: Answer, model: str) -> Answer:
        """The summary, as the model wrote it where it did; one that is out of date is named as a gap."""
        found = self.fresh(answer, model)
        if found is not None or self.records.written_summaries.get(self._scope(answer, model)) is None:
            return found or answer
        return answer.model_copy(update={"gaps": (*answer.gaps, STALE)})

    def keep(self, answer: Answer, written: Answer, model: str) -> None:
        """Keep what was written of an answer, if anything was; one that cannot be kept is written again."""
        if written.written_by:
            with suppress(RecordsError):
                self.records.written_summaries.put(self._scope(answer, model), _basis(answer), written)

    def _scope(self, answer: Answer, model: str) -> str:
        """Key of all summaries of the same documents for the same reader by the same model and prompt."""
        plan, ledger = answer.plan or {}, answer.ledger
        documents = sorted(ledger.documents.present) if ledger is not None else []
        own = [text] if (text := self.records.variant.settings.get("prompt.write")) else []
        return _hash([*own, model, plan.get("summary"), answer.question, documents])


def is_summary(answer: Answer) -> bool:
    """True of the summary of documents that a plan chose."""
    return bool(answer.plan and answer.plan.get("summary"))


def _basis(answer: Answer) -> str:
    """Key of what a model is given: sentences, quotes with their versions, values, and its instructions."""
    claims = [
        [claim.text, [[c.document, c.version, c.page, c.start, c.end] for c in claim.citations]]
        for claim in answer.claims
    ]
    rows = answer.table.rows if answer.table is not None else ()
    return _hash([read_prompt("write").version, claims, rows])


def _hash(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()
