"""A contract's text as paragraphs and sentence-like segments, with exact offsets and the headings above each.

Recipe: blank-line blocks, footers and running lines dropped, paragraphs that a page border broke joined,
wrapped lines of a PDF joined, sentences split with guards for abbreviations and enumerators, sentences over
900 characters cut at `;` and `(a)`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.text.clause_numbers import DECIMAL, DIVISION, ITEM, ROMAN
from core.text.headings import SMALL_WORDS, level_of
from core.text.patterns import any_case
from core.text.sentences import ABBREVIATIONS, LAST_WORD
from core.text.words import word_set

MAX_CHARS = 900
"""A sentence that is longer is cut."""

MIN_CHARS = 25
"""What is shorter joins the sentence after it: an enumerator, an initial."""

_RUNNING_CHARS = 300
_RUNNING_TIMES = 3


_LINE = re.compile(r"[^\n\f]+")
_FOOTER = any_case(
    r"^(?:page\s+)?[-\u2013\u2014\s]*(?:[a-z]-?)?\d{1,4}(?:\s*(?:of|/)\s*\d+)?[-\u2013\u2014\s]*$|^source:\s.{0,200}$"
    r"|^[-_=*\s.]{3,}$|^&[a-z]+;$"
)
_LETTER = re.compile(r"[^\W\d_]")
_DIGITS = re.compile(r"\d+")
_ENUMERATOR = re.compile(
    rf"{DIVISION}\s+[\dIVXLC]+|{DECIMAL}[.)]?(?=\s)|{ITEM}\s"
    rf"|\(\d{{1,2}}\)\s|[A-Z]\.\s|[ivxlc]{{1,5}}[.)]\s|{ROMAN}\.\s|[a-z][.)]\s|[\u2022\u25aa\u25cf]"
)
_INLINE = re.compile(
    r"(?<=[.;:,)\u201d\"])\s+(?=(?:ARTICLE\s+[\dIVXLC]+|(?:Section|SECTION)\s+\d+(?:\.\d+)*[.:\s]\s*[A-Z]"
    r"|\d{1,2}\.\d{1,2}(?:\.\d{1,2})*\.?\s+[\"\u201cA-Z]|\d{1,2}\.\s+[\"\u201cA-Z]))"
)
_TITLED = re.compile(r"(?<=[A-Z]{3})\s+(?=\d{1,2}\.\d{1,2}\.?\s+[A-Z])")
_BORDER = re.compile(
    r"(?P<stop>[.!?]+[\"'\u201d\u2019)\]]*)\s+(?=[\"'\u201c\u2018(\[\u00a7]*[A-Z0-9])|[;:]\s+(?=\([a-zA-Z0-9]{1,4}\)\s)"
)
_CUT = re.compile(r";\s+|\s(?=\((?:[a-z]{1,4}|\d{1,2})\)\s)")
_WEAK_CUT = re.compile(r",\s+|\s{2,}")
_ABBREVIATIONS = ABBREVIATIONS | word_set(
    "inc corp ltd co section sections article articles clause paragraph exhibit schedule"
)
_NUMBER_TITLE = re.compile(
    rf"^(?P<number>{DIVISION}\s+[\dIVXLC.]+|{DECIMAL}|{ITEM}"
    rf"|[A-Z](?=\.)|{ROMAN}(?=\.))[.):]?\s*[-\u2013\u2014]?\s*"
    r"(?P<title>[\"\u201c]?[A-Z][^.:;\n]{2,70}?)(?P<end>[.:\u2014]|\s[-\u2013]\s|\s{3,}|$)"
)
_TITLE_ONLY = re.compile(r"^(?P<title>[A-Z][A-Za-z,'&/\- ]{2,60}?)(?P<end>[.:]\s+(?=[\"\u201cA-Z(]))")


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence or a piece of one.

    start, end: in the text that was segmented; `text` is what stands there with every run of white space as
    one blank and without footers. paragraph: index into `Segmented.paragraphs`. section: the headings above.
    """

    start: int
    end: int
    text: str
    paragraph: int
    section: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Consecutive segments [first, last) that belong together."""

    start: int
    end: int
    first: int
    last: int
    section: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Segmented:
    """A text in reading order."""

    segments: tuple[Segment, ...]
    paragraphs: tuple[Paragraph, ...]
    length: int


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines that make a paragraph: spans of the text, footers left out."""

    pieces: tuple[tuple[int, int], ...]


