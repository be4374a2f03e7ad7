"""Follow-ups: a turn of a conversation as an edit of the last reading, over the result set in hand.

The trained reader tells how a turn goes on (`RELATIONS`) and what its words mean; the last reading is what is
edited. Where the set cannot be said by conditions, the turn goes on from the set itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.fields import PLAIN_TEXTS
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue
from core.plan.conversation_state import ConversationState, SetInHand
from core.plan.reader.reading import RELATIONS, QuestionReading
from core.plan.reading import (
    IN_HAND,
    Function,
    Operation,
    Outcome,
    ReadCondition,
    Reading,
    ReadName,
    Step,
)
from core.text.analyse import content_terms

LEAST_RELATED = 0.5
"""Probability of all relations but "new" from which on a turn goes on from the set in hand."""

_LEAST_CONTENT = 3  # content words beyond its spans with which a turn stands alone
_LONGEST = 4_000  # characters of the questions that a reading is made of
_COMPUTES = (Operation.COUNT, Operation.COMPUTE, Operation.GROUP, Operation.RANK)
_SINGULAR = frozenset(("it", "its", "it's", "that", "this"))
_LAST = "last"


@dataclass(frozen=True, slots=True)
class Followed:
    """Reading of a turn that goes on. keeps_set: what was in hand stays so, as one of it was spoken of."""

    reading: Reading
    keeps_set: bool = False


def follow(
    read: QuestionReading, reading: Reading, state: ConversationState, catalogue: Catalogue
) -> Followed | None:
    """The whole reading of a turn; None where it stands alone, or nothing was said that it could go on from.

    read: the turn as the reader read it by itself; reading: the same as a reading.
    """
    last = state.last_plan.reading if state.last_plan is not None else None
    held = state.in_hand
    if held is None and last is None:
        return None
    relation = _relation(read, reading)
    if relation in ("new", "explain") or reading.operation in (Operation.TEXT, Operation.HELP, Operation.ALL):
        return None
    base = held.plan.reading if held is not None and held.plan is not None else last
    work = _Turn(reading, base or last, last, held, state, catalogue)
    return work.followed(relation)


def _relation(read: QuestionReading, reading: Reading) -> str:
    """How a turn goes on; told by its spans alone where no head tells it."""
    if not read.relations:
        names = bool(reading.names) or bool(reading.kind and reading.of_role("kind"))
        beyond = len(content_terms(" ".join(reading.uncovered)))
        return "new" if names or beyond >= _LEAST_CONTENT else "narrow" if reading.conditions else "ask"
    shares = dict(read.relations)
    if 1.0 - shares.get("new", 0.0) < LEAST_RELATED:
        return "new"
    others = [each for each in RELATIONS if each != "new"]
    return max(others, key=lambda each: shares.get(each, 0.0))


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn. base: the reading of the set in hand; last: that of the last answer."""

    turn: Reading
    base: Reading | None
    last: Reading | None
    held: SetInHand | None
    state: ConversationState
    catalogue: Catalogue

    def followed(self, relation: str) -> Followed | None:
        """The reading of the turn by its relation."""
        if relation == "undo":
            return self._undone()
        if relation == "ordinal":
            return self._of_member()
        if relation == "rest":
            return self._rest()
        if relation == "replace":
            return self._replaced()
        if relation == "widen":
            return self._widened()
        if relation == "order":
            return self._ordered()
        if relation == "ask":
            return self._asked()
        return self._narrowed()  # narrow, count

    # -- sets ------------------------------------------------------------------------------------------

    def _set(self) -> Reading | None:
        """The reading of the set in hand as a list, going on from the set where no conditions say it."""
        base = self.base
        if base is not None and not (base.steps or base.sides or base.within or _is_cut(base)):
            return base.model_copy(
                update={
                    "operation": Operation.LIST,
                    "asked": (),
                    "function": Function.NONE,
                    "groups": (),
                    "having": None,
                    "order": None,
                    "outcome": Outcome.VALUES,
                }
            )
        if self.held is None or self.held.plan is None:
            return None
        kind = base.kind if base is not None else ""
        return self.turn.model_copy(
            update={
                **_EMPTY,
                "operation": Operation.LIST,
                "kind": kind,
                "is_rows": base.is_rows if base is not None else False,
                "within": (IN_HAND,),
            }
        )

    def _made(self, whole: Reading, aside: tuple[str, ...] = (), **parts: object) -> Reading:
        """A reading with these parts, of both questions; aside: words that no longer hold."""
        said = whole.question if whole is not self.turn else ""
        text = f"{said} {self.turn.question}".strip()[-_LONGEST:]
        return whole.model_copy(
            update={
                "question": text,
                "by": self.turn.by,
                "uncovered": self.turn.uncovered,
                "aside": (*whole.aside, *self.turn.aside, *filter(None, aside)),
                "probability": self.turn.probability,
                **parts,
            }
        )

    def _operation(self) -> dict[str, object]:
        """What the turn does with the set: a count, a sum, groups, an order; a list of it otherwise."""
        turn = self.turn
        if turn.operation in _COMPUTES:
            return {
                "operation": turn.operation,
                "function": turn.function,
                "asked": turn.asked,
                "groups": turn.groups,
                "order": turn.order,
                "having": turn.having,
            }
        is_asked = turn.operation in (Operation.EXISTS, Operation.CHECK)
        return {"operation": Operation.EXISTS if is_asked else Operation.LIST, "asked": turn.asked}

    # -- relations -------------------------------------------------------------------------------------

    def _narrowed(self) -> Followed | None:
        whole = self._set()
        if whole is None:
            return None
        parts = self._operation() | {
            "conditions": _joined(whole.conditions, self.turn.conditions),
            "names": (*whole.names, *self.turn.names),
        }
        return Followed(self._made(whole, (), **parts))

    def _ordered(self) -> Followed | None:
        whole = self._set()
        order = self.turn.order
        if whole is None or order is None:
            return self._narrowed()
        shown = self.base.asked if self.base is not None else ()
        return Followed(
            self._made(whole, operation=Operation.RANK, order=order, asked=(*shown, *self.turn.asked))
        )

    def _asked(self) -> Followed | None:
        turn = self.turn
        if any(name.role == "document" and not name.negated for name in turn.names):
            return Followed(self._made(turn), keeps_set=True)
        words = set(turn.question.casefold().strip(" ?.!").split())
        one = self.state.one
        if one and (words & _SINGULAR or self.held is None or len(self.held.documents) == 1):
            return Followed(self._of(one), keeps_set=True)
        whole = self._set()
        if whole is None:
            return Followed(self._of(one), keeps_set=True) if one else None
        if turn.operation in _COMPUTES:
            return self._narrowed()
        conditions = tuple(each for each in turn.conditions if each.values)
        asked = (*turn.asked, *(each.field for each in turn.conditions if not each.values))
        if turn.operation in (Operation.CHECK, Operation.EXISTS) or not asked:
            return self._narrowed()
        return Followed(
            self._made(
                whole,
                conditions=_joined(whole.conditions, conditions),
                operation=Operation.LIST,
                asked=asked,
            ),
            keeps_set=True,
        )

    def _of(self, document: str) -> Reading:
        """The turn, asked of one document."""
        name = ReadName(words="", role="document", documents=(document,))
        entry = self.catalogue.document(document)
        kind = self.turn.kind or (entry.schema if entry is not None else "")
        operation = self.turn.operation
        if operation not in (Operation.CHECK, Operation.LOOKUP):
            operation = Operation.LOOKUP if self.turn.asked else Operation.CHECK
        return self._made(self.turn, names=(name,), kind=kind, operation=operation)

    def _of_member(self) -> Followed | None:
        """The turn, asked of the member of the set at a place."""
        documents = self.held.documents if self.held is not None else ()
        order = self.turn.order
        is_last = _LAST in self.turn.question.casefold().split()
        at = len(documents) - 1 if is_last else order.skip if order is not None else 0
        if not 0 <= at < len(documents):
            return None
        reading = self._of(documents[at])
        if not reading.asked and not reading.conditions:
            reading = reading.model_copy(update={"operation": Operation.LIST})
        return Followed(reading.model_copy(update={"order": None, "uncovered": ()}), keeps_set=True)

    def _replaced(self) -> Followed | None:
        """The last reading with what the turn says in the place of what is alike in it."""
        whole, turn = self.last or self.base, self.turn
        if whole is None or whole.steps or whole.sides:
            return self._narrowed()
        kept, gone = list(whole.conditions), []
        for each in turn.conditions:
            like = _like(each, kept, self.catalogue)
            if like is not None:
                kept.remove(like)
                gone.append(like.words)
        names = list(whole.names)
        for name in turn.names:
            alike = [each for each in names if each.role == name.role]
            gone += [each.words for each in alike]
            names = [each for each in names if each not in alike]
        parts: dict[str, object] = {
            "conditions": (*kept, *turn.conditions),
            "names": (*names, *turn.names),
        }
        if turn.asked:
            gone += [each.words for each in whole.asked]
            parts["asked"] = turn.asked
        if turn.of_role("kind") and turn.kind:
            parts["kind"] = turn.kind
        if turn.operation in _COMPUTES and turn.operation is not whole.operation:
            parts |= self._operation()
        if turn.groups:
            parts["groups"] = turn.groups
        if turn.order is not None:
            parts["order"] = turn.order
        return Followed(self._made(whole, tuple(gone), **parts))

    def _widened(self) -> Followed | None:
        """The last reading with an alternative more, or without a condition that is taken back."""
        whole, turn = self.base or self.last, self.turn
        if whole is None:
            return None
        fields = {each.field.name for each in turn.conditions} | {each.name for each in turn.asked}
        added = [each for each in turn.conditions if each.either and each.values]
        if not added:
            kept = tuple(each for each in whole.conditions if each.field.name not in fields)
            gone = tuple(each.words for each in whole.conditions if each.field.name in fields)
            return Followed(self._made(whole, gone, conditions=kept, uncovered=()))
        number = max((each.either for each in whole.conditions), default=0) + 1
        names = {each.field.name for each in added}
        conditions = tuple(
            each.model_copy(update={"either": number})
            if each.field.name in names and not each.either
            else each
            for each in (*whole.conditions, *(each.model_copy(update={"either": 0}) for each in added))
        )
        return Followed(self._made(whole, conditions=conditions))

    def _rest(self) -> Followed | None:
        """The documents of before that the last set left out."""
        base = self.base
        if base is None or base.steps or base.sides or base.within or not base.conditions:
            return None
        before = self.state.earlier[-1].plan if self.state.earlier else None
        wider = before.reading.conditions if before is not None and before.reading is not None else ()
        asked = [each for each in base.conditions if each not in wider] or [base.conditions[-1]]
        kept = tuple(each for each in base.conditions if each not in asked)
        number = 1 + max((each.either for each in base.conditions), default=0) if len(asked) > 1 else 0
        turned = tuple(
            each.model_copy(update={"negated": not each.negated, "either": number}) for each in asked
        )
        whole = self._set() or base
        return Followed(self._made(whole, conditions=(*kept, *turned), uncovered=()))

    def _undone(self) -> Followed | None:
        """The reading of the set before the one in hand."""
        earlier = self.state.earlier[-1].plan if self.state.earlier else None
        if earlier is None or earlier.reading is None:
            return None
        return Followed(self._made(earlier.reading, uncovered=()))


