"""Questions about the collection as a whole, and about what can be asked of it."""

from __future__ import annotations

import re
from functools import cache

from core.plan.text.document_nouns import PAPERS, plural
from core.text.words import word_list

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_AUXILIARY = re.compile(
    r"^(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|how)\b", re.IGNORECASE
)
_WISH = re.compile(
    r"^(?:(?:can|could|may) (?:i|we|you) (?:please )?|(?:i|we) (?:want|need|wish|wanna|would like|'d like)"
    r"(?: to)? |i'd like(?: to)? |let me |let's )",
    re.IGNORECASE,
)
_ASKS_ITSELF = re.compile(
    r"\b(?:what|which|how)\b.*\b(?:can|could|may|should|do)\s+(?:i|we|you|u|one)\b"
    r"|\b(?:what|which|how)\b.*\b(?:are|is) (?:you|u|this|it|groundwork)\b"
    r"|\b(?:help|instructions|tutorial|get(?:ting)? started|examples?)\b",
    re.IGNORECASE,
)
_HOW_TO_ASK = re.compile(
    r"^(?:(?:hi|hello|hey|ok|so)\W+)?how (?:do|can|should|would|could) (?:i|we|one) (?:ask|query)\b",
    re.IGNORECASE,
)


def asks_for_everything(question: str) -> bool:
    """True where a question wants the list of all documents and says nothing else.

    "Show me all documents", "which files are in here?", "give me everything you have".
    """
    words = _words(_WISH.sub("", question.strip()))
    if not 0 < len(words) <= _MOST or _AUXILIARY.match(question) or not _is_of(words, _whole_words()):
        return False
    things = [word for word in words if word in _list("things")]
    one = [at for at, word in enumerate(words) if word in _one()]
    if any(at == 0 or words[at - 1] not in ("every", "each", "all") for at in one):
        return False
    is_whole = any(word in _UNIVERSAL for word in words)
    is_shown = any(word in _list("showing") for word in words)
    has_place = any(word in _list("places") for word in words)
    is_held = any(word in _list("holding") for word in words)
    return (
        bool(things or one)
        or (is_whole and (is_shown or is_held or len(words) == 1))
        or (is_shown and has_place)
    )


def asks_for_contents(question: str) -> bool:
    """True where a question wants to know what the collection is: "what is in here?", "what do you have?"."""
    words = _words(question)
    if not 1 < len(words) <= _MOST or asks_for_everything(question) or "what" not in " ".join(words[:3]):
        return False
    if not _is_of(words, _whole_words() | frozenset(["about", "a"])):
        return False
    has_place = any(word in _list("places") for word in words)
    has_holding = any(word in _list("holding") for word in words)
    return has_place or (has_holding and any(word in ("you", "we", "i", "u") for word in words))


def asks_for_help(question: str) -> bool:
    """True where a question asks what can be asked here, or how to begin."""
    if _HOW_TO_ASK.search(question):
        return True
    asked = _TOPIC.sub("", question)
    words = _words(asked)
    if not 0 < len(words) <= _MOST or not _ASKS_ITSELF.search(asked):
        return False
    papers = frozenset(name for paper in PAPERS for name in (paper, plural(paper)))
    known = _list("asking") | _list("help") | _list("places") | _list("things") | papers
    return _is_of(words, known) and any(word in _list("help") for word in words)


# What the questions are to be about, which help says anyway: "what can I ask about these products?"
_TOPIC = re.compile(r"(?<=\bask)(?: (?:you|here))? about [\w' -]+\??$|(?<=\bdo for me), .*$", re.IGNORECASE)
_UNIVERSAL = word_list("asking", "universal")
_MOST = 16  # words: more of them say something else, too


def _words(question: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in _WORD.findall(question)]


def _is_of(words: list[str], known: frozenset[str]) -> bool:
    return all(word in known for word in words)


@cache
def _whole_words() -> frozenset[str]:
    own = word_list("collection", "things", "places", "showing", "holding", "idle")
    return own | _one() | _UNIVERSAL


@cache
def _one() -> frozenset[str]:
    """One of the things, where "every" or "each" stands before it."""
    return frozenset(re.sub("s$", "", word.replace("ies", "ys")) for word in _list("things"))


def _list(name: str) -> frozenset[str]:
    return word_list("collection", name)
