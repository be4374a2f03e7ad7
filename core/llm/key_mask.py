"""Masks over all that a model server sends: the key that it was given comes back in no form.

A careless server prints the key in an error, a hostile one puts it into a reply, whole, in part, or encoded.
"""

from __future__ import annotations

import base64
import re
import urllib.parse
from collections.abc import Iterator

MASK = "***"

_KEYS = re.compile(r"\b(?:gsk|sk|xai|pplx)[-_][A-Za-z0-9_-]{8,}|(?<=Bearer )[^\s'\"]+")
_KEY_BEGINS = re.compile(r"(?:gsk|sk|xai|pplx)[-_]", re.IGNORECASE)
_ESCAPED = re.compile(r"\\+u00([0-9a-f]{2})|%([0-9a-f]{2})|\\([\"\\/])", re.IGNORECASE)
_GAP = re.compile(r"[*.•…]{2,}|…|[x]{4,}", re.IGNORECASE)  # between the ends of a key that is shown in part
_LAST_RUN = re.compile(r"[!-~]*\Z")
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_SHORTEST_END = 6  # characters of the head or the tail of a key that are masked
_SHORTEST_PIECE = 8  # of its middle
_SHORTEST_KEY = 4
_LONGEST_PLAIN_WORD = 12
_LONGEST_SIGN = 6  # characters that one of the key takes where it is escaped

Found = tuple[int, int]


