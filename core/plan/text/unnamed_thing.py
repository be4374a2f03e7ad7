"""Things that a question speaks of as known and that nothing said before tells: "this card", "the park".

A question is read alone with what was said in its conversation; whether the collection knows several of such
a thing is for those who hold its passages (`core.evidence.instances`). Of 32 underspecified turns of mtrag_un
it gives 23, of 202 others 12.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.plan.text.classify import PAPERS
from core.text.analyse import analyse, content_terms
from core.text.nouns import is_plural, plural
from core.text.words import word_list

MOST_WORDS = 4  # of what a thing is called
_WORD = re.compile(r"[^\W_]+(?:[-.&/][^\W_]+)*")
_POINTER = re.compile(
    r"(?<![\w'’-])(?:(?P<placed>of|in|for|at|by|with|from|to|on|about) )?"
    r"(?:(?P<points>this|that)|(?P<defined>the)|an?) (?:(?P<stressed>particular|specific|certain) )?",
    re.IGNORECASE,
)
# Behind a definite noun they tell which one is meant: "the process for applying", "the fee of the court".
_TELLS_WHICH = frozenset(
    ("of", "for", "to", "that", "which", "who", "whom", "whose", "where", "when", "with", "from")
)
_NOT_THINGS = word_list("asking", "not_things")
# Which document is meant is asked where documents are looked up, and a party is told by its document.
_TOLD_BY_DOCUMENTS = frozenset((*PAPERS, *map(plural, PAPERS))) | word_list("naming", "roles")


@dataclass(frozen=True, slots=True)
class UnnamedThing:
    """A thing that a question means and does not name.

    words: what it may be called, longest first, as far as it can be told from the words behind it.
    start: where its pointer ("this", "the") stands in the question; first: where its words begin.
    is_certain: it needs a name even where the collection tells none apart, as "this X" does.
    """

    words: tuple[str, ...]
    start: int
    first: int
    is_certain: bool


def unnamed_things(question: str, said: Sequence[str]) -> tuple[UnnamedThing, ...]:
    """The things of a question that it points at without a name, in order; () for most questions.

    said: what was said before in the conversation, questions and answers.
    """
    words = frozenset(word.casefold() for text in said for word in _WORD.findall(text))
    read = (_thing(question, match, words) for match in _POINTER.finditer(question))
    return tuple(each for each in read if each is not None and not _is_named(each.words, said))


def _is_named(words: Sequence[str], said: Sequence[str]) -> bool:
    """True where one such thing was called by its name: "Finger Lake"; "While lakes freeze" names none."""
    behind = rf"\b([A-Z][\w'’]*) (?i:{'|'.join(map(re.escape, words))})\b"
    return any(content_terms(name) for text in said for name in re.findall(behind, text))


def _thing(question: str, match: re.Match[str], known: frozenset[str]) -> UnnamedThing | None:
    """The thing that a pointer points at. known: the words of the conversation."""
    run = _run(question, match.end())
    words = [word.group() for word in run]
    folded = {word.casefold() for word in words}
    is_stressed, placed = match["stressed"] is not None, (match["placed"] or "").casefold()
    if not run or words[0].casefold() in _NOT_THINGS or (not is_stressed and folded & _TOLD_BY_DOCUMENTS):
        return None
    if match["defined"] is not None:
        return _defined(question, match, run, known)
    ends = range(len(run))
    if match["points"] is None:
        is_one_in_mind = is_stressed and placed == "about"
        return _made(question, match, run, ends, is_certain=True) if is_one_in_mind else None
    if (match["points"].casefold() == "that" and not placed) or folded & _NOT_THINGS:
        return None  # a clause begins: "that businesses pay"; "on this huge amount of data"
    # One such thing was spoken of, and not their kind: "index funds".
    is_one = bool(folded & known) and not known & set(map(plural, folded))
    if is_one and not placed and not is_stressed:
        return None
    is_certain = (bool(placed) or is_stressed) and not is_one
    return _made(question, match, run, ends, is_certain=is_certain)


def _defined(
    question: str, match: re.Match[str], run: Sequence[re.Match[str]], known: frozenset[str]
) -> UnnamedThing | None:
    """What stands behind "the": all of it, or the part with capitals where it is followed by none."""
    capitals = next((at for at, word in enumerate(run) if not word.group()[0].isupper()), len(run))
    last = (capitals or len(run)) - 1
    words = [word.group() for word in run[: last + 1]]
    head = words[-1].casefold()
    behind = _WORD.match(question, run[last].end() + 1)
    after = behind.group().casefold() if behind is not None else ""
    is_numbered = bool(capitals) and after[:1].isdigit()  # "the Fluke 115"
    stems = {term for word in known for term in analyse(word)}
    is_told = all(stems.intersection(analyse(word)) for word in words)
    if after in _TELLS_WHICH or is_numbered or is_plural(head) or head in _NOT_THINGS or is_told:
        return None
    return _made(question, match, run, (last,), is_certain=False)


def _made(
    question: str, at: re.Match[str], run: Sequence[re.Match[str]], ends: Sequence[int], *, is_certain: bool
) -> UnnamedThing | None:
    """The thing by its words up to each of the ends; None where the question has told of it already."""
    before = {term for word in _WORD.findall(question[: at.start()]) for term in analyse(word)}
    if any(before.issuperset(analyse(run[end].group())) for end in ends):
        return None
    words = tuple(question[run[0].start() : run[end].end()] for end in reversed(ends))
    start = at.start() if at["placed"] is None else at.end("placed") + 1
    return UnnamedThing(words, start, run[0].start(), is_certain)


def _run(question: str, start: int) -> list[re.Match[str]]:
    """The content words that stand side by side from there on, at most MOST_WORDS."""
    found: list[re.Match[str]] = []
    for word in _WORD.finditer(question, start):
        gap = question[found[-1].end() if found else start : word.start()]
        if gap.strip() or not content_terms(word.group()):
            break
        found.append(word)
    return found[:MOST_WORDS]
