"""Documents that a question names as people name them."""

from __future__ import annotations

from datetime import date

import pytest

from core.config.schema_store import shipped_schemas
from core.plan.catalogue import DocumentEntry, FieldEntry, KnownCatalogue, PartyEntry, SchemaEntry
from core.plan.language.interpretation import lexicon_of
from core.plan.language.pieces import DocumentSet, UnknownWord
from core.plan.language.reading.documents import named_document, with_named_documents
from core.plan.language.reading.read import ParsedQuestion, read
from core.values.naming.opening import opening_names
from core.workbench.catalogue import nouns_of
from tests.support.conversations import LEXICON as KNOWN
from tests.support.conversations import reading_of

_SONOS = "HOSTING AGREEMENT between Sonos, Inc. and Votocast, Inc. for a loudspeaker"
_LIME = "DISTRIBUTOR AGREEMENT between Lime Energy Co. and Electric City LLC, September 7, 1999"
_TARGET = "LEASE between Target Corporation and Harbor Estates LLC"
_TEXTS = {
    "SONOSINC_03_14_2018-EX-10-HOSTING_AGREEMENT.txt": _SONOS,
    "LIMEENERGYCO_09_09_1999-EX-10-DISTRIBUTOR AGREEMENT.txt": _LIME,
    "TARGETCORP_01_02_2011-EX-10-LEASE.txt": _TARGET,
}


def _schema() -> SchemaEntry:
    shipped = shipped_schemas()["contracts"]
    fields = tuple(
        FieldEntry("contracts", f.name, f.title, f.type, f.many, synonyms=f.synonyms, options=f.options,
                   documents=2, verbs=f.verbs, loose_verbs=f.loose_verbs)
        for f in shipped.fields
    )  # fmt: skip
    return SchemaEntry(
        "contracts", shipped.title, shipped.buckets, (), fields, len(_TEXTS), nouns_of(shipped)
    )


CATALOGUE = KnownCatalogue(
    "named-documents",
    (_schema(),),
    (PartyEntry("Target Corporation", "target", 1, (("contracts", "parties"),)),),
    tuple(
        DocumentEntry(
            source[:5],
            "[LOGO]",
            source,
            "contracts",
            "contracts",
            "agreement",
            ("target", "harbor estates") if source.startswith("TARGET") else (),
            opening=opening_names(text),
        )
        for source, text in _TEXTS.items()
    ),
)
LEXICON = lexicon_of(CATALOGUE)


def reading(question: str) -> ParsedQuestion:
    return read(question, LEXICON, date(2024, 11, 22))


def named(question: str) -> list[tuple[str, str]]:
    pieces = with_named_documents(reading(question), LEXICON, None).pieces
    return [
        (each.text, m.documents[0].id)
        for each in pieces
        if isinstance(m := each.meaning, DocumentSet) and m.is_exact
    ]


@pytest.mark.parametrize(
    ("question", "words", "document"),
    [
        ("When does the Sonos hosting deal expire?", "the Sonos hosting deal", "SONOS"),
        ("Is our 1999 deal with Lime Energy under Delaware law?", "our 1999 deal with Lime Energy", "LIMEE"),
        ("what is the notice period in the sonos/votocast paper", "the sonos/votocast paper", "SONOS"),
        ("Who signed Lime Enrgy's distributor contract?", "Lime Enrgy's distributor contract", "LIMEE"),
        ("Does the Sonos contract have insurance?", "the Sonos contract", "SONOS"),
        ("can Sonos–Votocast be terminated for convenience?", "Sonos–Votocast", "SONOS"),
        ("does the Sonos loudspeaker hosting deal expire?", "the Sonos loudspeaker hosting deal", "SONOS"),
        ("is Sonos's deal with the Votocast exclusive?", "Sonos's deal with the Votocast", "SONOS"),
        ("does the Sonos hosting deal share revenue?", "the Sonos hosting deal", "SONOS"),
    ],
)  # fmt: skip
def test_words_that_name_one_document_are_that_document(question: str, words: str, document: str) -> None:
    assert named(question) == [(words, document)]


@pytest.mark.parametrize(
    "question",
    [
        "Which contracts have a target price?",
        "Which agreements with Sonos expire in 2020?",
        "Does the Zorblatt hosting deal expire?",
        "When does the target period begin?",
        "How many contracts are governed by Delaware law?",
    ],
)
def test_other_words_are_no_document(question: str) -> None:
    assert named(question) == []


def test_two_documents_of_one_question_are_both_named() -> None:
    question = "Compare the expiry of the Sonos hosting deal and the Lime Energy distributor agreement"

    assert {document for _, document in named(question)} == {"SONOS", "LIMEE"}


def test_a_party_and_a_kind_that_fields_know_stay_conditions_and_name_the_document_of_a_text() -> None:
    question = "What does the Target contract say about keys?"

    assert named(question) == []
    document = named_document(reading(question), LEXICON, None)
    assert document is not None
    assert (document.entry.id, document.text) == ("TARGE", "the Target contract")


def test_a_document_is_not_searched_alone_where_several_are_compared() -> None:
    assert named_document(reading("Compare the Sonos hosting deal with our policy"), LEXICON, None) is None


def test_no_word_is_lost() -> None:
    question = "When does the Sonos hosting deal zorblatt expire?"
    found = with_named_documents(reading(question), LEXICON, None)

    assert [p.first for p in found.pieces[1:]] == [p.end for p in found.pieces[:-1]]
    assert "zorblatt" in [p.text for p in found.pieces if isinstance(p.meaning, UnknownWord)]


def test_a_whole_name_in_quotation_marks_is_that_document() -> None:
    entry = KNOWN.catalogue.documents[0]
    pieces = with_named_documents(reading_of(f"When does “{entry.name}” end?"), KNOWN, None).pieces
    sets = [each.meaning for each in pieces if isinstance(each.meaning, DocumentSet)]
    assert [each.documents for each in sets] == [(entry,)]
