"""Definitions of fields in plain words: read from lines, checked, and their type guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.config.fields import FieldDefinition, WordsExtractor
from core.domain.fields import FieldType
from core.errors import SettingsError
from core.text.analyse import analyse_query
from core.text.words import word_list

LONGEST_MEANING = 600
"""Characters of a description: two or three sentences. A page of text names everything, and so nothing."""

MOST_LINES = 500
"""Fields that are defined at once."""

_LEAST_LETTERS = 3
_LONGEST_TITLE = 80
_TAKEN = frozenset({"document", "file", "bucket", "document id"})  # columns of every exported table
_HOW_LONG = re.compile(r"\bhow (?:long|many (?:days|weeks|months|years))\b|\bwithin how\b", re.IGNORECASE)
_HOW_MUCH = re.compile(r"\bhow much\b|\bamount\b|\bin (?:dollars|euros?|usd|eur)\b", re.IGNORECASE)
_WHEN = re.compile(r"\bwhen\b|\bon which (?:day|date)\b|\bdate\b|\bday on which\b", re.IGNORECASE)
_WHO = re.compile(r"^(?:who|name of the (?:company|party|person))\b", re.IGNORECASE)
_STATES = re.compile(
    r"\b(?:may|must|shall|can|cannot|has to|have to|is|are|promises?|agrees?|grants?|pays?|allows?|limits?|"
    r"ends?|restricts?|forbids?|requires?)\b",
    re.IGNORECASE,
)
_WORDS_ALONE = ("do", "does", "did", "who", "what", "which", "where", "when", "why", "how", "whose", "whom")
_ASKING = word_list("asking", "auxiliaries") | {*_WORDS_ALONE}
_STARTS = re.compile(r"^[\"'\u201c(]*([A-Za-z]+)")
_TABLE_HEAD = re.compile(r"name\s*[,;\t:]\s*(?:description|what it is)", re.IGNORECASE)
_LEAD = re.compile(r"^(?:[-*\u2022]|\d{1,3}[.)])\s+")


@dataclass(frozen=True, slots=True)
class WordedField:
    """A field as a person says it: what it is called, what it is, and sentences or words that state it."""

    title: str
    meaning: str
    examples: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    type: FieldType | None = None


def name_of_title(title: str) -> str:
    """A field's name out of its title: small letters, digits and underscores."""
    name = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:62].strip("_")
    return name if not name or name[0].isalpha() else f"field_{name}"[:62]


def guess_type(title: str, meaning: str) -> FieldType:
    """The type that a field most likely has: of a title and a sentence that say no value, a clause.

    "Warranty period, how long the seller warrants the goods" is a length of time.
    """
    words = re.findall(r"[a-z]+", title.lower())
    last = words[-1] if words else ""
    if _HOW_LONG.search(meaning) or last in word_list("defining", "durations"):
        return FieldType.DURATION
    if _HOW_MUCH.search(meaning):
        return FieldType.MONEY
    if last in word_list("defining", "dates"):
        return FieldType.DATE
    if _STATES.search(meaning) and not meaning.lower().startswith(("when", "who", "the ", "name")):
        return FieldType.BOOLEAN
    if last in word_list("defining", "money"):
        return FieldType.MONEY
    if _WHEN.search(meaning):
        return FieldType.DATE
    if _WHO.search(meaning):
        return FieldType.PARTY
    return FieldType.BOOLEAN


def check_words(field: WordedField, others: Iterable[FieldDefinition] = ()) -> None:
    """Raises SettingsError where these words could not find anything, with what to write instead.

    others: fields that are there; one that is called the same or says the same is named.
    """
    title, meaning = field.title.strip(), field.meaning.strip()
    if not title:
        raise SettingsError(
            "The field has no name.", next_step="Say in two or three words what it is called."
        )
    if len(title) > _LONGEST_TITLE:
        raise SettingsError(
            f"The name {title[:30] + '…'!r} has {len(title)} characters; a column takes {_LONGEST_TITLE}.",
            next_step="Give it a short name, and say the rest under “What it is”.",
        )
    if sum(map(str.isalpha, title)) >= _LEAST_LETTERS and not name_of_title(title):
        raise SettingsError(
            f"{title!r} holds no Latin letter; questions, files and the API call a column by these.",
            next_step="Write the name in Latin letters.",
        )
    if not title.isprintable():
        raise SettingsError(
            f"The name {title[:30]!a} holds characters that cannot be seen.",
            next_step="Type it anew, without what was pasted along with it.",
        )
    if title.casefold() in _TAKEN:
        raise SettingsError(
            f"Every table has a column {title!r} already.", next_step="Call the field otherwise."
        )
    if sum(map(str.isalpha, title)) < _LEAST_LETTERS:
        raise SettingsError(
            f"{title!r} is too short for the name of a field: nobody could tell what it means.",
            next_step="Write at least a word, such as “Warranty period”.",
        )
    _check_meaning(title, meaning)
    for each in field.examples:
        if len(each) > LONGEST_MEANING:
            raise SettingsError(
                f"The example that begins with {each[:40]!r} has {len(each):,} characters; one sentence of "
                f"{LONGEST_MEANING} at most is an example.",
                next_step="Keep the sentence that states it, and leave the rest out.",
            )
    _check_others(field, others)


