"""Three questions to ask next, each about something that was found and can be answered from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from core.domain.answer import Claim
from core.retrieval.rank import RankedPassage
from core.text.analyse import analyse

COUNT = 3
NEAR = 8  # passages: further down little is related
CLOSE = 0.8  # of the best passage's score: what is further off than that is about something else
MAX_CHARS = 70
_NUMBERING = re.compile(
    r"^\s*(?:(?:section|article|clause|chapter|part|§)\s*)?(?:\d+(?:\.\d+)*|[ivxlc]+|[a-z])?[.):\s-]+(?=\w)",
    re.IGNORECASE,
)
_SUMMARY = frozenset(analyse("summarise summarize summary overview"))
OF_PROGRAM = ("What can you do?", "How do I get started?", "How does Groundwork work?")
"""Questions about the program, which it answers by itself."""


def suggest(
    question: str, claims: Sequence[Claim], candidates: Sequence[RankedPassage], titles: Iterable[str] = ()
) -> tuple[str, ...]:
    """Exactly three different questions, none of them the one just asked.

    First about the cited documents: other sections, summaries; then the same of what else was found about as
    near, then of `titles`; where that is too little, questions about the program, which it answers by itself.
    """
    asked = frozenset(analyse(question))
    cited = {citation.document for claim in claims for citation in claim.citations}
    floor = CLOSE * max((c.score for c in candidates), default=0.0)
    near = [c for c in candidates[:NEAR] if c.stored.passage.document in cited]
    others = [c for c in candidates[:NEAR] if c.stored.passage.document not in cited and c.score >= floor]
    of_cited = (*_sections(near, asked), *_summaries(near, (), asked))
    of_others = (*_sections(others, asked), *_summaries(others, titles, asked))
    kept = {question.casefold(): question}
    for suggestion in (*of_cited, *of_others, *OF_PROGRAM):
        kept.setdefault(suggestion.casefold(), suggestion)
    return tuple(kept.values())[1 : COUNT + 1] if len(kept) > COUNT else OF_PROGRAM


def summaries_of(titles: Iterable[str]) -> tuple[str, ...]:
    """At most COUNT questions for summaries of documents by these titles."""
    return tuple(_summaries((), titles, frozenset()))[:COUNT]


def _sections(candidates: Sequence[RankedPassage], asked: frozenset[str]) -> list[str]:
    """Questions about sections found whose heading was not asked about; at most two, of different names."""
    found: dict[str, str] = {}
    for stored in (candidate.stored for candidate in candidates):
        title = _readable(stored.name)
        name = _readable(_NUMBERING.sub("", "".join(stored.passage.section[-1:])).lstrip("# "))
        terms = frozenset(analyse(name))
        if terms and title and name.casefold() not in title.casefold() and not terms <= asked:
            found.setdefault(name.casefold(), f"What does “{title}” say about {name}?")
    return list(found.values())[:2]


def _summaries(
    candidates: Sequence[RankedPassage], titles: Iterable[str], asked: frozenset[str]
) -> Iterator[str]:
    is_summary = not asked.isdisjoint(_SUMMARY)
    for title in dict.fromkeys([*(c.stored.name for c in candidates), *titles]):
        if _readable(title) and not (is_summary and set(analyse(title)) <= asked):
            yield f"Summarise “{_readable(title)}”"


def _readable(text: str) -> str:
    """The text in one line where it is short and has letters; "" otherwise."""
    flat = " ".join(text.split()).strip(" .:;,-")
    return flat if len(flat) <= MAX_CHARS and sum(char.isalpha() for char in flat) > 2 else ""
