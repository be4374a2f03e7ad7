"""Edits of a reading, which make a follow-up of the last one, and its words as a whole question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.domain.fields import FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue, FieldEntry
from core.plan.reading import (
    IN_HAND,
    Function,
    Operation,
    Outcome,
    ReadCondition,
    ReadField,
    Reading,
    ReadName,
    ReadOrder,
    Step,
    are_apart,
    either_groups,
)
from core.text.analyse import text_terms
from core.text.words import word_list
from core.values.places import find_places

_NEGATIVE = (word_list("checks", "negative") | word_list("reading", "excluding") | {"outside"}) - {"than"}
_PER = ("per ", "by ", "for each ", "each ", "for every ")
_FIGURES = {
    Function.SUM: "total",
    Function.AVG: "average",
    Function.MEDIAN: "median",
    Function.MIN: "lowest",
    Function.MAX: "highest",
    Function.COUNT: "number of",
    Function.SHARE: "share of",
    Function.DISTINCT: "different",
}
_JOINTS = {Outcome.UNION: " or ", Outcome.INTERSECT: " that are also "}
_MOST_CHARS = 2_000
FIGURES = (Operation.COUNT, Operation.COMPUTE, Operation.GROUP)
"""Operations that come to a figure, or to several, and not to documents or rows."""
_OF_SETS = (Outcome.UNION, Outcome.INTERSECT, Outcome.WITHOUT)
_DENIED = {Operator.MISSING: Operator.IS, Operator.NOT_EQUAL: Operator.EQUAL}
_LOWER = (Operator.GREATER, Operator.GREATER_EQUAL)
_UPPER = (Operator.LESS, Operator.LESS_EQUAL)
_PLAIN: dict[str, object] = {
    "asked": (),
    "function": Function.NONE,
    "groups": (),
    "having": None,
    "order": None,
    "output": "any",
    "explains": False,
}


def in_words(reading: Reading, catalogue: Catalogue) -> str:
    """The reading as a person may ask it at once: "how many contracts: under Delaware law, without a cap"."""
    if reading.is_of_text:
        named = _listed([each.words for each in reading.names if each.words not in reading.question])
        return f"{reading.question.rstrip(' ?.!')}{', in ' if named else ''}{named}?"
    said = _Wording(reading, catalogue).step(reading)
    return f"{said[:1].upper()}{said[1:_MOST_CHARS]}?"


def says_no(words: str) -> bool:
    """True where words deny something themselves: "are not capped"."""
    plain = words.casefold().replace("’", "'")
    return any(each.replace("'", "") in _NEGATIVE or each.endswith("n't") for each in plain.split())


class _Wording:
    def __init__(self, reading: Reading, catalogue: Catalogue) -> None:
        self._steps = {each.id: each for each in reading.all_steps}
        self._catalogue = catalogue
        self._reading = reading

    def step(self, step: Step) -> str:
        """A step with what it goes on from."""
        which = self._which(step)
        if step is self._reading and self._reading.explains:
            return f"why {which}"
        asked = _listed([each.words or self._title(each) for each in step.asked])
        figure = _FIGURES.get(step.function, "")
        groups = "".join(f" for each {self._group(each)}" for each in step.groups)
        if step.operation is Operation.COUNT:
            counted = {Function.DISTINCT: f"how many different {asked} of", Function.SHARE: "what share of"}
            text = f"{counted.get(step.function, 'how many')} {which}"
        elif step.operation in (Operation.COMPUTE, Operation.GROUP):
            own = f"{figure} {asked}".strip() if figure and figure.split()[0] not in asked.split() else asked
            text = f"{own} of {which}" if asked else f"{figure or 'number of'} {which}"
        elif step.operation is Operation.EXISTS:
            text = f"any {which}"
        elif asked:
            text = f"{'different ' if step.function is Function.DISTINCT else ''}{asked} of {which}"
        else:
            text = which
        return " ".join(f"{text}{groups}{self._order(step)}".split())

    def _which(self, step: Step) -> str:
        names = [each for each in step.names if each.role != "kind"]
        reasons = self._reading.steps if self._reading.explains and step is self._reading else ()
        told = [each for one in (step, *reasons) for each in one.conditions]
        names += [each for one in reasons for each in one.names if each not in names and each.role != "kind"]
        parts = [*map(_name, names), *self._conditions(told)]
        noun = self._noun(step)
        said = f"{noun}{': ' if noun and parts else ''}{', '.join(filter(None, parts))}"
        if step.sides:
            sides = [self._of(name) for name in step.sides]
            if step.outcome is Outcome.WITHOUT:
                return f"{sides[0]}, {_listed(sides[1:])} set apart"
            return _JOINTS.get(step.outcome, " and ").join(sides)
        inner = _listed([self._of(name) for name in step.within if name in self._steps])
        return f"{said} of {inner}" if inner else said

    def _of(self, name: str) -> str:
        return f"({self.step(self._steps[name])})" if name in self._steps else "those in hand"

    def _noun(self, step: Step) -> str:
        kinds = [each for each in step.of_role("kind") if not each.negated]
        if kinds:
            return _listed([each.words for each in kinds], "or")
        if any(not each.negated for each in step.of_role("document")):
            return ""
        schema = self._catalogue.schema(step.kind)
        if schema is not None:
            return schema.title.lower()
        return "rows" if step.is_rows else "documents"

    def _conditions(self, conditions: Sequence[ReadCondition]) -> Iterable[str]:
        """Those that deny something last: what stands behind "without" is taken for denied."""
        for several in sorted(either_groups(conditions), key=lambda some: any(map(_is_negative, some))):
            yield _listed([self._condition(each) for each in several], "or")

    def _condition(self, condition: ReadCondition) -> str:
        words = condition.words
        is_negative = _is_negative(condition)
        if words and (not is_negative or says_no(words)):
            return f"{words}{_called(condition)}"
        values = " to ".join(condition.values)
        title = self._title(condition.field)
        said = words or " ".join(f"{title} {_SIGNS.get(condition.op, '')} {values}".split())
        if not condition.values:
            return f"{'without' if is_negative else 'with'} {said}"
        return f"not {said}" if is_negative else said

    def _title(self, field: ReadField) -> str:
        entry = self._catalogue.field(field.name, field.schema_name)
        return entry.title.lower() if entry is not None else field.name

    def _group(self, field: ReadField) -> str:
        words = field.words.casefold()
        lead = next((each for each in _PER if words.startswith(each)), "")
        return field.words[len(lead) :] or f"{field.part} {self._title(field)}".strip()

    def _order(self, step: Step) -> str:
        order = step.order
        if order is None:
            return ""
        title = self._title(order.field) if order.field is not None else "figure"
        words = order.words or f"{title} {'descending' if order.descending else 'ascending'}"
        limit = f", {order.limit} of them" if order.limit > 1 else ""
        return f", by {words}{limit}" + (f", after {order.skip}" if order.skip else "")


def _is_negative(condition: ReadCondition) -> bool:
    return condition.negated is not (condition.op in (Operator.MISSING, Operator.NOT_EQUAL))


def _called(condition: ReadCondition) -> str:
    """The value where its words say another name of it: "Swiss (Switzerland)"."""
    value, words = " or ".join(condition.values), condition.words
    is_name = condition.op in (Operator.EQUAL, Operator.IN) and value[:1].isalpha()
    if not is_name or text_terms(value) & text_terms(words) or find_places(words):
        return ""
    return f" ({value})"


_SIGNS = {
    Operator.GREATER: "over",
    Operator.GREATER_EQUAL: "at least",
    Operator.LESS: "under",
    Operator.LESS_EQUAL: "at most",
}


def _name(name: ReadName) -> str:
    said = f"{'not ' if name.negated else ''}{'with ' if name.role == 'party' else ''}{name.words}"
    return said if name.words else ""


def _listed(parts: Sequence[str], word: str = "and") -> str:
    return f" {word} ".join(each for each in parts if each)


def edited(reading: Reading, **parts: object) -> Reading:
    """The reading with some parts exchanged. Raises ValueError where that is no reading."""
    own = {name: getattr(reading, name) for name in Reading.model_fields}
    return Reading.model_validate(own | parts)


def as_step(reading: Reading, id: str) -> Step:
    """The answer of a reading as a step before another."""
    return Step.model_validate({name: getattr(reading, name) for name in Step.model_fields} | {"id": id})


def is_cut(step: Step) -> bool:
    """True where a step gives only some of an order."""
    return step.order is not None and bool(step.order.limit or step.order.skip) and not step.groups


def is_focused(reading: Reading) -> bool:
    """True where a reading is about certain documents that it names, or describes as the one of an order."""
    if any(not each.negated for each in reading.of_role("document")):
        return True
    steps = {each.id: each for each in reading.steps}
    inner = [steps[name] for name in reading.within if name in steps]
    is_one = reading.operation in (Operation.LOOKUP, Operation.CHECK) or _is_first(reading)
    return is_one and bool(inner) and all(map(_is_first, inner))


def _is_first(step: Step) -> bool:
    return step.order is not None and step.order.limit == 1


def set_part(reading: Reading) -> tuple[object, ...]:
    """What says which documents or rows a reading is about; equal where two are about the same."""
    conditions = tuple((c.field.name, c.op, c.values, c.negated) for c in reading.conditions)
    names = tuple((n.role, n.words, n.documents, n.negated) for n in reading.names)
    is_of_order = (reading.order, reading.operation is Operation.RANK) if is_cut(reading) else ()
    return (reading.kind, names, conditions, reading.within, reading.sides, reading.steps, is_of_order)


def as_set(reading: Reading) -> Reading:
    """The documents or rows that a reading is about, as a list whose conditions can be edited."""
    if reading.sides:
        joined = reading.outcome if reading.outcome in _OF_SETS else Outcome.UNION
        return wrapped(edited(reading, **_PLAIN | {"operation": Operation.LIST, "outcome": joined}))
    if is_cut(reading) and reading.operation not in FIGURES:
        return wrapped(reading)
    conditions = reading.conditions
    if reading.operation is Operation.COMPARE and len(conditions) > 1:
        conditions = tuple(each.model_copy(update={"either": 1}) for each in conditions)
    if reading.operation is Operation.CHECK and (reading.names or reading.within):
        conditions = ()  # they are what was asked of it
    plain = _PLAIN | {"operation": Operation.LIST, "outcome": Outcome.VALUES, "conditions": conditions}
    return edited(reading, **plain)


def wrapped(reading: Reading) -> Reading:
    """A list of what another reading gives, which then is a step before it."""
    numbers = [int(each.id[1:]) for each in reading.all_steps if each.id[1:].isdecimal()]
    id = f"s{max(numbers, default=0) + 1}"
    inner = as_step(edited(reading, asked=()), id)
    outer = {**_PLAIN, "names": (), "conditions": (), "sides": (), "labels": (), "outcome": Outcome.VALUES}
    return edited(
        reading, **outer, operation=Operation.LIST, within=(id,), steps=(*reading.steps, inner), text=""
    )


def unfolded(reading: Reading, held: Reading | None) -> Reading:
    """A reading that narrows the set in hand as one that says all of it, where that is plain.

    held: the reading of that set, None where none is known.
    """
    if held is None or reading.within != (IN_HAND,) or reading.steps:
        return reading
    base = as_set(held)
    is_other = reading.kind not in ("", base.kind) or reading.tables not in ((), base.tables)
    if base.within or base.steps or is_other:
        return reading
    of_base = {name: getattr(base, name) for name in ("kind", "tables", "is_rows")}
    conditions, names = joined(base.conditions, reading.conditions), (*base.names, *reading.names)
    return edited(reading, **of_base, within=(), names=names, conditions=conditions)


def combined(first: Reading, second: Reading, outcome: Outcome) -> Reading:
    """The two sets of two readings as one, over steps. Raises ValueError where they have steps already."""
    one, other = as_step(first, "s1"), as_step(second, "s2")
    outer = {**_PLAIN, "id": "answer", "names": (), "conditions": (), "within": (), "outcome": outcome}
    return edited(first, **outer, operation=Operation.LIST, sides=("s1", "s2"), steps=(one, other))


def joined(before: Sequence[ReadCondition], added: Sequence[ReadCondition]) -> tuple[ReadCondition, ...]:
    """Conditions of two readings that all have to hold; alternatives of both keep apart."""
    most = max((each.either for each in before), default=0)
    moved = (
        each.model_copy(update={"either": each.either + most}) if each.either else each for each in added
    )
    return tuple(dict.fromkeys((*before, *moved)))


def exclusive(
    before: Sequence[ReadCondition], added: Sequence[ReadCondition], catalogue: Catalogue
) -> tuple[ReadCondition, ...]:
    """The conditions of before that can hold beside what is added: a contract has one law."""
    return tuple(each for each in before if not any(_excludes(each, new, catalogue) for new in added))


def _excludes(one: ReadCondition, other: ReadCondition, catalogue: Catalogue) -> bool:
    if one.field.name != other.field.name or one.field.part != other.field.part:
        return False
    if not one.values and not other.values:
        return one.negated is not other.negated or one.op is not other.op
    if one.negated is not other.negated and (one.op, one.values) == (other.op, other.values):
        return True
    entry = catalogue.field(one.field.name, one.field.schema_name)
    if one.negated or other.negated or not (one.values and other.values) or (entry and entry.many):
        return False
    return are_apart(one, other)


def exchanged(
    before: Sequence[ReadCondition], added: Sequence[ReadCondition], catalogue: Catalogue
) -> tuple[ReadCondition, ...]:
    """The conditions with the added ones in the place of those that are alike.

    On the same field, else the last one of the same type; a clause for a clause.
    """
    kept, named = list(before), {each.field.name for each in before} & {each.field.name for each in added}
    for new in added:
        gone = _alike(new, kept, catalogue) if not named or new.field.name in named else []
        kept = [each for each in kept if each not in gone]
    return joined(kept, added)


def _alike(new: ReadCondition, among: Sequence[ReadCondition], catalogue: Catalogue) -> list[ReadCondition]:
    same = [each for each in among if each.field.name == new.field.name]
    if same:
        side = [each for each in same if _side(each) == _side(new)]
        return side if len(same) > 1 and side else same
    wanted = type_of(new.field, catalogue)
    near = [each for each in among if bool(each.values) is bool(new.values)]
    alike = [each for each in near if new.values and type_of(each.field, catalogue) is wanted] or near
    number = alike[-1].either if alike else 0
    return [each for each in among if each.either == number] if number else alike[-1:]


def alternatives(
    before: Sequence[ReadCondition], added: Sequence[ReadCondition]
) -> tuple[ReadCondition, ...]:
    """The conditions with the added ones as alternatives of those on their field, else of the last one.

    Raises ValueError where there is none that they could be an alternative to.
    """
    found = list(before)
    for new in added:
        same = [each for each in found if each.field.name == new.field.name]
        near = [each for each in found if bool(each.values) is bool(new.values)]
        if not found:
            raise ValueError("nothing is there to be an alternative to")
        to = (same or near or found)[-1]
        number = to.either or 1 + max(each.either for each in found)
        group = [each for each in found if each is to or (each.either and each.either == to.either)]
        group += [each for each in same if each not in group and _side(each) == _side(new)]
        found = [e.model_copy(update={"either": number}) if any(e is g for g in group) else e for e in found]
        at = max(n for n, each in enumerate(found) if each.either == number)
        found.insert(at + 1, new.model_copy(update={"either": number}))
    return tuple(found)


def taken_back(before: Sequence[ReadCondition], gone: Iterable[ReadCondition]) -> tuple[ReadCondition, ...]:
    """The conditions without some; an alternative that is left alone is none any more."""
    away = list(gone)
    kept = [each for each in before if each not in away]
    numbers = [each.either for each in kept]
    return tuple(
        each.model_copy(update={"either": 0}) if each.either and numbers.count(each.either) == 1 else each
        for each in kept
    )


def turned(condition: ReadCondition) -> ReadCondition:
    """The opposite, no alternative; what its own words deny, or do, is called by its field then."""
    parts: dict[str, object] = {"either": 0, "negated": not condition.negated}
    if condition.op in _DENIED:
        parts = {"either": 0, "op": _DENIED[condition.op]}
    if not condition.values or says_no(condition.words):
        parts |= {"words": "", "field": condition.field.model_copy(update={"words": ""})}
    return condition.model_copy(update=parts)


def _side(condition: ReadCondition) -> int:
    return -1 if condition.op in _LOWER else 1 if condition.op in _UPPER else 0


def type_of(field: ReadField, catalogue: Catalogue) -> FieldType | None:
    """The type of a field, or of a column; None where there is none of the name."""
    entry = catalogue.field(field.name, field.schema_name)
    columns = (column for table in catalogue.rows_by_sql for column in table.columns)
    own = (each.type for each in columns if each.name == field.name)
    return entry.type if entry is not None else next(own, None)


def without_roles(names: Sequence[ReadName], *roles: str) -> tuple[ReadName, ...]:
    """The names that play none of these parts."""
    return tuple(each for each in names if each.role not in roles)


def party_condition(
    names: Sequence[ReadName], conditions: Sequence[ReadCondition], entry: FieldEntry
) -> ReadCondition:
    """The condition that documents are with any of some organisations; conditions: of these fields before."""
    known = [value for each in conditions for value in each.values]
    values = tuple(dict.fromkeys((*known, *(each.words for each in names))))
    words = " or ".join(values)[:500]
    field = ReadField(name=entry.name, schema_name=entry.schema, words=words)
    return ReadCondition(field=field, op=Operator.IN, values=values, words=words)


def merged_order(
    before: ReadOrder | None, own: ReadOrder | None, *, is_numbered: bool, keeps_limit: bool
) -> ReadOrder | None:
    """The order of a turn, which takes from the one before what it does not say.

    is_numbered: it says how many, or which; keeps_limit: else as many as before are wanted, if any were.
    """
    if own is None:
        return before
    if own.field is None and before is not None:
        parts = {"limit": own.limit, "skip": own.skip} if is_numbered else {"descending": own.descending}
        words = before.words if is_numbered else ""
        return before.model_copy(update={**parts, "words": words})
    if is_numbered or not keeps_limit:
        return own if is_numbered else own.model_copy(update={"limit": 0, "skip": 0})
    return own.model_copy(update={"limit": before.limit, "skip": before.skip}) if before is not None else own
