"""English nouns in the singular and the plural."""

from __future__ import annotations


def singular(word: str) -> str:
    """An English noun in the singular, by its ending; as it is where that says nothing."""
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    is_plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if is_plural else word


def is_plural(word: str) -> bool:
    """True where a noun is in the plural, as far as its ending tells."""
    return singular(word) != word


def plural(noun: str) -> str:
    """Several of a noun: `policy` -> `policies`, `agreement` -> `agreements`."""
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"
