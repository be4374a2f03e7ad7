"""The one analyser: turns text into the terms that are indexed, and a question into the terms looked for.

Every engine indexes these terms as they are (split at blanks), so that all engines rank alike.
Change what it does and `ANALYSER_VERSION` must rise: indexes built with another version are refused.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

import Stemmer

from core.domain.document import file_stem
from core.text.words import word_list

if TYPE_CHECKING:
    from core.domain.passage import StoredPassage

ANALYSER_VERSION = 3

LONGEST_TERM = 80  # characters; longer runs (base64, hashes) are cut, in text and query alike
PART_WEIGHT = 0.5  # of a piece of a compound, beside its joined form

_TOKEN = re.compile(r"\w+(?:[-'’./&,]\w+)*")
STOP_WORDS = word_list("stop", "common")

_UNFOLDABLE = str.maketrans(
    {
        "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "ł": "l", "Ł": "L", "æ": "ae",
        "Æ": "AE", "œ": "oe", "Œ": "OE", "þ": "th", "Þ": "Th", "ı": "i", "ħ": "h", "Ħ": "H",
        "’": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-",
        "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\ufeff": None,
    }
)  # fmt: skip
# The mark of a footnote is no digit of the amount before it, and ten to the fifth is two numbers.
_RAISED_BORDER = re.compile("(?<=[0-9])(?=[\u2070-\u2079\u00b9\u00b2\u00b3\u207a-\u207e\u2080-\u208e])")
_ACCENTS = re.compile("[\u0300-\u036f]+")
# A chunk: a word, or words joined by one of - . / ' & _ and comma, as in B-120, 1,250.00, O'Neil, AT&T, U.S.
# Indic vowel signs are marks, not letters, and belong to the word.
# ASCII text, which most is, takes half the time with a pattern of its own.
_ASCII_CHUNK = re.compile(r"[A-Za-z0-9_]+(?:[-./'&,][A-Za-z0-9_]+)*")
_CHUNK = re.compile(r"[\w\u0900-\u0dff]+(?:[-./'&,][\w\u0900-\u0dff]+)*")
_PIECE = re.compile(r"(?:[^\W_]|[\u0900-\u0dff])+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SEPARATORS = re.compile("[,/]")
_DECIMAL = re.compile(r"\d+\.\d+")
_DOTTED_NUMBER = re.compile(r"\d+(?:\.\d+){2,}")
_JOINTS = re.compile("[-.&_]")
_INNER_BORDER = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
# Scripts that are written without blanks: indexed as overlapping pairs of characters.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
_QUOTED = re.compile(r'"([^"]{1,400})"|“([^”]{1,400})”|„([^“”]{1,400})[“”]|«([^»]{1,400})»')

# The C stemmer: the pure Python one gives the same stems but imports every language, 0.1 s a command.
_stemmer = Stemmer.Stemmer("english")
_stemmer_lock = threading.Lock()  # a stemmer keeps the word in its fields while it works


@dataclass(frozen=True, slots=True)
class AnalysedQuery:
    """Terms of a query with weights above 0, each term once, and the quoted phrases.

    The terms of a phrase are among `terms` too.
    """

    terms: tuple[tuple[str, float], ...]
    phrases: tuple[tuple[str, ...], ...]


def analyse(text: str) -> list[str]:
    """The terms of a text in reading order, stop words included; [] where it holds no letter or digit.

    A compound gives its joined form and then its pieces: `B-120` gives b120, b, 120, so that `B120`,
    `B 120` and `B-120` find one another. `$1,250.00` gives 1250. Thread-safe.
    """
    return list(chain.from_iterable(map(_terms, _chunks(text))))


def analyse_query(text: str) -> AnalysedQuery:
    """The terms of a question: stop and question words dropped, pieces of compounds at half weight.

    Where nothing but stop words is left, they are kept. Quoted runs of two or more terms become
    phrases, in which stop words count.
    """
    chunks = [thing for chunk in _chunks(text) for thing in _things(chunk)]
    shouting = text.upper() == text
    telling = [chunk for chunk in chunks if not _is_stop_word(chunk, shouting)] or chunks
    weights: dict[str, float] = {}
    for chunk in telling:
        for position, term in enumerate(_terms(chunk)):
            is_part = position > 0 and not _UNSPACED.match(term)
            if is_part and term in STOP_WORDS:
                continue
            weight = PART_WEIGHT if is_part else 1.0
            weights[term] = max(weight, weights.get(term, 0.0))
    phrases = dict.fromkeys(
        terms
        for match in _QUOTED.finditer(text)
        if len(terms := tuple(analyse(next(group for group in match.groups() if group is not None)))) > 1
    )
    return AnalysedQuery(tuple(weights.items()), tuple(phrases))


def passage_terms(stored: StoredPassage) -> list[str]:
    """The terms that a passage is found by: of file name, title, section path and text, in this order.

    A contract's heading is mostly its kind, its file name the parties: with it LegalBench-RAG's R@64 without
    the name resolver rose from .740 to .872. A file name that says the same as the title counts once.
    """
    named = analyse(file_stem(stored.source).replace("_", " "))
    titled = analyse(stored.title)
    body = analyse("\n".join((*stored.passage.section, stored.passage.text)))
    return [*(() if named == titled else named), *titled, *body]


def _fold(text: str) -> str:
    """`text` without accents and with compatible characters made equal; its case is kept."""
    text = _RAISED_BORDER.sub(" ", text.translate(_UNFOLDABLE))
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", plain)


def _chunks(text: str) -> list[str]:
    return _ASCII_CHUNK.findall(text) if text.isascii() else _CHUNK.findall(_fold(text))


def _things(chunk: str) -> list[str]:
    """A chunk, or its pieces where they are separate things: enumerations, dates, and/or."""
    if _THOUSANDS.fullmatch(chunk):
        return [chunk]
    return _SEPARATORS.split(chunk)


def _is_stop_word(chunk: str, shouting: bool) -> bool:
    """True where a chunk of a question tells nothing; an acronym such as IT or WHO does."""
    if len(chunk) > 1 and chunk.isupper() and not shouting:
        return False
    return chunk.replace("'", "").casefold() in STOP_WORDS


@lru_cache(maxsize=1 << 16)
def _terms(chunk: str) -> tuple[str, ...]:
    """The terms of one chunk, the one that stands for the whole of it first."""
    chunk = chunk[:4000]
    if _THOUSANDS.fullmatch(chunk):
        return (_number(chunk.replace(",", "")),)
    if _DECIMAL.fullmatch(chunk):
        return (_number(chunk),)
    if _DOTTED_NUMBER.fullmatch(chunk):
        return (chunk[:LONGEST_TERM],)
    things = _things(chunk)
    if len(things) > 1:
        return tuple(term for thing in things for term in _terms(thing))
    if _UNSPACED.search(chunk):
        return _pairs(chunk)
    return _compound(chunk)


def _compound(chunk: str) -> tuple[str, ...]:
    """Joined form and pieces of a chunk, or its stem where it is a plain word."""
    words = [word.replace("'", "") for word in _JOINTS.split(_without_possessive(chunk)) if word]
    pieces = [piece for word in words for piece in _INNER_BORDER.split(word) if piece]
    if not pieces:  # a line of underscores
        return ()
    joined = "".join(pieces)
    if len(pieces) < 2 or (len(words) > 1 and all(len(word) == 1 for word in words)):
        return (_stem(joined),)
    if len(words) == 1 and len(pieces) > 4:  # a hash, a key: its pieces are noise
        return (_stem(joined),)
    return (_stem(joined), *(_stem(piece) for piece in pieces))


def _without_possessive(chunk: str) -> str:
    return chunk[:-2] if chunk.endswith(("'s", "'S")) else chunk.rstrip("'")


def _pairs(chunk: str) -> tuple[str, ...]:
    """Terms of a chunk that holds runs of an unspaced script: pairs of characters, other pieces as words."""
    terms: list[str] = []
    for piece in _PIECE.findall(chunk):
        at = 0
        for run in _UNSPACED.finditer(piece):
            if run.start() > at:
                terms.append(_stem(piece[at : run.start()]))
            text = run.group()
            terms.extend([text] if len(text) == 1 else [text[i : i + 2] for i in range(len(text) - 1)])
            at = run.end()
        if at < len(piece):
            terms.append(_stem(piece[at:]))
    return tuple(terms)


def _number(digits: str) -> str:
    """A number without trailing zeros behind its point, so that 1250 and 1250.00 are one term."""
    return (digits.rstrip("0").rstrip(".") if "." in digits else digits)[:LONGEST_TERM]


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """The Snowball (Porter 2) stem of a word; what is no word of letters stays as it is."""
    word = word.casefold()[:LONGEST_TERM]
    if not word.isalpha():
        return word
    with _stemmer_lock:
        return str(_stemmer.stemWord(word)) or word


def content_terms(word: str) -> list[str]:
    """The analysed terms of one word; [] for a stop word (alone, the analyser would keep it)."""
    return [] if word.casefold() in STOP_WORDS else analyse(word)


def text_terms(text: str) -> frozenset[str]:
    """The analysed terms of a text without stop words; empty where it has nothing else."""
    return frozenset(term for word in _TOKEN.findall(text) for term in content_terms(word))
