"""Questions marked by a person: which words say what, kept as phrases and plans that were taught.

The first marking, before anybody changes it, is how the question was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pydantic import ConfigDict, Field

from core.config.fields import LONGEST_PHRASE
from core.domain.fields import AMOUNTS, ORDERED, FieldType
from core.domain.frozen import Frozen
from core.errors import UsageError
from core.plan.catalogue import Catalogue, FieldEntry, SchemaEntry
from core.plan.check.context import ASKED, COMPARING, vocabulary
from core.plan.check.polarity import is_negative
from core.plan.clarify import AskBackError
from core.plan.compile.compiler import compile_reading
from core.plan.compile.context import CompileContext, ReadingError
from core.plan.compile.values import target_of
from core.plan.ir.nodes import Plan
from core.plan.ir.validate import validate
from core.plan.kinds import elected, kind_names
from core.plan.readers.trained.condition_values import content_words
from core.plan.readers.trained.reading import (
    NAMING,
    FieldLink,
    Operation,
    QuestionReading,
    ReadSpan,
    SpanRole,
)
from core.plan.readers.trained.to_reading import reading_of
from core.plan.reading import Reading
from core.plan.text_plan import text_plan
from core.search.classify import classify
from core.text.analyse import STOP_WORDS, text_terms
from core.text.words import word_list
from core.values.dates import month_number
from core.values.money import currency_of
from core.values.numbers import parse_cardinal
from core.values.places import canonical_place
from core.values.units import canonical_unit

MARKS: dict[str, tuple[SpanRole, bool]] = {
    "+": (SpanRole.CONDITION, False),
    "-": (SpanRole.CONDITION, True),
    "=": (SpanRole.VALUE, False),
    "!": (SpanRole.VALUE, True),
    "?": (SpanRole.ASKED, False),
    "by": (SpanRole.GROUP, False),
    "order": (SpanRole.ORDER, False),
    "doc": (SpanRole.DOCUMENT, False),
    "party": (SpanRole.PARTY, False),
    "kind": (SpanRole.KIND, False),
    "limit": (SpanRole.LIMIT, False),
    "nth": (SpanRole.NTH, False),
    "skip": (SpanRole.SKIP, False),
}
"""Marks with the part and the polarity that they say."""
SIGNS = {"=": "=", ">": ">", ">=": ">=", "<": "<", "<=": "<=", "between": "..", "contains": "="}
"""Signs of a value's comparison in its mark; "=" also where nothing is known of it."""
_PLAIN = str.maketrans({"[": "(", "]": ")", "{": "(", "}": ")", "\t": " ", "\n": " ", "\r": " "})
_SIGNS = {said: mark for mark, said in MARKS.items()}
MOST_MARKS = 20
_SPLIT = str.maketrans("|\t\n[]{}", "/  ()()")
MOST_WORDS = 16
_COMPARING = frozenset[str]().union(*COMPARING.values())
_FRAMES = _COMPARING | word_list("checks", "negative")
"""Words around a phrase that say something of their own in any question."""
_OF_PLACE = {
    SpanRole.VALUE: STOP_WORDS,
    SpanRole.ORDER: ASKED["high"] | ASKED["low"] | ASKED["sort"] | ASKED["dated"],
    SpanRole.GROUP: ASKED["each"] | ASKED["sort"],
    SpanRole.ASKED: ASKED["avg"] | ASKED["median"] | ASKED["sum"] | ASKED["high"] | ASKED["low"],
}
_DETERMINERS = word_list("reader", "leading")


def marked(reading: QuestionReading) -> str:
    """The question with its spans marked; its own brackets are round then."""
    text, at = "", 0
    plain = reading.question.translate(_PLAIN)
    for span in sorted(reading.spans, key=lambda each: each.start):
        text += f"{plain[at : span.start]}[{plain[span.start : span.end]}]{{{_mark(span)}}}"
        at = span.end
    return text + plain[at:]


