"""Parts of a step that the spans of one reading say: conditions, names, groups, order, sides."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from core.domain.fields import AMOUNTS, ORDERED, TEXTS, FieldType
from core.domain.predicate import INEQUALITIES, Operator
from core.plan.catalogue import Catalogue, ColumnEntry, FieldEntry, TableEntry, bans
from core.plan.ir.verbalise import KIND
from core.plan.kinds import NAME, kind_names
from core.plan.readers.trained.condition_values import (
    RUNNING,
    ConditionTarget,
    ConditionValue,
    known_names,
    target_of,
    values_of,
)
from core.plan.readers.trained.reading import (
    OF_SEVERAL,
    ChosenSpan,
    QuestionReading,
    ReadSpan,
    SpanChoice,
    SpanRole,
)
from core.plan.readers.trained.tables_meant import TableMeant
from core.plan.reading import (
    Function,
    Operation,
    Outcome,
    Part,
    ReadCondition,
    ReadField,
    ReadName,
    ReadOrder,
    Step,
    are_apart,
)
from core.text.analyse import text_terms
from core.text.nouns import is_plural
from core.text.words import word_groups, word_list
from core.values.comparisons import count_in, currency_in, ordinal_in
from core.values.dates import month_number
from core.values.periods import find_periods

_Named = Literal["document", "party", "kind"]
_NAMING: dict[SpanRole, _Named] = {
    SpanRole.DOCUMENT: "document",
    SpanRole.PARTY: "party",
    SpanRole.KIND: "kind",
}
_MOST, _LEAST = word_list("reading", "most"), word_list("reading", "least")
_SORTING = word_groups("checks", "asked")["sort"] | {"order"}
_PARTS: tuple[tuple[str, Part], ...] = (
    ("year", "year"), ("annual", "year"), ("quarter", "quarter"), ("month", "month"), ("currenc", "unit"),
)  # fmt: skip
_LISTED = re.compile(r"\b(?:first|on top|at the top|to|upwards?|downwards?|down|up)\s*$", re.IGNORECASE)
_ON_TOP = re.compile(
    r"(?:\s{1,8}\w{1,40}){0,2}\s{1,8}(?:first|on top|at the top|down|up|to \w+est)\b", re.IGNORECASE
)
_EST = re.compile(r"(?!interest|request|harvest|contest|earnest|protest)[a-z]{2,20}est")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MOST_COUNTED = 10_000
_BEGINNING, _ENDING = text_terms("start begin"), text_terms("end expire")
_OUTCOMES = {
    each.value: each for each in Outcome if each not in (Outcome.INTERSECT, Outcome.UNION, Outcome.WITHOUT)
}
_MOST_SIDES = 6


@dataclass(slots=True)
class SpanParts:
    """Parts of a step, from the spans of one reading. meant: the table whose rows are asked.

    unread: spans whose words could not be read.
    """

    read: QuestionReading
    choice: SpanChoice
    catalogue: Catalogue
    today: date
    meant: TableMeant | None = None
    unread: list[ReadSpan] = field(default_factory=list)

    @property
    def table(self) -> TableEntry | None:
        """The table whose rows are asked; None where no one is."""
        return self.meant.table if self.meant is not None else None

    @property
    def tables(self) -> tuple[str, ...]:
        """Its parts as a reading names them."""
        return tuple(each.name for each in self.meant.parts) if self.meant is not None else ()

    def text(self, each: ChosenSpan) -> str:
        """The words of a span."""
        return self.read.text(each.span)[:500]

    def field_of(self, each: ChosenSpan, part: Part = "") -> ReadField:
        """The field of a span as a reading names it."""
        schema = each.entry.schema if isinstance(each.entry, FieldEntry) else ""
        return ReadField(
            name=each.key, schema_name=schema, part=part, words=self.text(each), probability=each.probability
        )

    def conditions(
        self, spans: Iterable[ChosenSpan] | None = None, *, are_sides: bool = False
    ) -> tuple[ReadCondition, ...]:
        """The conditions of some spans, of all for None, alternatives with the same number.

        are_sides: what cannot hold at once is held beside each other, and is no alternative.
        """
        chosen = self.choice.of(SpanRole.CONDITION, SpanRole.VALUE) if spans is None else list(spans)
        groups: list[list[ReadCondition]] = []
        before: ChosenSpan | None = None
        for each in chosen:
            made = self._condition(each)
            if not made:
                continue
            is_either = each.span.either or (before is not None and self._is_or(before, each))
            negated = before is not None and before.role is each.role and before.span.is_negated
            negates_both = negated and each.span.is_negated
            if len(made) > 1 and (each.span.is_negated or len({one.field.name for one in made}) > 1):
                groups += [[one] for one in made]  # not in 2019 or 2020: in neither; in force on a day
            elif groups and is_either and not negates_both:
                groups[-1] += made
            elif not are_sides and (other := self._rival(made, groups)) is not None:
                other += [one for one in made if one not in other]
            else:
                groups.append(made)
            before = each
        if spans is None:
            groups += [[each] for each in self._currency()]
        numbers = iter(range(1, 21))
        found: list[ReadCondition] = []
        for group in groups:
            either = next(numbers, 20) if len(group) > 1 else 0
            found += [each.model_copy(update={"either": either}) for each in group]
        return tuple(dict.fromkeys(found))[:30]

    def _is_or(self, before: ChosenSpan, each: ChosenSpan) -> bool:
        """True where nothing but "or" is between two conditions."""
        gap = self.read.question[before.span.end : each.span.start]
        return gap.casefold().split() in (["or"], [",", "or"]) and before.span.end <= each.span.start

    def _condition(self, each: ChosenSpan) -> list[ReadCondition]:
        """The condition of a span, or the alternatives that its values are; [] where none is read."""
        entry = each.entry
        if entry is None or self._as_kind(each) is not None:
            return []
        target = target_of(entry, self.catalogue)
        words = self.text(each)
        is_presence = each.role is SpanRole.CONDITION
        if not is_presence and (amount := self._amount_in(words, target)) is not None:
            return [
                self._made(
                    replace(each, entry=amount), ConditionValue(Operator.EQUAL, (currency_in(words),)), "unit"
                )
            ]
        values: tuple[ConditionValue, ...] = ()
        names_party = entry.type is FieldType.PARTY and any(known_names(words, self.catalogue))
        if not is_presence or entry.type in ORDERED or names_party:
            running = self._running(each) if entry.type is FieldType.DATE else []
            if running:
                return running
            values = values_of(words, each.span.comparison, target, self.catalogue, self._today(each))
        if not values and entry.type is FieldType.MONEY and (code := currency_in(words)):
            return [self._made(each, ConditionValue(Operator.EQUAL, (code,)), "unit")]
        if not values and is_presence:
            values = (ConditionValue(Operator.IS, ()),)
        if not values:
            self.unread.append(each.span)
        return [self._made(each, value) for value in values]

    def _amount_in(self, words: str, target: ConditionTarget) -> FieldEntry | None:
        """What documents state mostly, where words are a currency and no value of a text: "in EUR"."""
        is_one = currency_in(words) and target.type in TEXTS and len(words.split()) == 1
        is_value = words.casefold() in (each.casefold() for each in target.texts)
        schema = self.choice.schema
        return schema.usual_amount if is_one and not is_value and schema is not None else None

    def _today(self, each: ChosenSpan) -> date:
        """The day that a month without a year is of: of rows, their last one."""
        last = each.entry.high if isinstance(each.entry, ColumnEntry) else None
        words = self.text(each).split()
        is_bare = any(map(month_number, words)) and not any(word[-4:].isdigit() for word in words)
        is_day = each.entry is not None and each.entry.type is FieldType.DATE
        return date.fromordinal(int(last)) if is_bare and is_day and last is not None else self.today

    def _running(self, each: ChosenSpan) -> list[ReadCondition]:
        """That something has begun by a day and ends no sooner: "in force on 1 May 2024"; [] for others."""
        words, fields = self.text(each), self.choice.schema.fields if self.choice.schema is not None else ()
        month = self.catalogue.accounting.fiscal_month
        found = find_periods(words, self.today, is_dated=True, fiscal_month=month)
        dated = [entry for entry in fields if entry.type is FieldType.DATE]
        begins = [entry for entry in dated if target_of(entry, self.catalogue).words & _BEGINNING]
        ends = [entry for entry in dated if target_of(entry, self.catalogue).words & _ENDING]
        is_bound = each.span.comparison in INEQUALITIES or each.span.is_negated
        if not set(words.casefold().split()) & RUNNING or is_bound or not (begins and ends):
            return []
        if len(found) != 1 or found[0].base.first is None or found[0].base.last is None:
            return []
        first, last = found[0].base.first.isoformat(), found[0].base.last.isoformat()
        pairs = ((begins[0], Operator.LESS_EQUAL, last), (ends[0], Operator.GREATER_EQUAL, first))
        return [
            self._made(replace(each, entry=entry), ConditionValue(op, (day,))) for entry, op, day in pairs
        ]

    def _made(self, each: ChosenSpan, value: ConditionValue, part: Part = "") -> ReadCondition:
        words = self.text(each)
        return ReadCondition(
            field=self.field_of(each, part),
            op=value.op,
            values=value.values[:50],
            negated=each.span.is_negated and not (each.role is SpanRole.CONDITION and bans(each.key, words)),
            words=words,
            probability=each.span.probability,
        )

    def _rival(
        self, made: Sequence[ReadCondition], groups: list[list[ReadCondition]]
    ) -> list[ReadCondition] | None:
        """The conditions that cannot hold together with these, as a contract has one law."""
        return next(
            (group for group in groups if all(self._excludes(a, b) for a in group for b in made)), None
        )

    def _excludes(self, one: ReadCondition, other: ReadCondition) -> bool:
        schema = one.field.schema_name
        entry = self.catalogue.field(one.field.name, schema) if schema else None
        is_alike = one.field.name == other.field.name and not (one.negated or other.negated)
        is_single = entry is None or not entry.many
        may_exclude = is_alike and is_single and bool(one.values and other.values)
        return one != other and may_exclude and are_apart(one, other)

    def _currency(self) -> list[ReadCondition]:
        """That the amounts that are asked about are in a currency which no span took: "prices in euros"."""
        amounts = [
            each
            for each in self.choice.spans
            if isinstance(each.entry, FieldEntry) and each.entry.type is FieldType.MONEY
        ]
        said = [match[0] for match in _WORD.finditer(self._outside()) if currency_in(match[0])]
        if (
            self.read.operation not in OF_SEVERAL
            or len({each.key for each in amounts}) != 1
            or len(said) != 1
        ):
            return []
        read = self.field_of(amounts[0], "unit").model_copy(update={"words": said[0]})
        return [ReadCondition(field=read, op=Operator.EQUAL, values=(currency_in(said[0]),), words=said[0])]

    def names(self, spans: Iterable[ChosenSpan] | None = None) -> tuple[ReadName, ...]:
        """The names of some spans, of all for None, with kinds that are said as values."""
        made = map(self._name, self.choice.spans if spans is None else spans)
        return tuple(dict.fromkeys(each for each in made if each is not None))[:20]

    def _name(self, each: ChosenSpan) -> ReadName | None:
        if each.role not in _NAMING:
            return self._as_kind(each)
        if each.role is SpanRole.DOCUMENT and self.text(each).isalpha() and count_in(self.text(each)):
            return None  # "the [two] agreements with Halden"
        return _named(each, self.text(each), _NAMING[each.role])

    def _as_kind(self, each: ChosenSpan) -> ReadName | None:
        """A kind of document that is said as a value of its name or kind; None where it is a plain value."""
        if each.role is not SpanRole.VALUE or not isinstance(each.entry, FieldEntry):
            return None
        words = self.text(each)
        if any(sign in words for sign in '"“„«'):
            return None
        target = target_of(each.entry, self.catalogue)
        if each.key not in (KIND, NAME) and (each.entry.type is not FieldType.TEXT or target.is_of_places):
            return None
        found = values_of(words, "=", target, self.catalogue, self.today)
        if each.key not in (KIND, NAME):
            is_known = bool(found) and set(found[0].values) <= set(target.texts)
            called = kind_names(self.catalogue).of(words, self.choice.schema)
            return None if is_known or called is None or not called.titles else _named(each, words, "kind")
        if each.key == KIND and found and set(found[0].values) <= set(target.texts):
            return None
        last = words.split()[-1] if words.split() else ""
        if each.key == NAME and not is_plural(last.casefold()):
            return None
        return _named(each, words, "kind")

    @property
    def asked_entries(self) -> list[FieldEntry | ColumnEntry]:
        """The fields and columns that are asked for, in order."""
        return [each.entry for each in self.choice.of(SpanRole.ASKED) if each.entry is not None]

    def asked(self) -> tuple[ReadField, ...]:
        """The fields that are asked for, each once."""
        found = {each.key: self.field_of(each) for each in reversed(self.choice.of(SpanRole.ASKED))}
        return tuple(reversed(found.values()))[:30]

    def groups(self) -> tuple[ReadField, ...]:
        """What results are grouped by."""
        made = (self.field_of(each, self._part(each)) for each in self.choice.of(SpanRole.GROUP))
        return tuple(dict.fromkeys(made))[:3]

    def _part(self, each: ChosenSpan) -> Part:
        if each.entry is None or each.entry.type in TEXTS:
            return ""
        words = self.text(each).casefold()
        said: Part = next((part for word, part in _PARTS if word in words), "")
        own: Part = next((part for _, part in _PARTS if part == each.span.part), said)
        is_date = each.entry.type is FieldType.DATE
        return own if is_date == (own != "unit") else ""

    def order(self, *, is_grouped: bool = False) -> ReadOrder | None:
        """The order, with how many are wanted of it; None where none is said."""
        spans = self.choice.of(SpanRole.ORDER)
        numbers = self.choice.of(SpanRole.LIMIT, SpanRole.NTH, SpanRole.SKIP)
        if not spans and not numbers:
            return None
        words = " ".join(self.text(each) for each in spans)
        limit, skip = self._numbers(spans)
        if limit is None:
            limit = 1 if not is_grouped and spans and self._is_of_one(spans) else 0
        return ReadOrder(
            field=self.field_of(spans[0]) if spans and spans[0].entry is not None else None,
            descending=self._descending(spans),
            limit=min(limit, _MOST_COUNTED),
            skip=min(skip, _MOST_COUNTED),
            words=words or " ".join(self.text(each) for each in numbers),
        )

    def _numbers(self, spans: Sequence[ChosenSpan]) -> tuple[int | None, int]:
        """How many are wanted, None where nothing says it, and how many before these are not."""
        skip, limit, nth = 0, None, None
        for each in self.choice.of(SpanRole.SKIP):
            skip += count_in(self.text(each)) or ordinal_in(self.text(each)) or 1
        for each in self.choice.of(SpanRole.LIMIT):
            limit = count_in(self.text(each)) or limit
        for each in self.choice.of(SpanRole.NTH):
            nth = ordinal_in(self.text(each)) or nth
        if limit is None and nth is None and spans:
            words = self.text(spans[0]).split()
            leading = " ".join(words[:2]).casefold()
            limit = count_in(leading) if len(words) > 1 else None
            limit = limit or self._counted()
            first = words[0].casefold() if len(words) > 1 else ""
            nth = ordinal_in(first) if limit is None and first not in ("first", "last") else None
        if nth is not None:
            return 1, skip + nth - 1
        return limit, skip

    def _counted(self) -> int | None:
        """How many are wanted, as what is asked for says it: "which [two suppliers]"."""
        named = self.choice.of(SpanRole.KIND, SpanRole.GROUP, SpanRole.ASKED)
        named += [each for each in self.choice.of(SpanRole.VALUE) if self._as_kind(each) is not None]
        said = (self.text(each).split() for each in named)
        return next((n for words in said if len(words) > 1 and (n := count_in(words[0]))), None)

    def _descending(self, spans: Sequence[ChosenSpan]) -> bool:
        said = next((each.span.descending for each in spans if each.span.descending is not None), None)
        if said is not None:
            return said
        words = (word.casefold() for each in spans for word in self.text(each).split())
        end = next((word for word in words if word in _MOST or word in _LEAST), None)
        if end is not None:
            return end in _MOST
        is_date = bool(spans) and spans[0].entry is not None and spans[0].entry.type is FieldType.DATE
        return not is_date

    def _is_of_one(self, spans: Sequence[ChosenSpan]) -> bool:
        """True of a lone superlative: "the cheapest one", not of "cheapest first", "the cheapest ones"."""
        words = self.text(spans[0]).casefold()
        said = set(words.split())
        if self.choice.of(SpanRole.SKIP) or not is_superlative(words) or said & {"descending", "ascending"}:
            return False
        after = self.read.question[spans[0].span.end :]
        listed = _LISTED.search(words)  # "cheapest first", but not "which ends first"
        is_listed = bool(_ON_TOP.match(after)) or (
            listed is not None and is_superlative(words[: listed.start()])
        )
        is_sorted = bool(set(self._outside().casefold().split()[:6]) & _SORTING)
        is_ranged = bool(said & _MOST and said & _LEAST - {"first"})
        return not (is_listed or is_sorted or is_ranged)

    def _outside(self) -> str:
        """The words that no span took."""
        text = list(self.read.question)
        for each in self.choice.spans:
            text[each.span.start : each.span.end] = " " * (each.span.end - each.span.start)
        return "".join(text)


def _named(each: ChosenSpan, words: str, role: _Named) -> ReadName:
    negated, probability = each.span.is_negated, each.span.probability
    return ReadName(words=words, role=role, negated=negated, probability=probability)


def is_superlative(text: str) -> bool:
    """True where words say the end of an order, also one that no list has: "quickest"."""
    words = [match[0].casefold() for match in _WORD.finditer(text)]
    return any(word in _MOST or word in _LEAST or _EST.fullmatch(word) for word in words)


@dataclass(frozen=True, slots=True)
class Sides:
    """Spans that are held beside each other, one a side, and those that hold of all sides."""

    own: tuple[ChosenSpan, ...]
    shared: tuple[ChosenSpan, ...]


def sides_of(parts: SpanParts) -> Sides | None:
    """The sides of a comparison: documents, else values of one field, organisations, kinds, conditions.

    None where fewer than two are said.
    """
    choice = parts.choice
    every = choice.of(SpanRole.DOCUMENT, SpanRole.PARTY, SpanRole.KIND, SpanRole.VALUE, SpanRole.CONDITION)
    by_field: dict[str, list[ChosenSpan]] = defaultdict(list)
    for each in choice.of(SpanRole.VALUE):
        by_field[each.key].append(each)
    conditions = choice.of(SpanRole.CONDITION)
    amounts = [each for each in parts.asked_entries if each.type in AMOUNTS]
    if choice.is_rows and len(amounts) > 1 and not any(len(each) > 1 for each in by_field.values()):
        return None  # columns beside each other
    mixed = choice.of(SpanRole.VALUE, SpanRole.CONDITION)
    candidates: list[Sequence[ChosenSpan]] = [
        choice.of(SpanRole.DOCUMENT),
        *sorted(by_field.values(), key=len, reverse=True),
        choice.of(SpanRole.PARTY),
        conditions,
        choice.of(SpanRole.KIND),
        mixed[-2:],
    ]
    own = next((each for each in candidates if len(each) > 1), None)
    if own is None:
        return None
    own = tuple(own[:_MOST_SIDES])
    return Sides(own, tuple(each for each in every if each not in own))


def outcome_of(function: str) -> Outcome:
    """What is told of the sides, by the network's function of the question."""
    return Outcome.VALUES if function == Function.SHARE else _OUTCOMES.get(function, Outcome.VALUES)


