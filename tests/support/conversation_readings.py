"""Conversations of marked turns, gone through without a collection: every answer leaves a set in hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date

from bench.reader.marks import reading_of as marked
from core.domain.answer import Kind, Route
from core.plan.catalogue import Catalogue
from core.plan.conversation_state import ConversationState, Focus, SetInHand
from core.plan.follow_up import follow
from core.plan.ir.nodes import Plan
from core.plan.readers.trained.reading import QuestionReading
from core.plan.readers.trained.to_reading import reading_of
from core.plan.reading import Operation, Reading
from core.plan.reading_edits import set_part
from core.plan.turn import Followed, in_context

TODAY = date(2024, 11, 22)
_OF_TEXT = (Operation.TEXT, Operation.HELP)


def plan_of_reading(reading: Reading) -> Plan:
    """A plan that says nothing but its reading."""
    route = Route.HYBRID if reading.operation in _OF_TEXT else Route.STRUCTURED
    return Plan(question=reading.question, kind=Kind.AGGREGATE, route=route, nodes=(), reading=reading)


@dataclass(slots=True)
class MarkedConversation:
    """A conversation whose turns are marked by hand. followed: of the last, None where it stood alone."""

    catalogue: Catalogue
    schema: str = "contracts"
    documents: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    state: ConversationState = field(default_factory=ConversationState)
    followed: Followed | None = None

    def turn(self, head: str, text: str, *, tells_relation: bool = True) -> Reading:
        """The reading of the next turn: `relation:operation/function/direction` and its marked words."""
        read = marked(head, text, self.schema, is_labelled=True)
        if not tells_relation:
            read = replace(read, relations=())
        return self.read(read)

    def read(self, read: QuestionReading) -> Reading:
        """The reading of the next turn as the reader read it."""
        read = in_context(read, self.state, self.catalogue)
        alone = reading_of(read, self.catalogue, TODAY)
        self.followed = follow(read, alone, self.state, self.catalogue)
        reading = self.followed.reading if self.followed is not None else alone
        self._answer(reading, keeps_set=self.followed is not None and self.followed.keeps_set)
        return reading

    def through(self, turns: Iterable[tuple[str, str]]) -> Reading:
        """The reading of the last of some turns."""
        *_, last = (self.turn(head, text) for head, text in turns)
        return last

    def _answer(self, reading: Reading, *, keeps_set: bool) -> None:
        plan, before = plan_of_reading(reading), self.state
        if reading.doubt is not None:
            return
        if reading.operation in _OF_TEXT:
            self.state = ConversationState(SetInHand(self.documents[:1]), plan, Focus(self.documents[:1]))
            return
        held, earlier = before.in_hand, before.earlier
        own = held.plan.reading if held is not None and held.plan is not None else None
        is_same = (
            own is not None and set_part(own) == set_part(reading) and reading.operation is not Operation.RANK
        )
        focus = Focus(groups=self.groups if reading.operation is Operation.GROUP else ())
        if held is None or not (keeps_set or is_same):
            gone = next((n for n, each in enumerate(earlier) if _reads(each) == set_part(reading)), None)
            documents = earlier[gone].documents if gone is not None else self._documents(reading, held)
            if gone is not None:
                earlier = earlier[:gone]
            elif held is not None and _reads(held) != set_part(reading):
                earlier = (*earlier, held)
            held = SetInHand(documents, "documents", plan)
        named = [id for name in reading.names for id in name.documents]
        self.state = ConversationState(held, plan, replace(focus, documents=tuple(named)), earlier=earlier)

    def _documents(self, reading: Reading, held: SetInHand | None) -> tuple[str, ...]:
        """Fewer documents than before where conditions were added, else others of the collection."""
        own = held.plan.reading if held is not None and held.plan is not None else None
        if held is not None and own is not None and set(own.conditions) < set(reading.conditions):
            return held.documents[:-1] or held.documents
        before = len(self.state.earlier) + (held is not None)
        return self.documents[:-1] if before % 2 else self.documents


def _reads(held: SetInHand) -> object:
    reading = held.plan.reading if held.plan is not None else None
    return set_part(reading) if reading is not None else None
