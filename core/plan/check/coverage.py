"""Words of a question that nothing of its plan takes, or parts that say less than their words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.check.context import (
    ASKED,
    COMPARING,
    CheckContext,
    CheckProblem,
    Problems,
    Severity,
    left_out,
    vocabulary,
)
from core.plan.check.figures import is_said
from core.plan.compile.values import target_of
from core.plan.reading import Function, Operation
from core.text.analyse import text_terms
from core.text.words import word_list
from core.values.dates import month_number
from core.values.places import canonical_place

_MOST_LEFT = 2  # words that may say what rows are and do, beside all that is read of a question over tables
SMALL_PART = 0.5
"""Share of the telling words below which a plan is about something that the question only mentions."""

_ENDS = text_terms(" ".join(ASKED["high"] | ASKED["low"]))
_SAID = (Operator.EQUAL, Operator.IN, Operator.CONTAINS)
_ASKING = frozenset().union(*ASKED.values())
_BEFORE_VERBS = word_list("asking", "auxiliaries") | ASKED["which"]
_RELATIVE = word_list("checks", "relative")
IDLE = frozenset(
    word.replace("'", "")
    for word in word_list("carriers", "learnt")
    | word_list("asking", "instructions", "auxiliaries")
    | word_list("reading", "verbs", "having")
    | word_list("checks", "negative", "idle")
    | _ASKING.union(*COMPARING.values(), ("one", "ones"))
)
"""Words that ask for nothing by themselves, or for what another check looks for."""


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
    return bool(said) and (not rest or is_verb)


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
