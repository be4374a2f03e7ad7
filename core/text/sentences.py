"""Sentences as character spans."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.text.marks import undivided
from core.text.words import word_set

MAX_WORDS = 90  # measured: longer sentences lose to their parts as the unit of an answer
MIN_PIECE_WORDS = 25
_MAX_PIECE_CHARS = 1_500  # text without spaces has no words to count


ABBREVIATIONS = word_set(
    "mr mrs ms dr prof st no nos sec secs art arts para paras sched exh vs v viz ca approx"
    " e.g i.e u.s u.k d.c a.m p.m p.o l.p l.l.c n.a s.a jan feb mar apr jun jul aug sep sept oct nov dec"
)
"""Words whose full stop ends no sentence, for every way to split."""

_ABBREVIATIONS = ABBREVIATIONS | word_set(
    "rev gen col sgt hon sr jr mt cl fig figs eq eqs ref refs vol vols pp pg ed eds al cf est dept univ assn"
    " bros u.n rs tel ext min max avg"
)
# These end a sentence as often as they stand inside one: the next word decides.
_COMPANY = word_set("inc corp ltd co llc plc etc bhd pty pvt cos")
_STARTERS = word_set(
    "the this that these those a an in on at if it its we our each all any no such upon for as to by when"
    " where however he she they there after before during under notwithstanding nothing neither either both"
)
_NUMBERED = word_set(
    "section sections article articles clause paragraph schedule exhibit appendix item rule"
    " part chapter table figure step note annex"
)

_BORDER = re.compile(
    r"(?P<blank>\n[ \t]*\n\s*)|(?P<stop>(?<![.!?\u2026])[.!?\u2026]++[\"'\u201d\u2019)\]]*+)(?P<gap>\s++)"
    r"(?=[\"'\u201c\u2018(\[\u00a7]*[^\W_a-z])|(?P<wide>[\u3002\uff01\uff1f\u061f\u0964]+[\"'\u201d\u2019)"
    r"\]\u300d\u300f]*)\s*|(?P<item>\n[ \t]*)(?=(?:[-*\u2022\u25aa\u25cf\u2013\u2014]\s|\(?[a-zA-Z]{1,4}\)\s"
    r"|\(?\d{1,3}(?:\.\d{1,3})*[.)]\s|#{1,6}\s))|(?P<line>\n)"
)
LAST_WORD = re.compile(r"[^\s(\[\"'\u201c\u2018]+$")
_WORD = re.compile(r"\S+")
_SPACE = re.compile(r"\s*")
_CUT = re.compile(
    r"(?P<strong>;\s+|:\s+(?=\()|\s(?=\((?:[a-z]{1,4}|\d{1,2})\)\s))|(?P<weak>,\s+|\n+|\s[\u2013\u2014]\s)"
)


def split_sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """The sentences of `text[start:end]`, in order, as spans of `text` without white space at their ends.

    Together they cover everything but white space. Blank lines, list items and table rows end a sentence;
    one of more than 90 words is cut at `;`, `(a)` or `,`.
    """
    stop = len(text) if end is None else end
    sentences: list[tuple[int, int]] = []
    previous = start
    for border in _borders(text, start, stop):
        _append(sentences, text, previous, border)
        previous = border
    _append(sentences, text, previous, stop)
    return sentences


def _borders(text: str, start: int, end: int) -> Iterator[int]:
    """Where sentences end; nowhere within a mark, which is one thing."""
    marks = undivided(text[start:end])
    for border in _plain_borders(text, start, end):
        while marks and marks[0][1] + start < border:
            marks.pop(0)
        if not marks or not marks[0][0] < border - start < marks[0][1]:
            yield border


def _plain_borders(text: str, start: int, end: int) -> Iterator[int]:
    short = _short_line(text, start, end)
    line_start = start
    for match in _BORDER.finditer(text, start, end):
        kind = match.lastgroup
        if kind == "gap":
            broken = "\n" in match["gap"]
            if _ends_sentence(text, match, line_start) or (
                broken and _ends_line(text, line_start, match.start("gap"), match.end(), end, short)
            ):
                yield match.end()
            if broken:
                line_start = match.end()
            continue
        if kind == "line" and not _ends_line(text, line_start, match.start(), match.end(), end, short):
            line_start = match.end()
            continue
        if kind != "wide":
            line_start = match.end()
        yield match.end()


def _short_line(text: str, start: int, end: int) -> int:
    """Lines below this length end on purpose, not because the text was wrapped."""
    first = text.find("\n", start, end)
    if first < 0:
        return 0
    lengths = sorted(map(len, text[start : min(end, start + 20_000)].split("\n")))
    return int(0.6 * lengths[int(0.9 * (len(lengths) - 1))])


def _ends_line(text: str, line_start: int, line_end: int, after: int, end: int, short: int) -> bool:
    """True where the single line break at `line_end` is a border: rows of a table, and lines cut short."""
    line = text[line_start:line_end]
    if "\t" in line.strip() or " | " in line:
        return True
    if after < end and line.startswith(">") is not text.startswith(">", after):  # a quotation begins or ends
        return True
    if line_end - line_start >= short or after >= end:
        return False
    following = text[after]
    return not following.islower() and not line.rstrip().endswith((",", "-", "&"))


def _ends_sentence(text: str, match: re.Match[str], line_start: int) -> bool:
    if "\n" in match["gap"] and match["gap"].count("\n") > 1:
        return True
    stop = match["stop"]
    if stop[0] != "." or stop.startswith(".."):
        return True
    head = text[max(line_start, match.start() - 40) : match.start()]
    word = LAST_WORD.search(head)
    if word is None:
        return True
    token = word.group().lower()
    before = head[: word.start()].strip()
    if token in _ABBREVIATIONS or (len(token) == 1 and token.isalpha()):
        return False
    if token in _COMPANY:
        following = _WORD.match(text, match.end())
        return following is not None and following.group().lower().strip(",") in _STARTERS
    if token.replace(".", "").isdigit():
        # "5. Termination" at the start of a line and "Section 5. Termination" name what follows.
        return bool(before) and before.rsplit(None, 1)[-1].lower() not in _NUMBERED
    return True


def _append(sentences: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    stripped = piece.strip()
    if not stripped:
        return
    first = start + len(piece) - len(piece.lstrip())
    last = first + len(stripped)
    if len(stripped) <= 2 * MAX_WORDS or (
        len(stripped) <= _MAX_PIECE_CHARS and stripped.count(" ") + stripped.count("\n") < MAX_WORDS
    ):
        sentences.append((first, last))
        return
    sentences.extend(_cut(text, first, last))


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Pieces of a long sentence, each of at most 90 words, cut at the strongest border that fits."""
    while True:
        limit, least = _word_limits(text, start, end)
        if limit >= end:
            yield start, end
            return
        strong = weak = 0
        for match in _CUT.finditer(text, least, limit):
            if match.lastgroup == "strong":
                strong = match.end()
            else:
                weak = match.end()
        border = strong or weak or limit
        yield start, start + len(text[start:border].rstrip())
        start = _end_of_space(text, border)


def _end_of_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _word_limits(text: str, start: int, end: int) -> tuple[int, int]:
    """Positions at which the 91st word begins (or the piece grows too long), and its 26th."""
    least = start
    for number, word in enumerate(_WORD.finditer(text, start, min(end, start + _MAX_PIECE_CHARS))):
        if number == MIN_PIECE_WORDS:
            least = word.start()
        if number == MAX_WORDS:
            return word.start(), least
    if end <= start + _MAX_PIECE_CHARS:
        return end, least
    space = max(
        text.rfind(" ", start + 1, start + _MAX_PIECE_CHARS),
        text.rfind("\n", start + 1, start + _MAX_PIECE_CHARS),
    )
    return (space + 1 if space > start else start + _MAX_PIECE_CHARS), least
