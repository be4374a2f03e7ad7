"""Turns that change which documents or rows the conversation is about."""

from __future__ import annotations

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.check.coverage import IDLE
from core.plan.following.asking import ask
from core.plan.following.turn import (
    COMPUTING,
    OF_ONE,
    Followed,
    TurnInHand,
    goes_on_from_hand,
    named_documents,
)
from core.plan.reading import Function, Operation, Outcome, ReadCondition, ReadField, Reading
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
    without_roles,
)
from core.text.analyse import content_terms


def narrow(at: TurnInHand) -> Followed | None:
    """The set with further conditions."""
    base = at.base
    if is_focused(base) and base.operation in OF_ONE:
        return ask(at)
    # Of the ten largest, those of Kenya; but the ten largest of Kenya where the turn ranks, too.
    ranks_again = at.turn.operation is Operation.RANK and at.turn.order is None
    whole = as_set(base) if base.sides or (is_cut(base) and not ranks_again) else base
    return Followed(edited(whole, **at.work(whole), **at.added(whole)))


def exchange(at: TurnInHand) -> Followed | None:
    """The last reading with what the turn says in the place of what is alike in it."""
    turn = at.turn
    if turn.operation is Operation.COMPARE and (turn.sides or len(turn.conditions) > 1):
        last = at.last
        return Followed(edited(turn, kind=turn.kind or last.kind, asked=turn.asked or last.asked))
    whole = _to_replace(at)
    if whole.sides:
        whole = as_set(whole)
    roles = {each.role for each in turn.names} | ({"document"} if turn.within else set())
    within, steps = whole.within, whole.steps
    is_of_others = bool(roles & {"document", "party"})
    if is_focused(whole) and is_of_others:
        roles |= {"document", "party"}
        within, steps = turn.within, turn.steps
    elif turn.within:
        within, steps = turn.within, turn.steps
    kind = turn.kind if turn.kind and ("kind" in roles or not whole.kind) else whole.kind
    conditions = exchanged(whole.conditions, turn.conditions, at.catalogue)
    if kind != whole.kind:
        conditions = tuple(each.model_copy(update={"field": _of_any(each.field)}) for each in conditions)
    work = at.work(whole, in_place=True)
    if whole.operation in OF_ONE and is_focused(whole) and turn.operation not in COMPUTING:
        is_check = not work["asked"] or (turn.conditions and not turn.asked)
        work |= {"operation": Operation.CHECK if is_check else Operation.LOOKUP}
        if is_check and turn.conditions:
            work |= {"asked": ()}
    return Followed(
        edited(
            whole,
            **work,
            kind=kind,
            names=(*without_roles(whole.names, *roles), *turn.names),
            conditions=conditions,
            within=within,
            steps=steps,
        )
    )


def _to_replace(at: TurnInHand) -> Reading:
    """The reading in which something is alike: the last one, else that of the set in hand."""
    if _has_alike(at.last, at) or at.is_of_text:
        return at.last
    return at.base if _has_alike(at.base, at) or is_focused(at.last) else at.last


def _has_alike(whole: Reading, at: TurnInHand) -> bool:
    turn = at.turn
    roles = {each.role for each in whole.names} | ({"document", "party"} if is_focused(whole) else set())
    if turn.names or turn.within:
        return bool(roles & {each.role for each in turn.names}) or (bool(turn.within) and bool(whole.within))
    if turn.conditions:
        own = {each.field.name for each in whole.conditions}
        is_clause = any(not each.values for each in whole.conditions)
        return any(each.field.name in own or (not each.values and is_clause) for each in turn.conditions)
    same = ((turn.groups, whole.groups), (turn.order, whole.order), (turn.asked, whole.asked))
    return any(one and other for one, other in same)


def widen(at: TurnInHand) -> Followed | None:
    """The set with an alternative more, or without a condition that is taken back."""
    turn = at.turn
    whole = as_set(at.base) if at.base.sides else at.base
    back, more = _back_and_more(at, whole)
    known = {(each.role, each.words.casefold()) for each in turn.names}
    gone = tuple(each for each in whole.names if (each.role, each.words.casefold()) in known)
    if not (back or more or turn.names):
        return undo(at, steps_back=True)
    conditions: tuple[ReadCondition, ...] | None = taken_back(whole.conditions, back)
    if more:
        conditions = alternatives(conditions or (), more)
    if conditions is None:
        return None
    whole = edited(
        whole, conditions=conditions, names=tuple(each for each in whole.names if each not in gone)
    )
    if turn.names and not gone:
        return _with_names(at, whole)
    return Followed(edited(whole, **_kept_work(at, whole)))


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