def _mark(span: ReadSpan) -> str:
    sign = _SIGNS.get((span.role, span.is_negated)) or _SIGNS[span.role, False]
    if span.role is SpanRole.VALUE:
        compared = SIGNS.get(span.comparison, "=")
        negated = "!" if compared == "=" else f"!{compared}"
        sign = negated if span.is_negated else compared
    if span.either:
        sign = f"|{sign}"
    if not span.links:
        return sign
    field = span.links[0].field + (f".{span.part}" if span.part else "")
    return f"{sign} {field}" if sign.isalpha() else f"{sign}{field}"


class Part(Frozen):
    """The part that marked words play. is_negated: what they say is not to hold."""

    role: SpanRole
    is_negated: bool = False


class Mark(Frozen):
    """Words question[start:end] with their part. field: "" of names and kinds."""

    start: int = Field(ge=0)
    end: int = Field(gt=0)
    part: Part
    field: str = Field(default="", max_length=200)


class Marking(Frozen):
    """A question as a person marks it: its marks in order, apart. schema_name: whose fields they name."""

    operation: Operation = Operation.LIST
    schema_name: str = Field(default="", max_length=100)
    marks: tuple[Mark, ...] = Field(default=(), max_length=MOST_MARKS)

    def without(self, number: int) -> Marking:
        """The marking without one of its marks, by its number."""
        return self.model_copy(update={"marks": (*self.marks[:number], *self.marks[number + 1 :])})


def parts_of(field: FieldEntry | None) -> tuple[Part, ...]:
    """Parts that words for a field may play, the likeliest first; None: words that name something."""
    if field is None:
        return tuple(Part(role=role) for role in NAMING)
    there, missing = Part(role=SpanRole.CONDITION), Part(role=SpanRole.CONDITION, is_negated=True)
    if field.type is FieldType.BOOLEAN:
        return there, missing
    value, other = Part(role=SpanRole.VALUE), Part(role=SpanRole.VALUE, is_negated=True)
    asked, group = Part(role=SpanRole.ASKED), Part(role=SpanRole.GROUP)
    order = (Part(role=SpanRole.ORDER),) if field.type in ORDERED else ()
    groups = () if field.type in AMOUNTS else (group,)
    return asked, value, other, there, missing, *groups, *order


def marked_reading(question: str, marking: Marking) -> QuestionReading:
    """The reading that a marking states, with certainty."""
    spans = tuple(
        ReadSpan(
            each.start,
            each.end,
            each.part.role,
            each.part.is_negated,
            (FieldLink(marking.schema_name, each.field, 1.0),) if each.field else (),
            1.0,
        )
        for each in marking.marks
    )
    return QuestionReading(question, ((marking.operation, 1.0),), spans, 1.0)


def checked(question: str, marking: Marking, schema: SchemaEntry | None) -> Marking:
    """The marking, where it fits question and schema. Raises UsageError where nobody can have made it."""
    if schema is None:
        raise UsageError(
            f"There are no documents of the kind {marking.schema_name!r}.", next_step="Choose another kind."
        )
    for mark in marking.marks:
        words = question[mark.start : mark.end]
        if mark.end > len(question) or not words.strip():
            raise UsageError("A mark lies outside of the question.", next_step="Mark the words anew.")
        field = schema.field(mark.field) if mark.field else None
        if mark.field and field is None:
            raise UsageError(
                f"{schema.title} have no field {mark.field!r}.", next_step="Choose another field."
            )
        if mark.part not in parts_of(field):
            title = field.title if field is not None else "no field"
            raise UsageError(
                f"“{words}” cannot say this of {title}.", next_step="Choose what else the words say."
            )
    if any(one.end > other.start for one, other in pairwise(marking.marks)):
        raise UsageError("Two marks lie over one another.", next_step="Take one of them away.")
    return marking


