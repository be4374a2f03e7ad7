"""A field as a person writes it in the form, and the definition that it comes to."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import ValidationError

from app.presenting.validation_words import first_problem
from core.config.field_words import WordedField, check_words, name_of_title
from core.config.fields import (
    Extractor,
    FieldCheck,
    FieldDefinition,
    HeadingExtractor,
    KeyValueExtractor,
    PatternExtractor,
    SemanticExtractor,
    TableExtractor,
    WordsExtractor,
)
from core.domain.fields import FieldType
from core.errors import SettingsError

KEPT = "kept"
COUNTS, COUNTS_NOT = "What counts", "What does not"
EXAMPLES, COUNTER_EXAMPLES = "Examples, one a line", "Counter-examples, one a line"
_LABELS = {
    "extractors": "How it is found",
    "includes": COUNTS,
    "excludes": COUNTS_NOT,
    "examples": EXAMPLES,
    "counter_examples": COUNTER_EXAMPLES,
}
METHODS = {
    "words": "In plain words",
    "pattern": "Words or a pattern",
    "heading": "A heading",
    "key_value": "A line or cell “key: value”",
    "table": "A column of a table",
    "semantic": "Meaning, by examples",
    "model": "A trained model (later)",
}
_OTHER = {"head": "A trained model", "rule": "A rule of the product"}


@dataclass(frozen=True, slots=True)
class Draft:
    """Content of the form. lines: patterns, headings, keys, columns or sentences, as `method` has it.

    examples: of a field in plain words those that it is found by, too.
    kept: extractors that the form cannot show; they stay where `method` is KEPT.
    """

    title: str = ""
    name: str = ""
    type: FieldType = FieldType.TEXT
    many: bool = False
    description: str = ""
    includes: str = ""
    excludes: str = ""
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    group: str = ""
    buckets: tuple[str, ...] = ()
    unit: str = ""
    options: tuple[str, ...] = ()
    method: str = "pattern"
    lines: tuple[str, ...] = ()
    scope: str = "text"
    take: str = "match"
    row: str = ""
    kept: tuple[Extractor, ...] = ()
    candidates_only: bool = False
    checks: tuple[FieldCheck, ...] = ()
    connects: str = ""


def said(extractors: tuple[Extractor, ...]) -> str:
    """Extraction of a field, in a few words."""
    words = [{**METHODS, **_OTHER}[each.method] for each in extractors]
    return ", then ".join(dict.fromkeys(word[0].lower() + word[1:] for word in words)).capitalize()


def draft_of(definition: FieldDefinition) -> Draft:
    """An existing field, as the form shows it."""
    only = definition.extractors[0] if len(definition.extractors) == 1 else None
    method, scope, take, row = KEPT, "text", "match", ""
    lines: tuple[str, ...] = ()
    if isinstance(only, PatternExtractor):
        method, lines, scope, take = only.method, only.patterns, only.scope, only.take
    elif isinstance(only, HeadingExtractor):
        method, lines = only.method, only.headings
    elif isinstance(only, KeyValueExtractor):
        method, lines = only.method, only.keys
    elif isinstance(only, TableExtractor):
        method, lines, row = only.method, only.columns, only.row
    elif isinstance(only, SemanticExtractor):
        method, lines = only.method, only.examples
    elif isinstance(only, WordsExtractor):
        method = only.method
    return Draft(
        definition.title,
        definition.name,
        definition.type,
        definition.many,
        definition.description,
        definition.includes,
        definition.excludes,
        definition.all_examples if method == "words" else definition.examples,
        definition.counter_examples,
        definition.synonyms,
        definition.group,
        definition.buckets,
        definition.unit,
        definition.options,
        method,
        lines,
        scope,
        take,
        row,
        definition.extractors,
        definition.candidates_only,
        definition.checks,
        definition.connects,
    )


def definition_of(draft: Draft) -> FieldDefinition:
    """The definition. Raises SettingsError, in words of the form."""
    if not draft.title.strip():
        raise SettingsError("The field has no title.", next_step="Say what the column is called.")
    if draft.method == "words":
        check_words(worded_of(draft))
    elif draft.method != KEPT and not draft.lines:
        raise SettingsError(
            "Nothing says how the field is found.",
            next_step="Write at least one line under “How it is found”.",
        )
    values = {
        "name": draft.name or name_of_title(draft.title),
        "title": draft.title.strip(),
        "type": draft.type,
        "many": draft.many,
        "description": draft.description.strip(),
        "includes": draft.includes.strip(),
        "excludes": draft.excludes.strip(),
        "examples": () if draft.method == "words" else draft.examples,
        "counter_examples": draft.counter_examples,
        "synonyms": draft.synonyms,
        "group": draft.group.strip(),
        "buckets": draft.buckets,
        "unit": draft.unit.strip(),
        "options": draft.options if draft.type is FieldType.ENUM else (),
        "extractors": draft.kept if draft.method == KEPT else (_extractor(draft),),
        "candidates_only": draft.candidates_only,
        "checks": draft.checks,
        "connects": draft.connects,
    }
    try:
        return FieldDefinition.model_validate(values)
    except ValidationError as error:
        raise SettingsError(
            f"The field is not complete. {first_problem(error, _LABELS)}.",
            next_step="Correct it and try again.",
        ) from None


def worded_of(draft: Draft) -> WordedField:
    """A field in words, as it is checked."""
    return WordedField(
        draft.title, " ".join(draft.description.split()), draft.examples, draft.synonyms, draft.type
    )


def _extractor(draft: Draft) -> dict[str, object]:
    found: dict[str, object] = {"method": draft.method}
    if draft.method == "words":
        meaning = " ".join(draft.description.split())
        return found | {"meaning": meaning, "examples": draft.examples, "words": draft.synonyms}
    key = {
        "pattern": "patterns",
        "heading": "headings",
        "key_value": "keys",
        "table": "columns",
        "semantic": "examples",
    }
    if draft.method not in key:
        raise SettingsError(
            "Fields found by a model of their own come later.", next_step="Choose another way to find it."
        )
    found[key[draft.method]] = draft.lines
    if draft.method == "pattern":
        found |= {"scope": draft.scope, "take": draft.take}
    if draft.method == "table":
        found["row"] = draft.row
    return found
