"""A turn with all that its plan depends on: the state, its words, and what reads and plans questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from core.plan.catalogue import Catalogue, document_title
from core.plan.clarify import is_whole
from core.plan.conversation.alteration import ClauseClass, clause_class
from core.plan.conversation.completion import Antecedents, forms
from core.plan.conversation.field_question import asks_who, parties_of, show_fields
from core.plan.conversation.fragment import (
    Fragment,
    Planner,
    computes,
    on_fields_in_hand,
    plan_forms,
    show_named_fields,
)
from core.plan.conversation.proposals import Proposer, contrary_plan, likeliest_plan
from core.plan.conversation.restriction import own_clauses
from core.plan.conversation.subject import (
    named_documents,
    noun_of,
    schema_of_documents,
    without_bound_pointers,
)
from core.plan.conversation.turn import PointerKind, SetNoun, TurnReading, phrases, read_turn
from core.plan.conversation_state import ConversationState, SetInHand, base_of, scope_of, source_of
from core.plan.ir.nodes import Plan, SelectionNode, clause_parts, without_aspect
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.pieces import (
    Ask,
    DocumentSet,
    FieldSenses,
    Filler,
    HavingWord,
    Noun,
    Parties,
    Piece,
    Statistic,
    Top,
)
from core.plan.language.reading.read import ParsedQuestion

Reader = Callable[[str], ParsedQuestion]
_IDLE = phrases("idle")
_OF_MANY = phrases("of_many")
_YES_NO = phrases("yes_no")
_FEW = 1  # words beside those that point: "list them", "which ones"
_OF_LAWS = ("law", "currency")


@dataclass(frozen=True, slots=True)
class TurnSetting:
    """A turn in its conversation. reading: of its text with blanks in the place of what points.

    anchor: the plan that it goes on from, that of the set in hand first. noun: for what is in hand.
    is_described: it says "one" of what is in hand with words in front ("the oldest one"). propose: what the
    trained reader makes of a text; None for none.
    """

    question: str
    state: ConversationState
    turn: TurnReading
    reading: ParsedQuestion
    noun: SetNoun
    plan: Planner
    read: Reader
    lexicon: Lexicon
    is_described: bool = False
    propose: Proposer | None = None

    @property
    def catalogue(self) -> Catalogue:
        """The collection as the principal sees it."""
        return self.lexicon.catalogue

    @property
    def in_hand(self) -> SetInHand:
        """The documents in hand; an empty set for none."""
        return self.state.in_hand or SetInHand(())

    @property
    def anchor(self) -> Plan | None:
        """The plan that the turn goes on from."""
        return self.in_hand.plan or self.state.last_plan

    @property
    def base(self) -> SelectionNode | None:
        """The selection of the anchor that gives its documents, or rows."""
        return base_of(self.anchor)

    @property
    def schema(self) -> str:
        """The schema of what is in hand, as far as the anchor says it."""
        scope = scope_of(self.anchor)
        return scope.schema_name if scope is not None else ""

    @property
    def has_set(self) -> bool:
        """True where the anchor gives documents, or rows, that can be asked further."""
        return self.anchor is not None and bool(source_of(self.anchor))

    @property
    def said(self) -> tuple[Piece, ...]:
        """The pieces of the turn that say something of their own."""
        return tuple(
            piece
            for piece in self.reading.pieces
            if not isinstance(piece.meaning, Filler) and piece.text.casefold() not in _IDLE
        )

    @property
    def is_check(self) -> bool:
        """True where the turn wants a yes or no."""
        return bool(self.reading.tokens) and self.reading.tokens[0].word in _YES_NO

    @property
    def counts(self) -> bool:
        """True where the turn asks how many."""
        return any(isinstance(p.meaning, Ask) and p.meaning.how == "count" for p in self.reading.pieces)

    @property
    def asks_for_documents(self) -> bool:
        """True where the turn begins as one that wants some of what is in hand: "which have a cap?"."""
        first = self.reading.tokens[0].word if self.reading.tokens else ""
        if first not in _OF_MANY:
            return False
        said = [piece.meaning for piece in self.reading.pieces if not isinstance(piece.meaning, Filler | Ask)]
        return not (said and isinstance(said[0], FieldSenses) and not said[0].is_verb)

    @property
    def names_kind(self) -> bool:
        """True where the turn itself says which kind of document it means."""
        nouns = [piece.meaning for piece in self.reading.pieces if isinstance(piece.meaning, Noun)]
        return any(noun.kind or noun.title_words for noun in nouns)

    def words_of(self, start: int, end: int) -> str:
        """Words of the turn, between two of its characters."""
        return self.turn.text[start:end]

    @property
    def is_whole_question(self) -> bool:
        """True where the turn, as it was said, has a plan over fields that takes every word of it."""
        return is_whole(self.plan(self.question))

    def with_turn(self, turn: TurnReading) -> TurnSetting:
        """The same with another part of the turn."""
        return replace(self, turn=turn, reading=self.read(turn.blanked))

    def plan_turn(self, turn: TurnReading) -> Fragment:
        """The plans of the whole questions that a turn may stand for; rows are asked of their table."""
        questions = forms(turn, self.noun, self.known, self.read, of_one=False)
        base = self.base
        if base is not None and base.of == "rows" and len(base.scope.documents) == 1:
            title = document_title(base.scope.documents[0], self.catalogue)
            questions = [f"{question} in {title}" for question in questions]
        shown = self.show_named_fields(self.schema) if turn is self.turn else None
        who = self._who() if turn is self.turn and turn.of(PointerKind.SET, PointerKind.SET_OWN) else None
        if who is not None:
            return Fragment(self.question, who)
        if shown is not None and turn.of(PointerKind.SET_OWN):
            return Fragment(self.question, shown)
        found = plan_forms(questions, self.plan, names_kind=self.names_kind)
        if found.whole is None and shown is not None:
            return replace(found, whole=shown)
        return self.with_proposal(found, questions)

    def with_proposal(self, found: Fragment, questions: Sequence[str]) -> Fragment:
        """The plans with the trained reader's where none is whole."""
        if self.propose is None:
            return found
        if found.whole is not None:
            turned = contrary_plan(found.question, found.whole, self.propose)
            return replace(found, whole=turned) if turned is not None else found
        read = likeliest_plan(questions, self.propose)
        return replace(found, question=read[0], whole=read[1]) if read is not None else found

    def show_named_fields(self, schema: str) -> Plan | None:
        """The plan that shows the fields of a schema that the turn names, where it asks for nothing else."""
        return show_named_fields(self.reading, self.catalogue.schema(schema), self.question)

    def _who(self) -> Plan | None:
        """The plan that shows who is in each of the documents: "who are they with?"."""
        schema = self.catalogue.schema(self.schema)
        is_bare = all(isinstance(piece.meaning, Ask | HavingWord) for piece in self.said)
        if schema is None or not is_bare or not asks_who(self.turn.text, None):
            return None
        return show_fields(self.question, parties_of(schema), schema)

    def fragment(self) -> Fragment:
        """The plans of the turn, on the fields that were spoken of."""
        found = self.plan_turn(self.turn)
        if found.whole is None:
            return found
        value_field = self._value_field if self.turn.of(PointerKind.VALUE) else ""
        moved = on_fields_in_hand(found.whole, self.reading, self.anchor, self.catalogue, value_field)
        return replace(found, whole=moved)

    @property
    def known(self) -> Antecedents:
        """Antecedents of words that point: the value that was given, the clause and the field spoken of."""
        thing = field = ""
        last = base_of(self.state.last_plan)
        for clause in [*(own_clauses(self.base) if self.base else ()), *(own_clauses(last) if last else ())]:
            entry = self.catalogue.field(without_aspect(clause_parts(clause)[0].field), self.schema)
            own = clause_class(clause, self.schema, self.catalogue)
            if entry is not None and own is ClauseClass.PRESENCE:
                thing = entry.title.lower()
            elif entry is not None and own is ClauseClass.TEXT:
                field = entry.title.lower()
        return Antecedents(self._value, thing, field, self._year)

    @property
    def _year(self) -> int:
        """The year of the last period that was asked about; 0 for none."""
        for clause in reversed(own_clauses(self.base) if self.base is not None else ()):
            value = clause_parts(clause)[0].value
            first = value[0] if isinstance(value, tuple) and value else value
            is_day = clause_class(clause, self.schema, self.catalogue) is ClauseClass.DATE
            if is_day and isinstance(first, str) and first[:4].isdecimal():
                return int(first[:4])
        return 0

    @property
    def _value(self) -> str:
        """The value that words such as "that amount" stand for."""
        pointers = self.turn.of(PointerKind.VALUE)
        if not pointers:
            return ""
        word = self.words_of(pointers[0].start, pointers[0].end).split()[-1].casefold()
        if word == "year" and self._year:
            return str(self._year)
        value = self.state.focus.value or self._value_of_conditions
        return f"{value} {word}" if word in _OF_LAWS and value else value

    @property
    def _value_of_conditions(self) -> str:
        values = (ClauseClass.AMOUNT, ClauseClass.DATE, ClauseClass.TEXT)
        for clause in reversed(own_clauses(self.base) if self.base is not None else ()):
            value = clause_parts(clause)[-1].value
            if clause_class(clause, self.schema, self.catalogue) in values and value:
                return value if isinstance(value, str) else value[-1] if isinstance(value, tuple) else ""
        return ""

    @property
    def _value_field(self) -> str:
        """The field of the value that the turn points at; "" where it was no field's."""
        before = computes(self.anchor) if self.anchor is not None else None
        return before.field if before is not None and self.state.focus.value else ""