def first_marking(reading: Reading, catalogue: Catalogue) -> Marking:
    """The marking that says how a question was read, over one kind of documents."""
    schema = _schema_meant(reading, catalogue)
    marking = Marking(operation=reading.operation, schema_name=schema)
    for words, field, part in _read_parts(reading):
        if not words or part not in parts_of(catalogue.field(field, schema) if field else None):
            continue
        start = -1
        while (start := reading.question.find(words, start + 1)) >= 0:
            mark = Mark(start=start, end=start + len(words), part=part, field=field)
            if all(each.end <= mark.start or each.start >= mark.end for each in marking.marks):
                marks = sorted((*marking.marks, mark), key=lambda each: each.start)[:MOST_MARKS]
                marking = marking.model_copy(update={"marks": tuple(marks)})
                break
    return marking


def _schema_meant(reading: Reading, catalogue: Catalogue) -> str:
    """The kind whose fields a reading names, else that which its words name, else that of most documents."""
    votes: Counter[str] = Counter(step.kind for step in reading.all_steps)
    votes.update(each.schema_name for step in reading.all_steps for each in step.fields)
    votes.update(each.kind.schema for each in kind_names(catalogue).find(reading.question))
    most = {each.name: 1 + each.documents for each in catalogue.schemas}
    schema = elected(votes, catalogue) or elected(most, catalogue)
    return schema.name if schema is not None else ""


