"""Words inside the parts of a reading that say more than these do, and values that nothing states."""

from __future__ import annotations

from core.domain.fields import ORDERED, FieldType
from core.domain.predicate import Operator
from core.plan.catalogue import FieldEntry
from core.plan.check.context import ASKED, COMPARING, CheckContext, vocabulary
from core.plan.check.problem import CheckProblem, Problems, Severity, left_out
from core.plan.compile.values import target_of
from core.plan.reading import Function
from core.text.analyse import text_terms
from core.values.places import canonical_place

_ENDS = text_terms(" ".join(ASKED["high"] | ASKED["low"]))
_SAID = (Operator.EQUAL, Operator.IN, Operator.CONTAINS)


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
