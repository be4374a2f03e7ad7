"""Evidence that a model asks for while it writes: what is looked for, and what that changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from core.answer.prose.claim_lines import WrittenSearch
from core.domain.event import ToolUsed
from core.llm.prompts import fence


class EvidenceSearch(Protocol):
    """Searches in the scope of the question; `core.agent.model` has the real one."""

    def search(self, words: str, document: str, at_ms: float) -> Iterator[ToolUsed]:
        """Put what is found into the evidence. document: an id, "" for all that the question may see."""
        ...


def told_of_search(wanted: Sequence[WrittenSearch], before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """What a search changed, for the model that asked for it. before, now: quotes by the ids of evidence."""
    looked = fence("searches", "\n".join(" ".join(each.words.split()) for each in wanted))
    added = [id for id, quote in now.items() if before.get(id) != quote]
    gone = [id for id in before if id not in now]
    said = f"It added {', '.join(added)}." if added else "It found nothing that is not in the evidence above."
    return f"You searched for:\n{looked}\n{said}" + (f" {', '.join(gone)} went for it." if gone else "")