def statement_of(question: str) -> str:
    """A question as the statement that it asks for: "Is a party restricted?" becomes "A party is restricted".

    "" where it is no question, or where more than the place of its verb would have to change ("Does ...?").
    """
    said = question.strip()
    first = _STARTS.match(said)
    if first is None or first[1].lower() not in _ASKING:
        return said.rstrip("? ") + "." if said.endswith("?") else ""
    if not said.endswith("?"):
        return ""
    rest = said[first.end() :].strip().rstrip("? ")
    verb = first[1].lower()
    if rest.lower().startswith("there "):
        return f"There {verb} {rest[6:]}."
    if verb in _WORDS_ALONE:
        return ""
    subject = re.match(r"(?:(?:a|an|the|one|each|any|either|its|our|their|this|that)\s+)?\S+", rest)
    if subject is None:
        return ""
    begin = subject[0]
    return f"{begin[:1].upper()}{begin[1:]} {verb}{rest[subject.end() :]}."


def lines_of(text: str) -> list[WordedField]:
    """Fields of lines "name: what it is", or of a table with commas, semicolons or tabs.

    Blank lines are passed over, bullets and numbers before a name too. Raises SettingsError for a line
    without a name, for a name that stands twice, and for too many lines.
    """
    found: list[WordedField] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        bare = _LEAD.sub("", line.strip())
        if not bare or (number == 1 and _TABLE_HEAD.fullmatch(bare)):
            continue
        title, meaning = _parted(bare)
        if not title or not meaning:
            raise SettingsError(
                f"Line {number}, {bare[:60]!r}, does not say “name: what it is”.",
                next_step="Write a name, a colon, and a sentence in each line.",
            )
        key = name_of_title(title)
        if key in seen:
            raise SettingsError(
                f"{title!r} stands twice, in the lines {seen[key]} and {number}.",
                next_step="Leave one of them out.",
            )
        seen[key] = number
        found.append(WordedField(title, meaning))
    if len(found) > MOST_LINES:
        raise SettingsError(
            f"{len(found):,} fields at once are more than a schema takes; {MOST_LINES} are the most.",
            next_step="Add them in parts.",
        )
    return found


def definition_of_words(field: WordedField) -> FieldDefinition:
    """The field as a schema has it, found by its words. Raises SettingsError as `check_words` does."""
    check_words(field)
    title, meaning = field.title.strip(), " ".join(field.meaning.split())
    return FieldDefinition(
        name=name_of_title(title),
        title=title,
        type=field.type or guess_type(title, meaning),
        description=meaning,
        synonyms=field.words,
        extractors=(WordsExtractor(meaning=meaning, examples=field.examples, words=field.words),),
    )


def _parted(line: str) -> tuple[str, str]:
    for mark in ("\t", ":", ";", ","):
        before, found, after = line.partition(mark)
        if found:
            return before.strip(' "'), after.strip(' "')
    return line, ""


def _check_meaning(title: str, meaning: str) -> None:
    if len(meaning) > LONGEST_MEANING:
        raise SettingsError(
            f"“What it is” has {len(meaning):,} characters; {LONGEST_MEANING} are the most. A page of text "
            "names so many things that no sentence is nearer to it than another.",
            next_step="Say in a sentence or two what a document states; model sentences are examples.",
        )
    if meaning.endswith("?"):
        statement = statement_of(meaning)
        proposal = f" For instance: “{statement}”" if statement else ""
        raise SettingsError(
            f"{meaning!r} is a question. A field is found by what a document would state.",
            next_step=f"Write it as a statement.{proposal}",
        )
    telling = [term for term, _ in analyse_query(meaning).terms if len(term) > 1]
    if len(telling) < 2:
        raise SettingsError(
            f"{meaning!r} says too little of {title!r} to tell its sentence from others."
            if meaning
            else f"Nothing says what {title!r} is.",
            next_step="Write a sentence, such as “How long the seller warrants the goods”.",
        )


def _check_others(field: WordedField, others: Iterable[FieldDefinition]) -> None:
    name = name_of_title(field.title)
    said = _telling(field.meaning)
    for each in others:
        same_name = each.name == name or each.title.strip().casefold() == field.title.strip().casefold()
        called = field.title.strip().casefold() in {other.casefold() for other in each.synonyms}
        if same_name or called or (said and said == _telling(each.description)):
            how = "is called the same" if same_name else "is also called so" if called else "says the same"
            raise SettingsError(
                f"There is a field already that {how}: {each.title!r} ({each.name}).",
                next_step="Open that field, or give this one another name and meaning.",
            )


def _telling(text: str) -> frozenset[str]:
    return frozenset(term for term, _ in analyse_query(text).terms) if text.strip() else frozenset()
