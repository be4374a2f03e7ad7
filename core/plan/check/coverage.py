"""Words, figures and names of a question that nothing of its plan takes, and those that it invented."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from core.domain.fields import ORDERED, TEXTS, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import ColumnEntry, FieldEntry
from core.plan.check.context import (
    ASKED,
    COMPARING,
    CheckContext,
    CheckProblem,
    Problems,
    ReadPiece,
    SaidNumber,
    Severity,
    left_out,
    numbers_in,
    vocabulary,
)
from core.plan.compile.values import target_of
from core.plan.reading import Function, Operation, ReadCondition, ReadName, ReadOrder
from core.text.analyse import text_terms
from core.text.words import word_list
from core.values.canonical import read_value
from core.values.comparisons import amounts_in
from core.values.dates import month_number
from core.values.periods import find_periods
from core.values.places import canonical_place, find_places

_QUOTED = re.compile(r"[\"“]([^\"”“]{2,80})[\"”]")
_RELATIVE = word_list("checks", "relative")
_RATIOS = {*map(Decimal, (7, 12, 24, 30, 52, 60, 365)), *(Decimal(10) ** n for n in range(1, 7))}
_UNITED = (FieldType.NUMBER, FieldType.DURATION)
_ANY_DAY = date(2000, 1, 1)
_MOST_LEFT = 2  # words that may say what rows are and do, beside all that is read of a question over tables
SMALL_PART = 0.5
"""Share of the telling words below which a plan is about something that the question only mentions."""
_ENDS = text_terms(" ".join(ASKED["high"] | ASKED["low"]))
_SAID = (Operator.EQUAL, Operator.IN, Operator.CONTAINS)
_ASKING = frozenset().union(*ASKED.values())
_BEFORE_VERBS = word_list("asking", "auxiliaries") | ASKED["which"]
NEGATIVE = word_list("checks", "negative")
IDLE = frozenset(
    word.replace("'", "")
    for word in word_list("carriers", "learnt")
    | word_list("asking", "instructions", "auxiliaries")
    | word_list("reading", "verbs", "having")
    | word_list("checks", "negative", "idle")
    | _ASKING.union(*COMPARING.values(), ("one", "ones"))
)
"""Words that ask for nothing by themselves, or for what another check looks for."""


def is_said(figure: SaidNumber, context: CheckContext) -> bool:
    """True where a number of the question is in the plan, in another unit perhaps, or counts nothing."""
    if figure.values & context.planned or figure.values == {Decimal(1)}:
        return True
    if any((context.values | context.called).intersection(context.words[n].terms) for n in figure.at):
        return True
    own = {context.folded[at] for at in figure.at}
    scattered = (each for each in context.pieces if not each.at and own <= {*each.words.casefold().split()})
    at_it = (piece for at in figure.at for piece in context.inside(at))
    return any(_takes(piece, figure, context) for piece in (*at_it, *scattered))


def _takes(piece: ReadPiece, figure: SaidNumber, context: CheckContext) -> bool:
    part = piece.part
    if not isinstance(part, ReadCondition) or not part.values or part.values[0].startswith("$"):
        return True
    kind = context.type_of(part.field.name)
    return (
        kind is FieldType.DATE
        or (kind in _UNITED and _is_converted(figure.values, numbers_in(part.values)))
        or any(_is_amount_said(value, piece, kind) for value in part.values)
    )


def _is_amount_said(value: str, piece: ReadPiece, kind: FieldType | None) -> bool:
    """True of an amount that the words of a condition come to: "half a million"."""
    said = amounts_in(piece.words, kind, "") if kind in (FieldType.MONEY, FieldType.NUMBER) else ()
    return bool(numbers_in((value,)) & numbers_in(said))


def _is_converted(some: Iterable[Decimal], others: Iterable[Decimal]) -> bool:
    return any(max(a, b) / min(a, b) in _RATIOS for a in some for b in others if a and b)


def lost_figures(context: CheckContext) -> Problems:
    """Numbers and quoted words of the question that the plan does not say."""
    for figure in context.figures:
        if not is_said(figure, context):
            words = [context.words[at] for at in figure.at]
            yield left_out("lost_figure", context.reading.question[words[0].start : words[-1].end])
    named = text_terms(" ".join(p.words for p in context.pieces if isinstance(p.part, ReadName)))
    said = context.values | context.called | context.kinds | named
    quoted = (match[1] for match in _QUOTED.finditer(context.reading.question))
    yield from (left_out("lost_name", each) for each in quoted if not text_terms(each) <= said)


def invented_values(context: CheckContext) -> Problems:
    """Values of conditions that the question does not say, limits of orders, conditions put in by hand."""
    for piece, part in context.conditions:
        kind = context.type_of(part.field.name)
        if kind is None or part.field.part == "unit" or part.op is Operator.MATCHES:
            continue
        for value in (each for each in part.values if not each.startswith("$")):
            severity = _invention(value, part, piece, kind, context)
            if severity is not None:
                said = f"The question says nothing of “{value}”."
                step = "Use only values that the question says, or leave the condition out."
                yield CheckProblem("invented_value", said, step, piece.words, severity)
    asked = context.asked
    for order in (piece.part for piece in context.pieces if isinstance(piece.part, ReadOrder)):
        ends = {Decimal(order.skip + 1), Decimal(order.skip + order.limit)}
        is_counted = order.limit < 2 or Decimal(order.limit) in asked or (order.skip and ends <= asked)
        is_skipped = order.skip < 2 or {Decimal(order.skip), Decimal(order.skip + 1)} & asked
        if not (is_counted or ASKED["some"].intersection(context.folded)) or not is_skipped:
            said = f"The question asks for no {order.limit or order.skip:,} of an order."
            yield CheckProblem("invented_limit", said, "Use the number that it says, or none.", order.words)


def _invention(
    value: str, part: ReadCondition, piece: ReadPiece, kind: FieldType, context: CheckContext
) -> Severity | None:
    """How much it matters that the question does not say a value; None where it does."""
    if kind is FieldType.DATE:
        return None if _is_day_said(value, piece, context) else Severity.REFUSES
    if kind not in TEXTS and kind is not FieldType.PARTY:
        numbers, asked = numbers_in((value,)), context.asked
        is_known = not numbers or numbers & asked or (kind in _UNITED and _is_converted(numbers, asked))
        is_known = is_known or _is_amount_said(value, piece, kind)
        is_known = is_known or (context.reading.by == "model" and numbers == {Decimal(0)})  # "is behind"
        return None if is_known else Severity.REFUSES
    wanted = text_terms(value.replace("_", " "))
    place = canonical_place(value) or value
    if not wanted or wanted & context.terms or _is_likened(value, context):
        return None
    if any(each.name == place for each in find_places(context.reading.question)):
        return None
    if any(canonical_place(each) == place for each in piece.words.split()):  # "swiss law"
        return None
    entry = context.field(part.field.name)
    is_named = isinstance(entry, ColumnEntry) and vocabulary(entry) & text_terms(piece.words)
    if is_named and isinstance(entry, ColumnEntry) and entry.affirmed:
        return None  # "is it paid", of a column "Paid?"
    cells = entry.texts if isinstance(entry, ColumnEntry) and context.reading.by == "model" else ()
    if piece.at and any(value.casefold() in each.casefold() for each in cells):
        return Severity.DOUBTS  # "Y" of those who said yes
    options = entry.options if isinstance(entry, FieldEntry) else ()
    others = (each for each in options if each != value.casefold())
    is_other = any(text_terms(each.replace("_", " ")) <= text_terms(piece.words) for each in others)
    is_option = value.casefold().replace(" ", "_") in options and piece.at and not is_other
    return Severity.DOUBTS if is_option else Severity.REFUSES


def _is_day_said(value: str, piece: ReadPiece, context: CheckContext) -> bool:
    """True where a day or a period may be what the question says; one relative to today may be any."""
    if not value[:4].isdigit():
        return True
    known = read_value(context.plan.today, FieldType.DATE)
    today = date.fromisoformat(known.text) if known is not None and not known.special else _ANY_DAY
    said = {word.text.lstrip("0") for word in context.words}
    year, month, day = (*(each.lstrip("0") for each in value.split("-")), "", "", "")[:3]
    named = {str(month_number(word.text) or "") for word in context.words}
    if day and {year, day} <= said and month in named:
        return True  # "between 1 and 15 September 2023"
    for text in (piece.words, context.reading.question):
        start = context.catalogue.accounting.fiscal_month
        found = find_periods(text, today, is_dated=True, fiscal_month=start)
        if found:
            periods = [period for each in found for period in (each.period, each.base)]
            ends = [day for each in periods for day in (each.first, each.last) if day is not None]
            near = {(d + timedelta(days=n)).isoformat() for d in ends for n in (-1, 0, 1)}
            wanted = value[:4] if "q" in value.casefold() else value
            is_relative = any(each.period.is_relative for each in found)
            return is_relative or any(each.startswith(wanted) for each in near)
    return any(word.folded in _RELATIVE or month_number(word.text) for word in context.words)


def _is_likened(value: str, context: CheckContext) -> bool:
    """True where the question has a word that begins alike, or the first letters of the value's words."""
    parts = [each for each in value.casefold().replace("-", " ").split() if each.isalpha()]
    initials = "".join(each[0] for each in parts if each not in ("of", "and", "the"))
    alike = any(len(each) > 4 and word[:4] == each[:4] for each in parts for word in context.folded)
    return alike or (len(initials) > 1 and initials in context.folded)


