"""Turns that change which documents or rows the conversation is about."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.following.asking import ask
from core.plan.following.turn import (
    COMPUTING,
    OF_ONE,
    Followed,
    TurnInHand,
    goes_on_from_hand,
    named_documents,
)
from core.plan.reading import Function, Operation, Outcome, ReadCondition, Reading, either_groups
from core.plan.reading_edits import (
    FIGURES,
    alternatives,
    as_set,
    combined,
    edited,
    exchanged,
    is_cut,
    is_focused,
    party_condition,
    taken_back,
    turned,
    type_of,
    without_roles,
)


def narrow(at: TurnInHand) -> Followed | None:
    """The set with further conditions."""
    base = at.base
    if is_focused(base) and base.operation in OF_ONE:
        return ask(at)
    # Of the ten largest, those of Kenya; but the ten largest of Kenya where the turn ranks, too.
    is_ranked_again = at.turn.operation is Operation.RANK
    whole = as_set(base) if base.sides or (is_cut(base) and not is_ranked_again) else base
    return Followed(edited(whole, **at.work(whole), **at.added(whole)))


def exchange(at: TurnInHand) -> Followed | None:
    """The last reading with what the turn says in the place of what is alike in it."""
    turn, whole = at.turn, at.last
    if turn.operation is Operation.COMPARE and (turn.sides or len(turn.conditions) > 1):
        return Followed(edited(turn, kind=turn.kind or whole.kind, asked=turn.asked or whole.asked))
    own = {each.field.name for each in at.base.conditions}
    if is_focused(whole) and any(each.field.name in own for each in turn.conditions):
        whole = at.base  # of the set again, and no more of the one that was spoken of
    whole = as_set(whole) if whole.sides else whole
    roles = {each.role for each in turn.names} | ({"document"} if turn.within else set())
    is_of_others = is_focused(whole) and bool(roles & {"document", "party"})
    if is_of_others:
        roles |= {"document", "party"}
    source = turn if is_of_others or turn.within else whole
    is_of_kind = turn.kind and ("kind" in roles or not whole.kind)
    conditions = exchanged(whole.conditions, turn.conditions, at.catalogue)
    work = at.work(whole, in_place=True)
    if whole.operation in OF_ONE and is_focused(whole) and turn.operation not in COMPUTING:
        is_check = not turn.asked and bool(turn.conditions or not whole.asked)
        work |= {"operation": Operation.CHECK, "asked": ()} if is_check else {"operation": Operation.LOOKUP}
    return Followed(
        edited(
            whole,
            **work,
            kind=turn.kind if is_of_kind else whole.kind,
            names=(*without_roles(whole.names, *roles), *turn.names),
            conditions=conditions,
            within=source.within,
            steps=source.steps,
        )
    )


def widen(at: TurnInHand) -> Followed | None:
    """The set with an alternative more, or without a condition that is taken back."""
    turn, whole = at.turn, as_set(at.base) if at.base.sides else at.base
    back, more = _back_and_more(at, whole)
    known = {(each.role, each.words.casefold()) for each in turn.names}
    kept = tuple(each for each in whole.names if (each.role, each.words.casefold()) not in known)
    if not (back or more or turn.names):
        return undo(at, steps_back=True)
    conditions = alternatives(taken_back(whole.conditions, back), more)
    is_more = bool(turn.names) and len(kept) == len(whole.names)
    whole = edited(whole, conditions=conditions, names=kept)
    whole = _with_names(at, whole) if is_more else whole
    return Followed(edited(whole, **at.work(whole, in_place=True)))


def _back_and_more(at: TurnInHand, whole: Reading) -> tuple[list[ReadCondition], list[ReadCondition]]:
    """The conditions that the turn takes back, and those that it adds."""
    alternative = {at.read.text(each) for each in at.read.spans if each.either}
    back: list[ReadCondition] = []
    more: list[ReadCondition] = []
    for each in at.turn.conditions:
        same = [old for old in whole.conditions if old.field.name == each.field.name]
        alike = [old for old in same if old.values == each.values and old.op is each.op]
        if each.words not in alternative and same and (alike or not each.values):
            back += alike or same
        else:
            more.append(each)
    if not more:  # "ignore the date" has no value, and is no condition
        unread = {each.links[0].field for each in at.read.spans if each.links}
        unread -= {each.field.name for each in at.turn.conditions}
        back += [each for each in whole.conditions if each.field.name in unread]
    return back, more


def _with_names(at: TurnInHand, whole: Reading) -> Reading:
    """The set, also with the names of the turn: other kinds, documents, or organisations."""
    turn, names = at.turn, (*whole.names, *at.turn.names)
    if not turn.of_role("party"):
        return edited(whole, names=names)
    schema = at.catalogue.schema(whole.kind or turn.kind)
    fields = [each for each in schema.fields if each.type is FieldType.PARTY] if schema is not None else []
    called = {each.name for each in fields}
    known = [each for each in whole.conditions if each.op is Operator.IN and each.field.name in called]
    if not fields or not (known or whole.of_role("party")):
        other = edited(turn, operation=Operation.LIST, function=Function.NONE)
        return combined(as_set(whole), as_set(other), Outcome.UNION)
    entry = next((each for each in fields if each.many), fields[0])
    condition = party_condition([each for each in names if each.role == "party"], known, entry)
    rest = (each for each in whole.conditions if each not in known)
    return edited(whole, names=without_roles(names, "party"), conditions=(*rest, condition))


def complement(at: TurnInHand) -> Followed | None:
    """What the last narrowing, or the last yes or no, left out."""
    last = at.last
    is_decided = last.operation in (Operation.CHECK, Operation.EXISTS)
    whole = edited(last, operation=Operation.LIST) if is_decided else at.base
    if is_cut(whole):
        every = edited(whole, operation=Operation.LIST, order=None)
        return Followed(combined(every, edited(whole, asked=()), Outcome.WITHOUT))
    before = at.state.earlier[-1].plan if at.state.earlier else None
    wider = before.reading if before is not None else None
    if wider is not None and wider.kind == whole.kind:
        added = _lasting([each for each in whole.conditions if each not in wider.conditions], at)
        if len(added) < len(whole.conditions) and len(either_groups(added)) > 1:
            return Followed(combined(as_set(wider), edited(whole, asked=()), Outcome.WITHOUT))
    said = _lasting(whole.conditions, at) or list(whole.conditions)
    number = said[-1].either if said else 0
    out = [each for each in said if number and each.either == number] or said[-1:]
    if not out:
        return _names_turned(at, whole)
    kept = (each for each in whole.conditions if each not in out)
    return Followed(edited(whole, conditions=(*kept, *map(turned, out)), **at.work(whole)))


def _lasting(conditions: Sequence[ReadCondition], at: TurnInHand) -> list[ReadCondition]:
    """Those that are not about days: "the others" of a year are those that are not so in that year."""
    return [
        each
        for each in conditions
        if not (each.values and type_of(each.field, at.catalogue) is FieldType.DATE)
    ]


def _names_turned(at: TurnInHand, whole: Reading) -> Followed | None:
    """The documents that are not called, or not with, what was named last."""
    if not whole.names or is_focused(whole):
        return None
    name = whole.names[-1]
    names = (*whole.names[:-1], name.model_copy(update={"negated": not name.negated}))
    return Followed(edited(whole, names=names, **at.work(whole)))


def undo(at: TurnInHand, *, steps_back: bool = False) -> Followed | None:
    """The reading of the set before; that of the set in hand behind a figure, or words on some of it."""
    is_of_some = is_focused(at.last) and not is_focused(at.base)
    is_figure = at.last.operation in FIGURES and at.base.operation not in FIGURES
    if (is_of_some or is_figure) and not steps_back:
        return Followed(edited(at.base))
    before = at.state.earlier[-1] if at.state.earlier else None
    reading = before.plan.reading if before is not None and before.plan is not None else None
    if reading is None or goes_on_from_hand(reading):
        reading = named_documents(at.turn, before.documents, at.catalogue) if before is not None else None
    return Followed(edited(reading)) if reading is not None else None