def segment(text: str) -> Segmented:
    """The paragraphs and segments of `text`; empty for blank text. Linear in its length."""
    segments: list[Segment] = []
    paragraphs: list[Paragraph] = []
    path = _Path()
    for block in _blocks(text):
        for joined, starts in _parts(text, block):
            _add(joined, starts, path, segments, paragraphs)
    return Segmented(tuple(segments), tuple(paragraphs), len(text))


def _add(
    joined: str, starts: _Offsets, path: _Path, segments: list[Segment], paragraphs: list[Paragraph]
) -> None:
    head = joined[:200].strip()
    path.see(head, alone=len(joined.strip()) <= 120)
    first = len(segments)
    section = path.titles()
    for start, end in _sentences(joined):
        words = " ".join(joined[start:end].split())
        if _LETTER.search(words):
            begin, stop = starts.at(start), starts.at(end - 1) + 1
            segments.append(Segment(begin, stop, words, len(paragraphs), section))
    if len(segments) > first:
        paragraphs.append(Paragraph(segments[first].start, segments[-1].end, first, len(segments), section))


class _Offsets:
    """The way from a position in pieces joined by one blank back to the text."""

    __slots__ = ("_joined", "_text")

    def __init__(self, joined: Sequence[int], text: Sequence[int]) -> None:
        self._joined = joined
        self._text = text

    def at(self, position: int) -> int:
        index = max(0, bisect_right(self._joined, position) - 1)
        return self._text[index] + position - self._joined[index]

    def shifted(self, by: int) -> _Offsets:
        return _Offsets([start - by for start in self._joined], self._text)


class _Path:
    """The headings above the place that is read, highest first."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []

    def see(self, head: str, alone: bool) -> None:
        depth, title = _title(head, alone)
        if title:
            self._open = [each for each in self._open if each[0] < depth][-3:]
            self._open.append((depth, title))
        elif depth:
            self._open = [each for each in self._open if each[0] < depth]

    def titles(self) -> tuple[str, ...]:
        return tuple(title for _, title in self._open)


def _title(head: str, alone: bool) -> tuple[int, str]:
    """Depth and words of the heading that a paragraph begins with; (depth, "") for a bare number."""
    match = _NUMBER_TITLE.match(head)
    if match:
        number = match["number"]
        depth = _depth(number)
        title = match["title"].strip('"\u201c\u201d ')
        if _is_title(title, sure=bool(match["end"].strip())) and (match["end"] or alone):
            return depth, title
        return depth, ""
    if alone and level_of(head):
        return 1, head.strip(" .:#*")
    match = _TITLE_ONLY.match(head)
    if match and _is_title(match["title"], sure=True) and len(match["title"].split()) <= 6:
        return 2, match["title"]
    return 0, ""


def _depth(number: str) -> int:
    if number[0] == "(":
        return 5
    if number[0].isdigit() or "." in number:
        return 2 + number.strip(".").count(".")
    return 1 if number[:1] in "AaSs" and len(number) > 3 else 2


def _is_title(title: str, sure: bool) -> bool:
    words = title.split()
    if not words or len(words) > 9 or '"' in title or "\u201d" in title or "means" in words:
        return False
    names = [word for word in words if word[0].isalpha() and word.lower() not in SMALL_WORDS]
    capitals = sum(word[0].isupper() for word in names)
    return bool(names) and capitals >= (0.7 if sure else 0.9) * len(names)


def _blocks(text: str) -> Iterator[_Block]:
    """Paragraphs as spans of lines: wrapped lines and page-broken halves joined, running lines dropped."""
    lines = [(match.start(), match.end()) for match in _LINE.finditer(text)]
    running = _running(text, lines)
    width = _typical_width(text, lines)
    pieces: list[tuple[int, int]] = []
    previous_end = -1
    crossed = False
    for start, end in lines:
        line = text[start:end].strip()
        if not line:
            continue
        if _FOOTER.match(line) or _DIGITS.sub("0", line) in running:
            crossed = True
            continue
        gap = text.count("\n", previous_end, start) if previous_end >= 0 else 0
        if pieces and _starts_paragraph(
            text, pieces, line, gap, crossed or "\f" in text[previous_end:start], width
        ):
            yield _Block(tuple(pieces))
            pieces = []
        pieces.append((start, end))
        previous_end, crossed = end, False
    if pieces:
        yield _Block(tuple(pieces))


def _running(text: str, lines: Sequence[tuple[int, int]]) -> frozenset[str]:
    counts = Counter(
        _DIGITS.sub("0", text[start:end].strip()) for start, end in lines if end - start <= _RUNNING_CHARS
    )
    return frozenset(
        line
        for line, times in counts.items()
        if times >= _RUNNING_TIMES and len(line) > 3 and not _ENUMERATOR.match(line)
    )


def _typical_width(text: str, lines: Sequence[tuple[int, int]]) -> int:
    """Typical width of wrapped lines; 0 where lines are paragraphs."""
    widths = sorted(end - start for start, end in lines if not text[start:end].isspace())
    if len(widths) < 8 or widths[int(len(widths) * 0.95)] > 250:
        return 0
    return widths[int(len(widths) * 0.75)]


def _starts_paragraph(
    text: str, pieces: Sequence[tuple[int, int]], line: str, gap: int, crossed: bool, width: int
) -> bool:
    last = text[pieces[-1][0] : pieces[-1][1]].strip()
    ended = last.endswith((".", ";", ":", "!", "?", '."', ".\u201d", ".)"))
    starts_low = line[:1].islower()
    if gap >= 2 or crossed:
        broken = not ended and (starts_low or (crossed and last[-1:] in ",-")) and len(last) > 20
        return not broken
    if not width:
        return True
    if _ENUMERATOR.match(line) and (ended or len(last) < 0.8 * width):
        return True
    is_short = len(last) < 0.75 * width
    if (level_of(last) and is_short) or (level_of(line) and ended and len(line) < 0.75 * width):
        return True
    return ended and is_short


def _parts(text: str, block: _Block) -> Iterator[tuple[str, _Offsets]]:
    """A block's text, cut where a numbered section begins within it."""
    joined_at: list[int] = []
    texts: list[str] = []
    at = 0
    for start, end in block.pieces:
        joined_at.append(at)
        texts.append(text[start:end])
        at += end - start + 1
    joined = " ".join(texts)
    offsets = _Offsets(joined_at, [start for start, _ in block.pieces])
    cuts = sorted(
        {0, len(joined)}
        | {match.end() for match in _INLINE.finditer(joined) if not _is_reference(joined, match.start())}
        | {match.end() for match in _TITLED.finditer(joined)}
    )
    for start, end in pairwise(cuts):
        if joined[start:end].strip():
            yield joined[start:end], offsets.shifted(start)


