from __future__ import annotations

import pytest

from core.plan.text.classify import classify
from core.plan.text.collection_question import asks_for_contents, asks_for_everything, asks_for_help


@pytest.mark.parametrize(
    "question",
    [
        "Show me all documents",
        "show me everything",
        "list all files",
        "what documents do you have",
        "just show me everything we've got in here",
        "Give me all you have",
        "list every document",
        "I want to see all documents",
        "All documents, please, without filter",
        "everything",
    ],
)
def test_the_list_of_everything_is_wanted(question: str) -> None:
    assert asks_for_everything(question)


@pytest.mark.parametrize(
    "question",
    [
        "Show me all contracts",
        "show me all documents about ACME",
        "how many documents are there?",
        "show me the document",
        "is that all?",
        "what is the total",
        "list them all",
        "Summarise everything",
        "what is in here?",
        "",
    ],
)
def test_another_thing_is_wanted_than_everything(question: str) -> None:
    assert not asks_for_everything(question)


@pytest.mark.parametrize("question", ["what is in here?", "what's in this collection?", "what do you have?"])
def test_what_the_collection_is_can_be_asked(question: str) -> None:
    assert asks_for_contents(question)
    assert classify(question).small_talk == "contents"


@pytest.mark.parametrize("question", ["what is in the lease?", "what is it?", "what do the suppliers have?"])
def test_what_a_document_holds_is_no_question_about_the_collection(question: str) -> None:
    assert not asks_for_contents(question)


@pytest.mark.parametrize(
    "question",
    [
        "What can you do?",
        "how do I get started?",
        "help",
        "good morning! what sort of thing can i ask you about my invoices",
        "What kinds of question can you answer, and what can you not?",
        "how do i ask for a sum per supplier?",
        "what can you do for me, I just buy things",
    ],
)
def test_help_is_wanted(question: str) -> None:
    assert asks_for_help(question)
    assert classify(question).small_talk == "help"


@pytest.mark.parametrize(
    "question",
    [
        "What can the supplier do?",
        "how do i terminate the lease",
        "what can we do about late payment?",
        "does the vendor help with the installation?",
        "what does the agreement say about help desks?",
    ],
)
def test_a_question_about_documents_is_no_call_for_help(question: str) -> None:
    assert not asks_for_help(question)