def lost_words(context: CheckContext) -> Problems:
    """Words with content that are in no part of the plan; refused where most of them are.

    Of a model's reading of tables those that name something count: cells and columns are called by codes.
    """
    lost = _lost(context)
    doubtful = [at for at in lost if context.reading.by == "model" and not _names_something(context, at)]
    grave = [at for at in lost if at not in doubtful]
    yield from (left_out("lost_words", phrase) for phrase in _phrases(context, grave))
    for phrase in _phrases(context, doubtful):
        yield replace(left_out("lost_words", phrase), severity=Severity.DOUBTS)
    words = ((at, word) for at, word in enumerate(context.words) if word.terms)
    telling = {at for at, word in words if word.folded not in IDLE or any(context.inside(at))}
    missed = len(telling & set(grave if context.tables else lost))
    if missed > 1 and missed > (1 - SMALL_PART) * len(telling):
        left = ", ".join(_phrases(context, lost))
        text = f"The question is about more than this: nothing in the plan says {left}."
        step = "Add what these words ask for, or search the text for it (operation text)."
        yield CheckProblem("small_part", text, step, left)


def _lost(context: CheckContext) -> list[int]:
    """The numbers of the words that nothing says."""
    is_of_days = {FieldType.DATE, FieldType.DURATION} & {each.type for each in context.fields.values()}
    days = (w.text for w in context.words if month_number(w.text) or w.folded in _RELATIVE)
    said = context.values | context.called | context.kinds | text_terms(" ".join(days if is_of_days else ()))
    # Words that a reader gives otherwise than they stand, and those that ask for nothing.
    loose = [each.words for each in context.pieces if not each.at]
    loose += [text for step in context.reading.all_steps for text in (step.text, *step.labels)]
    loose += context.reading.aside if context.reading.by == "trained" else ()
    accounted = said | text_terms(" ".join(loose))
    lost = [at for at in range(len(context.words)) if not _is_accounted(context, at, accounted)]
    if not context.is_of_tables:
        return lost
    own = {word for each in context.reading.uncovered for word in each.casefold().split()} - _ASKING
    free = {at: word for at, word in enumerate(context.words) if not any(context.inside(at))}
    left = [at for at, word in free.items() if word.folded in own and said.isdisjoint(word.terms)]
    other = [at for at, word in free.items() if context.other_tables.intersection(word.terms)]
    is_added = any(not each.words for step in context.reading.all_steps for each in step.asked)
    is_counted = any(at and context.folded[at - 1] == "many" for at in left)
    if other or len(left) > (0 if is_added and is_counted else _MOST_LEFT):
        return sorted({*lost, *other, *left})
    return [] if _are_of_rows(context, lost) else lost


