"""Things that a question speaks of as known and that nothing said before tells: "this card", "the park".

A question is read alone with what was said in its conversation; whether the collection knows several of such
a thing is for those who hold its passages (`core.evidence.instances`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.plan.text.classify import PAPERS
from core.text.analyse import analyse, content_terms
from core.text.nouns import plural
from core.text.words import word_list

MOST_WORDS = 4  # of what a thing is called
_WORD = re.compile(r"[^\W_]+(?:[-.&/][^\W_]+)*")
_PLACED = r"(?:of|in|for|at|by|with|from|to|on|about)"
_POINTER = re.compile(
    rf"(?<![\w'’-])(?:(?P<placed>{_PLACED}) )?(?:(?P<points>this|that)|(?P<defined>the)|(?P<one>an?)) "
    r"(?:(?P<stressed>particular|specific|certain) )?",
    re.IGNORECASE,
)
# "in this case" says nothing of a case that was spoken of.
_SET_PHRASE = re.compile(
    r"\b(?:in|for) (?:this|that|any|each|either|every|some|such|your|which|a)(?: \w+)? (?:case|cases)\b"
    r"|\bin case\b|\bthe case\b",
    re.IGNORECASE,
)
# Behind a definite noun they tell which one is meant: "the process for applying", "the fee of the court".
_TELLS_WHICH = frozenset(
    ("of", "for", "to", "that", "which", "who", "whom", "whose", "where", "when", "with", "from")
)
_SUPPOSING = re.compile(r"\b(?:if|when|suppose|assuming|unless)\b", re.IGNORECASE)
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
    known = _Said(said)
    read = (_thing(question, match, known) for match in _POINTER.finditer(question))
    return tuple(each for each in read if each is not None)


class _Said:
    """Words of a conversation: in which form, in which number, behind a name."""

    def __init__(self, said: Sequence[str]) -> None:
        self._text = _SET_PHRASE.sub(" ", "\n".join(said))
        self._words = {word.casefold() for word in _WORD.findall(self._text)}
        self._stems = {term for word in self._words for term in analyse(word)}

    def knows(self, word: str) -> bool:
        """True where the word was said in any form."""
        return bool(set(analyse(word)) & self._stems)

    def tells_one(self, words: Sequence[str]) -> bool:
        """True where one such thing was spoken of, and not their kind: "index funds"."""
        folded = {word.casefold() for word in words}
        return bool(folded & self._words) and not self._words & set(map(plural, folded))

    def names(self, words: str) -> bool:
        """True where one such thing was called by its name: "the Vanguard index fund".

        A word that only begins a sentence is no name: "While index funds are bought ...".
        """
        found = re.finditer(rf"\b(?P<name>[A-Z][\w'’]*) (?i:{re.escape(words)})\b", self._text)
        return any(content_terms(match["name"]) for match in found)


def _thing(question: str, match: re.Match[str], known: _Said) -> UnnamedThing | None:
    run = _run(question, match.end())
    if not run or run[0].group().casefold() in _NOT_THINGS:
        return None
    if match["stressed"] is None and any(word.group().casefold() in _TOLD_BY_DOCUMENTS for word in run):
        return None
    if match["defined"] is not None:
        return _defined(question, match, run, known)
    if match["one"] is not None:
        about = match["stressed"] is not None and (match["placed"] or "").casefold() == "about"
        return _made(question, match, run, range(len(run)), is_certain=True) if about else None
    if match["points"].casefold() == "that" and match["placed"] is None:
        return None  # a clause begins: "that businesses pay"
    if _SUPPOSING.search(question[: match.start()]):
        return None
    if any(word.group().casefold() in _NOT_THINGS for word in run):
        return None  # "on this huge amount of data"
    is_one = known.tells_one([word.group() for word in run])
    is_named = any(known.names(word.group()) for word in run)
    # "In this county", where counties were spoken of and none was named: the collection may know several.
    is_told = is_named if match["stressed"] is not None else is_one and (is_named or match["placed"] is None)
    is_certain = (match["placed"] is not None or match["stressed"] is not None) and not is_one
    return None if is_told else _made(question, match, run, range(len(run)), is_certain=is_certain)


def _defined(
    question: str, match: re.Match[str], run: Sequence[re.Match[str]], known: _Said
) -> UnnamedThing | None:
    """What stands behind "the": all of it, or the part with capitals where it is followed by none."""
    capitals = 0
    while capitals < len(run) and run[capitals].group()[0].isupper():
        capitals += 1
    last = (capitals or len(run)) - 1
    words = [word.group() for word in run[: last + 1]]
    head = words[-1].casefold()
    behind = _WORD.match(question, run[last].end() + 1)
    tells_which = behind is not None and behind.group().casefold() in _TELLS_WHICH
    is_numbered = behind is not None and bool(capitals) and behind.group()[0].isdigit()  # "the Fluke 115"
    is_plural = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    if (
        tells_which
        or is_numbered
        or is_plural
        or head in _NOT_THINGS
        or all(known.knows(word) for word in words)
    ):
        return None
    return _made(question, match, run, (last,), is_certain=False)


def _made(
    question: str,
    match: re.Match[str],
    run: Sequence[re.Match[str]],
    ends: Sequence[int],
    *,
    is_certain: bool,
) -> UnnamedThing | None:
    """The thing by its words up to each of the ends; None where the question has told of it already."""
    before = {term for word in _WORD.findall(question[: match.start()]) for term in analyse(word)}
    told = [at for at in ends if set(analyse(run[at].group())) <= before]
    if told:
        return None
    words = tuple(question[run[0].start() : run[at].end()] for at in reversed(ends))
    start = match.start() if match["placed"] is None else match.start() + len(match["placed"]) + 1
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
