from __future__ import annotations

import pytest

from core.config.field_words import (
    WordedField,
    check_words,
    definition_of_words,
    guess_type,
    lines_of,
    statement_of,
)
from core.config.fields import WordsExtractor
from core.domain.fields import FieldType
from core.errors import SettingsError


@pytest.mark.parametrize(
    ("title", "meaning", "kind"),
    [
        ("Warranty period", "how long the seller warrants the goods", FieldType.DURATION),
        ("Audit rights", "One side may inspect the books of the other", FieldType.BOOLEAN),
        ("Deductible", "How much the insured bears of each claim", FieldType.MONEY),
        ("Delivery date", "The day on which the goods arrive", FieldType.DATE),
    ],
)
def test_a_type_is_guessed_from_the_words(title: str, meaning: str, kind: FieldType) -> None:
    assert guess_type(title, meaning) is kind


@pytest.mark.parametrize(
    ("title", "meaning", "said"),
    [
        ("W", "How long the seller warrants the goods", "too short"),
        ("Гарантия", "How long the seller warrants the goods", "no Latin letter"),
        ("Warranty", "Is there a warranty for the goods?", "is a question"),
        ("Warranty", "How long the seller warrants the goods. " * 60, "2,399 characters"),
        ("Warranty", "", "Nothing says"),
        ("Warranty", "goods", "too little"),
        ("", "How long the seller warrants the goods", "no name"),
    ],
)
def test_words_that_could_find_nothing_are_refused_with_a_reason(title: str, meaning: str, said: str) -> None:
    with pytest.raises(SettingsError) as caught:
        check_words(WordedField(title, meaning.strip()))

    assert said in caught.value.message
    assert caught.value.next_step


def test_a_question_is_proposed_as_a_statement() -> None:
    assert statement_of("Is there a warranty?") == "There is a warranty."
    assert statement_of("Can a party terminate early?") == "A party can terminate early."
    assert statement_of("Does the seller warrant the goods?") == ""
    assert statement_of("How long does the seller warrant the goods?") == ""


def test_a_field_that_is_there_already_is_named() -> None:
    known = definition_of_words(WordedField("Warranty period", "How long the seller warrants the goods"))

    with pytest.raises(SettingsError) as same_words:
        check_words(WordedField("Guarantee", "how long the seller warrants the goods"), [known])
    with pytest.raises(SettingsError):
        check_words(WordedField("warranty period", "something else entirely here"), [known])

    assert "'Warranty period'" in same_words.value.message


def test_a_definition_is_found_by_its_words() -> None:
    found = definition_of_words(WordedField("Warranty period", "How long the seller warrants the goods"))

    assert found.extractors == (WordsExtractor(meaning="How long the seller warrants the goods"),)
    assert found.name == "warranty_period"


def test_lines_and_pasted_tables_are_read() -> None:
    found = lines_of("name,description\n- Audit: one side may see books\n2) Escrow\tcode is deposited\n\n")

    assert [(each.title, each.meaning) for each in found] == [
        ("Audit", "one side may see books"),
        ("Escrow", "code is deposited"),
    ]


@pytest.mark.parametrize(
    "text", ["Audit", "Audit: a b\naudit: c d", "\n".join(f"n{i}: a b" for i in range(501))]
)
def test_lines_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        lines_of(text)


@pytest.mark.parametrize(
    "title", ["Bucket", "document id", "Notice\0period", "Notice \u202eperiod", "Fee \ud800"]
)
def test_a_title_that_tables_have_or_that_cannot_be_seen_is_refused(title: str) -> None:
    with pytest.raises(SettingsError):
        check_words(WordedField(title, "How long notice is given"))
