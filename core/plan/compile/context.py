"""What a reading is compiled against, why it cannot be, and conditions as a boolean form in three values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from core.domain.predicate import Operator
from core.encode.base import TokenCounter
from core.errors import PlanError
from core.plan.catalogue import Catalogue, SchemaEntry
from core.plan.ir.graph_edits import PlanSteps
from core.plan.ir.nodes import Choice, Condition, Note, Plan
from core.plan.reading import IN_HAND, Reading, Step

MANY_GROUPS = 1_000
"""All groups, in the order of their values."""
MAX_CLAUSES = 50
OPPOSITE = {
    Operator.GREATER: Operator.LESS_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER,
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
    Operator.NOT_EQUAL: Operator.EQUAL,
    Operator.EQUAL: Operator.NOT_EQUAL,
}
_OF_SEVERAL = {Operator.IN: Operator.NOT_EQUAL, Operator.NOT_EQUAL: Operator.IN}


class ReadingError(PlanError):
    """A reading that no plan says: it names what the catalogue has not, or lacks what its operation needs.

    words: those of the question that it is about, "" for all of them.
    """

    def __init__(self, message: str, next_step: str = "", words: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.words = words


@dataclass(frozen=True, slots=True)
class CompileContext:
    """Catalogue of what the asker may see, the buckets asked, and today.

    counter: tells words of the language from names. in_hand: the plan of the conversation's result set;
    members: its documents, in the order in which they were shown.
    """

    catalogue: Catalogue
    today: date
    buckets: tuple[str, ...] = ()
    counter: TokenCounter | None = None
    in_hand: Plan | None = None
    members: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class StepResult:
    """Node of a step. gives: a set of documents or rows, one value, groups, or a comparison. set_node: the
    node whose set it is about, "" for none; schema: whose documents these are."""

    node: str
    gives: str
    set_node: str = ""
    schema: SchemaEntry | None = None

    @property
    def any_set(self) -> str:
        """The node whose set it is about, itself where it gives one; "" for none."""
        return self.set_node or (self.node if self.gives in ("documents", "rows") else "")


@dataclass(slots=True)
class Compilation:
    """State of one reading while it is compiled. looked_up: nodes of values, by node and field."""

    reading: Reading
    context: CompileContext
    steps: PlanSteps = field(default_factory=PlanSteps)
    notes: list[Note] = field(default_factory=list)
    results: dict[str, StepResult] = field(default_factory=dict)
    uncovered: list[str] = field(default_factory=list)
    looked_up: dict[tuple[str, str], str] = field(default_factory=dict)

    def result(self, name: str, words: str = "") -> StepResult:
        """What a step gave. Raises ReadingError where there is none of that name before."""
        found = self.results.get(name)
        if found is None:
            what = "result to go on from" if name == IN_HAND else f"step {name!r} before this one"
            raise ReadingError(
                f"There is no {what}.", "Ask for it first, or name what is meant.", words=words
            )
        return found

    def step(self, name: str) -> Step | None:
        """The step of that name; None where another turn gave its result."""
        return next((each for each in self.reading.all_steps if each.id == name), None)

    def note(self, words: str, reading: str, node: str = "", probability: float = 1.0) -> None:
        """Say how words were read."""
        self.notes.append(Note(phrase=words[:500], reading=reading, node=node, confidence=probability))


def unique_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Labels, none twice: the second of one name is numbered."""
    made: list[str] = []
    for label in labels:
        label = label[:100] or "side"
        made.append(label if label not in made else f"{label} ({made.count(label) + 1})")
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Both:
    """All parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Except:
    """The documents of which the part does not hold, where no condition says so: a difference of sets."""

    part: Formula


Formula = Condition | Both | Either | Except


Clauses = tuple[Condition | Choice, ...]


"""Conditions as a node has them, of which all hold."""


def one_of(field: str, values: Sequence[str], *, narrows: bool = False) -> Condition:
    """That a field is one of some values."""
    op, value = (Operator.EQUAL, values[0]) if len(values) == 1 else (Operator.IN, tuple(values))
    return Condition(field=field, op=op, value=value, narrows=narrows)


def any_of(parts: Iterable[Formula]) -> Formula:
    """That at least one of some parts holds, of which there has to be one."""
    ways = tuple(dict.fromkeys(parts))
    return ways[0] if len(ways) == 1 else Either(ways)


def all_of(parts: Sequence[Formula]) -> Formula | None:
    """That all parts hold; None where there are none."""
    return None if not parts else parts[0] if len(parts) == 1 else Both(tuple(parts))


def negated(formula: Formula, *, is_other: bool = False) -> Formula:
    """The opposite in three values. is_other: another value is wanted, so that none does not count."""
    if isinstance(formula, Both):
        return Either(tuple(negated(part, is_other=is_other) for part in formula.parts))
    if isinstance(formula, Either):
        return Both(tuple(negated(part, is_other=is_other) for part in formula.parts))
    if isinstance(formula, Except):
        return formula.part
    return _negated(formula, is_other)


def _negated(condition: Condition, is_other: bool) -> Formula:
    name, op, value = condition.field, condition.op, condition.value
    if op is Operator.MISSING:
        return Condition(field=name, op=Operator.IS, value="present")
    if op is Operator.IS or (op is Operator.EQUAL and value == "true"):
        return Condition(field=name, op=Operator.MISSING)
    if op is Operator.EQUAL:
        other = Condition(field=name, op=Operator.NOT_EQUAL, value=value)
        return other if is_other else Either((other, Condition(field=name, op=Operator.MISSING)))
    if is_other and isinstance(value, tuple) and op in (Operator.IN, Operator.NOT_EQUAL):
        return condition.model_copy(update={"op": _OF_SEVERAL[op]})
    if op in OPPOSITE:
        return Condition(field=name, op=OPPOSITE[op], value=value, minus=condition.minus)
    if op is Operator.BETWEEN and isinstance(value, tuple):
        low = Condition(field=name, op=Operator.LESS, value=value[0])
        return Either((low, Condition(field=name, op=Operator.GREATER, value=value[1])))
    if op is Operator.IN and isinstance(value, tuple):
        each = [Condition(field=name, op=Operator.EQUAL, value=one) for one in value]
        return Both(tuple(_negated(one, is_other) for one in each))
    return Except(condition)


def clauses(formula: Formula) -> list[tuple[Condition | Except, ...]] | None:
    """The formula as conditions that must all hold, each a choice of some; None where it is too large."""
    if isinstance(formula, (Condition, Except)):
        return [(formula,)]
    if isinstance(formula, Both):
        found: list[tuple[Condition | Except, ...]] = []
        for part in formula.parts:
            inner = clauses(part)
            if inner is None:
                return None
            found += [each for each in inner if each not in found]
        return found if len(found) <= MAX_CLAUSES else None
    joined: list[tuple[Condition | Except, ...]] = [()]
    for part in formula.parts:
        inner = clauses(part)
        if inner is None or len(inner) * len(joined) > MAX_CLAUSES:
            return None
        joined = [tuple(dict.fromkeys((*before, *after))) for before in joined for after in inner]
    return joined if all(len(each) <= MAX_CLAUSES for each in joined) else None


@dataclass(frozen=True, slots=True)
class Parted:
    """What a set fulfils, and the sets that are left out of it, by the conditions of each."""

    holds: Clauses
    left_out: tuple[Clauses, ...] = ()


def parted(formula: Formula) -> Parted | None:
    """A formula as conditions and sets that are left out; None where it is too large, or nothing says it."""
    split = clauses(formula)
    if split is None:
        return None
    holds = tuple(as_condition(each) for each in split if not is_except(each))
    singles: list[Condition] = []
    several: list[Clauses] = []
    for clause in split:
        if not is_except(clause):
            continue
        first = clause[0]
        if len(clause) == 1 and isinstance(first, Except) and isinstance(first.part, Condition):
            singles.append(first.part)
            continue
        opposite = clauses(Both(tuple(map(negated, clause))))
        if opposite is None or any(map(is_except, opposite)):
            return None
        several.append(tuple(as_condition(each) for each in opposite))
    together = [(as_condition(tuple(dict.fromkeys(singles))),)] if singles else []
    return Parted(holds, (*together, *several))


def as_condition(formulas: Sequence[Condition | Except]) -> Condition | Choice:
    """One clause as a node has it; equal tests of one field become one."""
    clause = tuple(each for each in formulas if isinstance(each, Condition))
    if len(clause) == 1:
        return clause[0]
    fields = {each.field for each in clause}
    if len(fields) == 1 and all(each.op is Operator.EQUAL and isinstance(each.value, str) for each in clause):
        return one_of(clause[0].field, [each.value for each in clause if isinstance(each.value, str)])
    return Choice(any_of=clause)


def is_except(clause: tuple[Condition | Except, ...]) -> bool:
    """True where a clause holds something that only a difference of sets says."""
    return any(isinstance(each, Except) for each in clause)
