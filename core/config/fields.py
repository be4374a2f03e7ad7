"""Schemas: the fields that documents of one kind are asked for, as TOML declares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from core.config.models import SettingsSection
from core.domain.fields import AMOUNTS, FieldType

NAME = r"^[a-z][a-z0-9_]{0,62}$"
LONGEST_PHRASE = 200  # characters of an example of how questions speak of a field
MOST_PHRASES = 200  # of one field


class PatternExtractor(SettingsSection):
    """Finds what a regular expression (RE2: it never backtracks) matches; group 1, if any, is the value.

    scope: where it is looked for; `top` is the first 4,000 characters. take: what becomes of a match: its
    characters, or the sentence that it stands in.
    """

    method: Literal["pattern"] = "pattern"
    patterns: tuple[str, ...] = Field(min_length=1, max_length=50)
    scope: Literal["text", "top", "headings"] = "text"
    take: Literal["match", "sentence"] = "match"


class HeadingExtractor(SettingsSection):
    """Finds the section under a heading that says one of these words."""

    method: Literal["heading"] = "heading"
    headings: tuple[str, ...] = Field(min_length=1, max_length=50)


class KeyValueExtractor(SettingsSection):
    """Finds `key: value` lines and cells of two-column tables; keys are compared by their stems."""

    method: Literal["key_value"] = "key_value"
    keys: tuple[str, ...] = Field(min_length=1, max_length=50)


class TableExtractor(SettingsSection):
    """Takes a column of the document's tables: the values of all rows, or of the row that says `row`."""

    method: Literal["table"] = "table"
    columns: tuple[str, ...] = Field(min_length=1, max_length=50)
    row: str = ""


class SemanticExtractor(SettingsSection):
    """Finds the passage or sentence nearest in meaning to the examples."""

    method: Literal["semantic"] = "semantic"
    examples: tuple[str, ...] = Field(min_length=1, max_length=50)


class WordsExtractor(SettingsSection):
    """Finds the sentences that most likely state what is described in plain words.

    meaning: a sentence on what the field is. examples: sentences or phrases that state it; words: others
    that tell it. It decides nothing until people's verdicts have trained a head for this field.
    """

    method: Literal["words"] = "words"
    meaning: str = Field(min_length=1, max_length=600)
    examples: tuple[Annotated[str, Field(max_length=600)], ...] = Field(default=(), max_length=50)
    words: tuple[Annotated[str, Field(max_length=80)], ...] = Field(default=(), max_length=50)


class HeadExtractor(SettingsSection):
    """A trained linear head; `head` is its name in the shipped or retrained artefact."""

    method: Literal["head"] = "head"
    head: str = Field(min_length=1)


class RuleExtractor(SettingsSection):
    """A named rule of the product: governing_law, agreement_date, parties, ..."""

    method: Literal["rule"] = "rule"
    rule: str = Field(pattern=NAME)


Extractor = Annotated[
    PatternExtractor
    | HeadingExtractor
    | KeyValueExtractor
    | TableExtractor
    | SemanticExtractor
    | WordsExtractor
    | HeadExtractor
    | RuleExtractor,
    Field(discriminator="method"),
]


class Relation(StrEnum):
    """Relation in which a field's value must stand to another's."""

    AFTER = "after"
    NOT_BEFORE = "not_before"
    BEFORE = "before"
    NOT_AFTER = "not_after"
    AT_MOST = "at_most"
    AT_LEAST = "at_least"
    DIFFERS_FROM = "differs_from"


DATE_RELATIONS = frozenset({Relation.AFTER, Relation.NOT_BEFORE, Relation.BEFORE, Relation.NOT_AFTER})
AMOUNT_RELATIONS = frozenset({Relation.AT_MOST, Relation.AT_LEAST})


class FieldCheck(SettingsSection):
    """Relation to another field of the same schema. A value that breaks it is uncertain until people decide.

    field: the name of the other one.
    """

    relation: Relation
    field: str = Field(pattern=NAME)


class FieldDefinition(SettingsSection):
    """One field. extractors: tried in order, the first that decides counts.

    includes, excludes: what counts as it and what does not, beside `description`, which says what it is;
    examples, counter_examples: words of documents that do, and that do not. Models and people read them.
    many: the field takes a list. unit: the unit of a number, or the currency where none is written.
    options: of an enum. candidates_only: the cell is never decided without a person, since too few examples
    of this type were there to learn from. verbs: what documents do by it ("expire"), as questions say it;
    loose_verbs: the same where no other kind of document is meant. phrases: examples of how questions speak
    of it ("lets us walk away whenever"), as people of the home taught them. buckets: those whose documents
    alone are asked for it, () for all. checks: how its value must stand to those of other fields. connects:
    kind of thing that its value names, by which documents that state the same are connected ("document": its
    own number, by which others refer to it); "" for none.
    """

    name: str = Field(pattern=NAME)
    title: str = Field(min_length=1, max_length=80)
    type: FieldType
    many: bool = False
    description: str = Field(default="", max_length=2_000)
    includes: str = Field(default="", max_length=1_000)
    excludes: str = Field(default="", max_length=1_000)
    examples: tuple[Annotated[str, Field(max_length=600)], ...] = Field(default=(), max_length=10)
    counter_examples: tuple[Annotated[str, Field(max_length=600)], ...] = Field(default=(), max_length=10)
    synonyms: tuple[str, ...] = Field(default=(), max_length=50)
    verbs: tuple[str, ...] = Field(default=(), max_length=50)
    loose_verbs: tuple[str, ...] = Field(default=(), max_length=50)
    phrases: tuple[Annotated[str, Field(max_length=LONGEST_PHRASE)], ...] = Field(
        default=(), max_length=MOST_PHRASES
    )
    group: str = ""
    buckets: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] = Field(
        default=(), max_length=50
    )
    unit: str = ""
    options: tuple[str, ...] = ()
    extractors: tuple[Extractor, ...] = ()
    candidates_only: bool = False
    checks: tuple[FieldCheck, ...] = Field(default=(), max_length=20)
    connects: Literal["", "product", "place", "number", "document"] = ""

    @property
    def all_examples(self) -> tuple[str, ...]:
        """Words of documents that state it, those of its extractor in plain words among them."""
        given = (each.examples for each in self.extractors if isinstance(each, WordsExtractor))
        return tuple(dict.fromkeys((*self.examples, *(each for examples in given for each in examples))))

    def is_for(self, bucket: str) -> bool:
        """True where documents of a bucket are asked for it."""
        return not self.buckets or bucket in self.buckets

    @property
    def contradiction(self) -> str:
        """Contradiction within the definition, for who writes it; "" for nothing."""
        return contradiction_of(self.all_examples, self.counter_examples)

    @model_validator(mode="after")
    def _options_belong_to_enums(self) -> FieldDefinition:
        if (self.type is FieldType.ENUM) != bool(self.options):
            raise ValueError("options are for fields of type 'enum', which need them")
        return self


