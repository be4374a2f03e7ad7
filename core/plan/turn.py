"""A turn of a conversation beside what it may go on from, and what it asks to be done with that."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.plan.catalogue import Catalogue, document_title
from core.plan.conversation_state import ConversationState
from core.plan.readers.trained.reading import FieldLink, QuestionReading, ReadSpan, SpanRole
from core.plan.reading import IN_HAND, Function, Operation, ReadField, Reading, ReadName, ReadOrder
from core.plan.reading_edits import (
    FIGURES,
    as_set,
    edited,
    exclusive,
    is_focused,
    joined,
    merged_order,
    set_part,
    type_of,
    without_roles,
)
from core.text.words import word_list

COMPUTING = (*FIGURES, Operation.RANK)
OF_ONE = (Operation.LOOKUP, Operation.CHECK)
MOST_NAMED = 50
"""Documents of a set that are named one by one."""

_LISTING = word_list("asking", "instructions") | {"which", "who"}
_EDITING = ("replace", "widen")
_SHOWING = (Operation.LIST, Operation.RANK)
_SURELY_LINKED = 0.9


@dataclass(frozen=True, slots=True)
class Followed:
    """Reading of a turn that goes on. keeps_set: what was in hand stays so: only some of it was spoken of."""

    reading: Reading
    keeps_set: bool = False


@dataclass(frozen=True, slots=True)
class TurnInHand:
    """One turn. read, turn: as it was read by itself; base: the reading of the set in hand; last: that of the
    last answer, which may be about one document of it."""

    read: QuestionReading
    turn: Reading
    base: Reading
    last: Reading
    state: ConversationState
    catalogue: Catalogue

    @property
    def says_work(self) -> bool:
        """True where the turn says what is shown, computed, grouped or ordered by."""
        turn = self.turn
        return bool(turn.asked or turn.order or turn.groups or turn.function)

    def order(self, before: ReadOrder | None, *, keeps_limit: bool = False) -> ReadOrder | None:
        """The order of the turn, which takes from the one before what it does not say."""
        is_numbered = bool(self.read.of(SpanRole.LIMIT, SpanRole.NTH, SpanRole.SKIP))
        return merged_order(before, self.turn.order, is_numbered=is_numbered, keeps_limit=keeps_limit)

    def added(self, whole: Reading) -> dict[str, object]:
        """The conditions and names of a set with those of the turn; a kind takes the place of a kind."""
        turn = self.turn
        kinds = ("kind",) if turn.of_role("kind") else ()
        kept = exclusive(whole.conditions, turn.conditions, self.catalogue)
        return {
            "conditions": joined(kept, turn.conditions),
            "names": (*without_roles(whole.names, *kinds), *turn.names),
        }

    def work(self, whole: Reading, *, in_place: bool = False) -> dict[str, object]:
        """What the turn asks to be done with a set, with what it takes from the reading before.

        in_place: what it says takes the place of what was said, and the rest stays.
        """
        operation = self._operation(whole)
        if operation in FIGURES:
            return self._figure(operation, whole)
        turn = self.turn
        was_listed = whole.operation not in FIGURES
        is_distinct = turn.function is Function.DISTINCT or (
            was_listed and (in_place or not turn.asked) and whole.function is Function.DISTINCT
        )
        is_ranked = Operation.RANK in (whole.operation, operation)
        order = self.order(whole.order, keeps_limit=in_place) if is_ranked else None
        if operation is not Operation.EXISTS and not (is_focused(whole) and operation in OF_ONE):
            operation = Operation.RANK if order is not None else Operation.LIST
        return {
            "operation": operation,
            "asked": turn.asked or (whole.asked if was_listed else ()),
            "function": Function.DISTINCT if is_distinct else Function.NONE,
            "groups": (),
            "order": order,
        }

    def _operation(self, whole: Reading) -> Operation:
        turn, operation = self.turn, self.turn.operation
        said = set(self.read.question.casefold().strip(" ?.!").split())
        if not self.says_work and not said & _LISTING and whole.operation in COMPUTING:
            operation = whole.operation  # "and pending ones?" after "how many are open"
        if whole.operation is Operation.GROUP and operation in (Operation.COMPUTE, Operation.RANK):
            operation = Operation.GROUP  # "the average instead", "largest group first"
        if turn.groups:
            return Operation.GROUP
        if operation is Operation.GROUP and not whole.groups:
            return Operation.COMPUTE if turn.asked or whole.asked else Operation.COUNT
        return operation

    def _figure(self, operation: Operation, whole: Reading) -> dict[str, object]:
        turn = self.turn
        asked, function = turn.asked, turn.function
        counts = operation is Operation.COUNT or function in (Function.COUNT, Function.SHARE)
        if not asked and counts and function is not Function.DISTINCT:
            is_of_values = whole.function is Function.DISTINCT  # "which vendors", "how many"
            asked = whole.asked if is_of_values else ()
            function = Function.DISTINCT if is_of_values else function
        elif not asked:
            by = whole.order.field if whole.order is not None else None
            asked = whole.asked or self.last.asked or ((by,) if by is not None else ())
        if not function:
            function = whole.function if whole.operation in FIGURES else Function.NONE
        if operation is Operation.COUNT and not asked and function is not Function.SHARE:
            function = Function.COUNT
        made: dict[str, object] = {"operation": operation, "asked": asked, "function": function}
        if operation is not Operation.GROUP:
            return made | {"groups": (), "order": None}
        before = whole.order if whole.groups else None
        return made | {"groups": turn.groups or whole.groups, "order": self.order(before, keeps_limit=True)}


def in_context(read: QuestionReading, state: ConversationState, catalogue: Catalogue) -> QuestionReading:
    """A turn as it was read, its words linked to fields of what it goes on from, where they may mean these.

    "And 2022?" is on the day that the last question was on. The same where the turn stands alone, or names a
    kind of its own.
    """
    relation = read.relations[0][0] if read.relations else "new"
    held = state.in_hand.plan if state.in_hand is not None else None
    readings = [each.reading for each in (state.last_plan, held) if each is not None and each.reading]
    if relation == "new" or not readings or read.of(SpanRole.KIND):
        return read
    schema = next((name for each in readings for name in _schemas_of(each)), "")
    if not schema and not any(each.is_rows for each in readings):
        return read
    known = [each.field for reading in readings for each in reading.conditions if each.values]

    def linked(span: ReadSpan) -> ReadSpan:
        own = tuple(each for each in span.links if each.schema == schema)
        is_known = any(each.field == field.name for each in own[:1] for field in known)
        if relation in _EDITING and span.role is SpanRole.VALUE and span.links and not is_known:
            first = ReadField(name=span.links[0].field, schema_name=span.links[0].schema)
            wanted = type_of(first, catalogue)
            same = [each for each in known if type_of(each, catalogue) is wanted]
            is_weak = not own or own[0].probability < _SURELY_LINKED
            if wanted is not None and same and is_weak:
                probability = span.links[0].probability
                own = (FieldLink(schema, same[-1].name, probability), *own)
        return replace(span, links=own) if own else span

    return replace(read, spans=tuple(linked(each) for each in read.spans))


def _schemas_of(reading: Reading) -> list[str]:
    steps = reading.all_steps[::-1]
    kinds = [step.kind for step in steps] + [each.schema_name for step in steps for each in step.fields]
    return [each for each in kinds if each]


def turn_in_hand(
    read: QuestionReading, turn: Reading, state: ConversationState, catalogue: Catalogue
) -> TurnInHand | None:
    """The turn with what it may go on from; None where there is nothing."""
    last = state.last_plan.reading if state.last_plan is not None else None
    held = state.in_hand
    own = held.plan.reading if held is not None and held.plan is not None else None
    if last is not None and last.explains:
        last = own
    base = last or own
    if own is not None and last is not None and _is_beside(last, own):
        is_shown = own.operation in FIGURES and last.operation in _SHOWING and not is_focused(last)
        shown = as_set(last) if last.asked else last  # "how many are there", "list them"
        base = shown if is_shown else own
    if base is None or goes_on_from_hand(base):
        base = _of_hand(turn, state, catalogue)
    return TurnInHand(read, turn, base, last or base, state, catalogue) if base is not None else None


def _is_beside(last: Reading, own: Reading) -> bool:
    """True where the last answer was about some of the set in hand, or a figure of it."""
    is_check = last.operation is Operation.CHECK and bool(last.within)
    return is_focused(last) or is_check or set_part(own) == set_part(last)


def goes_on_from_hand(reading: Reading) -> bool:
    """True where a reading means the set that was in hand then, which no later turn can say."""
    return any(IN_HAND in step.within for step in reading.all_steps)


def _of_hand(turn: Reading, state: ConversationState, catalogue: Catalogue) -> Reading | None:
    """A list of the set in hand itself, where no reading says it; None where nothing is in hand."""
    held = state.in_hand
    if held is None or not held.documents:
        return None
    bare = Reading(operation=Operation.LIST, by=turn.by, question=turn.question)
    if held.plan is not None:
        return edited(bare, within=(IN_HAND,))
    return named_documents(bare, held.documents, catalogue)


def named_documents(bare: Reading, documents: tuple[str, ...], catalogue: Catalogue) -> Reading | None:
    """A list of some documents; None where they are too many to be named."""
    if not documents or len(documents) > MOST_NAMED:
        return None
    entry, name = catalogue.document(documents[0]), name_of(documents[0], catalogue)
    if len(documents) > 1:
        name = ReadName(words="", role="document", documents=documents)
    kind = entry.schema if entry is not None else ""
    return edited(bare, operation=Operation.LIST, names=(name,), kind=kind, asked=(), conditions=())


def name_of(document: str, catalogue: Catalogue) -> ReadName:
    """The name of one document, in quotation marks."""
    title = document_title(document, catalogue)[:490]
    return ReadName(words=f"“{title}”", role="document", documents=(document,))


def fields_once(fields: tuple[ReadField, ...]) -> tuple[ReadField, ...]:
    """Fields, each once, in order."""
    keys = [(each.name, each.part) for each in fields]
    return tuple(each for at, each in enumerate(fields) if keys[at] not in keys[:at])
