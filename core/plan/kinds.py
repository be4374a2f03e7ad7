"""Kinds of documents by their words: which schema is meant, and which of its documents."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from core.plan.catalogue import Catalogue, SchemaEntry, once_for_each
from core.plan.ir.verbalise import KIND
from core.text.analyse import STOP_WORDS
from core.text.nouns import singular
from core.values.comparisons import count_in

NAME = "document_name"
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_MOST_WORDS = 4
_PLAIN = frozenset(("document", "doc", "file", "paper", "record", "page"))


@dataclass(frozen=True, slots=True)
class KindName:
    """A kind that words name. schema: "" for documents of any kind. kinds: values of the field
    `document_kind`, () for any. titles: words of which its name has one. is_thing: it is what the documents
    describe ("inverters")."""

    schema: str
    kinds: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    is_thing: bool = False


@dataclass(frozen=True, slots=True)
class FoundKind:
    """A kind where its words stand in a text."""

    start: int
    end: int
    kind: KindName


class KindNames:
    """The kinds of documents of a catalogue by their words. Immutable."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._known: dict[tuple[str, ...], list[KindName]] = defaultdict(list)
        told = {each.schema for each in catalogue.documents if each.kind}
        for schema in catalogue.schemas:
            for words, kind in _named(schema, is_told=schema.name in told):
                key = tuple(map(singular, words.casefold().split()))
                known = self._known[key]
                if key and kind not in known:  # a schema goes before a kind within one: "policies"
                    known.insert(
                        0 if known and known[0].kinds == key and not kind.kinds else len(known), kind
                    )

    def of(self, words: str, schema: SchemaEntry | None = None) -> KindName | None:
        """The kind that a phrase names: "supplier invoices"; words before its noun are those of titles.

        schema: whose kind it has to be, None for any. None where its last word names no kind.
        """
        tokens = [match[0] for match in _WORD.finditer(words)]
        keys = tuple(singular(each.casefold()) for each in tokens)
        for start in range(len(keys)):
            for kind in self._known.get(keys[start:], ()):
                if schema is not None and kind.schema not in ("", schema.name):
                    continue
                first = start
                while first and any(each.is_thing for each in self._known.get(keys[first - 1 : first], ())):
                    first -= 1  # "module datasheets" are of modules
                before = [t for t, key in zip(tokens[:first], keys, strict=False) if key not in STOP_WORDS]
                before = before[1:] if before and count_in(before[0]) else before
                said = tuple(filter(None, (" ".join(before),)))
                is_thing = kind.is_thing or first < start
                return replace(kind, titles=said or kind.titles, is_thing=is_thing)
        return None

    def find(self, text: str) -> list[FoundKind]:
        """The kinds named in a text, where they stand, the longest phrase at each place."""
        tokens = list(_WORD.finditer(text))
        keys = tuple(singular(each[0].casefold()) for each in tokens)
        found: list[FoundKind] = []
        at = 0
        while at < len(keys):
            sizes = range(min(_MOST_WORDS, len(keys) - at), 0, -1)
            size = next((n for n in sizes if keys[at : at + n] in self._known), 0)
            if size:
                kind = self._known[keys[at : at + size]][0]
                found.append(FoundKind(tokens[at].start(), tokens[at + size - 1].end(), kind))
            at += max(1, size)
        return found


def _named(schema: SchemaEntry, *, is_told: bool) -> Iterable[tuple[str, KindName]]:
    """The kinds of a schema by their words. is_told: it is known of documents which kind they are; else what
    all of them are called asks for no kind.
    """
    kinds = schema.field(KIND)
    options = kinds.options if kinds is not None else ()
    counts = tuple(each for each in schema.counts if each in options)

    def kinds_of(word: str) -> tuple[str, ...]:
        return () if not is_told else tuple(each for each in word.split()[-1:] if each in options) or counts

    for word in (schema.name, schema.title, *schema.words):
        for part in re.split(r",| and | or ", word):
            yield part.strip(), KindName(schema.name, kinds_of(singular(part.strip().casefold())))
    for option in options:
        if option != "other":
            yield option.replace("_", " "), KindName(schema.name, (option,))
    for noun in schema.nouns:
        yield noun.word, KindName(schema.name, kinds_of(noun.word), noun.titles, noun.is_thing)
    for plain in _PLAIN:
        yield plain, KindName("")


def title_words(words: str, names: KindNames, schema: SchemaEntry) -> KindName:
    """A kind that no noun of the catalogue names, by words of its title: "licenses" are called a license.

    Where a known noun stands among the words, the kind is that of the noun, and the others are of its title.
    """
    own = [each for each in names.find(words) if each.kind.schema in ("", schema.name)]
    text = words
    for found in reversed(own):
        text = f"{text[: found.start]} {text[found.end :]}"
    tokens = [match[0] for match in _WORD.finditer(text) if match[0].casefold() not in STOP_WORDS]
    if tokens and not own:
        tokens[-1] = singular(tokens[-1].casefold()) if tokens[-1].islower() else singular(tokens[-1])
    kind = own[-1].kind if own else KindName(schema.name)
    return replace(kind, schema=schema.name, titles=(" ".join(tokens),) if tokens else kind.titles)


kind_names = once_for_each(KindNames)
"""The kinds of a catalogue by their words."""


def elected(votes: Mapping[str, float], catalogue: Catalogue) -> SchemaEntry | None:
    """The schema with the most votes, the first of the catalogue among equals; None where none has any."""
    order = {each.name: at for at, each in enumerate(catalogue.schemas)}
    known = [name for name, vote in votes.items() if name in order and vote > 0]
    return catalogue.schema(min(known, key=lambda name: (-votes[name], order[name]))) if known else None