def _read_parts(reading: Reading) -> Iterator[tuple[str, str, Part]]:
    """Parts of a reading: their words, the field that they speak of ("" for none), and what they say."""
    for step in reading.all_steps:
        for each in step.conditions:
            is_presence = not each.values or set(each.values) <= {"true", "false"}
            role = SpanRole.CONDITION if is_presence else SpanRole.VALUE
            yield each.words, each.field.name, Part(role=role, is_negated=is_negative(each))
        yield from ((each.words, "", Part(role=SpanRole(each.role))) for each in step.names)
        for role, fields in ((SpanRole.ASKED, step.asked), (SpanRole.GROUP, step.groups)):
            yield from ((each.words, each.name, Part(role=role)) for each in fields)
        if step.order is not None and step.order.field is not None:
            words = step.order.words or step.order.field.words
            yield words, step.order.field.name, Part(role=SpanRole.ORDER)


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A question with the reading that was taught, over a schema. by, at: who taught it, and when."""

    schema: SchemaEntry
    reading: QuestionReading
    by: str = ""
    at: str = ""


def marked_file(questions: Sequence[MarkedQuestion], shipped: Mapping[str, Collection[str]]) -> str:
    """The questions, a line each, those of one schema together behind the line that names it.

    shipped: the fields of the schemas that training knows. Over other fields a schema is written as a table
    whose columns are the titles of its fields, since only this home knows them otherwise.
    """
    groups: dict[str, list[str]] = {}
    for question in questions:
        names = {link.field for span in question.reading.spans for link in span.links}
        schema, reading = question.schema, question.reading
        if names <= set(shipped.get(schema.name, ())):
            head = f"# schema: {schema.name}"
        else:
            titles = [_plain(each.title) for each in schema.fields]
            head = f"# table: {_plain(schema.title)} | {' | '.join(titles)}"
            reading = _by_title(reading, schema)
        groups.setdefault(head, []).append(f"{reading.operation}\t{marked(reading)}")
    return "".join(f"{line}\n" for head, lines in groups.items() for line in (head, *lines))


def _by_title(reading: QuestionReading, schema: SchemaEntry) -> QuestionReading:
    titles = {each.name: _plain(each.title) for each in schema.fields}
    spans = (
        replace(span, links=tuple(FieldLink("", titles[each.field], 1.0) for each in span.links))
        for span in reading.spans
    )
    return replace(reading, spans=tuple(spans))


def _plain(title: str) -> str:
    return " ".join(title.translate(_SPLIT).split())


def marked_json(question: MarkedQuestion) -> dict[str, object]:
    """A question with its marks as JSON; their places are characters of the question."""
    reading = question.reading
    return {
        "question": reading.question,
        "schema": question.schema.name,
        "operation": reading.operation.value,
        "marked": marked(reading),
        "marks": [
            {
                "start": span.start,
                "end": span.end,
                "words": reading.text(span),
                "role": span.role.value,
                "is_negated": span.is_negated,
                "field": span.links[0].field if span.links else "",
            }
            for span in reading.spans
        ],
        "by": question.by,
        "at": question.at,
    }


class ExamplePhrase(Frozen):
    """Words by which a question speaks of a field."""

    schema_name: str = Field(max_length=100)
    field: str = Field(max_length=200)
    text: str = Field(max_length=200)


class TaughtReading(Frozen):
    """A marking that was taught. phrases: those that it gave its fields; settled: words not unknown since."""

    marking: Marking
    phrases: tuple[ExamplePhrase, ...] = ()
    settled: tuple[str, ...] = ()

    model_config = ConfigDict(frozen=True, extra="ignore")  # what stood there before is kept beside it


def example_phrases(question: str, marking: Marking, catalogue: Catalogue) -> tuple[ExamplePhrase, ...]:
    """The phrase of each mark that has one: not of names, nor of what its field is called already."""
    found = []
    for mark in marking.marks:
        entry = catalogue.field(mark.field, marking.schema_name) if mark.field else None
        if entry is not None and (text := _phrase(question[mark.start : mark.end], mark, entry, catalogue)):
            found.append(ExamplePhrase(schema_name=entry.schema, field=entry.name, text=text))
    return tuple(found)


def _phrase(said: str, mark: Mark, entry: FieldEntry, catalogue: Catalogue) -> str:
    """The words of a mark that speak of its field: of a value the newest run beside it, else all of them,
    without the words of the frame at their ends; "" where they say nothing new.
    """
    is_value = _value_words(entry, catalogue) if mark.part.role is SpanRole.VALUE else lambda _: False
    runs: list[list[tuple[int, int]]] = [[]]
    for start, end in content_words(said):
        if is_value(said[start:end].casefold()):
            runs.append([])
        else:
            runs[-1].append((start, end))
    around, known = _FRAMES | _OF_PLACE.get(mark.part.role, frozenset()), vocabulary(entry)
    names = {each.casefold() for each in (entry.title, *entry.synonyms, *entry.verbs, *entry.loose_verbs)}
    best, most = "", 0
    for run in runs:
        while run and said[slice(*run[0])].casefold() in around | _DETERMINERS:
            run = run[1:]
        while run and said[slice(*run[-1])].casefold() in around:
            run = run[:-1]
        text = " ".join(said[run[0][0] : run[-1][1]].split()).casefold()[:LONGEST_PHRASE] if run else ""
        terms = text_terms(text)
        new = 2 * len(terms - known) + (text in entry.phrases or (len(terms) > 1 and text not in names))
        if new > most and len(run) <= MOST_WORDS:
            best, most = text, new
    return best


def _value_words(entry: FieldEntry, catalogue: Catalogue) -> Callable[[str], bool]:
    """Tells the words that are of a value of a field, or compare with it."""
    names = (each.name for each in catalogue.parties) if entry.type.value == "party" else ()
    terms = text_terms(" ".join((*target_of(entry, catalogue).texts, *names)))
    fixed = _COMPARING | word_list("checks", "relative")

    def is_value(word: str) -> bool:
        own = text_terms(word)
        read = (month_number(word), currency_of(word), canonical_place(word))
        is_amount = parse_cardinal(word) is not None or canonical_unit(word) is not None or any(read)
        return is_amount or word in fixed or any(map(str.isdigit, word)) or bool(own and own <= terms)

    return is_value


@dataclass(frozen=True, slots=True)
class TaughtPlan:
    """Plan of a marking; None where it makes none, for a problem, with what to do about it.

    unread: the mark, by its number, whose words cannot be read as it says.
    """

    plan: Plan | None
    problem: str = ""
    next_step: str = ""
    unread: int | None = None


def taught_plan(question: str, marking: Marking, context: CompileContext) -> TaughtPlan:
    """The plan that a marked question comes to over a catalogue; the same every time."""
    if marking.operation is Operation.TEXT:
        plan = text_plan(classify(question), question, context.buckets, today=context.today.isoformat())
        return TaughtPlan(plan) if plan.nodes else TaughtPlan(None, "This asks nothing of the text.")
    if not marking.marks:
        step = "Choose words, then the field that they speak of."
        return TaughtPlan(None, "No words are marked yet.", step)
    roles = {mark.part.role for mark in marking.marks}
    if not roles & _NEEDED.get(marking.operation, roles):
        return _not_whole(marking)
    try:
        plan = _compiled(question, marking, context)
    except AskBackError as needs:
        return TaughtPlan(None, needs.clarify.reason, "Mark more of the words by which it is known.")
    except ReadingError as error:
        for number, mark in enumerate(marking.marks):
            if error.words and error.words in question[mark.start : mark.end]:
                return _unreadable(question, mark, number, context.catalogue, marking.schema_name)
        return _not_whole(marking)
    for problem in validate(plan, context.catalogue):
        return TaughtPlan(None, problem.message, problem.next_step)
    return TaughtPlan(plan)


_MORE = "Mark the words that say which documents are meant."


_LACKING = {
    Operation.LOOKUP: "A value is looked up where words name a document, and others what is asked for.",
    Operation.CHECK: "A yes or no needs the words that name a document, and what it is to have.",
    Operation.COMPUTE: "Mark the words for the amount that is computed as “asked for”.",
    Operation.GROUP: "Mark the words by which the results are grouped.",
    Operation.RANK: "Mark the words that say by what is ordered.",
    Operation.COMPARE: "Mark two documents or organisations, and what is compared of them.",
}


_NEEDED = {
    Operation.COMPUTE: {SpanRole.ASKED},
    Operation.GROUP: {SpanRole.GROUP, SpanRole.ASKED},
    Operation.RANK: {SpanRole.ORDER, SpanRole.ASKED},
}
"""Parts of which one has to be marked."""

_AS = {
    SpanRole.DOCUMENT: "as the name of a document",
    SpanRole.PARTY: "as the name of an organisation",
    SpanRole.KIND: "as a kind of document",
    SpanRole.ORDER: "as an order",
}


def _compiled(question: str, marking: Marking, context: CompileContext) -> Plan:
    """The plan of marks. Raises ReadingError, also where the words of one are no value, and AskBackError."""
    reading = reading_of(marked_reading(question, marking), context.catalogue, context.today)
    read = {each.words for step in reading.all_steps for each in step.conditions}
    read |= {each.words for step in reading.all_steps for each in step.names}  # a kind, said as a value
    for mark in marking.marks:
        words = question[mark.start : mark.end]
        if mark.part.role is SpanRole.VALUE and words not in read:
            raise ReadingError("These words are no value.", words=words)
    return compile_reading(reading.model_copy(update={"by": "person", "probability": 1.0}), context)


def _not_whole(marking: Marking) -> TaughtPlan:
    return TaughtPlan(None, "These marks make no whole reading yet.", _LACKING.get(marking.operation, _MORE))


def _unreadable(question: str, mark: Mark, number: int, catalogue: Catalogue, schema: str) -> TaughtPlan:
    words = question[mark.start : mark.end]
    field = catalogue.field(mark.field, schema) if mark.field else None
    title, is_value = field.title.lower() if field is not None else "", mark.part.role is SpanRole.VALUE
    said = f"as a value of {title}" if is_value else _AS.get(mark.part.role, "so")
    step = f"Mark {'the value with them' if is_value else 'other words'}, or choose what else they say."
    return TaughtPlan(None, f"“{words}” cannot be read {said} here.", step, number)
