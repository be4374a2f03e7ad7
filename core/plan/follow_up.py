"""Follow-ups: a turn of a conversation as an edit of the last reading, over the result set in hand.

The trained reader tells how a turn goes on (`RELATIONS`) and what its words mean; the last reading is what is
edited. Where the set cannot be said by conditions, the turn goes on from the set itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.answer import Route
from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue
from core.plan.check.coverage import IDLE
from core.plan.conversation_state import ConversationState
from core.plan.kinds import kind_names
from core.plan.readers.trained.reading import RELATIONS, QuestionReading, SpanRole
from core.plan.reading import (
    MOST_STEPS,
    Function,
    Operation,
    Outcome,
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
    alternatives,
    as_set,
    combined,
    edited,
    exchanged,
    exclusive,
    in_words,
    is_cut,
    is_focused,
    joined,
    party_condition,
    taken_back,
    turned,
    type_of,
    without_roles,
    wrapped,
)
from core.plan.turn import (
    COMPUTING,
    OF_ONE,
    Followed,
    TurnInHand,
    fields_once,
    goes_on_from_hand,
    name_of,
    named_documents,
    turn_in_hand,
)
from core.text.analyse import content_terms
from core.text.asking import points_at_several
from core.text.words import word_list
from core.values.comparisons import ordinal_in

_PLURAL = word_list("pointing", "several") | {"each", "all"}
_LAST, _TOP = frozenset(("last", "bottom", "final")), frozenset(("top",))
LEAST_RELATED = 0.5
"""Probability of all relations but "new" from which on a turn goes on from the set in hand."""
_BARELY_RELATED = 0.2  # the same, of a turn that names no kind and no document
_SURELY_RELATED = 0.75  # the same, of a turn that says everything that a question needs
_OF_WORDS_ALONE = ("undo", "rest", "ordinal", "explain", "count")  # relations that words are spent on
_CHANGES = ("narrow", "replace", "widen")  # of the set that is spoken of
_NEEDS_FIELDS = ("narrow", "replace", "ask", "order")


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


_EDITS: dict[str, Callable[[TurnInHand], Followed | None]] = {
    "narrow": narrow,
    "replace": exchange,
    "widen": widen,
    "ask": ask,
    "order": reorder,
    "count": count,
    "undo": undo,
    "ordinal": ask_member,
    "rest": complement,
    "explain": explain,
}


def follow(
    read: QuestionReading, turn: Reading, state: ConversationState, catalogue: Catalogue
) -> Followed | None:
    """The whole reading of a turn; None where it stands alone, or nothing was said that it could go on from.

    read: the turn as the reader read it, `in_context`; turn: the same as a reading. What has to be asked back
    is the doubt of the reading. Never raises for what a person may type.
    """
    at = turn_in_hand(read, turn, state, catalogue)
    relation = relation_of(read, turn, catalogue)
    if at is None or relation == "new" or turn.operation is Operation.HELP or not _may_follow(at, relation):
        return None
    if relation == "rest" and turn.conditions:
        relation = "replace"  # "and those without insurance"
    if relation == "ask" and turn.of_role("document") and not (turn.asked or turn.conditions):
        relation = "replace"
    try:
        found = _EDITS[relation](at)
    except ValueError:  # more steps or conditions than a reading holds
        return None
    return _finished(found, at, relation) if found is not None else None


def _may_follow(at: TurnInHand, relation: str) -> bool:
    """True where a turn says what its relation needs, and no text has to tell it."""
    turn = at.turn
    is_of_text = turn.operation is Operation.TEXT and relation in _NEEDS_FIELDS
    last = at.state.last_plan
    is_of_hits = last is not None and last.route is not Route.STRUCTURED  # which are no set
    if is_of_hits and relation in _CHANGES and not points_at_several(turn.question):
        return False
    if at.last.is_of_text and (relation not in ("ask", "replace") or is_of_text):
        return False
    if is_of_text and not (turn.conditions or turn.names):
        return False
    says = turn.conditions or turn.names or turn.within or at.says_work or turn.operation in FIGURES
    return bool(says) or relation not in ("narrow", "replace")


def relation_of(read: QuestionReading, turn: Reading, catalogue: Catalogue) -> str:
    """How a turn goes on; one that speaks of "those" is never new, however much it says.

    One that names no kind and no document of its own ("only New York's") is new only where that is sure.
    """
    is_bare = not turn.names and not kind_names(catalogue).find(turn.question)
    is_related = goes_on(read, turn, _BARELY_RELATED if is_bare else LEAST_RELATED)
    if not read.relations or not (is_related or points_at_several(turn.question)):
        return "new"
    return max(RELATIONS[1:], key=lambda each: dict(read.relations).get(each, 0.0))


def goes_on(read: QuestionReading, turn: Reading, least: float = LEAST_RELATED) -> bool:
    """True where a question is read as one that goes on from another. least: so probable."""
    is_whole = bool(turn.names) and bool(turn.conditions or turn.asked or turn.order or turn.groups)
    least = _SURELY_RELATED if is_whole else least
    return bool(read.relations) and 1.0 - dict(read.relations).get("new", 0.0) >= least


def _finished(found: Followed, at: TurnInHand, relation: str) -> Followed:
    """The reading, worded as a whole question; words of the turn that nothing took stay uncovered."""
    reading, turn = found.reading, at.turn
    is_back = relation == "widen" and len(reading.conditions) < len(at.base.conditions)
    is_of_figure = relation == "order" and (reading.operation is Operation.GROUP or turn.order is None)
    is_spent = relation in _OF_WORDS_ALONE or is_back or is_of_figure
    asks = [s for s in turn.uncovered if any(content_terms(e) and e.lower() not in IDLE for e in s.split())]
    whole = edited(
        reading,
        question=turn.question,
        by=turn.by,
        uncovered=() if is_spent else tuple(asks),
        aside=turn.aside,
        probability=turn.probability,
        wordings=(),
    )
    if whole.doubt is None:
        whole = edited(whole, question=in_words(whole, at.catalogue))
    return Followed(whole, found.keeps_set)
