"""Vocabulary of a collection: fields, kinds, values, parties and titles, ready for lookup.

Compiled once for a catalogue and then only read: safe to share between threads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.annotation import Calculation
from core.domain.document import file_stem
from core.domain.fields import PLAIN_TEXTS, FieldType
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry, PartyEntry, SchemaEntry, ValueEntry
from core.plan.language.lexicon.words import DOCUMENT_NOUNS, PHRASES
from core.plan.language.pieces import (
    DocumentSet,
    FieldMatch,
    FieldSenses,
    Noun,
    Parties,
    Token,
    Values,
    singular,
    stem,
    stems,
    tokens_of,
)
from core.text.analyse import STOP_WORDS
from core.text.words import word_list
from core.values.places import canonical_place

MAX_PHRASE = 8
MAX_EXAMPLE = 16  # words of an example of how questions speak of a field
KIND, NAME = "document_kind", "document_name"
GENERIC = "generic"
_FUNCTIONS = {"total": Calculation.SUM, "sum": Calculation.SUM}
_ANY_DOCUMENT = ("document", "doc", "paper", "record", "text")
_SAME_KIND = {"contract": "agreement"}
# Single words that say more of how a question is asked than of which field is meant.
_TOO_COMMON = word_list("asking", "common_fields")
_PREPOSITIONS = frozenset(["since", "from", "on", "by", "until", "within", "for", "of", "with", "in"])
_KEPT = frozenset(["value", "price", "worth", "date"])


KIND_WORDS = 2
"""The most words before a kind of document that say which: "data processing agreements"."""


@dataclass(frozen=True, slots=True)
class Title:
    """A document with the stems that its title, file name and parties are made of."""

    document: DocumentEntry
    title: frozenset[str]
    own: frozenset[str]
    all: frozenset[str]


class Lexicon:
    """The vocabulary of one catalogue. longest: words of the longest name of anything in it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._fields: dict[tuple[str, ...], list[FieldMatch]] = defaultdict(list)
        self._verbs: dict[tuple[str, ...], list[FieldMatch]] = defaultdict(list)
        self._written: set[str] = set()
        self.longest = MAX_PHRASE
        self._said_verbs: list[str] = []
        self._nouns: dict[tuple[str, ...], list[Noun]] = defaultdict(list)
        self._values: dict[tuple[str, ...], list[ValueEntry]] = defaultdict(list)
        self._value_parts: dict[tuple[str, ...], dict[tuple[str, str], int]] = defaultdict(dict)
        self._value_words: dict[str, dict[tuple[str, str], int]] = defaultdict(dict)
        self._parties: dict[tuple[str, ...], list[int]] = defaultdict(list)
        self._party_words: dict[str, set[int]] = defaultdict(set)
        self._titles: list[Title] = []
        self._title_words: dict[str, set[int]] = defaultdict(set)
        self._kinds: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
        for schema in catalogue.schemas:
            self._add_schema(schema)
        self._add_verbs()
        self._add_nouns()
        self._add_values()
        self._add_parties()
        self._add_titles()
        kinds = {stem(key[-1]) for key in self._nouns}
        self._name_stems = frozenset(kinds | {stem(word) for word in self._party_words})
        self.known: frozenset[str] = frozenset(self._known())
        self.words: frozenset[str] = frozenset(self._words())
        self.grammar: frozenset[str] = frozenset(
            word for key in (*PHRASES, *(verb.split() for verb in self._said_verbs)) for word in key
        )

    def fields(self, key: tuple[str, ...]) -> FieldSenses | None:
        """The fields that a phrase of stems means."""
        named, said = self._fields.get(key, []), self._verbs.get(key, [])
        if not named and not said:
            return None
        best: dict[tuple[str, str], FieldMatch] = {}
        for match in (*named, *said):
            at = (match.field.schema, match.field.name)
            if at not in best or best[at].weight < match.weight:
                best[at] = match
        ranked = sorted(best.values(), key=lambda each: -each.weight)
        function = _FUNCTIONS.get(key[0])
        return FieldSenses(tuple(ranked), is_verb=not named, function=function, said=key)

    def is_written(self, word: str) -> bool:
        """True where a field is called by this very form of the word."""
        return word in self._written

    def nouns(self, key: tuple[str, ...]) -> tuple[Noun, ...]:
        """The kinds of document that words in the singular mean."""
        return tuple(self._nouns.get(key, ()))

    def values(self, key: tuple[str, ...]) -> Values | None:
        """The values that a phrase of stems is."""
        found = self._values.get(key)
        return Values(tuple(found)) if found else None

    def value_parts(self, key: tuple[str, ...]) -> dict[tuple[str, str], int]:
        """The text fields whose values begin with these stems: (schema, field) to how many documents."""
        return self._value_parts.get(key, {})

    def value_words(self, key: str) -> dict[tuple[str, str], int]:
        """The text fields in whose values a word stands: (schema, field) to how many values."""
        return self._value_words.get(key, {})

    def parties(self, key: tuple[str, ...]) -> tuple[PartyEntry, ...]:
        """The organisations whose names begin with these folded words, or are them."""
        return tuple(self.catalogue.parties[at] for at in self._parties.get(key, ()))

    def party_word(self, word: str) -> tuple[PartyEntry, ...]:
        """The organisations that have a word anywhere in their names."""
        return tuple(self.catalogue.parties[at] for at in sorted(self._party_words.get(word, ())))

    def with_form(self, form: str) -> tuple[PartyEntry, ...]:
        """The organisations in whose names a legal form stands: `gmbh`."""
        return tuple(
            each
            for each in self.catalogue.parties
            if form in (word.strip(".,").casefold() for word in each.name.split())
        )

    def titled(self, words: Sequence[str]) -> list[Title]:
        """The documents that have all these stems in title, file name or parties."""
        if not words or any(word not in self._title_words for word in words):
            return []
        rows = set.intersection(*(self._title_words[word] for word in words))
        return [self._titles[row] for row in sorted(rows)]

    def before_kinds(self, schema: str, words: tuple[str, ...]) -> tuple[str, ...]:
        """Words of titles right before a kind of document: `services` of an agreement."""
        return tuple(self._kinds.get((schema, *words), ()))

    def is_title_word(self, word: str) -> bool:
        """True where the stem stands in any title, file name or party of a document."""
        return word in self._title_words

    def is_name_or_kind(self, word: str) -> bool:
        """True where a stem is part of an organisation's name, or a kind of document."""
        return word in self._name_stems

    def is_common_in_titles(self, word: str) -> bool:
        """True where a stem stands in so many titles that it names a kind rather than a document."""
        return len(self._title_words.get(word, ())) > max(5, len(self._titles) // 5)

    def _add_schema(self, schema: SchemaEntry) -> None:
        is_idle = schema.name == GENERIC and not schema.documents
        for field in schema.fields:
            if is_idle:
                continue
            strength = 0.6 if schema.name == GENERIC else 1.0
            self._add_field(field, field.title, strength)
            self._add_field(field, field.name.replace("_", " "), strength)
            for synonym in field.synonyms:
                self._add_field(field, synonym, 0.95 * strength)
            for phrase in field.phrases:
                self._add_field(field, phrase, 0.95 * strength, MAX_EXAMPLE)

    def _add_field(self, field: FieldEntry, phrase: str, weight: float, most: int = MAX_PHRASE) -> None:
        key = stems(phrase)
        if not key or len(key) > most:
            return
        self.longest = max(self.longest, len(key))
        is_one = len(key) == 1
        if is_one and (phrase.lower() in _TOO_COMMON - _KEPT or phrase.lower() in STOP_WORDS):
            return
        if all(each in STOP_WORDS for each in phrase.lower().split()):
            return
        if is_one:
            self._written.add(phrase.casefold())
        says = "is called" if most == MAX_PHRASE else "was taught to mean"
        because = f"“{phrase}” {says} {field.title!r}"
        self._fields[key].append(FieldMatch(field, weight, because))
        if len(key) > 2 and phrase.split()[-1] in _PREPOSITIONS:
            self._fields[key[:-1]].append(FieldMatch(field, weight - 0.05, because))

    def _add_verbs(self) -> None:
        """Verbs of documents: as the fields say; of schemas that say nothing, as fields of equal titles
        do.
        """
        schemas = self.catalogue.schemas
        silent = {each.name for each in schemas if not any(f.verbs or f.loose_verbs for f in each.fields)}
        for schema in schemas:
            for field in schema.fields:
                keys = {stems(phrase) for phrase in (field.title, *field.synonyms)}
                said = ((0.9, field.verbs), (0.87, field.loose_verbs))
                for strength, verb in ((s, v) for s, verbs in said for v in verbs):
                    self._said_verbs.append(verb)
                    self._add_verb(verb, field, strength)
                    for match in (m for key in keys for m in self._fields.get(key, ())):
                        if match.field.schema in silent:
                            self._add_verb(verb, match.field, strength * match.weight)

    def _add_verb(self, verb: str, field: FieldEntry, weight: float) -> None:
        because = f"“{verb}” is said of {field.title!r}"
        self._verbs[stems(verb)].append(FieldMatch(field, weight, because))

    def _add_nouns(self) -> None:
        for schema in self.catalogue.schemas:
            if schema.name == GENERIC:
                continue
            kinds = schema.field(KIND)
            options = {option.replace("_", " "): option for option in (kinds.options if kinds else ())}
            names = [
                schema.name,
                *schema.title.replace(" and ", "|").split("|"),
                *schema.buckets,
                *schema.words,
            ]
            for name in names:
                key = _nouns_of(name)
                if key:
                    kind = options.get(_SAME_KIND.get(key[-1], key[-1]), "") if len(key) == 1 else ""
                    self._noun(key, Noun(schema.name, kind))
            for option in kinds.options if kinds else ():
                # "maintenance" says what a manual is for, and names no document by itself.
                if option.replace("_", " ") in DOCUMENT_NOUNS:
                    self._noun(_nouns_of(option.replace("_", " ")), Noun(schema.name, option))
        for schema in self.catalogue.schemas:
            for noun in schema.nouns:
                kind = self._kind_of(schema, noun.word)
                self._noun(_nouns_of(noun.word), Noun(schema.name, kind, noun.titles, is_thing=noun.is_thing))
        for word in _ANY_DOCUMENT:
            self._noun((word,), Noun(""))

    def _kind_of(self, schema: SchemaEntry, phrase: str) -> str:
        kinds = schema.field(KIND)
        if kinds is None:
            return ""
        return "agreement" if "agreement" in kinds.options else phrase if phrase in kinds.options else ""

    def _noun(self, key: tuple[str, ...], noun: Noun) -> None:
        if all(each.schema != noun.schema for each in self._nouns[key]):
            self._nouns[key].append(noun)

    def _options(self) -> Iterator[ValueEntry]:
        """Choices that no document has yet: a question may name them all the same."""
        known = {(each.schema, each.field, each.text) for each in self.catalogue.values}
        for schema in self.catalogue.schemas:
            for field in schema.fields:
                for option in field.options:
                    if (schema.name, field.name, option) not in known:
                        yield ValueEntry(schema.name, field.name, option, 0)

    def _add_values(self) -> None:
        titles = {stems(document.title) for document in self.catalogue.documents}
        for entry in (*self.catalogue.values, *self._options()):
            field = self.catalogue.field(entry.field, entry.schema)
            if field is None or field.type not in PLAIN_TEXTS or field.name in (NAME, "title"):
                continue
            key = stems(entry.text.replace("_", " "))
            if key in titles:
                continue  # it names another document, as an amendment does
            for size in range(2, len(key)) if field.type is FieldType.TEXT and len(key) < 7 else ():
                self._value_parts[key[:size]].setdefault((entry.schema, entry.field), entry.documents)
            if key and len(key) <= MAX_PHRASE and entry.text != "other":
                self._values[key].append(entry)
                place, comma, region = entry.text.partition(",")
                if comma and canonical_place(place) == entry.text:
                    self._values[stems(place)].append(entry)  # "Ontario" is Ontario, Canada
                    self._values[stems(region)].append(entry)  # and a law of Canada
            for word in set(key) if field.type is FieldType.TEXT else ():
                if len(word) > 2 and not word.isdigit() and word not in STOP_WORDS:
                    seen = self._value_words[word]
                    seen[(entry.schema, entry.field)] = (
                        seen.get((entry.schema, entry.field), 0) + entry.documents
                    )

    def _add_parties(self) -> None:
        for at, party in enumerate(self.catalogue.parties):
            words = tuple(party.normal.split())
            full = tuple(each.casefold() for each in _plain(party.name))
            for key in {words, full, *(words[:n] for n in range(1, min(len(words), 4) + 1))}:
                if key and not (len(key) == 1 and (key[0] in STOP_WORDS or len(key[0]) < 2)):
                    self._parties[key].append(at)
            initials = "".join(word[0] for word in words)
            if len(initials) > 2:
                self._parties[(initials,)].append(at)
            for word in words:
                if len(word) > 3:
                    self._party_words[word].add(at)

    def _add_titles(self) -> None:
        for document in self.catalogue.documents:
            title_stems = frozenset(stems(document.title)) - STOP_WORDS
            own = title_stems | set(stems(file_stem(document.source).replace("_", " ")))
            named = own | {part for party in document.parties for part in stems(party)}
            title = Title(document, title_stems, frozenset(own - STOP_WORDS), frozenset(named - STOP_WORDS))
            for word in title.all:
                self._title_words[word].add(len(self._titles))
            self._titles.append(title)
            self._add_kinds(document)

    def _add_kinds(self, document: DocumentEntry) -> None:
        words = [token for token in tokens_of(document.title) if token.is_word]
        for at, word in enumerate(words):
            if (singular(word.word),) not in self._nouns:
                continue
            for size in range(1, min(at, KIND_WORDS) + 1):
                before = words[at - size : at]
                written = " ".join(each.word for each in before)
                self._kinds[document.schema, *(each.stem for each in before)][written] = None

    def _known(self) -> Iterator[str]:
        for key in self._phrase_keys():
            yield from key
        yield from self._party_words
        yield from self._value_words
        yield from self._title_words
        for text in self._cells():
            yield from stems(text)

    def _cells(self) -> Iterator[str]:
        """Columns of tables, and the texts in them."""
        for table in self.catalogue.tables:
            for column in table.columns:
                yield column.name.replace("_", " ")
                yield from column.texts

    def _words(self) -> Iterator[str]:
        """Whole words of five letters and more, for spelling."""
        texts = [word for key in PHRASES for word in key]
        texts += [noun.word for schema in self.catalogue.schemas for noun in schema.nouns]
        texts += self._said_verbs
        for schema in self.catalogue.schemas:
            texts += [schema.title, schema.name, *schema.buckets]
            for field in schema.fields:
                texts += [field.title, field.name.replace("_", " "), *field.synonyms, *field.options]
        texts += [party.normal for party in self.catalogue.parties]
        texts += self._cells()
        texts += [each.text for each in self.catalogue.values] + [
            each.title for each in self.catalogue.documents
        ]
        for text in texts:
            for word in text.casefold().split():
                if len(word) > 4 and word.isalpha():
                    yield word

    def _phrase_keys(self) -> Iterable[tuple[str, ...]]:
        yield from self._fields
        yield from self._verbs
        yield from (tuple(map(stem, key)) for key in self._nouns)
        yield from self._values
        yield from (tuple(map(stem, key)) for key in PHRASES)


def _nouns_of(phrase: str) -> tuple[str, ...]:
    words = phrase.casefold().split()
    return (*words[:-1], singular(words[-1])) if words else ()


def with_number(noun: Noun, token: Token) -> Noun:
    """The noun as it is written: one or many."""
    return replace(noun, is_plural=token.word.endswith("s") and not token.word.endswith("ss"))


def _plain(name: str) -> list[str]:
    return [word.strip(".,()\"'") for word in name.split() if word.strip(".,()\"'")]


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
    """True where the beginning of a name is meant as one: written as names are, or no other word."""
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
    """True where a word of a title is only said: "need it quick" names no quick start guide."""
    token = tokens[at]
    if token.is_capital or (at > 0 and tokens[at - 1].word in _BEFORE_NAMES):
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return not (at == 0 or (after is not None and lexicon.nouns((singular(after.word),))))


def documents_at(
    tokens: Sequence[Token], at: int, lexicon: Lexicon
) -> Iterator[tuple[int, DocumentSet, str]]:
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
            DocumentSet(tuple(each.document for each in chosen), bool(whole)),
            f"stands in the title {titles}",
        )


def _are_many(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """True where a word is a kind of document in the plural, and not a part of another's name."""
    word = tokens[at].word
    if not word.endswith("s") or word.endswith("ss") or not lexicon.nouns((singular(word),)):
        return False
    return not _is_before_kind(tokens, at, lexicon)


def _is_before_kind(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """True where one document follows, as in "services agreement"."""
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
