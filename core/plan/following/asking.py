"""Turns that ask something of the documents or rows in hand, or of one of them."""

from __future__ import annotations

from dataclasses import replace

from core.domain.predicate import Operator
from core.plan.following.turn import COMPUTING, OF_ONE, Followed, TurnInHand, fields_once, name_of
from core.plan.reader.reading import SpanRole
from core.plan.reading import (
    MOST_STEPS,
    Function,
    Operation,
    ReadCondition,
    ReadDoubt,
    Reading,
    ReadName,
    ReadOrder,
    Step,
    either_groups,
)
from core.plan.reading_edits import (
    FIGURES,
    as_set,
    edited,
    exclusive,
    is_cut,
    is_focused,
    joined,
    without_roles,
    wrapped,
)
from core.text.words import word_list
from core.values.comparisons import ordinal_in

_PLURAL = word_list("pointing", "several") | {"each", "all"}
_LAST, _TOP = frozenset(("last", "bottom", "final")), frozenset(("top",))


def ask(at: TurnInHand) -> Followed | None:
    """What the turn asks for, of the document that was spoken of, or of the set."""
    turn, last, base = at.turn, at.last, at.base
    if turn.of_role("document"):
        return None
    words = set(at.read.question.casefold().strip(" ?.!").split())
    is_of_one = is_focused(last) and not (words & _PLURAL and not is_focused(base))
    if is_of_one and turn.operation not in COMPUTING:
        return ask_documents(at, last)
    if at.last.is_of_text:
        return None
    if turn.operation in FIGURES:
        return count(at)
    if turn.conditions and turn.operation is Operation.CHECK:
        whole = wrapped(as_set(base))
        return Followed(edited(whole, operation=Operation.CHECK, conditions=turn.conditions), keeps_set=True)
    if turn.conditions and turn.operation is Operation.EXISTS:
        whole = as_set(base)
        return Followed(edited(whole, operation=Operation.EXISTS, **at.added(whole)))
    return _shown(at)


def _shown(at: TurnInHand) -> Followed | None:
    """The set with what the turn asks of each."""
    turn, base = at.turn, at.base
    fields = turn.asked
    if not fields and turn.operation is Operation.LOOKUP:
        fields = tuple(each.field for each in turn.conditions if not each.values)
    added = tuple(each for each in turn.conditions if each.field not in fields)
    says_more = bool(added or turn.names)
    if not fields and not says_more and turn.operation is not Operation.LIST:
        return None
    is_listed = base.operation in (Operation.LIST, Operation.RANK) and not says_more
    whole = base if is_listed else as_set(base)
    is_again = is_listed and not fields  # "list them"
    distinct = Function.DISTINCT if turn.function is Function.DISTINCT else Function.NONE
    kept = exclusive(whole.conditions, added, at.catalogue)
    reading = edited(
        whole,
        asked=whole.asked if is_again else fields,
        function=whole.function if is_again else distinct,
        order=None if distinct else whole.order,
        operation=Operation.LIST if distinct else whole.operation,
        conditions=joined(kept, added),
        names=(*whole.names, *turn.names),
    )
    return Followed(reading, keeps_set=not says_more)


def ask_documents(at: TurnInHand, whole: Reading) -> Followed | None:
    """The turn, asked of the documents that another reading names."""
    turn = at.turn
    if not (turn.asked or turn.conditions) and turn.operation is not Operation.TEXT:
        return None
    operation = turn.operation
    if operation not in (*OF_ONE, Operation.TEXT):
        operation = Operation.LOOKUP if turn.asked else Operation.CHECK
    conditions = () if whole.operation in (*OF_ONE, Operation.TEXT) else whole.conditions
    reading = edited(
        whole,
        operation=operation,
        kind=whole.kind or (turn.kind if not whole.is_rows else ""),
        names=without_roles(whole.names, "kind") if whole.of_role("document") else whole.names,
        conditions=joined(exclusive(conditions, turn.conditions, at.catalogue), turn.conditions),
        asked=turn.asked,
        order=None,
        function=Function.NONE,
        groups=(),
    )
    return Followed(reading, keeps_set=True)


def count(at: TurnInHand) -> Followed | None:
    """A figure over the set: of values that it states, or of how many there are."""
    turn = at.turn
    if turn.operation not in FIGURES:
        operation = Operation.COMPUTE if turn.asked and turn.function else Operation.COUNT
        at = replace(at, turn=edited(turn, operation=operation))
    whole = as_set(at.base)
    before = at.base if is_focused(at.last) else at.last
    reading = edited(whole, **at.work(before), **at.added(whole))
    return Followed(reading, keeps_set=not (turn.conditions or turn.names))


def reorder(at: TurnInHand) -> Followed | None:
    """The set, or the groups of the last answer, in another order."""
    turn, base, last = at.turn, at.base, at.last
    if last.operation is Operation.GROUP:
        by = at.order(last.order) or ReadOrder()
        if by.field is not None and by.field.name in {each.name for each in last.asked}:
            by = by.model_copy(update={"field": None})  # groups are ordered by what they come to
        return Followed(edited(last, order=by), keeps_set=True)
    before = base.order
    own = turn.order
    is_same = own is not None and (own.field is None or (before is not None and own.field == before.field))
    order = at.order(before if is_same else None)
    if own is None and before is not None:  # "the other way round"
        order = before.model_copy(update={"descending": not before.descending, "words": ""})
    if order is None or order.field is None:
        return None
    edits_order = before is not None and not base.sides and (is_same or own is None or not is_cut(base))
    whole = base if edits_order else as_set(base)
    shown = [each for reading in (base, last) if reading.operation not in FIGURES for each in reading.asked]
    reading = edited(
        whole,
        **at.added(whole),
        operation=Operation.RANK,
        order=order,
        asked=fields_once((*shown, *turn.asked)),
        function=Function.NONE,
    )
    return Followed(reading)