def _are_of_rows(context: CheckContext, lost: list[int]) -> bool:
    """True where all that is left says what rows are, or what they do: "how many [singers] are tenors".

    At most the noun before all that is said of them, and one verb. Of tables alone, where it is nothing else.
    """
    said = [at for at in range(len(context.words)) if any(context.inside(at))]
    steps = context.reading.all_steps
    is_called = any(context.tables.intersection(word.terms) for word in context.words)
    is_counted = any(
        step.operation is Operation.COUNT or (step.function is Function.COUNT and not is_called)
        for step in steps
    )
    if lost and is_counted and context.called_files(2):
        return False  # of several tables, nothing says that these are counted
    rest = [at for at in lost if said and (at > said[0] or at != lost[0])]
    before = context.folded[rest[0] - 1] if rest and rest[0] else ""
    is_verb = len(rest) == 1 and (rest[0] - 1 in said or before in _BEFORE_VERBS)
    columns = {each.name.casefold() for each in context.columns}
    return bool(said) and (not rest or (is_verb and context.folded[rest[0]] not in columns))


def _is_accounted(context: CheckContext, at: int, said: frozenset[str]) -> bool:
    word = context.words[at]
    if not word.terms or word.folded in IDLE or any(context.inside(at)):
        return True
    if word.terms[0] in said or (len(word.terms) > 1 and said.issuperset(word.terms[1:])):
        return True
    figure = next((each for each in context.figures if at in each.at), None)
    return figure is not None and is_said(figure, context)


