"""Replies about the collection and the program: greetings, what is in here, what can be asked."""

from __future__ import annotations

from dataclasses import dataclass

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
    "help": "",
    "contents": "",
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
_CHAT = "I can only speak for the documents that were loaded."


@dataclass(frozen=True, slots=True)
class CollectionProfile:
    """Profile of what there is to ask about.

    kinds: how many documents of each kind, in words; "" where nobody knows.
    examples: questions that were tried here and answered.
    """

    scope: QuestionScope
    kinds: str = ""
    examples: tuple[str, ...] = ()


def needs_profile(topic: str) -> bool:
    """True where the reply to a topic speaks of the collection."""
    return topic not in _COURTESIES


def reply_to(topic: str, profile: CollectionProfile) -> str:
    """The reply to a topic of `core.plan.text.classify.small_talk`; unknown topics get the general help."""
    if topic in _COURTESIES:
        return _COURTESIES[topic]
    opening = _CHAT if topic == "chat" else _OPENINGS.get(topic, "")
    about = "" if topic in ("contents", "chat") else _ABOUT
    first = " ".join(part for part in (opening, about) if part)
    if profile.scope.is_empty:
        return _paragraphs(first, _BEGIN)
    ways = _WAYS if topic in ("help", "contents") else ""
    end = "" if topic == "chat" else _ADD
    return _paragraphs(first, _holds(profile), ways, _tried(profile.examples), end)


def _holds(profile: CollectionProfile) -> str:
    scope = profile.scope
    total = scope.documents + scope.unread
    many = "" if total == 1 else "s"
    names = ", ".join(f"“{name}”" for name in scope.names)
    where = f" in the bucket{'' if len(scope.names) == 1 else 's'} {names}"
    what = f": {profile.kinds}" if profile.kinds else where if scope.names else ""
    unread = f" {scope.unread:,} of them could not be read." if scope.unread else ""
    return f"In here {'is' if total == 1 else 'are'} {total:,} document{many}{what}.{unread}"


def _tried(examples: tuple[str, ...]) -> str:
    if not examples:
        return ""
    return "\n".join(("For example, you can ask:", "", *(f"- {each}" for each in examples)))


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)
