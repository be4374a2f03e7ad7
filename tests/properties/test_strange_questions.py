from __future__ import annotations

import time

from bench.planner_latency import made_up, planner_of
from bench.strange_questions import LIMIT_S, strange
from tests.support.examples import examples


def test_no_question_takes_seconds_of_processor_time() -> None:
    """The first of those that `bench.strange_questions` asks by the thousand."""
    planner = planner_of(made_up(300, 300))
    planner.planned("Which contracts lack force majeure?")
    for question in strange(examples(80)):
        began = time.thread_time()
        planner.planned(question)
        assert time.thread_time() - began < LIMIT_S, question[:200]
