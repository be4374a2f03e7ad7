"""Organisations and documents that a question names, matched against those that exist."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.plan.catalogue import ValueEntry
from core.plan.language.lexicon.lexicon import Lexicon, Title
from core.plan.language.pieces import Documents, Parties, Token, Values, singular
from core.text.analyse import STOP_WORDS

MAX_NAME = 7  # words
MAX_FORMED = 8  # organisations of one legal form that "the GmbH" may mean
_THE = frozenset(["the", "this", "that"])
MAX_DOCUMENTS = 40  # that one name may mean; more are a kind
_DOING = frozenset(["supplies", "sells", "provides", "delivers", "licenses", "leases", "buys", "services"])
_BEFORE_NAMES = frozenset(
    [
        "the",
        "our",
        "this",
        "that",
        "a",
        "an",
        "of",
        "for",
        "in",
        "under",
        "with",
        "from",
        "by",
        "and",
        "or",
        "vs",
        "versus",
        "to",
        "than",
        "on",
        "is",
        "does",
        ",",
        "&",
        "/",
    ]
)
_JOINTS = frozenset(["the", "of", "for", "no", "a"])
FORMS = frozenset(
    ["inc", "corp", "corporation", "llc", "ltd", "gmbh", "plc", "co", "company", "lp", "ag", "limited",
     "incorporated", "bv", "sa", "trust", "bhd", "sdn", "pte", "pty", "nv", "spa", "srl", "holdings", "group"]
)  # fmt: skip


def parties_at(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> Iterator[tuple[int, Parties, str]]:
    """The organisations that the words from `at` name: (end, meaning, reason), longer names first."""
    if not tokens[at].is_word:
        return
    for end in range(min(len(tokens), at + MAX_NAME), at, -1):
        words = tokens[at:end]
        if not all(each.is_word or each.text == "&" for each in words):
            continue
        key = tuple("and" if each.text == "&" else each.word.strip(".") for each in words)
        found = lexicon.parties(key) or (
            lexicon.parties(key[:-1]) if key[-1] in FORMS and len(key) > 1 else ()
        )
        if not found:
            continue
        exact = [each for each in found if tuple(each.normal.split()) == key]
        if not exact and len(key) > 1:
            exact = [each for each in found if tuple(each.normal.split()) == key[:-1] and key[-1] in FORMS]
        if not exact and not _is_name(words, lexicon):
            continue
        chosen = exact or found
        named = ", ".join(each.name for each in chosen[:3])
        yield end, Parties(tuple(chosen)), f"names {named}"
    if tokens[at].word in FORMS and at and tokens[at - 1].word in _THE:
        formed = lexicon.with_form(tokens[at].word)
        if 0 < len(formed) <= MAX_FORMED:
            yield at + 1, Parties(formed), f"is the form of {formed[0].name}"
    if len(tokens[at].word) > 4 and tokens[at].text[0].isupper():
        inside = lexicon.party_word(tokens[at].word)
        if 0 < len(inside) <= 3:
            yield at + 1, Parties(inside), f"is part of the name {inside[0].name}"


def _is_name(words: Sequence[Token], lexicon: Lexicon) -> bool:
    """Whether the beginning of a name is meant as one: written as names are, or no other word."""
    if words[0].text[0].isupper() or len(words) > 1:
        return True
    word = words[0]
    # "roadrunner receipts" is a name in lower case; "services" is a word that a name begins with.
    return (
        lexicon.fields((word.stem,)) is None
        and not lexicon.nouns((singular(word.word),))
        and not lexicon.values((word.stem,))
    )


def _is_in_passing(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """Whether a word of a title is only said: "need it quick" names no quick start guide."""
    token = tokens[at]
    if token.is_capital or (at > 0 and tokens[at - 1].word in _BEFORE_NAMES):
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return not (at == 0 or (after is not None and lexicon.nouns((singular(after.word),))))


def documents_at(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> Iterator[tuple[int, Documents, str]]:
    """The documents whose titles the words from `at` are part of: (end, meaning, reason), longer first."""
    first = tokens[at]
    if not first.is_word or first.word in STOP_WORDS or not lexicon.is_title_word(first.stem):
        return
    kept: list[str] = []
    best: list[tuple[int, list[Title], tuple[str, ...]]] = []
    for end in range(at, min(len(tokens), at + 10)):
        token = tokens[end]
        if token.word in _JOINTS:
            continue
        if not token.is_word or token.word in STOP_WORDS:
            break
        if not lexicon.is_title_word(token.stem):
            break
        if _are_many(tokens, end, lexicon):
            break  # "maintenance manuals" are a kind, "the maintenance manual" is a document
        if kept and token.word in _DOING and not _is_before_kind(tokens, end, lexicon):
            break  # "ACME supplies" says what it does
        kept.append(token.stem)
        found = [each for each in lexicon.titled(kept) if each.own & set(kept)]
        if not found:
            break
        best.append((end + 1, found, tuple(kept)))
    for end, found, words in reversed(best):
        if len(found) > MAX_DOCUMENTS:
            continue
        # "the Halden contract" is any contract with Halden: a name and a kind make no title
        is_telling = (
            any(not lexicon.is_common_in_titles(word) and not lexicon.is_name_or_kind(word) for word in words)
            or len(words) == 1
        ) and not (len(words) == 1 and _is_in_passing(tokens, at, lexicon))
        if not is_telling:
            continue
        whole = [each for each in found if len(words) > 1 and set(words) in (each.title, each.own)]
        chosen = whole or found
        titles = ", ".join(each.document.title for each in chosen[:3])
        yield (
            end,
            Documents(tuple(each.document for each in chosen), bool(whole)),
            f"stands in the title {titles}",
        )


def _are_many(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """Whether a word is a kind of document in the plural, and not a part of another's name."""
    word = tokens[at].word
    if not word.endswith("s") or word.endswith("ss") or not lexicon.nouns((singular(word),)):
        return False
    return not _is_before_kind(tokens, at, lexicon)


def _is_before_kind(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """Whether one document follows, as in "services agreement"."""
    return at + 1 < len(tokens) and bool(lexicon.nouns((tokens[at + 1].word,)))


def _shared(one: str, other: str) -> str:
    """The beginning that two words share."""
    size = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return one[:size]


def value_part(tokens: Sequence[Token], lexicon: Lexicon) -> Values | None:
    """The text fields whose values begin with these words: "ISO 9001" of "ISO 9001:2015"."""
    where = lexicon.value_parts(tuple(each.stem for each in tokens))
    text = " ".join(each.text for each in tokens)
    found = tuple(ValueEntry(schema, field, text, count) for (schema, field), count in sorted(where.items()))
    return Values(found, is_part=True) if found else None


def value_word(token: Token, lexicon: Lexicon) -> Values | None:
    """The text fields in whose values a word stands, as values that contain it; the likeliest first."""
    where = lexicon.value_words(token.stem)
    if not where or token.word in STOP_WORDS:
        return None
    ranked = sorted(where.items(), key=lambda each: (-each[1], each[0]))
    shared = _shared(token.word, token.stem)  # "tires" are looked for as "tire"
    text = shared if len(shared) > 2 else token.stem
    return Values(
        tuple(ValueEntry(schema, field, text, count) for (schema, field), count in ranked), is_part=True
    )