def setting_of(
    question: str,
    state: ConversationState,
    plan: Planner,
    read: Reader,
    lexicon: Lexicon,
    propose: Proposer | None = None,
) -> TurnSetting:
    """The setting of a cleaned question."""
    state = _widened(question, state)
    in_hand = state.in_hand or SetInHand(())
    anchor = in_hand.plan or state.last_plan
    base, scope = base_of(anchor), scope_of(anchor)
    schema = scope.schema_name if scope is not None else ""
    schema = schema or schema_of_documents(in_hand.documents, lexicon.catalogue)
    is_of_rows = base is not None and base.of == "rows"
    noun = SetNoun("entries", "entry") if is_of_rows else noun_of(schema, lexicon)
    turn = read_turn(question, noun)
    described = _with_noun(turn, noun, in_hand, read, lexicon)
    turn = described or turn
    reading = read(turn.blanked)
    turn = without_bound_pointers(turn, reading)
    proposer = cache(propose) if propose is not None else None
    is_described = described is not None
    return TurnSetting(
        question, state, turn, reading, noun, cache(plan), read, lexicon, is_described, proposer
    )


def _with_noun(
    turn: TurnReading, noun: SetNoun, in_hand: SetInHand, read: Reader, lexicon: Lexicon
) -> TurnReading | None:
    """The turn with a noun for "one" where a description stands in front of it; None where a name does."""
    for pointer in turn.of(PointerKind.NAMED):
        meanings = [piece.meaning for piece in read(pointer.name).pieces]
        if any(isinstance(each, Parties | DocumentSet) for each in meanings):
            continue
        describes = any(isinstance(each, Statistic | Top | FieldSenses) for each in meanings)
        if not describes and named_documents(pointer.name, lexicon.catalogue, in_hand.documents):
            continue
        text = turn.text[: pointer.end - len("one")] + noun.singular + turn.text[pointer.end :]
        again = read_turn(text, noun)
        return replace(again, moves=turn.moves | again.moves, rest=turn.rest)
    return None


def _widened(question: str, state: ConversationState) -> ConversationState:
    """The state with what was in hand before a yes or no, where the turn speaks of several documents."""
    wider, in_hand = state.wider, state.in_hand
    if wider is None or in_hand is None or len(in_hand.documents) != 1:
        return state
    turn = read_turn(question, SetNoun())
    says_more = len(turn.blanked.split()) > _FEW
    is_of_several = bool(turn.of(PointerKind.SET, PointerKind.SET_OWN))
    return replace(state, in_hand=wider) if is_of_several and says_more else state
