"""Replies about the collection and the program: greetings, what is in here, what can be asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.agent.run import Run
from core.agent.scope import QuestionScope

_ABOUT = (
    "I answer questions from the documents in your collection. Every statement I make is a quote that you "
    "can open on its page; where the documents do not say, I tell you what I searched instead of guessing."
)
_BEGIN = (
    "There are no documents here yet. Add some on the page Ingest, or run `groundwork ingest FOLDER`. To try "
    "it out first, load the sample collection: `groundwork ingest --sample`."
)
_ADD = "More documents can be added on the page Ingest, or by `groundwork ingest FOLDER`."
_WAYS = (
    "You can ask for a value, a date or a clause of one document, for all documents that have or lack "
    "something, for counts, sums and comparisons, or for what a text says on a topic."
)
_OPENINGS = {
    "greeting": "Hello.",
    "identity": "I am Groundwork, a program that reads documents; there is no person here.",
    "chat": "I can only speak for the documents that were loaded.",
}
_COURTESIES = {
    "orders": (
        "A question changes nothing here, and reveals nothing but what documents say. Ask what you want to "
        "know of them."
    ),
    "clear": "What was in hand is put away: the next question stands on its own.",
    "export": (
        "A question sends and saves nothing. The table of an answer can be saved as a file by its own "
        "button, and on the command line by `groundwork ask … --export FILE`."
    ),
    "delete": (
        "A question removes nothing: the documents stay as they are. They can be removed on the page "
        "Documents, or by `groundwork documents remove`. To leave some out of what is in hand, say “without "
        "…”."
    ),
    "thanks": "You are welcome. Ask the next question whenever you like.",
    "farewell": "Goodbye. This conversation is kept, so you can go on from here later.",
    "acknowledgement": "Good. What would you like to know next?",
}

Introduction = Callable[[Run], tuple[str, tuple[str, ...]]]
"""Kinds of documents in words, "" where nobody knows, and questions that were tried here and answered."""


def is_courtesy(topic: str) -> bool:
    """True where the reply to a topic does not speak of the collection."""
    return topic in _COURTESIES


def reply_to(topic: str, scope: QuestionScope, kinds: str = "", examples: Sequence[str] = ()) -> str:
    """The reply to a topic of `core.plan.text.classify.small_talk`; unknown topics get the general help."""
    if topic in _COURTESIES:
        return _COURTESIES[topic]
    first = (_OPENINGS.get(topic, ""), "" if topic in ("contents", "chat") else _ABOUT)
    said = [" ".join(part for part in first if part)]
    if scope.is_empty:
        said.append(_BEGIN)
    else:
        said += [_holds(scope, kinds), _WAYS if topic in ("help", "contents") else ""]
        tried = ("For example, you can ask:", "", *(f"- {each}" for each in examples))
        said += ["\n".join(tried) if examples else "", "" if topic == "chat" else _ADD]
    return "\n\n".join(part for part in said if part)


def _holds(scope: QuestionScope, kinds: str) -> str:
    total = scope.documents + scope.unread
    names = ", ".join(f"“{name}”" for name in scope.names)
    where = f" in the bucket{'' if len(scope.names) == 1 else 's'} {names}" if names else ""
    what = f": {kinds}" if kinds else where
    unread = f" {scope.unread:,} of them could not be read." if scope.unread else ""
    many = ("is", "document") if total == 1 else ("are", "documents")
    return f"In here {many[0]} {total:,} {many[1]}{what}.{unread}"
