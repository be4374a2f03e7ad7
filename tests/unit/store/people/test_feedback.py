from __future__ import annotations

from core.domain.trust.review import Feedback, FeedbackWord
from core.store.store import Records

UP, DOWN = FeedbackWord.UP, FeedbackWord.DOWN


def test_everybody_has_one_opinion_of_each_answer_and_citation(records: Records) -> None:
    for word in (UP, DOWN):
        records.feedback.give(Feedback("t1", 0, "ann", word, "other", "hm"))
    records.feedback.give(Feedback("t1", 2, "ann", UP))
    records.feedback.give(Feedback("t1", 0, "bob", UP))

    own = records.feedback.of_traces(["t1", "t2"], "ann")
    assert own == {"t1": [Feedback("t1", 0, "ann", DOWN, "other", "hm"), Feedback("t1", 2, "ann", UP)]}
    assert len(records.feedback.of_traces(["t1"])["t1"]) == 3
    records.feedback.take_back("t1", 0, "ann")
    assert [each.citation for each in records.feedback.of_traces(["t1"], "ann")["t1"]] == [2]
