"""Names in the opening of a document: what it calls itself, who makes it, when, and its other telling words.

Best guesses of high recall: a document is found by them, and nothing is claimed of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.document import OpeningNames
from core.text.analyse import STOP_WORDS
from core.text.patterns import any_case
from core.text.words import word_list, word_set
from core.values.dates import find_dates
from core.values.naming.words import FORMS, INNER, folded, key_of

NAMED_CHARS = 3_000  # the parties stand in the first 1,500, mostly; else behind a table of contents
WORDS_CHARS = 20_000  # products and projects are often named behind a table of contents
_MOST_NAMES = 16
_MOST_CAPITALS = 120
_MOST_WORDS = 90
_MOST_CODES = 12
_BEHIND = any_case(r"\bby\s+and\s+(?:between|among)\b|\bentered\s+into\b|\bB\s?E\s?T\s?W\s?E\s?E\s?N\b")
_REGION = 1_500  # characters of names behind that
_LONGEST_NAME = 8  # words
_LONGEST_HEADING = 10
_SHORT_LIST = 5
_REACH = 260  # characters from a name to what it is called for short

_TOKEN = re.compile(r"[^\W_]+(?:['’.&/_-][^\W_]+)*")
_GAP = re.compile(r",?[ \t\n\r\xa0]{0,40}(?:&[ \t\n]{0,3})?\(?")  # within a name
_LINE = re.compile(r",?[ \t\xa0]{0,3}(?:\n[ \t]*)?(?:[&/][ \t]{0,3})?-?[ \t]{0,2}")  # within a heading
_ALIAS = re.compile(
    r"[(\[][ \n]{0,2}[^()\[\]\"“”]{0,80}?[\"“”‘'`]{1,2}[ ]?(?:the[ ])?(?P<alias>[A-Za-z0-9][^\"“”()]{0,45}?)"
    r"[ ,.]?[\"”“’'`]{1,2}|(?:hereinafter|hereafter|herein)[ \n](?:[a-z]{2,12}[ \n]){0,6}(?:the[ ])?"
    r"[\"“]?(?P<other>[A-Z][^\"”()\n,]{1,40})[\"”]?"
)
_DAY = re.compile(r"(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?")
_NUMBER = re.compile(r"[ \t]{0,3}(?:No\.?|NO\.?|Number|#)?[ \t]{0,2}\d{1,2}\b")
_CODE = re.compile(r"\d{3}")
_PARTS = re.compile(r"[-/_]")
_STATED = re.compile(
    r",?\s{1,3}\(?an?\s{1,3}(?:[A-Z]?[a-z]{2,14}\s{1,3}){0,4}?"
    r"(?:corporation|company|partnership|trust|association|bank|corp\.|L\.?L\.?C)(?![a-z])"
)
_TITLES = word_list("naming", "titles")
_ROLES = word_list("naming", "roles")
_PLAIN = STOP_WORDS | word_list("naming", "boilerplate")
_USUAL = word_list("naming", "usual")
_USUAL_KEYS = frozenset(map(key_of, _USUAL))
_ENDS = word_list("naming", "forms", "endings") - {"na"}
_SAID_OF_MANY = _PLAIN | _ENDS
_OF = word_list("naming", "endings")
_INNER = INNER - {"e", "et", "y"}
_LEADS = frozenset(["between", "among", "with", "and"])
_BEFORE_HEADING = word_set(
    "this the exhibit of and for to in a by on execution copy version form with source commission disclosed "
    "confidential final draft redacted"
)


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    plain: str
    start: int
    end: int

    @property
    def is_capital(self) -> bool:
        return self.text[0].isupper() or self.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class _Name:
    text: str
    start: int
    end: int


def opening_names(text: str) -> OpeningNames:
    """The names that the opening of a document gives; none for ""."""
    if not text.strip():
        return OpeningNames()
    text = text[:WORDS_CHARS]
    behind = _BEHIND.search(text, NAMED_CHARS - _REGION, WORDS_CHARS // 2)
    is_far = behind is not None and behind.end() + 200 > NAMED_CHARS
    end = behind.end() + _REGION if behind is not None and is_far else NAMED_CHARS
    tokens = [_Token(m[0], folded(m[0]), m.start(), m.end()) for m in _TOKEN.finditer(text, 0, end)]
    head = text[:NAMED_CHARS]
    first = [each for each in tokens if each.end <= NAMED_CHARS]
    names = list(_with_short_names(_names(head, first), head))
    if behind is not None and is_far:
        region = [each for each in tokens if behind.start() <= each.start]
        known = {part for name in names for part in name}
        names += [
            name for name in _with_short_names(_names(text, region), text[:end]) if not set(name) <= known
        ]
    capitals, words = _words(text)
    return OpeningNames(
        _heading(head, first),
        tuple(names[: 2 * _MOST_NAMES]),
        tuple(_days(head)),
        " ".join(capitals),
        " ".join(words),
    )


def _heading(head: str, tokens: Sequence[_Token]) -> str:
    """The name that the document calls itself by: the first words that end as names of documents do."""
    for at, token in enumerate(tokens):
        if not token.is_capital or (
            token.plain not in _TITLES and token.plain.removesuffix("s") not in _TITLES
        ):
            continue
        first = at
        while at - first < min(at, _LONGEST_HEADING) and _is_one_heading(
            head, *tokens[first - 1 : first + 1]
        ):
            first -= 1
        last = at + 1
        while last < min(len(tokens), at + _LONGEST_HEADING) and _is_one_heading(
            head, tokens[last - 1], tokens[last]
        ):
            at = last if tokens[last].plain in _TITLES else at
            last += 1
        token = tokens[at]
        while first < at and tokens[first].plain in _BEFORE_HEADING:
            first += 1
        is_marked = token.text.isupper() and token.plain not in ("exhibit", "schedule", "notice")
        if first == at and not is_marked:
            continue
        number = _NUMBER.match(head, token.end) if token.plain in _CHANGES else None
        return " ".join(head[tokens[first].start : number.end() if number else token.end].split())
    return ""


_CHANGES = word_list("naming", "amendments")
_AFTER_HEADING = word_set("this that between among whereas dated exhibit recitals page made")


def _is_one_heading(head: str, one: _Token, other: _Token) -> bool:
    """True where two words that follow one another may belong to one heading."""
    if one.plain == other.plain or other.plain in _AFTER_HEADING or one.plain in _AFTER_HEADING:
        return False
    if one.text[0].isdigit() or not _LINE.fullmatch(head, one.end, other.start):
        return False
    if one.plain in _INNER or other.plain in _INNER:
        return True
    return one.text[0].isupper() and other.text[0].isupper() and one.text.isupper() == other.text.isupper()


def _names(head: str, tokens: Sequence[_Token]) -> list[_Name]:
    """Organisations by the ends of their names, and whoever stands behind "between" and "and"."""
    places: dict[str, _Name] = {}
    for at, token in enumerate(tokens):
        if token.plain in _ENDS and token.is_capital and at:
            first = at
            while first > 0 and at - first < _LONGEST_NAME and _continues(head, tokens, first):
                first -= 1
            last = at + 1
            if (
                token.plain in _OF
                and last < len(tokens) - 1
                and tokens[last].plain == "of"
                and tokens[last + 1].is_capital
            ):
                last += 2
                while last < len(tokens) and last - at < _LONGEST_NAME and _continues(head, tokens, last):
                    if not tokens[last].is_capital:
                        break
                    last += 1
            _place(places, head, tokens[first:last])
        elif token.plain in _LEADS and at + 1 < len(tokens):
            end = at + 1
            while end < len(tokens) and end - at <= _SHORT_LIST and tokens[end].is_capital:
                if end > at + 1 and not _LINE.fullmatch(head, tokens[end - 1].end, tokens[end].start):
                    break
                end += 1
            _place(places, head, tokens[at + 1 : end])
    for first, last in _stated(head, tokens):
        start, end = tokens[first].start, tokens[last].end
        if any(each.start <= start and end <= each.end for each in places.values()):
            continue
        places = {key: each for key, each in places.items() if not start <= each.start < each.end <= end}
        text = " ".join(head[start:end].split())
        places.setdefault(text.casefold(), _Name(text, start, end))
    return sorted(places.values(), key=lambda each: each.start)[:_MOST_NAMES]


def _stated(head: str, tokens: Sequence[_Token]) -> Iterator[tuple[int, int]]:
    """Places of names of which the text says what they are: "The Right Solution, a Nevada corporation"."""
    if not tokens:
        return
    ends = {token.end: at for at, token in enumerate(tokens)}
    for match in _STATED.finditer(head, tokens[0].start, tokens[-1].end):
        last = first = ends.get(match.start(), -1)
        if last < 0 or not tokens[last].is_capital:
            continue
        while (
            first > 0
            and last - first < _LONGEST_NAME
            and tokens[first - 1].is_capital
            and tokens[first - 1].plain not in _LEADS
            and _GAP.fullmatch(head, tokens[first - 1].end, tokens[first].start)
        ):
            first -= 1
        while first < last and _is_no_name(tokens[first]):
            first += 1
        if not all(_is_no_name(each) or each.plain in _ROLES for each in tokens[first : last + 1]):
            yield first, last


def _is_no_name(token: _Token) -> bool:
    return token.plain in _INNER or token.plain in _TITLES or token.plain.isdigit() or len(token.plain) < 2


def _continues(head: str, tokens: Sequence[_Token], at: int) -> bool:
    """True where the word before a place belongs to the name that goes on there."""
    before = tokens[at - 1]
    if not _GAP.fullmatch(head, before.end, tokens[at].start) or before.plain in _PLAIN - _INNER - FORMS:
        return False
    if before.is_capital and before.plain not in ("and", "between", "by", "the"):
        return True
    return (
        before.plain in _INNER and at > 1 and tokens[at - 2].is_capital and tokens[at - 2].plain not in _ENDS
    )


def _place(places: dict[str, _Name], head: str, tokens: Sequence[_Token]) -> None:
    kept = list(tokens)
    while kept and _is_no_beginning(kept[0]):
        del kept[0]
    while kept and kept[-1].plain in _INNER:
        del kept[-1]
    telling = [each for each in kept if each.plain not in _SAID_OF_MANY and not each.plain.isdigit()]
    if not telling or 2 * len(telling) < len(kept) - 2 or kept[-1].plain in _TITLES:
        return
    if all(each.plain in _ROLES for each in telling):
        return
    text = " ".join(head[kept[0].start : kept[-1].end].split())
    places.setdefault(text.casefold(), _Name(text, kept[0].start, kept[-1].end))


def _is_no_beginning(token: _Token) -> bool:
    is_number = token.plain.isdigit() or ("." in token.text and token.text[0].isdigit())
    return is_number or token.plain in _INNER or token.plain in _PLAIN or token.plain in _TITLES


def _with_short_names(names: Sequence[_Name], head: str) -> Iterator[tuple[str, ...]]:
    """Each name with what it is called for short; then short names of nobody."""
    short: dict[int, list[str]] = {}
    loose: list[str] = []
    for match in _ALIAS.finditer(head):
        alias = " ".join((match["alias"] or match["other"] or "").split()).strip(" ,.;:")
        if not _is_short_name(alias):
            continue
        before = [at for at, name in enumerate(names) if name.end <= match.start() + 2]
        if before and match.start() - names[before[-1]].end < _REACH:
            short.setdefault(before[-1], []).append(alias)
        else:
            loose.append(alias)
    for at, name in enumerate(names):
        yield (name.text, *dict.fromkeys(short.get(at, ())))
    yield from ((alias,) for alias in list(dict.fromkeys(loose))[:_MOST_NAMES])


def _is_short_name(alias: str) -> bool:
    words = [folded(word) for word in alias.split()]
    if not words or len(words) > _SHORT_LIST or not alias[0].isalnum() or alias.islower():
        return False
    if all(word in _USUAL or word in _PLAIN for word in words):
        return False
    return (
        not {words[-1], words[-1].removesuffix("s")} & (_ROLES | _TITLES | _PLAIN) and words[0] not in _PLAIN
    )


def _days(head: str) -> Iterator[str]:
    """The days, months or years that are named, the first six."""
    seen: dict[str, None] = {}
    for _, _, value in find_dates(head, partial=True):
        match = _DAY.match(value.text)
        if match is not None:
            seen[match[0]] = None
    yield from list(seen)[:6]


def _words(text: str) -> tuple[list[str], list[str]]:
    """The keys of other telling words, written as names and not, those said most often first, then early."""
    capitals: dict[str, int] = {}
    words: dict[str, int] = {}
    codes: dict[str, None] = {}
    for written, count in Counter(_TOKEN.findall(text)).items():
        if written[0].isdigit() or len(written) < 2:
            continue
        plain = folded(written)
        if len(plain) < 2 or plain in _PLAIN or plain in FORMS:
            continue
        kept = words if written.islower() else capitals
        for key in _keys(plain):
            kept[key] = kept.get(key, 0) + count
        if _CODE.search(written):
            codes.update(dict.fromkeys(_keys(plain)))
    for key in capitals:
        words.pop(key, None)
    told = _ranked(capitals)[:_MOST_CAPITALS] + [key for key in codes if key in capitals][:_MOST_CODES]
    lower = [key for key in codes if key in words][:_MOST_CODES] + _ranked(words)[:_MOST_WORDS]
    return list(dict.fromkeys(told)), list(dict.fromkeys(lower))


def _ranked(counts: dict[str, int]) -> list[str]:
    """Words that most documents have come last; those said often first, then those said early."""
    return sorted(counts, key=lambda key: (key in _USUAL_KEYS, -counts[key]))


def _keys(plain: str) -> tuple[str, ...]:
    if plain.isalpha():
        return (key_of(plain),)
    parts = [part for part in _PARTS.split(plain) if len(part) > 2]
    return tuple(dict.fromkeys([key_of(plain), *map(key_of, parts)]))