def side_steps(parts: SpanParts, sides: Sides, first: int) -> list[Step]:
    """A step for each side: a figure of all that it and the shared spans say.

    first: the number from which on steps are called.
    """
    asked = parts.asked()
    function = _figure(parts, asked)
    is_listed = function is Function.SUM and sides.own[0].role is SpanRole.PARTY and not _adds_up(parts)
    operation = Operation.COUNT if function is Function.COUNT else Operation.COMPUTE
    operation = Operation.LIST if is_listed else operation
    is_share = parts.read.function == Function.SHARE
    made: list[Step] = []
    for number, side in enumerate(sides.own, first):
        spans = sorted((side, *sides.shared), key=lambda each: each.span.start)
        conditions = [each for each in spans if each.role in (SpanRole.VALUE, SpanRole.CONDITION)]
        made.append(
            Step(
                id=f"s{number}",
                operation=operation,
                kind=parts.choice.kind,
                is_rows=parts.choice.is_rows,
                tables=parts.tables,
                names=parts.names(spans),
                conditions=parts.conditions(conditions),
                asked=asked if function is not Function.COUNT and not is_listed else (),
                function=Function.SHARE if is_share else Function.NONE if is_listed else function,
            )
        )
    return made


def _adds_up(parts: SpanParts) -> bool:
    """True where amounts of a side are summed up, and no single ones are asked for: "compare the caps"."""
    is_listed = not parts.choice.is_rows and parts.read.function in ("", Outcome.VALUES)
    words = (word for each in parts.choice.of(SpanRole.ASKED) for word in parts.text(each).split())
    return not is_listed or not any(is_plural(word.casefold()) for word in words)


def _figure(parts: SpanParts, asked: Sequence[ReadField]) -> Function:
    """What each side comes to: the sum of what is asked for, else how many there are.

    Of lengths, weights and days, which nobody adds, the most, the least or the average.
    """
    said = parts.read.function
    if said in (Function.SUM, Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX) and asked:
        return Function(said)
    entry = next(iter(parts.asked_entries), None)
    if said == Function.COUNT or entry is None or entry.type not in ORDERED:
        return Function.COUNT
    if entry.type is FieldType.MONEY or (parts.choice.is_rows and entry.type in AMOUNTS):
        return Function.SUM
    if said in (Outcome.LEAST, Outcome.LESS):
        return Function.MIN
    is_most = said in (Outcome.GREATEST, Outcome.MORE) or entry.type is FieldType.DATE
    return Function.MAX if is_most else Function.AVG