def ask_member(at: TurnInHand) -> Followed | None:
    """The turn, asked of the member of the set at the place that it says."""
    turn, base, held = at.turn, at.base, at.state.in_hand
    place = _place(at)
    if place is None:
        return ask(at)
    if at.last.operation is Operation.GROUP and at.last.groups:
        return _of_group(at, place)
    if base.is_rows:
        return _of_row(at, place)
    documents = held.documents if held is not None else ()
    if not -len(documents) <= place < len(documents):
        are = "is only 1 document" if len(documents) == 1 else f"are only {len(documents):,} documents"
        said = " ".join(at.read.text(each) for each in at.read.of(SpanRole.NTH))
        doubt = ReadDoubt(reason=f"There {are} in hand. Which is meant?", words=said)
        return Followed(edited(turn, doubt=doubt), keeps_set=True)
    name = name_of(documents[place], at.catalogue)
    entry = at.catalogue.document(documents[place])
    kind = entry.schema if entry is not None else base.kind
    bare = edited(turn, names=(name,), kind=kind, order=None, within=(), steps=(), conditions=())
    one = edited(bare, operation=Operation.LOOKUP)
    return ask_documents(at, one) or Followed(edited(bare, operation=Operation.LIST), keeps_set=True)


def _place(at: TurnInHand) -> int | None:
    """The number of the member that is meant, from 0, or from -1 back; None where none is said."""
    for text in map(at.read.text, at.read.of(SpanRole.NTH)):
        words, number = set(text.casefold().split()), ordinal_in(text)
        if words & _LAST or number or words & _TOP:
            return -1 if words & _LAST else (number or 1) - 1
    return None


def _of_group(at: TurnInHand, place: int) -> Followed | None:
    keys, whole = at.state.focus.groups, as_set(at.last)
    if not -len(keys) <= place < len(keys):
        return None
    field = at.last.groups[0].model_copy(update={"part": "", "words": ""})
    own = ReadCondition(field=field, op=Operator.EQUAL, values=(keys[place],))
    conditions = joined(whole.conditions, (own, *at.turn.conditions))
    return Followed(edited(whole, conditions=conditions, asked=at.turn.asked), keeps_set=True)


def _of_row(at: TurnInHand, place: int) -> Followed | None:
    """The row at a place of the order in which rows were shown."""
    turn, base = at.turn, at.base
    source = as_set(base) if base.operation in FIGURES or base.sides else base
    before = source.order or ReadOrder(descending=False)
    order: dict[str, object] = {"skip": before.skip + place}
    if place < 0:
        order = {"skip": -place - 1, "descending": not before.descending, "words": ""}
    one = edited(source, operation=Operation.RANK, order=before.model_copy(update={**order, "limit": 1}))
    operation = turn.operation if turn.operation is Operation.CHECK else Operation.LOOKUP
    reading = edited(wrapped(one), operation=operation, asked=turn.asked, conditions=turn.conditions)
    return Followed(reading, keeps_set=True)


def explain(at: TurnInHand) -> Followed | None:
    """Each condition of the last set, asked of the document that the turn, or the last answer, is about."""
    turn, last, base = at.turn, at.last, at.base
    named = turn.of_role("document", "party")
    if not named and is_focused(last) and last.operation in OF_ONE:
        return Followed(edited(last), keeps_set=True)  # its answer quotes what it rests on
    if not named and at.state.one and base.operation not in FIGURES:
        named = (name_of(at.state.one, at.catalogue),)
    named = tuple(each.model_copy(update={"role": "document", "negated": False}) for each in named)
    steps = _reasons(base, named)
    if not named or not steps:
        is_said = bool(base.conditions or base.names) and not base.is_of_text
        return Followed(edited(last if last.within else base), keeps_set=True) if is_said else None
    fields = fields_once(tuple(each.field for step in steps for each in step.conditions))
    reading = edited(
        as_set(base),
        operation=Operation.LOOKUP,
        names=named,
        asked=tuple(each.model_copy(update={"part": ""}) for each in fields),
        conditions=(),
        steps=steps,
        within=(),
        explains=True,
    )
    return Followed(reading, keeps_set=True)


def _reasons(base: Reading, named: tuple[ReadName, ...]) -> tuple[Step, ...]:
    """A step for each condition of a set, asked of the documents that are named."""
    others = (each for each in base.names if each.role != "document")
    own: list[dict[str, object]] = [{"names": (*named, each)} for each in others]
    own += [{"names": named, "conditions": tuple(each)} for each in either_groups(base.conditions)]
    return tuple(
        Step.model_validate({"id": f"r{at}", "operation": Operation.LIST, "kind": base.kind, **parts})
        for at, parts in enumerate(own[:MOST_STEPS], 1)
    )
