"""Answers that were given before access was taken away: not shown where they rest on what is hidden now.

An answer rests on every document whose id stands anywhere in it (citations, evidence, lists, ledgers, plans),
and tells of those that it calls by name. Words of the question count for nothing: whoever asks could else
find out which names are hidden, by what becomes of their own words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from core.cache import Cache
from core.domain.answer import LEDGER_PARTS, MASKED, Answer, Status
from core.domain.conversation import Turn
from core.domain.event import Finished, Trace
from core.store.database.visibility import Visibility
from core.store.store import Records

MASKED_TEXT = (
    "This answer is not shown, because access to a document that it rests on was taken away from you. "
    "Ask again for an answer from the documents that you may see."
)

MaskVerdict = tuple[str, ...] | None
"""The follow-ups of an answer that may be shown; None where the answer may not be."""

MaskKey = tuple[str, str, int, int, frozenset[str] | None]

_ID = re.compile(r"\bd[0-9a-f]{20}\b")
_NAMED = re.compile(r"“([^”]{1,300})”")
_NAMES = frozenset({"label", "hints", "meaning", "follow_ups"})  # texts that may be a name
_LONGEST_NAME = 300
_PLACES = {"document", "documents", "set", "members", "unread", "pending", "unknown_kind", *LEDGER_PARTS}
"""What holds ids of documents that were read, whatever the question says."""


class AnswerMask:
    """Shows kept answers to one principal as far as they may still see what these rest on. Thread-safe.

    kept: verdicts by answer, state of the collection and visibility, shared by all.
    """

    def __init__(self, records: Records, visible: Visibility, kept: Cache[MaskKey, MaskVerdict]) -> None:
        self._records = records
        self._visible = visible
        self._kept = kept

    def answer(self, answer: Answer) -> Answer:
        """The answer, without follow-ups that name what is hidden, or a sentence in its place."""
        if self._visible.groups is None:
            return answer
        verdict = self._verdict(answer)
        if verdict is None:
            return masked(answer)
        if verdict == answer.follow_ups:
            return answer
        return answer.model_copy(update={"follow_ups": verdict})

    def turn(self, turn: Turn) -> Turn:
        """The turn with its answers as they may be seen."""
        if self._visible.groups is None or turn.answer is None:
            return turn
        first = None if turn.first is None else self.answer(turn.first)
        return replace(turn, answer=self.answer(turn.answer), first=first)

    def trace(self, trace: Trace) -> Trace:
        """The trace; of an answer that is not shown its last event alone, and of one that was cut off none
        that tells of what is hidden.
        """
        if self._visible.groups is None:
            return trace
        last = trace.events[-1] if trace.events else None
        if isinstance(last, Finished):
            shown = self.answer(last.answer)
            if shown.is_masked:
                return trace.model_copy(update={"events": (last.model_copy(update={"answer": shown}),)})
        said = trace.question
        events = tuple(event for event in trace.events[:-1] if not self.tells(event.model_dump(), said))
        rest = () if last is None else (last,)
        if isinstance(last, Finished):
            rest = (last.model_copy(update={"answer": self.answer(last.answer)}),)
        elif last is not None and self.tells(last.model_dump(), said):
            rest = ()
        return trace.model_copy(update={"events": (*events, *rest)})

    def _verdict(self, answer: Answer) -> MaskVerdict:
        """The follow-ups that may be shown; None where the answer may not be."""
        key = (
            answer.trace_id,
            answer.question,
            hash(answer.follow_ups),
            self._records.changes.version_for(self._visible),
            self._visible.groups,
        )
        return self._kept.get_or_make(key, lambda: self._judge(answer))

    def _judge(self, answer: Answer) -> MaskVerdict:
        given = answer.model_dump(mode="json", exclude={"question", "follow_ups", "standalone"})
        said = f"{answer.question}\n{answer.standalone}"
        if self.tells(given, said):
            return None
        return tuple(each for each in answer.follow_ups if not self.tells({"follow_ups": each}, said))

    def tells(self, given: Any, said: str = "") -> bool:
        """True where nested values tell of a document that may not be seen, by its id or its name.

        said: the words of who asked, which tell of nothing.
        """
        said = said.casefold()
        ids: set[str] = set()
        names: set[str] = set()
        for key, text in _texts(given):
            ids.update(each for each in _ID.findall(text) if key in _PLACES or each not in said)
            names.update(_NAMED.findall(text))
            if key in _NAMES and len(text) <= _LONGEST_NAME:
                names.add(text)
        names = {name for name in names if name.casefold() not in said}
        return bool(ids or names) and self._records.access.hides(ids, names, self._visible)


def mask_cache() -> Cache[MaskKey, MaskVerdict]:
    """Memory of verdicts for a process."""
    return Cache(4_096)


def masked(answer: Answer) -> Answer:
    """The answer that stands in the place of one that is not shown."""
    return Answer(
        question=answer.question,
        trace_id=answer.trace_id,
        data_version=answer.data_version,
        status=Status.REFUSED,
        kind=answer.kind,
        route=answer.route,
        text=MASKED_TEXT,
        flags=(MASKED,),
    )


def _texts(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a nested value with the name that it stands under."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _texts(str(name), "")
            yield from _texts(each, str(name))
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _texts(each, key)
