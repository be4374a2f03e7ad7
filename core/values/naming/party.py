"""Names of parties as a document's name shows them: without what stands around them, and no other words."""

from __future__ import annotations

import re
from functools import lru_cache

from core.text.analyse import STOP_WORDS
from core.text.patterns import any_case
from core.text.words import word_list
from core.values.names import legal_form, role_of
from core.values.naming.display import readable, short_party
from core.values.naming.words import FORMS, INNER, folded, key_of
from core.values.places import PLACE, canonical_place

_EDGES = (INNER - {"the"}) | {"as", "or", "at", "with", "from", "within", "between", "among", "is", "&"}
_BACK = _EDGES | {"the", "a", "an"}
_ROLES = word_list("naming", "roles")
_SIGNERS = word_list("naming", "signers")
_COMMON = (
    STOP_WORDS
    | word_list("naming", "roles", "boilerplate", "titles", "usual", "companies", "endings")
    | INNER
    | FORMS
)
_COMMON_KEYS = frozenset(map(key_of, _COMMON))
_KINDS = FORMS | frozenset(["liability", "partnership", "general", "a", "an"])
_REGULATORS = tuple(each.split("-") for each in sorted(word_list("naming", "regulators")))
_PLACEHOLDER = re.compile(r"(?i)\bx{3,}\b|[*_\u2022\u25cf\u2026\[\]]|\.{3,}")
_ORDINAL = any_case(r"^(?:section|article|rule|clause|exhibit|schedule|regulation|appendix)\s+\S*\d\S*\s*")
_NUMBER = re.compile(r"^(?:\d+(?:-\d+){2,}|\d+\.\d[\d.]*)\s+")
_LEAD = any_case(r"^.*\b(?:and|between)\s*:\s*")
_POLITE = any_case(r"^(?:mr|mrs|ms|dr)\.?\s+(?=\S)")
_ADDRESS = re.compile(r",\s+\d+\s.*$|\s+(?:of|at)\s+\d.*$|,\s+[A-Z]{2}\s+\d{5}\b.*$|,\s+the\s+[A-Z][a-z]+$")
_HOME = any_case(
    rf",\s+(?:an?\s+)?{PLACE}\s+(?:[a-z]+\s+){{0,2}}(?:corporation|company|partnership|trust|bank)\b.*$"
)
_JOINT = any_case(r",?\s+and\s+(?=[A-Z0-9])")
_SLASHED = any_case(r"[\s,]+S/A$")
_SMALL = re.compile(r"(?<![\w.@/'’-])[a-z]{3,}(?![\w@]|\.[a-z])")
_NEAR = 200_000


def party_name(written: str) -> str:
    """A party's name without numbers, titles, places and remains of the sentence at its ends.

    "" for what is no party: a place, a rule, a regulator, a role, a person's office, a blank.
    """
    name = " ".join(written.split())
    if _PLACEHOLDER.search(name):
        return ""
    name = _trimmed(_LEAD.sub("", name))
    bare = _ORDINAL.sub("", _NUMBER.sub("", name))
    if bare != name and not form_of(bare):  # a heading with its number
        return ""
    name = bare
    name = _POLITE.sub("", _without_company(name))
    name = _trimmed(_HOME.sub("", _ADDRESS.sub("", _closed(name))))
    words = _plain(name)
    if not words or _is_place(words) or _is_regulator(words) or _is_office(words, name):
        return ""
    if all(word in _COMMON or not word[0].isalpha() for word in words) and not _is_company(name, words):
        return ""
    return name


def form_of(name: str) -> str:
    """The legal form at the end of a name, also where its last dot is lost: "Acme B.V"."""
    return legal_form(name) or legal_form(f"{name}.")


def is_party_by_itself(name: str, text: str) -> bool:
    """True of a name that nothing but its capitals speaks for, where it is no term of the text.

    A word that the text writes in small letters too, or that any contract has, tells nobody.
    """
    small = _small_words(text[:_NEAR])
    words = _plain(name)
    telling = [word for word in words if len(word) > 2 and not _is_common(word) and word not in small]
    return bool(telling) and not _is_common(words[-1]) and not any(word[0].isdigit() for word in words)


def is_term(name: str, text: str) -> bool:
    """True of words that the text writes in small letters as well: a term ("annual meeting"), no name."""
    line = name.casefold()
    return " " in line and line != name and line in text[:_NEAR]


def is_blank(name: str) -> bool:
    """True of what stands for a name that is left out: "XXXXXXXX", "[***]"."""
    return bool(_PLACEHOLDER.search(name))


def _is_common(word: str) -> bool:
    return word in _COMMON or key_of(word) in _COMMON_KEYS


