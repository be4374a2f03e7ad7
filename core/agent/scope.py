"""Scope of a question, the buckets and the documents that may be seen in them, and replies about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.agent.request import Run
from core.answer.computed.wording import listed
from core.domain.document import DocumentSummary
from core.records.base import BucketSummary

NAMED = 4  # buckets
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
COURTESIES = {
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
"""Replies that do not speak of the collection, by topic."""

Introduction = Callable[[Run], tuple[str, tuple[str, ...]]]
"""Kinds of documents in words, "" where nobody knows, and questions that were tried here and answered."""


@dataclass(frozen=True, slots=True)
class QuestionScope:
    """buckets: as chosen, () for all. names: those that hold documents. Counts are of visible documents.

    documents: those with text, which can be searched; unread: those without any.
    """

    buckets: tuple[str, ...]
    names: tuple[str, ...]
    documents: int
    unread: int = 0

    @property
    def label(self) -> str:
        """`45 documents in contracts and invoices`; `no documents` where there are none."""
        if not self.documents:
            return "no documents"
        count = f"{self.documents:,} document" + ("" if self.documents == 1 else "s")
        if not self.names or (not self.buckets and len(self.names) > NAMED):
            return f"{count} in {len(self.names)} buckets" if len(self.names) > 1 else count
        shown, more = [f"“{name}”" for name in self.names[:NAMED]], len(self.names) - NAMED
        return f"{count} in {listed([*shown, f'{more} more buckets'] if more > 0 else shown)}"

    @property
    def is_empty(self) -> bool:
        """True where there is nothing here at all, not even files without text."""
        return not self.documents and not self.unread

    @property
    def unread_note(self) -> str:
        """A sentence on the documents that could not be searched; "" where there are none."""
        if not self.unread:
            return ""
        many = ("", "it") if self.unread == 1 else ("s", "them")
        lost = f"could not be searched, because no text could be read from {many[1]}."
        return f"{self.unread:,} more document{many[0]} {lost}"


def read_scope(
    summaries: Sequence[BucketSummary], buckets: tuple[str, ...], unread: Sequence[DocumentSummary] = ()
) -> QuestionScope:
    """The scope of a question that is asked in `buckets`, () for all; unread: documents without text."""
    inside = [summary for summary in summaries if not buckets or summary.name in buckets]
    filled = [summary for summary in inside if summary.documents]
    blind = sum(not buckets or document.bucket in buckets for document in unread)
    documents = sum(s.documents for s in filled) - blind
    return QuestionScope(buckets, tuple(s.name for s in filled), max(documents, 0), blind)


def reply_to(topic: str, scope: QuestionScope, kinds: str = "", examples: Sequence[str] = ()) -> str:
    """The reply to a topic of `core.plan.text.classify.small_talk`; unknown topics get the general help."""
    if topic in COURTESIES:
        return COURTESIES[topic]
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
