"""Names as people read them: headings without capitals throughout, companies short, months, in one line."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import PurePath

from core.domain.value_text import period
from core.text.words import word_set
from core.values.names import normal_name

MOST_SHOWN = 2
"""Parties that a name shows; of more it says how many."""

LONGEST = 140
"""Characters of a name; a longer one is cut between words."""

_HOLDERS = frozenset((".eml", ".msg", ".mbox", ".pdf", ".zip"))  # of files that are documents of their own
_BETWEEN = " · "
_DAY = re.compile(r"(?:19|20)\d\d(?:-\d\d){0,2}")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_STEM = re.compile(r"(?<=[^\W\d_])[-_]+(?=[^\W_])|(?<=\d)[-_]+(?=[^\W\d_])|_+")
_SMALL = word_set("a an and as at by for from in of on or the to upon with de des du van von")
_ROMAN = re.compile(r"(?:X{0,3})(?:IX|IV|V?I{0,3})")
_NUMBERED = re.compile(r"-\d")
_SHORT = 3  # letters up to which a word in capitals stays so, unless the text has it in small letters too
_FORM_TAIL = re.compile(r"[\s,]{0,8}(?:\([^()]{0,40}\)?)?\s{0,8}$")
_TELLING = 3  # letters that a name without its legal form must have


def spelled_out(stem: str) -> str:
    """A file's name as words: "fuel-purchases-2024-09" is Fuel purchases 2024-09; other text stays."""
    if " " in stem.strip() or not _STEM.search(stem):
        return stem
    words = _STEM.sub(" ", stem).strip()
    return words[:1].upper() + words[1:]


def holder_of(source: str) -> str:
    """The name of the file that a source is within: "mail.eml" of "in/mail.eml/photo.png", "" for none."""
    parents = PurePath(source.replace("\\", "/")).parents
    return next((each.name for each in parents if each.suffix.casefold() in _HOLDERS), "")


def readable(words: str, text: str = "") -> str:
    """Words in capitals as names are written: "SUPPLY AGREEMENT OF ACME" is Supply Agreement of ACME.

    text: where abbreviations are told from words, which it writes in small letters somewhere. Words that are
    not all in capitals stay as they are.
    """
    line = " ".join(words.split())
    letters = [char for char in line if char.isalpha()]
    if not letters or sum(char.isupper() for char in letters) < 0.8 * len(letters):
        return line
    small = _small_words(text)
    return _WORD.sub(lambda match: _recased(match, small), line)


@lru_cache(maxsize=8)
def _small_words(text: str) -> dict[str, str]:
    """The words that a text writes in small letters, or with one capital, at least as often as in capitals.

    Each with how it reads: with a capital, or as the text has it for the most part ("BicycleTX").
    """
    written: dict[str, Counter[str]] = {}
    for word, count in Counter(_WORD.findall(text)).items():
        written.setdefault(word.casefold(), Counter())[word] = count
    small = {}
    for plain, counts in written.items():
        mixed = [word for word in counts if not word.isupper() and word[1:] != word[1:].lower()]
        is_upper = 2 * sum(count for word, count in counts.items() if word.isupper()) > counts.total()
        if is_upper and not (mixed and len(plain) > _SHORT):
            continue
        others = sum(count for word, count in counts.items() if word not in mixed and not word.isupper())
        best = max(mixed, key=lambda word: counts[word], default="")
        small[plain] = best if best and counts[best] > others else plain.capitalize()
    return small


def _recased(match: re.Match[str], small: Mapping[str, str]) -> str:
    word = match[0]
    plain = word.casefold()
    if _NUMBERED.match(match.string, match.end()):  # AS-550
        return word
    if plain in _SMALL:
        return plain if match.start() else plain.capitalize()
    if any(map(str.isdigit, word)) or (_ROMAN.fullmatch(word) and len(word) > 1):
        return word
    if plain in small:
        return small[plain]
    has_vowel = bool(re.search(r"[aeiouy]", plain))
    return word if len(word) <= _SHORT or not has_vowel else word.capitalize()


def short_party(name: str, text: str = "") -> str:
    """A company without its legal form: ACME of "ACME Corporation"; the whole name where little is left."""
    whole = " ".join(name.split()).strip(" ,;")
    kept = whole
    wanted = normal_name(whole).replace(" ", "")
    words = whole.split()
    for count in range(1, len(words)):
        head = " ".join(words[:count]).rstrip(" ,;")
        if _FORM_TAIL.sub("", _letters(head)) == wanted:
            kept = head
            break
    if len(_letters(kept)) < _TELLING or kept.casefold() in _SMALL:
        kept = whole
    return readable(kept, text) if whole.isupper() else kept


def _letters(words: str) -> str:
    plain = unicodedata.normalize("NFKD", words.replace("&", " and ").casefold())
    found = re.findall(r"[a-z0-9]+", plain.encode("ascii", "ignore").decode())
    return "".join(found[1:] if found[:1] == ["the"] else found)


def month_of(day: str) -> str:
    """`Mar 2024` of "2024-03-09", `2024` of "2024"; "" where it is none."""
    said = period(day[:7]) if _DAY.fullmatch(day) else ""
    return said.partition("-")[0]  # "2024-13" is a year at least


def one_line(kind: str, parties: Sequence[str], day: str) -> str:
    """`Supply Agreement · ACME / Beta · Mar 2024`: what there is of it."""
    shown = " / ".join(parties[:MOST_SHOWN])
    if len(parties) > MOST_SHOWN:
        shown += f" + {len(parties) - MOST_SHOWN}"
    line = _BETWEEN.join(part for part in (kind, shown, month_of(day)) if part)
    if len(line) <= LONGEST:
        return line
    return line[:LONGEST].rsplit(" ", 1)[0].rstrip(" ·/,") + " …"


_EXHIBIT = re.compile(
    r"(?i)^\W*(?:(?:exhibit|ex|annex|appendix|schedule|attachment)[\s._-]*[a-z]?\d*[\d.()a-z-]{0,8}|page\s+\d+(?:\s+of\s+\d+)?"
    r"|\[[^\]]*\]|<[^>]*>|article\s+[ivx\d]+|section\s+[\d.]+|table\s+of\s+contents|draft|final|confidential"
    r"|execution\s+(?:copy|version))\W*$"
)
_LEAD = re.compile(
    r"(?i)^\W*(?:(?:exhibit|ex)[\s._-]*\d[\d.()a-z-]{0,8}|execution\s+(?:copy|version)|final|draft|confidential)\s+(?=\w)"
)


def tells(title: str) -> bool:
    """True of a title that says anything of its document: no page, exhibit, mark or bare section heading."""
    line = " ".join(title.split())
    return bool(re.search(r"[^\W\d_]{3}", line)) and not _EXHIBIT.match(line)


def without_marks(title: str) -> str:
    """A title without the number of its exhibit and the like before it."""
    return _LEAD.sub("", " ".join(title.split())).strip(" -–—:·")
