"""Questions as people type them: with things said before and behind, in lower case, mistyped."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from core.plan.readers.trained.reading import Operation

Segment = tuple[str, int | None]
Worn = tuple[str, list[int | None]]
_NEIGHBOURS = {
    "a": "sq",
    "e": "wr",
    "i": "uo",
    "o": "ip",
    "t": "ry",
    "n": "bm",
    "s": "ad",
    "r": "et",
    "l": "k",
    "c": "xv",
}


def worn(
    segments: Sequence[Segment],
    rng: random.Random,
    pools: Mapping[str, tuple[str, ...]],
    operation: Operation,
) -> Worn:
    """The text of segments, and for each of its characters the mark that it belongs to."""
    parts = list(segments)
    is_talk = operation in (Operation.HELP, Operation.ALL)
    if not is_talk and rng.random() < 0.13:
        parts.insert(0, (rng.choice(pools["preambles"]) + " ", None))
    elif parts:
        first = parts[0][0]
        if rng.random() < 0.55 and first:
            parts[0] = (first[:1].upper() + first[1:], parts[0][1])
    if not is_talk and rng.random() < 0.1:
        parts.append((" " + rng.choice(pools["posts"]), None))
    parts.append((rng.choice(("?", "?", "?", "", "", ".", "??", " ?")), None))
    text, keys = _joined(parts)
    if rng.random() < 0.28:
        text = _in_place(text, text.lower())
    if rng.random() < 0.16:
        text, keys = mistyped(text, keys, rng)
    if rng.random() < 0.02:
        text = _in_place(text, text.upper())
    return text, keys


def _in_place(text: str, changed: str) -> str:
    """The changed text, where each character stands where it stood: "ß" has no capital of one letter."""
    return changed if len(changed) == len(text) else text


def marked_parts(text: str, keys: Sequence[int | None]) -> Iterator[tuple[int, int, int]]:
    """(mark, start, end) of the parts that belong to a mark, without the punctuation around them."""
    start = 0
    while start < len(text):
        end = start
        while end < len(text) and keys[end] == keys[start]:
            end += 1
        key, first, last = keys[start], start, end
        while first < last and not text[first].isalnum() and text[first] not in "$€£<>=-#+&(":
            first += 1
        while last > first and text[last - 1] in " ,;:?!":
            last -= 1
        if key is not None and last > first:
            yield key, first, last
        start = end


def _joined(parts: Sequence[Segment]) -> Worn:
    """Segments in one text, with one blank between words and none before punctuation."""
    text: list[str] = []
    keys: list[int | None] = []
    for part, key in parts:
        for sign in part:
            if sign == " " and (not text or text[-1] == " "):
                continue
            if sign in ",?:;" and text and text[-1] == " ":
                text.pop()
                keys.pop()
            text.append(sign)
            keys.append(key)
    while text and text[-1] == " ":
        text.pop()
        keys.pop()
    return "".join(text), keys


def mistyped(text: str, keys: Sequence[int | None], rng: random.Random) -> Worn:
    """One to three slips of the finger."""
    signs, marks = list(text), list(keys)
    for _ in range(rng.randint(1, 3)):
        places = [
            at
            for at in range(1, len(signs) - 2)
            if signs[at].isalpha() and signs[at + 1].isalpha() and signs[at - 1].isalpha()
        ]
        if not places:
            break
        at = rng.choice(places)
        draw = rng.random()
        if draw < 0.35:
            signs[at], signs[at + 1] = signs[at + 1], signs[at]
        elif draw < 0.6:
            del signs[at], marks[at]
        elif draw < 0.8:
            signs.insert(at, signs[at])
            marks.insert(at, marks[at])
        else:
            signs[at] = rng.choice(_NEIGHBOURS.get(signs[at].lower(), "e"))
    return "".join(signs), marks
