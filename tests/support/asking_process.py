"""A process that asks one question in a conversation, with a language model, and is ended while it waits.

`python -m tests.support.asking_process HOME QUESTION` prints the conversation and the turn as it begins.
"""

from __future__ import annotations

import sys
from pathlib import Path

from core.config.load import load_settings
from core.workbench import Workbench
from tests.support.given_encoder import PartsWith
from tests.support.hashed_encoder import HashedEncoder


def ask(home: Path, question: str) -> None:
    """Begin a turn and answer it."""
    with Workbench(PartsWith(load_settings(home), HashedEncoder())) as bench:
        session = bench.local
        conversation = session.conversations.create().id
        turn = session.conversations.start_turn(conversation, question)
        print(conversation, turn.id, flush=True)  # noqa: T201
        answer = session.questions.ask(question, conversation=conversation)
        session.conversations.finish_turn(turn.id, answer)


if __name__ == "__main__":
    ask(Path(sys.argv[1]), sys.argv[2])
