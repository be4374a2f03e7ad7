"""A reading as one whole question: only words that still hold, with what is not to hold said as such."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.domain.predicate import Operator
from core.plan.catalogue import Catalogue
from core.plan.reading import (
    Function,
    Operation,
    Outcome,
    ReadCondition,
    ReadField,
    Reading,
    ReadName,
    Step,
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
_OF_SETS = {Outcome.UNION: " or ", Outcome.INTERSECT: " that are also "}
_MOST_CHARS = 2_000


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
        asked = _listed([self._field(each) for each in step.asked])
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
            return _OF_SETS.get(step.outcome, " and ").join(sides)
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

    def _field(self, field: ReadField) -> str:
        return field.words or self._title(field)

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
