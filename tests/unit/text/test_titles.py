"""Titles of fields read as English inside sentences, whatever a column is headed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import core.config.schemas
from core.text.titles import as_clause, be, is_plural, phrase, with_article

TITLES = sorted(
    {
        field["title"]
        for folder in core.config.schemas.__path__
        for file in Path(folder).glob("*.toml")
        for field in tomllib.loads(file.read_text("utf-8"))["fields"]
    }
)


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Liability cap", "liability cap"),
        ("SLA credits", "SLA credits"),
        ("E-mail addresses", "e-mail addresses"),
        ("Amends", "amended agreement"),
        ("Issued", "date of issue"),
        ("Valid until", "end of validity"),
        ("No soliciting of employees", "ban on soliciting employees"),
        ("No assignment", "ban on assignment"),
        ("Notices", "notices"),
        ("IP assignment", "IP assignment"),
    ],
)
def test_a_title_in_a_sentence_is_a_noun(title: str, said: str) -> None:
    assert phrase(title) == said


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Annual fee", "an annual fee"),
        ("Scope", "a scope"),
        ("Model", "a model"),
        ("Unit price", "a unit price"),
        ("Unlimited term", "an unlimited term"),
        ("User", "a user"),
        ("SLA credit", "an SLA credit"),
        ("Parties", "parties"),
        ("Protective equipment", "protective equipment"),
    ],
)
def test_the_article_fits_the_sound_and_plurals_have_none(title: str, said: str) -> None:
    assert with_article(title) == said


def test_clauses_that_are_counted_have_an_article() -> None:
    assert as_clause("Cap on liability") == "a cap on liability"
    assert as_clause("No soliciting of customers") == "a ban on soliciting customers"
    assert [as_clause(each) for each in ("Force majeure", "Audit rights")] == [
        "force majeure",
        "audit rights",
    ]


def test_the_verb_fits_the_noun_that_the_title_is_about() -> None:
    assert [be(each) for each in ("Parties", "Duties after termination", "Items")] == ["are"] * 3
    assert [be(each) for each in ("Vendor's address", "Degree of protection", "Amends", "Basis")] == [
        "is"
    ] * 4
    assert is_plural("Maintenance steps")


@pytest.mark.parametrize("title", TITLES)
def test_no_shipped_title_is_a_verb_or_a_preposition_in_a_sentence(title: str) -> None:
    said = phrase(title)
    opening = said.partition(" ")[0]
    assert opening not in {"amends", "no", "valid", "issued", "signed", "paid", "by", "from", "until"}
    assert re.search(r"[a-z]{2}", said) or title.isupper()
