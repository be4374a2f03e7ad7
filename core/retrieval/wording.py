"""The words of a question, how they are written, and the question without the name of a document."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from core.retrieval.names import WORD
from core.text.analyse import STOP_WORDS

MAX_WORDS = 200
_LEGAL_FORMS = "inc corp corporation company co llc ltd limited plc lp llp gmbh ag sa nv bv"
LEGAL_FORMS = frozenset(_LEGAL_FORMS.split())
POSSESSIVE = re.compile(r"['’]s$")
QUOTE = re.compile(r'["“”«»]')
FRAME = re.compile(
    r"^\s*(?:consider(?:ing)?|according to|as per|per|in|under|within|from|for|of|on|regarding|concerning|"
    r"with (?:respect|regard) to|as (?:to|for)|about|based on|given|looking at|by|pursuant to)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class QueryWord:
    """A word of the question with its place and whether it is written like a name.

    run: words of one number stand side by side, all written like names; is_plain: a function word.
    """

    text: str
    start: int
    end: int
    is_quoted: bool
    is_capitalised: bool
    run: int

    @property
    def is_plain(self) -> bool:
        """True where this is a function word, or part of a company's legal form."""
        return self.text.lower() in STOP_WORDS or self.text.lower() in LEGAL_FORMS


def question_words(question: str) -> list[QueryWord]:
    """The words of a question, at most MAX_WORDS, with what their writing says about being a name.

    A capital says nothing at the start of a sentence, nor where nearly all words have one.
    """
    found = list(WORD.finditer(question))[:MAX_WORDS]
    capitals = [any(char.isupper() for char in match.group()) for match in found]
    is_shouted = len(found) > 3 and sum(capitals) > 0.8 * len(found)
    quoted = _quoted_spans(question)
    words: list[QueryWord] = []
    run = 0
    for match, has_capital in zip(found, capitals, strict=True):
        start, end = match.span()
        before = question[:start].rstrip(" \"“'‘(")
        opens = not before or before[-1] in ".?!;:"
        inner = any(char.isupper() or char.isdigit() for char in match.group()[1:])
        is_quoted = any(left <= start and end <= right for left, right in quoted)
        is_capitalised = has_capital and not is_shouted and (inner or not opens)
        is_name = is_quoted or is_capitalised
        joins = bool(words) and is_name and (words[-1].is_quoted or words[-1].is_capitalised)
        if joins:
            gap = question[words[-1].end : start]
            joins = (
                len(gap) <= 2 and ";" not in gap and "'" not in gap and not POSSESSIVE.search(words[-1].text)
            )
        if not joins:
            run += 1
        words.append(QueryWord(match.group(), start, end, is_quoted, is_capitalised, run))
    return words


def strip_name(
    question: str, words: list[QueryWord], used: Collection[int], kept: Collection[int] = ()
) -> str:
    """`question` without the words of the name; the question itself where nothing would be left.

    A clause in front that only frames the question ("Consider the X agreement; ...") goes with its name.
    kept: words beside the name that are none of it, such as the year of "Amazon's FY2017 sales".
    """
    if not used:
        return question
    rest = _without_frame(question, words, used, kept)
    if rest is not None:
        return rest
    gone = _with_joined_capitals(words, used, kept)
    pieces, position = [], 0
    for index in sorted(gone):
        pieces.append(question[position : words[index].start])
        position = words[index].end
    pieces.append(question[position:])
    left = re.sub(r"[\"“”«»]+", " ", "".join(pieces))
    left = re.sub(r"\s+(?=[,.;:?!])|(?<=[\s(])'s\b", "", left)
    left = " ".join(left.split())
    return left if _has_content(left) else question


def _without_frame(
    question: str, words: list[QueryWord], used: Collection[int], kept: Collection[int]
) -> str | None:
    name = _with_joined_capitals(words, used, kept)
    is_framed = FRAME.match(question) is not None
    quoted = _quoted_spans(question)
    for match in re.finditer(r"[;:]\s|,\s", question):
        if any(left < match.start() < right for left, right in quoted):
            continue
        before = {index for index, word in enumerate(words) if word.end <= match.start()}
        goes_on = match.group() == ", " and len(before) in name  # "BridgeBio Pharma, Inc."
        if goes_on or (match.group() == ", " and not is_framed):
            continue
        rest = question[match.end() :].strip()
        return rest if before & set(used) and _content_words(rest) >= 2 else None
    return None


def _with_joined_capitals(words: list[QueryWord], used: Collection[int], kept: Collection[int]) -> set[int]:
    """`used` with the capitalised or quoted words that stand right beside them: Inc., Ltd, first names."""
    gone = set(used)
    for index in sorted(used):
        for step in (-1, 1):
            near = index + step
            while 0 <= near < len(words) and near not in gone and near not in kept:
                left, right = words[min(near, near - step)], words[max(near, near - step)]
                is_close = right.start - left.end <= 2
                if not (is_close and (words[near].is_quoted or words[near].is_capitalised)):
                    break
                gone.add(near)
                near += step
    return gone


def _content_words(text: str) -> int:
    return sum(word.lower() not in STOP_WORDS for word in WORD.findall(text))


def _has_content(text: str) -> bool:
    return _content_words(text) > 0


def _quoted_spans(question: str) -> list[tuple[int, int]]:
    marks = [match.start() for match in QUOTE.finditer(question)]
    return list(zip(marks[::2], marks[1::2], strict=False))
