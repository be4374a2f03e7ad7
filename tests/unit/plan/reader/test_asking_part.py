from __future__ import annotations

from core.plan.reader.asking_part import MOST_PARTS, asking_parts

MAIL = "Dear team, thanks for the cake. Which contracts lack insurance? We meet on Monday. Best, Tom"


def test_the_sentence_with_a_question_mark_asks() -> None:
    assert [MAIL[start:end] for start, end in asking_parts(MAIL, lambda text: False)] == [
        "Which contracts lack insurance?"
    ]


def test_without_a_question_mark_all_sentences_may_ask() -> None:
    text = "Hello there my friend. List all contracts please now."

    assert len(asking_parts(text, lambda text: False)) == 2
    assert asking_parts(text, lambda text: True) == [(0, len(text))]


def test_only_the_last_parts_are_given() -> None:
    assert len(asking_parts("This is one whole sentence. " * 40, lambda text: False)) == MOST_PARTS


def test_a_blank_text_has_no_parts() -> None:
    assert asking_parts("  \n ", lambda text: True) == []
