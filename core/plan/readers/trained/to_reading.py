"""From what the trained network read of a question to a `Reading`, which the compiler makes a plan of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise

from core.domain.fields import AMOUNTS, ORDERED, TEXTS, FieldType
from core.plan.catalogue import Catalogue, DocumentEntry, TableEntry
from core.plan.readers.trained.condition_values import least_sure, with_known_names
from core.plan.readers.trained.reading import (
    OF_SEVERAL,
    SURE_OF_FIELD,
    ChosenSpan,
    QuestionReading,
    SpanRole,
    chosen_spans,
    noun_places,
)
from core.plan.readers.trained.span_parts import (
    Sides,
    SpanParts,
    is_superlative,
    outcome_of,
    side_steps,
    sides_of,
)
from core.plan.readers.trained.table_pairs import TablePair, pair_meant, paired
from core.plan.readers.trained.tables_meant import (
    cell_in,
    is_unstated,
    measures,
    over_rows,
    over_table,
    register_of,
    table_meant,
)
from core.plan.reading import Function, Operation, Outcome, ReadField, Reading, ReadName, ReadOrder, Step
from core.text.analyse import content_terms, text_terms
from core.text.words import word_groups

ReadAgain = Callable[[str], QuestionReading]
IsName = Callable[[str], bool]
DocumentsNamed = Callable[[str], Sequence[DocumentEntry]]

LEAST_KNOWN = 0.4
"""Probability that any field is asked for, below which the text is searched for what is asked."""

_ASKED = word_groups("checks", "asked")
_COUNTED = (Function.NONE, Function.COUNT, Function.DISTINCT)
_ADDED = (Function.SUM, Function.AVG, Function.MEDIAN, Function.MIN, Function.MAX)
MOST_DESCRIBED = 3
"""Documents that are described, and read for themselves, at most in one question."""

_WORD = re.compile(r"\w+(?:[-.'’/&,]\w+)*|%")
_CONTRACTED = re.compile(r"(?:['’](?:s|re|ve|ll|d|m)|n['’]t)$", re.IGNORECASE)
_RELATING = frozenset(("that", "which", "who", "whose", "where", "of", "signed", "we"))
_DESCRIBING = (SpanRole.CONDITION, SpanRole.VALUE, SpanRole.ORDER)


def reading_of(
    read: QuestionReading,
    catalogue: Catalogue,
    today: date,
    *,
    read_again: ReadAgain | None = None,
    is_name: IsName | None = None,
    documents: DocumentsNamed | None = None,
) -> Reading:
    """The reading of a question by the trained network. Never raises for what a person may type.

    read_again: reads the words of a document that is described instead of named. is_name: tells such words
    from names; None: all are names. documents: those that words name; None: none are told to be registers.
    """
    one = _of_one(read)
    unsaid: tuple[str, ...] = ()
    for is_paired in (True, False):
        work = _Conversion(catalogue, today, read_again, is_name, documents, is_paired)
        parts = work.parts_of(one)
        answer = work.answer(parts)
        if not isinstance(parts.meant, TablePair):
            break
        steps = paired(answer, parts.meant, parts.read) if not work.steps else None
        if steps is not None:
            *work.steps, answer = steps
            break
        unsaid = parts.meant.told
    read = parts.read
    aside, uncovered = left_words(parts)
    taken = {each.words for each in answer.conditions}
    uncovered = tuple(each for each in uncovered if each not in taken)
    unread = parts.unread if parts.meant is not None else ()
    is_unknown = max((span.known for span in read.of(SpanRole.ASKED)), default=1.0) < LEAST_KNOWN
    if answer.operation is Operation.LOOKUP and not answer.tables and is_unknown:
        said = " ".join(read.text(each) for each in read.of(SpanRole.ASKED))
        answer = answer.model_copy(update={"operation": Operation.TEXT, "asked": (), "text": said})
    return Reading(
        **{name: getattr(answer, name) for name in Step.model_fields if name != "id"},
        by="trained",
        question=read.question,
        steps=tuple(work.steps),
        uncovered=tuple(dict.fromkeys((*uncovered, *work.uncovered, *unsaid)))[:50],
        aside=aside,
        probability=read.probability * min((1 - each.probability for each in unread), default=1.0),
    )


@dataclass(slots=True)
class _Conversion:
    """Conversion of one question. steps: those before the answer, in order; described: by the words for them.

    is_paired: two tables may be meant. uncovered: words of descriptions that nothing took. registers:
    documents of rows, by the value for them.
    """

    catalogue: Catalogue
    today: date
    read_again: ReadAgain | None
    is_name: IsName | None
    documents: DocumentsNamed | None
    is_paired: bool = False
    steps: list[Step] = field(default_factory=list)
    described: dict[str, Step] = field(default_factory=dict)
    uncovered: list[str] = field(default_factory=list)
    registers: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def parts_of(self, read: QuestionReading) -> SpanParts:
        known = with_known_names(read, self.catalogue)
        read = self._naming_register(known)
        table = self._register(read, is_any=read is not known)
        if table is not None:
            read = over_rows(read, table, self.catalogue)
            return SpanParts(read, chosen_spans(read, self.catalogue), self.catalogue, self.today)
        meant = table_meant(read, self.catalogue)
        if meant is not None:
            pair = pair_meant(read, meant, self.catalogue) if self.is_paired else None
            meant = pair or meant
            read = over_table(read, meant)
            if pair is not None:
                read = replace(read, probability=min(pair.share, least_sure(read.spans, read)))
        choice = chosen_spans(read, self.catalogue, meant.table if meant is not None else None)
        return SpanParts(read, choice, self.catalogue, self.today, meant)

    def _register(self, read: QuestionReading, *, is_any: bool) -> TableEntry | None:
        """The register that the question names, and asks fields of; None where it names none."""
        named = [each for each in read.of(SpanRole.DOCUMENT) if not each.is_negated]
        if self.documents is None or len(named) != 1:
            return None
        return self._table_of(read.text(named[0]), is_any=is_any)

    def _table_of(self, words: str, *, is_any: bool = True) -> TableEntry | None:
        found = self.documents(words) if self.documents is not None else ()
        return register_of(found, self.catalogue, is_any=is_any)

    def _naming_register(self, read: QuestionReading) -> QuestionReading:
        """The reading with a value that no document states as the name of a register, where it is one."""
        if self.documents is None or read.of(SpanRole.DOCUMENT):
            return read
        for at, each in enumerate(read.spans):
            table = self._table_of(read.text(each)) if is_unstated(each, read, self.catalogue) else None
            if table is not None and cell_in(read.text(each), table) is None:
                words = read.text(each)
                self.registers[words] = tuple(one.id for one in self.documents(words))
                own = replace(each, role=SpanRole.DOCUMENT, links=())
                return replace(read, spans=(*read.spans[:at], own, *read.spans[at + 1 :]))
        return read

    def answer(self, parts: SpanParts) -> Step:
        """The step that answers, after those of documents that are described and of sides."""
        if parts.read.operation is Operation.COMPARE:
            return self._comparison(parts)
        within: list[str] = []
        names: list[ReadName] = []
        for each in parts.choice.spans:
            if each.role is SpanRole.DOCUMENT and (step := self._described(parts, each)) is not None:
                if step.operation is Operation.LOOKUP:  # "the vendor of invoice 3310"
                    names.append(ReadName(words=parts.text(each), role="party", described=step.id))
                else:
                    within.append(step.id)
                continue
            names += [
                name.model_copy(update={"documents": self.registers.get(name.words, ())})
                for name in parts.names((each,))
            ]
        made = _step(parts, "answer", names, within)
        return self._of_the_first(parts, made) if made.operation is Operation.LOOKUP else made

    def _of_the_first(self, parts: SpanParts, made: Step) -> Step:
        """The look-up in the first of an order, as one superlative says it: "what does the heaviest weigh".

        What is ordered by itself is its greatest or smallest value; another field is looked up in it.
        """
        order = parts.order() if parts.choice.of(SpanRole.ORDER) else None
        of_one = [each for each in made.of_role("document") if self._documents_of(each.words) == 1]
        if order is None or order.field is None or order.limit != 1 or of_one or made.within:
            return made
        if not order.skip and all(each.name == order.field.name for each in made.asked):
            function = Function.MAX if order.descending else Function.MIN
            parts_of = {"operation": Operation.COMPUTE, "function": function, "asked": (order.field,)}
            return made.model_copy(update={**parts_of, "order": None})
        first = _set_of(made.model_copy(update={"id": f"s{len(self.steps) + 1}", "order": order}))
        self.steps.append(first)
        return made.model_copy(update={"names": (), "conditions": (), "order": None, "within": (first.id,)})

    def _documents_of(self, words: str) -> int:
        return len(self.documents(words)) if self.documents is not None else 1

    def _described(self, parts: SpanParts, each: ChosenSpan) -> Step | None:
        """The step that finds a document which is described; None where words name it."""
        words = parts.text(each)
        if words in self.described:
            return self.described[words]
        if self.read_again is None or self.is_name is None or len(self.described) >= MOST_DESCRIBED:
            return None
        is_name = self.is_name(words)
        if is_name and not _may_describe(words):
            return None
        inner = self.parts_of(self.read_again(words))
        asked = inner.choice.of(SpanRole.ASKED)
        telling = inner.choice.of(*_DESCRIBING, *((SpanRole.ASKED,) if is_name else ()))
        says_which = (
            any(each.span.sureness >= SURE_OF_FIELD for each in telling) if is_name else bool(telling)
        )
        if is_name and not says_which:
            return None
        names = [one for one in inner.names() if one.role != "kind" and one.words != words]
        if not says_which and not asked and all(one.role == "document" for one in names):
            return None
        is_party = bool(asked) and asked[0].entry is not None and asked[0].entry.type is FieldType.PARTY
        made = _step(inner, f"s{len(self.steps) + 1}", inner.names(), ())
        if is_party:
            made = made.model_copy(update={"operation": Operation.LOOKUP, "function": Function.NONE})
        else:
            made = _set_of(made)
        self.steps.append(made)
        self.described[words] = made
        self.uncovered += left_words(inner)[1]
        return made

    def _comparison(self, parts: SpanParts) -> Step:
        sides = sides_of(parts)
        if sides is None:
            one = _step(parts, "answer", parts.names(), ())
            is_shown = bool(one.names and one.asked) and not one.conditions
            return one.model_copy(update={"operation": Operation.LOOKUP}) if is_shown else one
        outcome = outcome_of(parts.read.function)
        if sides.own[0].role is SpanRole.DOCUMENT:
            return self._compared_documents(parts, sides)
        steps = side_steps(parts, sides, len(self.steps) + 1)
        self.steps += steps
        return Step(
            operation=Operation.COMPARE,
            kind=parts.choice.kind,
            is_rows=parts.choice.is_rows,
            tables=parts.tables,
            asked=parts.asked() if steps[0].operation is Operation.LIST else (),
            function=steps[0].function,
            sides=tuple(each.id for each in steps),
            labels=tuple(self._label(parts, each) for each in sides.own),
            outcome=outcome,
        )

    def _label(self, parts: SpanParts, each: ChosenSpan) -> str:
        """What a side is called: an organisation by its name, where only one is meant."""
        words = parts.text(each)
        if each.entry is not None and each.entry.type is FieldType.PARTY:
            words = next((value for one in parts.conditions((each,)) for value in one.values[:1]), words)
        elif each.role is not SpanRole.PARTY:
            return words[:100]
        said = text_terms(words)
        named = [one.name for one in self.catalogue.parties if said and said <= text_terms(one.name)]
        return (named[0] if len(named) == 1 else words)[:100]

    def _compared_documents(self, parts: SpanParts, sides: Sides) -> Step:
        """Documents beside each other; where one is described, each is a step."""
        plain = _step(parts, "answer", parts.names(), ())
        plain = plain.model_copy(update={"outcome": outcome_of(parts.read.function)})
        if len(plain.names) < 2:
            return plain.model_copy(
                update={"operation": Operation.LOOKUP, "names": plain.names[:1], "outcome": Outcome.VALUES}
            )
        found = [self._described(parts, each) for each in sides.own]
        if not any(found):
            return plain
        ids: list[str] = []
        for each, step in zip(sides.own, found, strict=True):
            if step is None:
                names = parts.names((each,))
                id = f"s{len(self.steps) + 1}"
                step = Step(id=id, operation=Operation.LIST, kind=parts.choice.kind, names=names)
                self.steps.append(step)
            ids.append(step.id)
        asked = plain.asked or tuple(each.field for each in plain.conditions if not each.values)
        labels = tuple(parts.text(each)[:100] for each in sides.own)
        return plain.model_copy(
            update={"names": (), "conditions": (), "asked": asked, "sides": tuple(ids), "labels": labels}
        )


def _may_describe(words: str) -> bool:
    """True of words that may describe a document though they hold a name: "Halden's oldest deal"."""
    said = words.casefold().replace("’", "'").split()
    return is_superlative(words) or any(word in _RELATING or word.endswith("'s") for word in said)


def _set_of(step: Step) -> Step:
    """The step as one that finds documents: the first of an order, or all that fulfil its conditions."""
    order = step.order
    if order is not None and order.field is not None:
        order = order if order.limit else order.model_copy(update={"limit": 1})
        parts = {"operation": Operation.RANK, "order": order}
    else:
        parts = {"operation": Operation.LIST, "order": None}
    return step.model_copy(update={**parts, "function": Function.NONE, "groups": (), "asked": ()})


def _step(parts: SpanParts, id: str, names: Sequence[ReadName], within: Sequence[str]) -> Step:
    """The step that the spans of a reading say, without its comparison."""
    operation = _operation(parts, names, within)
    asked, groups = parts.asked(), parts.groups()
    if parts.meant is not None:
        operation = _of_rows(parts, operation)
    entries = parts.asked_entries
    function = _function(parts, operation)
    if parts.meant is not None and operation is Operation.COMPUTE and asked and function in _COUNTED:
        function = Function.SUM  # "how many [hours]"
    is_turn = bool(parts.read.relations) and parts.read.relations[0][0] != "new"
    if operation is Operation.GROUP and not groups and not is_turn:
        if not asked or entries[0].type in AMOUNTS:
            operation = Operation.COMPUTE if asked and function is not Function.NONE else Operation.LIST
        else:  # "which laws, and how many each"
            groups, asked = asked[:1], asked[1:]
    order = parts.order(is_grouped=operation is Operation.GROUP)
    if operation is Operation.RANK and order is None:
        by = next((one for one, entry in zip(asked, entries, strict=False) if entry.type in ORDERED), None)
        order = ReadOrder(field=by, words=by.words) if by is not None else None
    if operation is Operation.COMPUTE and not asked and function in _ADDED:
        asked = _computed_with(parts, order)
    ranked = order.field if order is not None and parts.choice.is_rows else None
    is_of_texts = bool(entries) and entries[0].type in TEXTS
    is_ranked = operation is Operation.RANK and ranked is not None and is_of_texts
    if is_ranked and order is not None and ranked is not None and _is_of(TEXTS, parts, ranked.name):
        groups, asked, function, operation = asked[:1], (), Function.COUNT, Operation.GROUP
        order = order.model_copy(update={"field": None})  # "which agent handled the most tickets"
    elif is_ranked and ranked is not None and _is_of(AMOUNTS, parts, ranked.name):
        groups, asked, function = asked[:1], (ranked,), Function.SUM  # "the two suppliers with most"
        operation = Operation.GROUP
    conditions = parts.conditions(are_sides=operation is Operation.COMPARE)
    if parts.meant is not None and operation in (Operation.COUNT, Operation.LIST):
        fixed = {each.field.name for each in conditions if each.values and not each.negated}
        asked = tuple(each for each in asked if each.name not in fixed)
        function = function if asked or function is not Function.DISTINCT else Function.COUNT
    return Step(
        id=id,
        operation=operation,
        kind=parts.choice.kind,
        is_rows=parts.choice.is_rows,
        tables=parts.tables,
        names=tuple(names)[:20],
        conditions=conditions,
        asked=asked,
        function=function if operation is not Operation.LIST else _function(parts, operation),
        groups=groups,
        order=order if operation in OF_SEVERAL or parts.choice.of(SpanRole.NTH) else None,
        within=tuple(dict.fromkeys(within)),
    )


def _of_rows(parts: SpanParts, operation: Operation) -> Operation:
    """The operation over rows, where these leave no other."""
    if parts.choice.of(SpanRole.GROUP) and operation in (*OF_SEVERAL, Operation.LOOKUP):
        return Operation.GROUP
    asked = parts.asked_entries
    is_amount = bool(asked) and asked[0].type in AMOUNTS
    is_counted = operation is Operation.COUNT and bool(asked) and not asked[0].unit
    is_figure = operation in (Operation.LOOKUP, Operation.COUNT) and not is_counted
    said = pairwise(parts.read.question.casefold().split())
    if is_figure and is_amount and not {("how", "many"), ("how", "much")}.isdisjoint(said):
        return Operation.COMPUTE
    if operation is Operation.TEXT and parts.meant is not None and parts.meant.is_all:
        return Operation.LOOKUP if parts.choice.of(SpanRole.VALUE, SpanRole.CONDITION) else operation
    return operation


def _computed_with(parts: SpanParts, order: ReadOrder | None) -> tuple[ReadField, ...]:
    """What is computed where nothing is asked for: the field of an order, or the only amount of rows."""
    if order is not None and order.field is not None:
        return (order.field,)
    found = list(measures(parts.table)) if parts.table is not None else []
    return (ReadField(name=found[0].key),) if len(found) == 1 else ()


def _is_of(types: Container[FieldType], parts: SpanParts, name: str) -> bool:
    """True where an order is by a column of that name and of one of these types."""
    entries = (each.entry for each in parts.choice.of(SpanRole.ORDER))
    return any(each is not None and each.name == name and each.type in types for each in entries)


def _operation(parts: SpanParts, names: Sequence[ReadName], within: Sequence[str]) -> Operation:
    """The operation, where the spans leave no other: a named document with a condition is checked."""
    operation = parts.read.operation
    if operation is Operation.LOOKUP and _is_total(parts):
        return Operation.COMPUTE
    named = [each for each in names if each.role == "document" and not each.negated]
    is_of_one = bool(named) and bool(parts.choice.of(SpanRole.CONDITION))
    if operation is Operation.LIST and is_of_one and not parts.choice.of(SpanRole.ASKED, SpanRole.KIND):
        return Operation.CHECK
    wanted = parts.choice.of(SpanRole.ASKED, SpanRole.DOCUMENT, SpanRole.CONDITION, SpanRole.VALUE)
    if operation is Operation.LOOKUP and not wanted and not within and parts.choice.of(SpanRole.PARTY):
        return Operation.LIST  # "what do we have with Halden"
    return operation


def _function(parts: SpanParts, operation: Operation) -> Function:
    """The figure that is asked for; of "which vendors", their different names."""
    said = parts.read.function
    function = Function(said) if said in set(Function) else Function.NONE
    if function is Function.NONE and operation is Operation.COMPUTE and _is_total(parts):
        return Function.SUM
    asked = parts.choice.of(SpanRole.ASKED)
    is_of_texts = bool(asked) and asked[0].entry is not None and asked[0].entry.type in TEXTS
    if operation is Operation.COUNT and function in (Function.NONE, Function.COUNT):
        return Function.DISTINCT if is_of_texts else Function.COUNT
    if operation in (Operation.LIST, Operation.RANK) and is_of_texts and not _is_beside(parts, asked[0]):
        return Function.DISTINCT
    if operation in (Operation.LIST, Operation.LOOKUP, Operation.CHECK, Operation.EXISTS, Operation.RANK):
        return Function.NONE
    return function


def _is_total(parts: SpanParts) -> bool:
    """True where a sum of a column is asked for: "the total of the fleet lines"."""
    asked = parts.choice.of(SpanRole.ASKED) if parts.choice.is_rows else []
    entry = asked[0].entry if asked else None
    is_amount = entry is not None and entry.type in AMOUNTS
    return is_amount and not _ASKED["sum"].isdisjoint(parts.text(asked[0]).casefold().split())


def _of_one(read: QuestionReading) -> QuestionReading:
    """The reading without a comparison of only one thing, of which is looked up what is asked."""
    sides = read.of(SpanRole.DOCUMENT, SpanRole.PARTY, SpanRole.KIND, SpanRole.VALUE, SpanRole.CONDITION)
    roles = Counter(each.role for each in sides)
    is_compared = any(number > 1 for number in roles.values()) or not sides
    others = tuple(each for each in read.operations if each[0] not in (Operation.COMPARE, Operation.HELP))
    others = ((Operation.LOOKUP, 1.0), *others) if read.of(SpanRole.ASKED) else others
    if read.operation is not Operation.COMPARE or is_compared or not others:
        return read
    return replace(read, operations=others, functions=())


def _is_beside(parts: SpanParts, asked: ChosenSpan) -> bool:
    """True where values are shown beside documents ("contracts and their vendors"): these are said before."""
    places = [start for start, _, _ in noun_places(parts.read, parts.catalogue)]
    places += [each.span.start for each in parts.choice.of(SpanRole.DOCUMENT, SpanRole.KIND)]
    return any(start < asked.span.start for start in places)


def left_words(parts: SpanParts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words that surely ask for nothing, and those with content that nothing took; side by side, as one."""
    read = parts.read
    taken = (each.span for each in parts.choice.spans if each.span not in parts.unread)
    places = [(each.start, each.end) for each in taken]
    places += [(start, end) for start, end, _ in noun_places(read, parts.catalogue)]
    aside: list[tuple[int, int]] = []
    uncovered: list[tuple[int, int]] = []
    for match in _WORD.finditer(read.question):
        start, end = match.span()
        if any(start < last and end > first for first, last in places):
            continue
        if any(start < last and end > first for first, last in read.beside):
            aside.append((start, end))
        elif content_terms(_CONTRACTED.sub("", match[0])):
            uncovered.append((start, end))
    return _phrases(read.question, aside), _phrases(read.question, uncovered)


def _phrases(question: str, places: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Words as phrases, where nothing but blanks is between them."""
    runs = [list(place) for place in places[:1]]
    for before, place in pairwise(places):
        if question[before[1] : place[0]].strip():
            runs.append(list(place))
        else:
            runs[-1][1] = place[1]
    return tuple(dict.fromkeys(question[start:end] for start, end in runs))[:50]
