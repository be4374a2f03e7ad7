"""Reading a question for a list of documents: what kind, of what, and under which condition."""

from __future__ import annotations

import re
from dataclasses import dataclass

from core.plan.text.classify import PAPERS
from core.text.nouns import plural

_KINDS = (
    *(*PAPERS, "document", "doc", "file", "e-?mail", "letter", "record", "licen[cs]e", "guide", "handbook"),
    *("quote", "statement", "memo", "data.sheet"),
)
_KIND = "|".join((*_KINDS, *map(plural, _KINDS), "minutes"))
_LIST = re.compile(
    r"^(?:(?:list|find|show(?: me)?|give me|enumerate|identify|get|name)(?:\s+me)?\s+"
    r"|(?:which|what)\s+(?:are\s+)?)"
    r"(?:a list of\s+)?(?:(?:all|every|each|any)\s+)?(?:of\s+)?(?:(?:the|our|my)\s+)?"
    rf"(?P<subject>(?:[\w'’$%&./-]+\s+){{0,6}}?)(?P<kind>{_KIND})\b(?P<condition>[^?]*)",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"^\s*(?:(?:that |which )?(?:do )?(?:we|you|i) (?:have|hold|got)|are there|there are|exist|available"
    r"|in (?:the|our|my) (?:collection|folder|bucket|files)|please|on file|of ours)?[\s.!,]*$",
    re.IGNORECASE,
)
# Words for one kind of document that titles use for one another.
_SAME = (frozenset({"agreement", "contract"}), frozenset({"manual", "guide", "handbook"}))


@dataclass(frozen=True, slots=True)
class Listing:
    """kinds: names of the kind of document asked for, in the singular; () for documents of any kind.

    subject: the words in front of it; condition: what is asked of each document, "" for nothing.
    """

    kinds: tuple[str, ...]
    subject: str
    condition: str


def read_listing(question: str) -> Listing | None:
    """Topic and scope of a list; None where the question asks for no list of documents."""
    match = _LIST.match(question)
    if match is None:
        return None
    kind = _singular(match["kind"].casefold())
    same = next((group for group in _SAME if kind in group), frozenset({kind}))
    kinds = () if kind in ("document", "doc", "file", "record") else (kind, *sorted(same - {kind}))
    condition = "" if _IDLE.match(match["condition"]) else match["condition"].strip(" .!,")
    return Listing(kinds, match["subject"].strip(), condition)


def _singular(noun: str) -> str:
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun if noun in ("minutes",) else noun.removesuffix("s")
