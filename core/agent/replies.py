"""Replies to small talk: short, honest about what this is, and with a next thing to do."""

from __future__ import annotations

_ABOUT = (
    "I answer questions from the documents in your collection. Every statement I make is a quote that you "
    "can open on its page; where the documents do not say, I tell you what I searched instead of guessing."
)
_TRY = (
    "Ask about a clause, a number, a date or a procedure, name the document if you know it, or compare two "
    "parties: for example “Compare liability caps between ACME and Beta Corp”."
)
_REPLIES = {
    "greeting": f"Hello. {_ABOUT} What would you like to know?",
    "thanks": "You are welcome. Ask the next question whenever you like.",
    "farewell": "Goodbye. This conversation is kept, so you can go on from here later.",
    "acknowledgement": "Good. What would you like to know next?",
    "help": f"{_ABOUT} {_TRY}",
    "identity": f"I am Groundwork, a program that reads documents; there is no person here. {_ABOUT}",
    "chat": f"I can only speak for the documents that were loaded. {_TRY}",
}


def reply_to(topic: str) -> str:
    """The reply to a topic of `core.plan.text.classify.small_talk`; unknown topics get the general help."""
    return _REPLIES.get(topic, _REPLIES["help"])