class KeyMask:
    """Masks one key. Thread-safe. key: "" where there is none, so that nothing is masked but others' keys.

    Found are the key, its head and tail of 6 characters or more, pieces of 8, its ends around dots or stars,
    and its base64 and hexadecimal forms; in any case of letters, and where characters are written as JSON or
    addresses escape them.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._forms = _forms(key) if len(key) >= _SHORTEST_KEY else ()
        self._pieces: dict[str, list[tuple[str, int]]] = {}
        for form in self._forms:
            for piece, at in _pieces_of(form):
                self._pieces.setdefault(piece, []).append((form, at))
        self._sizes = sorted({len(piece) for piece in self._pieces}, reverse=True)
        self._is_word = key.isalpha() and len(key) < _LONGEST_PLAIN_WORD

    @property
    def longest(self) -> int:
        """Characters of the longest form that is looked for."""
        return max((len(form) for form in self._forms), default=0) * _LONGEST_SIGN

    def reply(self, text: str) -> str:
        """A text that a model wrote, without the key. A piece of a key that reads as a word stays."""
        return _without(text, self.find(text))

    def error(self, text: str) -> str:
        """What a server says of an error, without the key or any piece of it, or what looks like any key."""
        return _KEYS.sub(MASK, _without(text, self.find(text, is_error=True)))

    def message(self, text: str) -> str:
        """A message of our own around such words: a piece of the key that reads as a word stays."""
        return _KEYS.sub(MASK, self.reply(text))

    def find(self, text: str, *, is_error: bool = False) -> list[Found]:
        """Spans [start, end) of a text to be masked, in their order."""
        if not self._forms or not text:
            return []
        plain, starts = _unescaped(text)
        low = plain.translate(_LOWER)
        spans = []
        for size in self._sizes:
            hits = [at for at in range(len(low) - size + 1) if low[at : at + size] in self._pieces]
            for hit in hits:
                for form, at in self._pieces[low[hit : hit + size]]:
                    start, end = _widened(low, form, hit, at, size)
                    if is_error or self._is_telling(plain[start:end], end - start == len(form)):
                        spans.append((start, end))
        spans += self._around_gaps(low)
        return _joined((starts[start], starts[end]) for start, end in spans)

    def _is_telling(self, piece: str, is_whole: bool) -> bool:
        """True where it can be nothing but the key: no word that an answer may need."""
        if is_whole:
            return not self._is_word
        if _KEY_BEGINS.match(piece):
            return True
        has_digit, has_letter = any(map(str.isdigit, piece)), any(map(str.isalpha, piece))
        is_mixed = piece not in (piece.lower(), piece.upper(), piece.capitalize())
        return (has_digit and has_letter) or (piece.isalnum() and is_mixed)

    def _around_gaps(self, low: str) -> Iterator[Found]:
        form = self._forms[0]
        for gap in _GAP.finditer(low):
            head = _longest(
                n for n in range(2, len(form)) if low[max(0, gap.start() - n) : gap.start()] == form[:n]
            )
            tail = _longest(n for n in range(2, len(form)) if low[gap.end() : gap.end() + n] == form[-n:])
            if (head and tail) or max(head, tail) >= _SHORTEST_KEY:
                yield gap.start() - head, gap.end() + tail


class StreamMask:
    """Masks a text that comes in pieces: what may be the beginning of a key waits for what follows."""

    def __init__(self, mask: KeyMask) -> None:
        self._mask = mask
        self._held = ""

    def feed(self, text: str) -> str:
        """What is certain by now of the text so far, and was not given yet."""
        longest = self._mask.longest
        if not longest:
            return text
        self._held += text
        last = _LAST_RUN.search(self._held)
        cut = max(last.start() if last else 0, len(self._held) - longest)
        found = self._mask.find(self._held)
        for start, end in found:
            if start < cut < end:
                cut = start
        given, self._held = self._held[:cut], self._held[cut:]
        return _without(given, [span for span in found if span[1] <= cut])

    def end(self) -> str:
        """The rest."""
        rest, self._held = self._held, ""
        return self._mask.reply(rest)


def _forms(key: str) -> tuple[str, ...]:
    """The key and what it is when encoded, in small letters."""
    found = [key, key.encode().hex()]
    quoted = urllib.parse.quote(key, safe="")
    if quoted != key:
        found.append(quoted)
    if len(key) >= _SHORTEST_PIECE:
        for shift in range(3):  # where the key stands behind other bytes, as behind "Bearer "
            encoded = base64.b64encode(b"\0" * shift + key.encode())
            text = encoded.decode().rstrip("=")
            found.append(text[(0, 2, 3)[shift] : -1])
            found.append(text[(0, 2, 3)[shift] : -1].replace("+", "-").replace("/", "_"))
    return tuple(dict.fromkeys(form.translate(_LOWER) for form in found))


def _pieces_of(form: str) -> Iterator[tuple[str, int]]:
    """Pieces by which a form is found, each with its place in it."""
    if len(form) <= _SHORTEST_END:
        yield form, 0
        return
    yield form[:_SHORTEST_END], 0
    yield form[-_SHORTEST_END:], len(form) - _SHORTEST_END
    for at in range(len(form) - _SHORTEST_PIECE + 1):
        yield form[at : at + _SHORTEST_PIECE], at


def _widened(low: str, form: str, start: int, at: int, size: int) -> Found:
    """The longest run around a piece that the text and the form share."""
    end = start + size
    end_at = at + size
    while at > 0 and start > 0 and low[start - 1] == form[at - 1]:
        start, at = start - 1, at - 1
    while end_at < len(form) and end < len(low) and low[end] == form[end_at]:
        end, end_at = end + 1, end_at + 1
    return start, end


def _unescaped(text: str) -> tuple[str, list[int] | range]:
    """The text with its escapes as what they mean, and where each character of that begins; the end, too."""
    if "\\" not in text and "%" not in text:
        return text, range(len(text) + 1)
    parts: list[str] = []
    starts: list[int] = []
    before = 0
    for found in _ESCAPED.finditer(text):
        parts.append(text[before : found.start()])
        starts.extend(range(before, found.start()))
        digits = found[1] or found[2]
        parts.append(chr(int(digits, 16)) if digits else found[3])
        starts.append(found.start())
        before = found.end()
    parts.append(text[before:])
    starts.extend(range(before, len(text) + 1))
    return "".join(parts), starts


def _joined(spans: Iterator[Found]) -> list[Found]:
    """Spans in their order; those that overlap as one."""
    found: list[Found] = []
    for start, end in sorted(set(spans)):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _without(text: str, spans: list[Found]) -> str:
    parts, before = [], 0
    for start, end in spans:
        parts += [text[before:start], MASK]
        before = end
    return "".join([*parts, text[before:]])


def _longest(sizes: Iterator[int]) -> int:
    return max(sizes, default=0)
