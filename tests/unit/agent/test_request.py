from dataclasses import replace

from core.agent.request import Question, label_of
from core.domain.principal import LOCAL_ADMIN


def test_labels_follow_the_confidence() -> None:
    assert [label_of(value).value for value in (0.0, 0.4, 0.7, 1.0)] == ["LOW", "MEDIUM", "HIGH", "HIGH"]
    quoted = [label_of(value, quoted=True).value for value in (0.59, 0.6, 0.89, 0.9)]
    assert quoted == ["LOW", "MEDIUM", "MEDIUM", "HIGH"]


def test_half_of_a_pair_of_characters_is_no_part_of_a_question() -> None:
    question = Question("Which contracts \ud800 lack it?", LOCAL_ADMIN)

    assert question.text == "Which contracts \ufffd lack it?"
    assert replace(question, text="\udfff").text == "\ufffd"