def _with_names(at: TurnInHand, whole: Reading) -> Followed | None:
    """The set, also with the names of the turn: other kinds, documents, or organisations."""
    turn = at.turn
    parties = turn.of_role("party")
    names = (*whole.names, *without_roles(turn.names, "party"))
    if not parties:
        return Followed(edited(whole, names=names, **_kept_work(at, whole)))
    schema = at.catalogue.schema(whole.kind or turn.kind)
    own = schema.fields if schema is not None else ()
    fields: list[FieldEntry] = [each for each in own if each.type is FieldType.PARTY]
    called = {each.name for each in fields}
    known = [each for each in whole.conditions if each.op is Operator.IN and each.field.name in called]
    before = whole.of_role("party")
    if not fields or not (before or known):
        other = edited(turn, operation=Operation.LIST, function=Function.NONE)
        return Followed(combined(as_set(whole), as_set(other), Outcome.UNION))
    entry = next((each for each in fields if each.many), fields[0])
    condition = party_condition((*before, *parties), known, entry)
    rest = (each for each in whole.conditions if each not in known)
    parts = {"names": without_roles(names, "party"), "conditions": (*rest, condition)}
    return Followed(edited(whole, **parts, **_kept_work(at, whole)))


def _kept_work(at: TurnInHand, whole: Reading) -> dict[str, object]:
    return {} if is_focused(whole) else at.work(whole, in_place=True)


def complement(at: TurnInHand) -> Followed | None:
    """What the last narrowing, or the last yes or no, left out."""
    last = at.last
    is_decided = last.operation in (Operation.CHECK, Operation.EXISTS) and bool(last.conditions)
    whole = edited(last, operation=Operation.LIST) if is_decided else at.base
    if is_cut(whole) and not whole.within:
        every = edited(whole, operation=Operation.LIST, order=None)
        return Followed(combined(every, edited(whole, asked=()), Outcome.WITHOUT))
    out = _left_out(at, whole)
    about = turned(out)
    if not out or about is None:
        return _names_turned(at, whole)
    kept = tuple(each for each in whole.conditions if each not in out)
    most = max((each.either for each in kept), default=0)
    about = tuple(
        each.model_copy(update={"either": each.either + most * bool(each.either)}) for each in about
    )
    return Followed(edited(whole, conditions=(*kept, *about), **at.work(whole)))


def _left_out(at: TurnInHand, whole: Reading) -> list[ReadCondition]:
    """The conditions of the last narrowing; of a day or a period only where there is no other."""
    before = at.state.earlier[-1].plan if at.state.earlier else None
    wider = before.reading if before is not None else None
    known = wider.conditions if wider is not None and wider.kind == whole.kind else ()
    added = [each for each in whole.conditions if each not in known]
    if len(added) < len(whole.conditions) and (lasting := _lasting(added, at)):
        return lasting
    said = _lasting(list(whole.conditions), at) or list(whole.conditions)
    number = said[-1].either if said else 0
    return [each for each in said if number and each.either == number] or said[-1:]


def _lasting(conditions: list[ReadCondition], at: TurnInHand) -> list[ReadCondition]:
    """Those that are not about days: "the others" of a year are those that are not so in that year."""

    def is_of_days(condition: ReadCondition) -> bool:
        field = condition.field
        entry = at.catalogue.field(field.name, field.schema_name)
        columns = (column for table in at.catalogue.tables for column in table.columns)
        types = [entry.type] if entry is not None else [c.type for c in columns if c.name == field.name]
        return bool(condition.values) and FieldType.DATE in types

    return [each for each in conditions if not is_of_days(each)]


def _names_turned(at: TurnInHand, whole: Reading) -> Followed | None:
    """The documents that are not called, or not with, what was named last."""
    if not whole.names or whole.conditions or is_focused(whole):
        return None
    name = whole.names[-1]
    names = (*whole.names[:-1], name.model_copy(update={"negated": not name.negated}))
    return Followed(edited(whole, names=names, **at.work(whole)))


def undo(at: TurnInHand, *, steps_back: bool = False) -> Followed | None:
    """The reading of the set before; that of the set in hand where only some of it was spoken of since."""
    is_of_some = at.last is not at.base and is_focused(at.last) and not is_focused(at.base)
    is_figure = at.last.operation in FIGURES and at.base.operation not in FIGURES
    says_again = is_figure and "again" in at.read.question.casefold().strip(" .!?").split()
    if (is_of_some or says_again) and not steps_back and not _names_condition(at):
        return Followed(edited(at.base))
    before = at.state.earlier[-1] if at.state.earlier else None
    if before is None:
        return None
    reading = before.plan.reading if before.plan is not None else None
    if reading is not None and not goes_on_from_hand(reading):
        return Followed(edited(reading))
    named = named_documents(at.turn, before.documents, at.catalogue)
    return Followed(named) if named is not None else None


def _names_condition(at: TurnInHand) -> bool:
    """True where the turn says a word of what was asked: "before the affiliates", "back to all channels"."""
    told = {each.casefold() for each in at.read.question.strip(" ?.!").split()} - IDLE
    said = [f"{each.words} {each.field.name.replace('_', ' ')}" for each in at.base.conditions]
    said += [each.words for each in at.base.names]
    known = set(content_terms(" ".join(said)))
    return any(known & set(content_terms(each)) for each in told)


def _of_any(field: ReadField) -> ReadField:
    return field.model_copy(update={"schema_name": ""})