def _names_something(context: CheckContext, at: int) -> bool:
    """True of a name, a figure, or a word for a field, a column or a value beside those of the plan.

    A model says itself which words it leaves out, so that another one lost raises a doubt, and no more.
    """
    word = context.words[at]
    if any(char.isdigit() for char in word.text) or (at and word.text[:1].isupper()):
        return True
    term, catalogue = word.terms[0], context.catalogue
    schemas = filter(None, map(catalogue.schema, context.schemas))
    if any(term in vocabulary(each) for schema in schemas for each in schema.fields):
        return True
    texts = [" ".join((each.name, *each.texts)) for each in context.columns]
    texts += [each.text for each in catalogue.values if each.schema in context.schemas]
    return any(word.folded in text.casefold() and term in text_terms(text) for text in texts)


def _phrases(context: CheckContext, numbers: Iterable[int]) -> tuple[str, ...]:
    """Words of the question by their numbers, those beside each other as one."""
    runs: list[tuple[int, int]] = []
    for at in numbers:
        is_beside = runs and runs[-1][1] == at - 1
        runs.append((runs.pop()[0] if is_beside else at, at))
    words, question = context.words, context.reading.question
    return tuple(question[words[first].start : words[last].end] for first, last in runs)


def is_idle(text: str, context: CheckContext) -> bool:
    """True where words that a reader did not take ask for nothing, or name fields and tables."""
    own = {each.casefold().strip(",;:?!.()") for each in text.split()}
    mine = {at: word for at, word in enumerate(context.words) if word.folded in own}
    said = context.called if text in context.reading.uncovered else frozenset()
    idle = IDLE - {word.folded for at, word in mine.items() if at in context.kinds_at}
    if mine and all(not w.terms or w.folded in idle or w.terms[0] in said for w in mine.values()):
        return True
    lost = _lost(context) if context.tables else range(len(context.words))
    numbers = [at for at in mine if not any(context.inside(at))]
    return bool(numbers) and not any(at in lost for at in numbers)


