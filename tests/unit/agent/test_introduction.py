from __future__ import annotations

import pytest

from core.agent.introduction import is_courtesy, reply_to
from core.agent.scope import QuestionScope

SOME = QuestionScope((), ("contracts",), 44, 3)
EMPTY = QuestionScope((), (), 0)


@pytest.mark.parametrize("topic", ["help", "contents", "greeting", "identity", "something new"])
def test_a_reply_says_what_is_here_and_what_can_be_asked(topic: str) -> None:
    reply = reply_to(topic, SOME, "44 contracts and 3 manuals", ("Which contracts lack a cap?",))
    assert "47 documents: 44 contracts and 3 manuals. 3 of them could not be read." in reply
    assert "- Which contracts lack a cap?" in reply
    assert "groundwork ingest FOLDER" in reply


@pytest.mark.parametrize("topic", ["help", "greeting", "contents"])
def test_an_empty_collection_says_what_to_do_first(topic: str) -> None:
    reply = reply_to(topic, EMPTY)
    assert "no documents here yet" in reply
    assert "--sample" in reply
    assert "0 documents" not in reply


def test_without_kinds_the_buckets_are_named() -> None:
    assert "2 documents in the buckets “a”, “b”." in reply_to("help", QuestionScope((), ("a", "b"), 2))


@pytest.mark.parametrize("topic", ["thanks", "farewell", "acknowledgement"])
def test_courtesies_speak_of_nothing_else(topic: str) -> None:
    assert is_courtesy(topic)
    assert "documents" not in reply_to(topic, SOME)
