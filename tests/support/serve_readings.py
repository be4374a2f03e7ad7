"""`python -m tests.support.serve_readings PORT HOME`: the app over contracts, some words read in two ways.

The file `conversation` of the home names a conversation of one turn, which asked two things.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.asgi import serve
from core.config.load import load_settings
from core.domain.answer import Answer, ConversationSet, CountEstimate
from core.workbench import Workbench
from core.workbench.catalogue import Planners
from core.workbench.wiring import Parts
from tests.support.filled_matrix import fill
from tests.support.two_readings import of

FIRST, SECOND = "Which documents are governed by Texas law?", "What is the contract value of each contract?"
BOTH = "Which documents are governed by Texas law, and what is the contract value of each?"


def ask_two_things(home: Path) -> str:
    """Keep a turn whose question asked two things; gives its conversation."""
    with Workbench(Parts(load_settings(home))) as bench:
        session = bench.local
        conversation = session.conversations.create()
        turn = session.conversations.start_turn(conversation.id, BOTH)
        first, second = session.questions.ask(FIRST), session.questions.ask(SECOND)
        session.conversations.finish_turn(turn.id, whole(first, second))
        return conversation.id


def whole(first: Answer, second: Answer) -> Answer:
    """The answer to a question that asked two things, with a set in hand and an estimate beside a ledger."""
    assert first.table is not None
    estimate = CountEstimate(value=3, low=2, high=4, level=0.8)
    in_hand = ConversationSet(documents=first.table.documents, label="contracts governed by Texas law")
    return Answer(
        question=BOTH,
        trace_id=first.trace_id,
        data_version=first.data_version,
        status=first.status,
        kind=first.kind,
        route=first.route,
        text=f"{first.question}\n\n{second.question}",
        parts=(
            first.model_copy(update={"estimate": estimate}),
            second.model_copy(update={"conversation": in_hand}),
        ),
        timings_ms={"total": 12.0},
    )


if __name__ == "__main__":
    home = Path(sys.argv[2])
    fill(home)
    (home / "conversation").write_text(ask_two_things(home))
    Planners.of = of  # type: ignore[method-assign]
    serve(home=home, port=int(sys.argv[1]))