def lost_inside(context: CheckContext) -> Problems:
    """Comparisons of what has an amount or a day, kinds of other documents, names of columns and cells."""
    said = context.values | context.called
    others = {at for at, kind in context.kinds_at.items() if kind not in context.schemas}
    for piece, part in context.conditions:
        schema = context.catalogue.schema(part.field.schema_name)
        ordered = [each for each in schema.fields if each.type in ORDERED] if schema is not None else []
        titles = [text_terms(each.title) for each in ordered if not (part.values or part.of_field)]
        for at in piece.at:
            word, before = context.words[at], text_terms(" ".join(context.folded[piece.at.start : at]))
            if word.folded in COMPARING["strict"] and any(each <= before for each in titles):
                yield left_out("lost_comparison", word.text)
            elif at in others and said.isdisjoint(word.terms):
                yield left_out("lost_kind", word.text)
            elif at - 1 in piece.at and context.folded[at - 1] in NEGATIVE and not part.values:
                own = vocabulary(context.field(part.field.name))
                fields = schema.fields if schema is not None else ()
                others_own = text_terms(" ".join(e.title for e in fields if e.type is not FieldType.DATE))
                if own.isdisjoint(word.terms) and others_own.intersection(word.terms):
                    yield left_out("lost_negation", f"{context.words[at - 1].text} {word.text}")
    subject = min(context.kinds_at, default=-1)  # "how many manuals were signed", of contracts
    is_kind_said = context.kinds.intersection(context.words[subject].terms) if subject in others else True
    if context.schemas and not is_kind_said and said.isdisjoint(context.words[subject].terms):
        yield left_out("lost_kind", context.words[subject].text)
    for word in context.words:
        if context.cells.intersection(word.terms) and not said.intersection(word.terms):
            yield left_out("lost_words", word.text)


def unstated_values(context: CheckContext) -> Problems:
    """Texts that a condition asks for and no document or cell states, as far as anything is known of it."""
    for each in context.tested:
        entry = context.field(each.field)
        if entry is None or entry.type not in (FieldType.TEXT, FieldType.ENUM) or each.op not in _SAID:
            continue
        target = target_of(entry, context.catalogue)
        for text in each.texts if target.is_whole or isinstance(entry, FieldEntry) else ():
            if not canonical_place(text) and not any(
                text.casefold() in one.casefold() for one in target.texts
            ):
                said = f"Nothing states “{text}” as {target.title}."
                yield CheckProblem("unstated_value", said, "Search the text for it.", text, Severity.DOUBTS)


def uncalled_fields(context: CheckContext) -> Problems:
    """Fields that are asked for by words which call none so, and groups of which no figure is asked.

    "Who has the most contracts" orders by no field: the word is that of the documents.
    """
    nouns = text_terms(" ".join(context.words[at].text for at in context.kinds_at))
    for step in context.reading.all_steps if context.reading.by == "trained" else ():
        order = step.order
        field = order.field if order is not None else None
        own = text_terms(field.words or order.words) - _ENDS if order is not None and field else frozenset()
        if order is not None and own and own <= nouns:
            yield left_out("uncalled_field", order.words)
        for each in step.asked:
            entry = context.field(each.name)
            if entry is not None and each.words and not vocabulary(entry) & text_terms(each.words):
                said = f"Nothing is called “{each.words}”; {each.name} is the nearest."
                yield CheckProblem("uncalled_field", said, words=each.words, severity=Severity.DOUBTS)
        if step.groups and step.function is Function.NONE and not (step.asked or step.order):
            said = "Nothing is said of what each group comes to, so that they are counted."
            yield CheckProblem("uncalled_figure", said, severity=Severity.DOUBTS)
