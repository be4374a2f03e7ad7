"""Names of a reading that nothing is called by, though words of them are those of other names."""

from __future__ import annotations

from core.encode.base import TokenCounter
from core.plan.catalogue import Catalogue
from core.plan.names.index import names_of
from core.plan.names.resolve import NameDecision, resolve
from core.plan.reading import Reading


def uncalled(reading: Reading, catalogue: Catalogue, counter: TokenCounter | None = None) -> tuple[str, str]:
    """A name with the words of it that no document has which it may mean; two empty texts where all are held.

    Codes and words in capitals tell documents apart ("the AS-700", "the Contoso lease"); others may describe.
    """
    index = names_of(catalogue)
    for step in reading.all_steps:
        for name in step.of_role("document"):
            if name.documents or name.described or name.negated:
                continue
            found = resolve(name.words, index, schemas=(step.kind,) if step.kind else (), counter=counter)
            if found.decision is NameDecision.NONE:
                found = resolve(name.words, index, counter=counter)
            if found.decision is NameDecision.NONE:
                continue
            lost = [_whole(name.words, start, end) for start, end in found.unheld]
            telling = [
                word for word in dict.fromkeys(lost) if word[:1].isupper() or any(map(str.isdigit, word))
            ]
            if telling:
                return name.words, " ".join(telling)
    return "", ""


def _whole(text: str, start: int, end: int) -> str:
    """The word, between blanks, in which a place is."""
    first = text.rfind(" ", 0, start) + 1
    last = text.find(" ", end)
    return text[first : last if last >= 0 else len(text)].removesuffix("'s").removesuffix("’s")