def contradiction_of(examples: Sequence[str], counter_examples: Sequence[str]) -> str:
    """Contradiction of examples and counter-examples, for who writes them; "" for nothing."""
    counter = {" ".join(each.casefold().split()) for each in counter_examples}
    both = next((each for each in examples if " ".join(each.casefold().split()) in counter), "")
    return f"\u201c{both}\u201d is given as an example and as a counterexample." if both else ""


KIND = "document_kind"
"""The field that tells kinds of documents within a schema apart."""


class SchemaSubject(SettingsSection):
    """By what documents of a schema are about one thing, so that their other values must agree.

    fields: equal in all of them, such as vendor and number. since, until: dates from and up to which they
    hold; of `since` the first that is stated, else the day in the document's name. once: a later one does
    not take the place of an older one, as a later agreement does. A field that the schema lacks is never
    stated.
    """

    fields: tuple[str, ...] = Field(min_length=1, max_length=5)
    since: tuple[str, ...] = Field(default=(), max_length=5)
    until: str = ""
    once: bool = False

    def renamed(self, names: Mapping[str, str]) -> SchemaSubject:
        """The same after its fields were renamed; by old name the new one."""
        fields, since = (tuple(names.get(each, each) for each in some) for some in (self.fields, self.since))
        return self.model_copy(
            update={"fields": fields, "since": since, "until": names.get(self.until, self.until)}
        )


class Schema(SettingsSection):
    """The fields of one kind of document, in the order of the matrix.

    recognise: words by which a document of this kind is known, most telling first, "|" between ways to say
    one of them (other languages); buckets: names of buckets whose documents are of this kind whatever they
    look like. nouns: what its documents are called; things: what they describe; titled_nouns: nouns of those
    whose name holds one of some words. counts: the kinds of documents that these words mean where none is
    named, () for all. order: schemas with less are shown first. when_present: questions speak of it only once
    there are documents of it. subject: by what two of them are about one thing; None where nothing tells.
    """

    name: str = Field(pattern=NAME)
    title: str = Field(min_length=1)
    description: str = ""
    recognise: tuple[str, ...] = ()
    buckets: tuple[str, ...] = ()
    order: int = 500
    nouns: tuple[str, ...] = ()
    things: tuple[str, ...] = ()
    titled_nouns: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    counts: tuple[str, ...] = Field(default=(), max_length=50)
    subject: SchemaSubject | None = None
    when_present: bool = False
    fields: tuple[FieldDefinition, ...] = ()

    @model_validator(mode="after")
    def _names_are_unique(self) -> Schema:
        names = [each.name for each in self.fields]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"field {twice[0]!r} stands twice")
        return self

    @model_validator(mode="after")
    def _checks_can_be_made(self) -> Schema:
        for each in self.fields:
            for check in each.checks:
                if wrong := _wrong_with(check, each, self.field(check.field)):
                    raise ValueError(
                        f"field {each.name!r} cannot be checked against {check.field!r}: {wrong}"
                    )
        return self

    def field(self, name: str) -> FieldDefinition | None:
        """The field of that name; None where there is none."""
        return next((each for each in self.fields if each.name == name), None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its documents, () where it tells none apart."""
        found = self.field(KIND)
        return found.options if found is not None else ()


def _wrong_with(check: FieldCheck, own: FieldDefinition, other: FieldDefinition | None) -> str:
    """Reason why two fields cannot be compared so; "" where they can."""
    if other is None:
        return "the schema has no field of that name"
    if other.name == own.name:
        return "that is the field itself"
    if own.many or other.many:
        return "only fields of one value can be compared"
    if own.type is not other.type:
        return f"one is of type '{own.type}', the other of type '{other.type}'"
    if own.type is FieldType.BOOLEAN:
        return "clauses have no values to compare"
    if check.relation in DATE_RELATIONS and own.type is not FieldType.DATE:
        return f"'{check.relation}' is for dates"
    if check.relation in AMOUNT_RELATIONS and own.type not in AMOUNTS:
        return f"'{check.relation}' is for amounts, numbers and durations"
    return ""