def _is_reference(joined: str, at: int) -> bool:
    word = LAST_WORD.search(joined, max(0, at - 20), at)
    return word is not None and word[0].lower().rstrip(".,:;") in _ABBREVIATIONS


def _sentences(text: str) -> list[tuple[int, int]]:
    """Spans of a paragraph's sentences, white space at their ends left out."""
    borders = [match.end() for match in _BORDER.finditer(text) if _is_border(text, match)]
    spans: list[tuple[int, int]] = []
    start = 0
    for border in [*borders, len(text)]:
        if border - start < MIN_CHARS and border != len(text):
            continue
        spans.extend(_pieces(text, start, border))
        start = border
    return [_trim(text, *span) for span in spans]


def _is_border(text: str, match: re.Match[str]) -> bool:
    if not match["stop"]:
        return True
    word = LAST_WORD.search(text, max(0, match.start() - 24), match.start("stop") + 1)
    if word is None or match["stop"][0] in "!?":
        return True
    plain = word[0].rstrip(".").lower()
    if plain in _ABBREVIATIONS:
        return False
    return not (len(plain) == 1 or re.fullmatch(r"\d{1,2}(?:\.\d{1,2})*|[ivx]{1,4}", plain))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence whole, or cut at `;` and `(a)` into pieces of 150 characters or more if it is too long."""
    if end - start <= MAX_CHARS:
        yield start, end
        return
    cuts = [match.end() for match in _CUT.finditer(text, start, end)]
    begin = start
    for index, cut in enumerate(cuts):
        following = cuts[index + 1] if index + 1 < len(cuts) else end
        if cut - begin >= 150 or following - begin > MAX_CHARS:
            yield from _weakly(text, begin, cut)
            begin = cut
    yield from _weakly(text, begin, end)


def _weakly(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > 2 * MAX_CHARS:
        cut = max(
            (match.end() for match in _WEAK_CUT.finditer(text, start + MAX_CHARS // 2, start + MAX_CHARS)),
            default=start + MAX_CHARS,
        )
        yield start, cut
        start = cut
    if start < end:
        yield start, end


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
