"""Frames: ways of asking, as text with `(a|b)` to choose from and `<slot>`s; and the forms of words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bench.reader.contexts import parted
from core.plan.readers.trained.reading import Operation

FRAMES = Path(__file__).parent / "frames"
ARTICLE = re.compile(r"(?:an?|the|any|some|our|their|its)\s+", re.IGNORECASE)
TOKEN = re.compile(r"[()|]|<[^<>]*>|[^()|<>]+")


class NotComposableError(Exception):
    """The frame needs what the context does not have."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A way of asking, with its operation and how often it is used. relation: of a turn, "" for none."""

    operation: Operation
    weight: float
    text: str
    relation: str = ""


@cache
def frames() -> tuple[Frame, ...]:
    """All frames."""
    found = []
    for file in sorted(FRAMES.glob("*.tsv")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                operation, weight, text = line.split("\t")
                relation, _, name = operation.rpartition(":")
                found.append(Frame(Operation(name), float(weight), text, relation))
    return tuple(found)


def without_article(text: str) -> str:
    """A noun phrase without its article."""
    return ARTICLE.sub("", text, count=1) if ARTICLE.match(text) else text


def gerund(phrase: str) -> str:
    """A verb phrase in base form, as "...ing"."""
    verb, _, rest = phrase.partition(" ")
    if verb in ("are", "is"):
        stem = "being"
    elif verb.endswith("ie"):
        stem = verb[:-2] + "ying"
    elif verb.endswith("e") and not verb.endswith(("ee", "oe")):
        stem = verb[:-1] + "ing"
    elif re.fullmatch(r"[a-z]{0,4}[^aeiou][aeiou][bgmnptr]", verb) and verb not in (
        "cover",
        "enter",
        "offer",
    ):
        stem = verb + verb[-1] + "ing"
    else:
        stem = verb + "ing"
    return f"{stem} {rest}".strip()


def third(phrase: str) -> str:
    """A verb phrase in base form, of one document."""
    verb, _, rest = phrase.partition(" ")
    irregular = {
        "are": "is",
        "have": "has",
        "do": "does",
        "don't": "doesn't",
        "were": "was",
        "can": "can",
        "cannot": "cannot",
        "go": "goes",
    }
    if verb in irregular:
        stem = irregular[verb]
    elif re.search(r"(?:s|x|ch|sh|z)$", verb):
        stem = verb + "es"
    elif re.search(r"[^aeiou]y$", verb):
        stem = verb[:-1] + "ies"
    else:
        stem = verb + "s"
    return f"{stem} {rest}".strip()


def pluralised(text: str) -> str:
    """The plural of a noun phrase."""
    if " of " in text or text.startswith(("how ", "who ", "what ", "when ")) or text.endswith("s"):
        return text
    return text[:-1] + "ies" if re.search(r"[^aeiou]y$", text) else text + "s"


def alternatives(tokens: Sequence[str], at: int) -> list[tuple[int, int]]:
    """(start, end) of the alternatives of the bracket at `at`; the last end is its closing bracket."""
    options, depth, start = [], 0, at + 1
    for place in range(at, len(tokens)):
        token = tokens[place]
        if token == "(":
            depth += 1
        elif token == ")":
            depth -= 1
            if depth == 0:
                options.append((start, place))
                return options
        elif token == "|" and depth == 1:
            options.append((start, place))
            start = place + 1
    raise ValueError("a bracket is not closed")


LEADS: dict[tuple[str, bool], tuple[str, ...]] = {}
CLAUSES: dict[tuple[str, bool], tuple[str, ...]] = {}
for _line in (FRAMES / "leads.txt").read_text(encoding="utf-8").splitlines():
    _kind, _form, _sign, _text = _line.split("\t")
    (LEADS if _kind == "noun" else CLAUSES)[_form, _sign == "-"] = parted(_text)