_EMPTY: dict[str, object] = {
    "names": (),
    "conditions": (),
    "asked": (),
    "function": Function.NONE,
    "groups": (),
    "having": None,
    "order": None,
    "sides": (),
    "steps": (),
}


def _is_cut(step: Step) -> bool:
    """True where a step gives only the first of an order."""
    return step.order is not None and bool(step.order.limit or step.order.skip)


def _joined(before: tuple[ReadCondition, ...], added: tuple[ReadCondition, ...]) -> tuple[ReadCondition, ...]:
    """Conditions of two readings, whose alternatives keep apart."""
    most = max((each.either for each in before), default=0)
    return (
        *before,
        *(each.model_copy(update={"either": each.either + most}) if each.either else each for each in added),
    )


def _like(condition: ReadCondition, among: list[ReadCondition], catalogue: Catalogue) -> ReadCondition | None:
    """The condition that another takes the place of: on the same field, else the last one of its kind."""
    same = [each for each in among if each.field.name == condition.field.name]
    if same:
        return same[-1]
    if condition.values:
        entry = catalogue.field(condition.field.name)
        is_text = entry is not None and entry.type in PLAIN_TEXTS
        alike = [each for each in among if each.values and not is_text]
    else:
        alike = [each for each in among if not each.values and each.op in (Operator.IS, Operator.MISSING)]
    return alike[-1] if alike else None