def called(name: str, alias: str, text: str) -> str:
    """A party by what it is called for short: its alias, where that is made of its name and tells.

    "Fitness" does not tell Fitness Publications apart, nor "Joint" The Joint Corp.
    """
    if alias and not role_of(alias) and len(alias) < len(name) and not alias.islower():
        plain = _plain(alias)
        if plain and plain[0] in _plain(name) and not _is_one_common(plain, text):
            return _cased(_as_in(name, alias), name, text)
    bare = _SLASHED.sub("", name)
    short = short_party(bare, text)
    if short != bare and _is_one_common(_plain(short), text):
        short = bare
    return _cased(short, name, text)


def _is_one_common(words: list[str], text: str) -> bool:
    """True of a single word that is said of other things, too: in any contract, or in this text."""
    own = [word for word in words if word != "the"]
    return len(own) == 1 and (own[0] in _COMMON or own[0] in _small_words(text[:_NEAR]))


def _cased(shown: str, name: str, text: str) -> str:
    """A name without capitals throughout, where nothing but its small words has small letters."""
    words = [word for word in name.split() if word.isalpha() and folded(word) not in INNER]
    return readable(shown, text) if words and all(map(str.isupper, words)) else shown


def _without_company(name: str) -> str:
    """A company without the place, role, office or goods before it: "Director of Sales, AND ACME LIMITED"."""
    for match in reversed(list(_JOINT.finditer(name))):
        left, right = _plain(name[: match.start()]), name[match.end() :]
        if form_of(name[: match.start()]) and form_of(right):  # two that are named at once
            name = name[: match.start()]
            continue
        if form_of(right) and left and _is_company(right, _plain(right)):
            of_roles = all({word, word.removesuffix("s")} & _ROLES for word in left if word not in INNER)
            if of_roles or _is_place(left) or (len(left) > 1 and left[0] in _SIGNERS):
                return right
    return _without_goods(name)


def _without_goods(name: str) -> str:
    """A name in capitals without the plain words before it: "Shares ACME WIDGETS TRUST"."""
    words = name.split()
    first = 0
    while first < len(words) - 2 and not words[first].isupper() and folded(words[first]) in _COMMON:
        first += 1
    rest = [word for word in words[first:] if len(word) > 3 and word.isalpha()]
    is_capital = len(rest) > 1 and all(word.isupper() for word in rest)
    return " ".join(words[first:]) if is_capital and words[0].casefold() != "the" else name


def _closed(name: str) -> str:
    """A name without a bracket that does not close."""
    at = name.rfind("(")
    return name[:at] if at > 0 and ")" not in name[at:] else name


def _trimmed(name: str) -> str:
    """A name without the small words that a sentence leaves at its ends; "AS" is a legal form."""
    words = name.strip(" ,;:-–").split()
    while words and folded(words[0].strip(",")) in _EDGES:
        del words[0]
    while (
        words
        and (plain := folded(words[-1].strip(","))) in _BACK
        and not (words[-1].isupper() and plain in FORMS)
    ):
        del words[-1]
    line = " ".join(words).strip(" ,;:-–")
    return line if form_of(line) else line.strip(" .")


def _plain(words: str) -> list[str]:
    return [plain for word in words.split() if (plain := folded(word.strip(',;:()"“”')))]


def _is_company(name: str, words: list[str]) -> bool:
    """True of a name with a legal form and another word before it."""
    own = [word for word in words if word not in _KINDS and word not in INNER]
    return bool(form_of(name)) and bool(own) and not set(own) <= _ROLES


def _is_place(words: list[str]) -> bool:
    """True of a place alone, or with the kind of company that is formed there: "Nevada Corporation"."""
    own = [word for word in words if word not in _KINDS]
    return bool(own) and bool(canonical_place(" ".join(own)))


def _is_regulator(words: list[str]) -> bool:
    return any(
        words[at : at + len(each)] == each for each in _REGULATORS for at in range(len(words) - len(each) + 1)
    )


def _is_office(words: list[str], name: str) -> bool:
    """True of what a signer is: "Director of Sales", "Chief Executive Officer"."""
    if form_of(name):
        return False
    return words[0] in _SIGNERS and (len(words) == 1 or words[1] in INNER or words[-1] in _SIGNERS)


def _as_in(name: str, alias: str) -> str:
    """An alias written as the name writes it: "Beacon" of ("BEACON") where the name is Beacon Labs."""
    written = {folded(word.strip(",")): word.strip(",") for word in name.split()}
    words = alias.split()
    if not alias.isupper() or not all(folded(word) in written for word in words):
        return alias
    return " ".join(written[folded(word)] for word in words)


@lru_cache(maxsize=8)
def _small_words(text: str) -> frozenset[str]:
    return frozenset(_SMALL.findall(text))
