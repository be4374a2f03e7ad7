"""The one checker: judges any plan against its question, and asks which one is meant where nothing says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.domain.answer import Attempt, Route
from core.domain.fields import FieldType
from core.encode.base import TokenCounter
from core.plan.catalogue import Catalogue, DocumentEntry, FieldEntry
from core.plan.check.context import ASKED, CheckContext, CheckProblem, Problems, Severity, vocabulary
from core.plan.check.coverage import (
    IDLE,
    invented_values,
    is_idle,
    lost_figures,
    lost_inside,
    lost_words,
    uncalled_fields,
    unstated_values,
)
from core.plan.check.polarity import (
    carried_negation,
    contradictions,
    lost_denial,
    lost_negation,
    turned_comparison,
    unsaid_conditions,
    unsaid_negation,
    wrong_work,
)
from core.plan.clarify import MOST_OFFERED, Clarify, Option, option_for, options_of, which_document
from core.plan.compile.names import parties_named, plain_word
from core.plan.ir.nodes import ComputationNode, Join, Note, Plan, ScopedNode
from core.plan.ir.validate import validate
from core.plan.kinds import kind_names
from core.plan.names.index import NameIndex, NamePlace, names_of
from core.plan.names.resolve import NameDecision, resolve
from core.plan.reading import Operation, ReadCondition, ReadField, Reading, ReadName
from core.text.analyse import STOP_WORDS, content_terms, text_terms
from core.text.asking import points_at_several
from core.text.nouns import is_plural
from core.values.dates import month_number
from core.values.naming.words import folded

_SURE_OF_NAME = 0.5
_LEAST_STEM = 5  # letters that two words of one stem share
_LEAST_ALIKE = 3  # fields that are called by a word, from which on it may mean any of them
_OF_ONE = (Operation.LOOKUP, Operation.CHECK)
_OF_VERBS = ("ed", "ing", "ly")
_MOST_OF_NAME = 3  # words of what may be no field's name: "bonus upon termination"
_TELLING = ASKED["high"] | ASKED["low"] | ASKED["which"]
_DEFINITE = ("the", "this", "that", "our", "my")
__all__ = ["CheckProblem", "PlanVerdict", "Severity", "asked_back", "check"]
LEAST_PROBABLE = 0.35
"""Probability from which on a reading of the trained reader may stand as the answer."""
LEAST_OFFERED = 0.1
"""The same, to be offered beside an answer from the text."""
DOUBTFUL = 0.6
"""Confidence above which no note of a plan is that leaves words out, or is doubted."""
_UNSURE = "It is not sure enough that the question is read rightly."


def which_meant(plan: Plan, reading: Reading, catalogue: Catalogue) -> Clarify | None:
    """Asks which document is meant by a noun of which nothing is asked, or by a name that several have."""
    if reading.operation not in _OF_ONE or reading.by != "trained":
        return None
    question = reading.question
    if plan.single and not (reading.asked or reading.conditions):
        found = [each for each in catalogue.documents if each.schema == reading.kind]
        return which_document(question, plan.single, found, reading.kind) if len(found) > 1 else None
    for name in reading.of_role("document"):
        alike = [] if name.documents or name.negated else _titled_whole(name.words, reading.kind, catalogue)
        if len(alike) > 1:
            return which_document(question, name.words, alike)
    return None


def nothing_in_hand(
    planned: Plan | Clarify, reading: Reading, catalogue: Catalogue, *, goes_on: bool
) -> Clarify | None:
    """Asks what a question is about that goes on from something, where nothing is in hand.

    Offered are the documents that may be meant, where one value is asked for, and the plan over all of them.
    goes_on: it is read as such a question.
    """
    is_bare = not (reading.names or reading.conditions or reading.asked or reading.steps)
    plan = planned if isinstance(planned, Plan) and planned.route is Route.STRUCTURED else None
    kinds = kind_names(catalogue).find(reading.question)
    before = reading.question[: kinds[0].start].split()[-1:] if kinds else []
    is_pointed = any(map(points_at_several, before))  # "these contracts"
    is_open = plan is not None and (is_pointed or (goes_on and _is_open(reading, catalogue)))
    if isinstance(planned, Clarify) or not (is_open or (is_bare and reading.operation is Operation.COMPARE)):
        return None
    question, words = reading.question, reading.asked[0].words if reading.asked else ""
    found = [each for each in catalogue.documents if reading.kind and each.schema == reading.kind]
    is_of_one = reading.operation in _OF_ONE and words in question and words
    options = options_of(question, words, found, joined=f"{words} of ") if is_of_one else ()
    every = (Option(label="all of them", question=question, plan=plan),) if plan is not None else ()
    return Clarify(
        type="vague",
        question=question,
        phrase=words,
        reason="This goes on from something that is not in hand. What is it about?",
        options=(*options[: MOST_OFFERED - 1], *every),
    )


def _is_open(reading: Reading, catalogue: Catalogue) -> bool:
    """True where words point at several, or nothing but a value or a figure is named, and not of what."""
    if points_at_several(reading.question):
        return True
    asked = " ".join(each.words for each in reading.asked)
    kinds = kind_names(catalogue).find(reading.question)
    nouns = [reading.question[each.start : each.end] for each in kinds if each.kind.schema]
    is_told = bool(reading.names) or (bool(reading.conditions) and reading.operation is not Operation.CHECK)
    is_said = is_told or reading.is_rows or any(each not in asked for each in nouns)
    is_figure = not {*map(plain_word, asked.split())} - IDLE  # "the total"
    return not is_said and (reading.operation in _OF_ONE or is_figure)


def _fields_said(reading: Reading) -> Iterator[tuple[ReadField, bool]]:
    """The fields by whose words something is asked of the trained reader; True for that of an order."""
    if reading.by == "trained":
        order = reading.order.field if reading.order is not None else None
        yield from ((each, each == order) for each in reading.asked)
        yield from ((order, True),) if order is not None else ()
        yield from ((each.field, each.field == order) for each in reading.conditions if not each.values)


def which_field(reading: Reading, catalogue: Catalogue) -> Clarify | None:
    """Asks which field is meant by a word that many fields have in their titles, and none for its title.

    "Date" of contracts that are signed, start and end on days.
    """
    for each, _ in _fields_said(reading):
        schema, terms = catalogue.schema(each.schema_name), text_terms(each.words)
        fields = schema.fields if schema is not None and len(terms) == 1 else ()
        alike = [entry for entry in fields if terms < text_terms(entry.title)]
        if len(alike) >= _LEAST_ALIKE and not any(terms == text_terms(entry.title) for entry in fields):
            return Clarify(
                type="several_meanings",
                question=reading.question,
                phrase=each.words,
                reason=f"“{each.words}” may mean several things here. Which of them?",
                options=tuple(_option(reading, each.words, entry) for entry in alike[:MOST_OFFERED]),
            )
    return None


def unknown_attribute(reading: Reading, catalogue: Catalogue) -> Clarify | None:
    """Says that nothing is called by what is asked for, though a word of it is that of a field.

    "Rent holiday": two words, of which the field of the reading has one, and no field of its kind the other;
    or the one word of an order. Of documents, the field is offered; of anything else, what is asked for is
    absent.
    """
    for each, is_ordered in _fields_said(reading):
        schema = catalogue.schema(each.schema_name)
        entry = schema.field(each.name) if schema is not None else None
        words = [word for word in map(plain_word, each.words.split()) if word not in IDLE]
        words = [word for word in words if content_terms(word)]
        is_told = bool(_TELLING.intersection(each.words.casefold().split())) or "'" in each.words
        is_long = len(each.words.split()) > _MOST_OF_NAME or len(words) != 2 - is_ordered
        if schema is None or entry is None or is_long or is_told:
            continue
        known = frozenset(term for field in schema.fields for term in vocabulary(field))
        strange = [word for word in words if not text_terms(word) & known and not word.endswith(_OF_VERBS)]
        is_near = is_ordered or bool(text_terms(" ".join(words)) & vocabulary(entry))
        if len(strange) == 1 and is_near:
            return _not_called(each.words, entry, reading, catalogue)
    return None


def _option(reading: Reading, words: str, entry: FieldEntry) -> Option:
    return option_for(reading.question, words, entry.title.lower(), entry.documents)


def _not_called(words: str, entry: FieldEntry, reading: Reading, catalogue: Catalogue) -> Clarify:
    is_of_documents = any(each.kind.schema for each in kind_names(catalogue).find(reading.question))
    return Clarify(
        type="no_match" if is_of_documents else "absent",
        question=reading.question,
        phrase=words,
        attempts=(Attempt(tool="fields", args={"name": words}, hits=0),),
        reason=f"No field is called “{words}”." + (" Do you mean this?" if is_of_documents else ""),
        options=(_option(reading, words, entry),) if is_of_documents else (),
    )


def _titled_whole(words: str, schema: str, catalogue: Catalogue) -> list[DocumentEntry]:
    """The documents of a schema that are titled so; where none is, those with all words in their titles."""
    said = [each for each in map(plain_word, words.split()) if each not in STOP_WORDS]
    if not said or is_plural(said[-1]):
        return []
    telling = _telling(said, words, catalogue)
    found = [each for each in titled_all(words, catalogue) if each.schema == schema]
    exact = [each for each in found if [*map(plain_word, each.title.split())] in (said, telling)]
    return exact or found


def titled_all(words: str, catalogue: Catalogue) -> list[DocumentEntry]:
    """The documents that have all words of a name, but for their kinds, in their own titles or files."""
    index = names_of(catalogue)
    said = [each for each in map(plain_word, words.split()) if each not in STOP_WORDS]
    held = [_titled(word, index) for word in _telling(said, words, catalogue)]
    return [index.entries[row] for row in sorted(set.intersection(*held))] if held else []


def _telling(said: list[str], words: str, catalogue: Catalogue) -> list[str]:
    kinds = {words[each.start : each.end].casefold() for each in kind_names(catalogue).find(words)}
    return [each for each in said if each not in kinds] or said


def _titled(word: str, index: NameIndex) -> set[int]:
    rows, places = index.holders(folded(word).replace("-", ""))
    return {int(row) for row, at in zip(rows, places, strict=True) if at & (NamePlace.FILE | NamePlace.TITLE)}


def single(context: CheckContext) -> str:
    """The words that mean one document of several; "" where something says which, or all are meant."""
    reading = context.reading
    if reading.operation not in _OF_ONE or reading.within or reading.steps:
        return ""
    if any(isinstance(node, ScopedNode) and node.scope.documents for node in context.plan.nodes):
        return ""
    for piece in context.pieces:
        is_name = isinstance(piece.part, ReadName) and piece.part.role != "kind"
        if is_name or (isinstance(piece.part, ReadCondition) and piece.part.values):
            return ""
    question = reading.question
    for found in kind_names(context.catalogue).find(question):
        noun = question[found.start : found.end]
        before = next((w for w in reversed(context.words) if w.end <= found.start), None)
        if before is not None and before.folded in _DEFINITE and not is_plural(noun.casefold()):
            return f"{before.text.lower()} {noun}"
    return ""


def uncalled(reading: Reading, catalogue: Catalogue, counter: TokenCounter | None = None) -> str:
    """Words of a name that no document has which it may mean; "" where all are held.

    Codes and words in capitals tell documents apart ("the AS-700", "the Contoso lease"); others may describe.
    """
    index = names_of(catalogue)
    for step in reading.all_steps:
        for name in step.of_role("document"):
            if name.documents or name.described or name.negated:
                continue
            found = resolve(name.words, index, schemas=(step.kind,) if step.kind else (), counter=counter)
            if found.decision is NameDecision.NONE:
                found = resolve(name.words, index, counter=counter)
            if found.decision is NameDecision.NONE:
                continue
            lost = [_whole(name.words, start, end) for start, end in found.unheld]
            telling = [w for w in dict.fromkeys(lost) if w[:1].isupper() or any(map(str.isdigit, w))]
            if telling:
                return " ".join(telling)
    return ""


def is_called_so(context: CheckContext) -> bool:
    """True where each field is called by its own name, and its words say nothing else but values.

    Never of rows of two tables: that these go together is one thing more that has to be sure.
    """
    if any(isinstance(each, Join) for each in context.plan.nodes):
        return False
    parts = [(each.part, each.words) for each in context.pieces]
    is_named = all(p.probability >= _SURE_OF_NAME for p, _ in parts if isinstance(p, ReadName))
    fields = [(each.field if isinstance(each, ReadCondition) else each, words) for each, words in parts]
    own = [(each, words) for each, words in fields if isinstance(each, ReadField)]
    return is_named and bool(own) and all(_calls(each, words, context) for each, words in own)


def _calls(read: ReadField, words: str, context: CheckContext) -> bool:
    entry = context.field(read.name)
    known, said = vocabulary(entry), text_terms(words)
    stems = {each[:_LEAST_STEM] for each in known if len(each) >= _LEAST_STEM}  # "supplied", "supplier"
    called = {term for term in said if term in known or term[:_LEAST_STEM] in stems}
    if entry is not None and entry.type is FieldType.PARTY and not called:
        return bool(parties_named(words, context.catalogue))
    values = [value for _, part in context.conditions if part.words == words for value in part.values]
    idle = [word for word in words.split() if word.strip(".,;").casefold() in IDLE]
    rest = said - called - text_terms(" ".join((*values, *idle))) - context.values
    return bool(called) and not any(term.isalpha() and not month_number(term) for term in rest)


def _whole(text: str, start: int, end: int) -> str:
    """The word, between blanks, in which a place is."""
    first = text.rfind(" ", 0, start) + 1
    last = text.find(" ", end)
    return text[first : last if last >= 0 else len(text)].removesuffix("'s").removesuffix("’s")


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """Judgement of a plan. plan: with the words that it leaves out; None where it is refused.

    problems: the gravest first. answers: it may stand as the answer; is_offered: it is worth offering beside
    an answer from the text.
    """

    plan: Plan | None
    problems: tuple[CheckProblem, ...]
    answers: bool = False
    is_offered: bool = False


def check(
    plan: Plan, reading: Reading, catalogue: Catalogue, earlier: tuple[Reading, ...] = ()
) -> PlanVerdict:
    """The judgement of a plan that was compiled of a reading, over what the asker may see.

    earlier: readings of the turns before, whose parts the question need not say again.
    """
    broken = tuple(
        CheckProblem("cannot_run", each.message, each.next_step) for each in validate(plan, catalogue)
    )
    if broken:
        return PlanVerdict(None, broken)
    if any(each.operation is Operation.QUERY for each in reading.all_steps):
        return PlanVerdict(plan, (), answers=True, is_offered=True)  # which words its SQL takes is not said
    context = CheckContext(plan, reading, catalogue, earlier)
    order = list(Severity)
    found = dict.fromkeys(problem for each in _CHECKS for problem in each(context))
    problems = tuple(sorted(found, key=lambda each: order.index(each.severity)))
    if any(each.severity is Severity.REFUSES for each in problems):
        return PlanVerdict(None, problems)
    judged = _judged(context, problems)
    is_trained = reading.by == "trained"
    is_probable = not is_trained or reading.probability >= LEAST_PROBABLE or is_called_so(context)
    is_figure = context.is_of_tables and isinstance(plan.node(plan.answer_node or ""), ComputationNode)
    least = LEAST_PROBABLE if is_figure else LEAST_OFFERED
    return PlanVerdict(
        judged,
        problems,
        answers=is_probable and not (is_trained and judged.uncovered),
        is_offered=not is_trained or reading.probability >= least,
    )


_CHECKS: tuple[Callable[[CheckContext], Problems], ...] = (
    lost_negation,
    turned_comparison,
    contradictions,
    invented_values,
    unsaid_conditions,
    wrong_work,
    lost_words,
    lost_figures,
    lost_inside,
    unstated_values,
    uncalled_fields,
    unsaid_negation,
    lost_denial,
    carried_negation,
)


def asked_back(reading: Reading) -> Clarify | None:
    """The question back that a reader wants asked; None where all is clear."""
    if reading.doubt is None:
        return None
    options = tuple(Option(label=each, question=each) for each in reading.doubt.options)
    return Clarify(
        type="several_meanings" if options else "vague",
        question=reading.question,
        reason=reading.doubt.reason,
        phrase=reading.doubt.words,
        options=options,
    )


def _judged(context: CheckContext, problems: tuple[CheckProblem, ...]) -> Plan:
    """The plan with the words that it leaves out, and no surer than its problems allow."""
    left = (each.words for each in problems if each.severity is Severity.LEAVES_OUT)
    known = (each for each in context.plan.uncovered if not is_idle(each, context))
    uncovered: list[str] = []
    for words in dict.fromkeys((*left, *known)):
        if words and not any(f" {words} ".casefold() in f" {each} ".casefold() for each in uncovered):
            uncovered.append(words)
    notes = context.plan.notes
    is_trained, sure = context.reading.by == "trained", context.reading.probability
    if problems:
        most = LEAST_PROBABLE if is_trained else DOUBTFUL
        notes = tuple(n.model_copy(update={"confidence": min(n.confidence, most)}) for n in notes)
    if is_trained and sure < LEAST_PROBABLE:
        notes = (*notes, Note(phrase="", reading=_UNSURE, confidence=sure))
    one = context.plan.single or single(context)
    return context.plan.model_copy(update={"uncovered": tuple(uncovered), "notes": notes, "single": one})
