from __future__ import annotations

from pathlib import Path

import pytest

from core.ask.mentions import read_mentions
from core.domain.answer import Answer
from core.workbench import Workbench
from tests.support.planted import open_home
from tests.support.twins import settings_of


@pytest.mark.parametrize(
    ("question", "words", "noun", "is_count", "is_negated"),
    [
        ("How many documents mention the tin whistle?", "tin whistle", "", True, False),
        ("Which files refer to Kolbe & Sons?", "Kolbe & Sons", "", False, False),
        ("which documents don't mention slate", "slate", "", False, True),
        ("List all documents that contain the word “quarry”.", "quarry", "", False, False),
        ("In how many documents is Alma Ray mentioned?", "Alma Ray", "", True, False),
        ("Which contracts mention slate?", "slate", "contracts", False, False),
    ],
)
def test_a_question_for_mentions_is_told_by_its_form(
    question: str, words: str, noun: str, is_count: bool, is_negated: bool
) -> None:
    found = read_mentions(question)
    assert found is not None
    assert (found.words, found.noun, found.is_count, found.is_negated) == (words, noun, is_count, is_negated)


@pytest.mark.parametrize(
    "question",
    [
        "Which contracts contain an indemnity?",
        "What does the lease mention?",
        "How many documents are there?",
    ],
)
def test_other_questions_are_none(question: str) -> None:
    assert read_mentions(question) is None


def test_documents_that_mention_words_are_counted_over_all_text(tmp_path: Path) -> None:
    texts = {
        "a.txt": "Slate was delivered on Monday to the yard of Alma Ray.",
        "b.txt": "Nobody asked for SLATE-grey paint, and the tin whistle was lost.",
        "c.md": "# Yard\n\nThe yard is closed. Translate the notice, please.",
        "d.txt": "The tin\nwhistle is on the shelf in the hall.",
    }
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    with open_home(settings_of(tmp_path / "home")) as bench:
        bench.ingest([folder])
        assert _named(bench, "Which documents mention slate?") == ["a", "b"]
        assert _named(bench, "Which documents mention the tin whistle?") == ["b", "d"]
        assert _named(bench, "Which documents do not mention slate?") == ["c", "d"]
        assert _named(bench, "Which documents mention Alma Ray or whistle?") == ["a", "b", "d"]
        counted = _ask(bench, "How many documents mention slate?")
        assert counted.value is not None
        assert counted.value.value == "2"
        assert "looked through" in counted.text
        assert counted.ledger is not None
        assert (counted.ledger.scope, counted.ledger.absent, counted.ledger.about) == (4, 2, "“slate”")


def _ask(bench: Workbench, question: str) -> Answer:
    return bench.local.questions.ask(question)


def _named(bench: Workbench, question: str) -> list[str]:
    answer = _ask(bench, question)
    assert answer.ledger is not None
    by_id = {each.id: Path(each.source).stem for each in bench.documents()}
    return sorted(by_id[id] for id in answer.ledger.documents.present)
