"""Names of companies: how they are written, what they are grouped by, what their legal form says."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any, NamedTuple

from core.domain.fields import FieldType, TypedValue
from core.text.patterns import any_case
from core.text.words import table

_TABLE = table(__file__, "names")
_FORMS: dict[str, str] = _TABLE["forms"]
_KINDS = ("trust", "institution")
COMPANY_FORM = "(?:" + "|".join(_FORMS.values()) + ")"
"""A pattern for what ends a company's name; it ignores case only where the caller does."""

LEGAL_FORM = "(?:" + "|".join(pattern for form, pattern in _FORMS.items() if form not in _KINDS) + ")"
"""The same without the words that stand within names as well: "The University of Texas"."""

_FORM_AT_END = [(form, any_case(rf"(?<![A-Za-z])(?:{pattern})$")) for form, pattern in _FORMS.items()]
_ALIAS = re.compile(r"[,\s]*\((?:[^()]|\([^()]{0,80}\)){0,300}\)?\s*$")
_RULE = re.compile(r"[-_=]{3,}")
_NOISE = re.compile(r"[^a-z0-9]+")
_ROLES: frozenset[str] = frozenset(_TABLE["roles"])


class PartyName(NamedTuple):
    """A company's name taken apart: as written, what it is compared by, its legal form ("" for none)."""

    name: str
    normal: str
    form: str


def parse_party(text: str) -> TypedValue | None:
    """The party that `text` names, without its alias in brackets; None where no letters are left.

    `normal` has no legal form, accents, case or punctuation: that of "ACME Widgets, Inc." is "acme widgets".
    """
    party = read_name(text)
    if party is None:
        return None
    return TypedValue(FieldType.PARTY, party.name, original=text.strip(), normal=party.normal)


def read_name(text: str) -> PartyName | None:
    """A name taken apart; None where no letters are left of it."""
    name = " ".join(_RULE.sub(" ", _ALIAS.sub("", text[:400])).split()).strip(" ,;:-\"'\u201c\u201d*_")
    if name.endswith(")") and "(" not in name:
        name = name[:-1]
    if not any(letter.isalpha() for letter in name):
        return None
    return PartyName(name, normal_name(name), legal_form(name))


def legal_form(name: str) -> str:
    """Legal form that the end of a name says ("limited liability company"), or ""."""
    end = name.strip().rstrip(",;")
    return next((form for form, pattern in _FORM_AT_END if pattern.search(end)), "")


@lru_cache(maxsize=4_096)
def normal_name(name: str) -> str:
    """Form of a name that groups and comparisons use: no legal form, case, accents or punctuation."""
    bare = _without_form(" ".join(name.split()))
    folded = unicodedata.normalize("NFKD", bare.replace("&", " and ")).encode("ascii", "ignore").decode()
    plain = _NOISE.sub(" ", (folded if folded.strip() else bare).casefold() if folded.strip() else "").strip()
    plain = plain.removeprefix("the ")
    return plain or _NOISE.sub(" ", name.casefold()).strip() or name.casefold().strip()


def _without_form(name: str) -> str:
    from cleanco import basename

    bare = str(basename(name))
    bare = str(basename(bare)) if bare else name  # twice: "Acme Holdings Co., Ltd."
    return bare or name


def same_party(one: str, other: str) -> bool:
    """True where two names mean one company: equal without legal form, or nearly (spelling, word order)."""
    first, second = normal_name(one), normal_name(other)
    if first == second or first.replace(" ", "") == second.replace(" ", ""):
        return True
    if not first or not second:
        return False
    from rapidfuzz import fuzz

    return float(fuzz.token_sort_ratio(first, second)) >= 88.0


def role_of(alias: str) -> str:
    """The role that an alias in brackets names ("Licensor"), in lower case; "" where it is a short name."""
    words: list[Any] = re.findall(r"[a-z]+", alias.lower())
    if words and words[-1] in _ROLES and len(words) <= 3:
        return " ".join(words)
    return ""
