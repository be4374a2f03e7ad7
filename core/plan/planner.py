"""The rule planner: from a question to a plan, or to a question back. Needs no model; the same every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from core.domain.annotation import Calculation
from core.domain.answer import Kind, Route
from core.encode.base import TokenCounter
from core.plan.build.builder import Builder, BuiltPlan, NotStructuredError, checked
from core.plan.build.deciding import decides_of, deciding
from core.plan.build.finish import finished
from core.plan.catalogue import Catalogue, NoTexts, Texts
from core.plan.clarify import AskBackError, Clarify, is_whole
from core.plan.forms.cross_references import linked
from core.plan.forms.shared_parties import plan_common
from core.plan.forms.sides import plan_sides
from core.plan.forms.superlatives import plan_extreme
from core.plan.guards.ambiguity import check_compared, check_nothing_asked, definite
from core.plan.guards.check import check_names, check_plan, check_wording
from core.plan.guards.foreign_schemas import field_words, is_of_absent_schema, lists_other_things
from core.plan.guards.misreadings import gives_another_thing
from core.plan.guards.unknown_attributes import asked_words, check_attribute, counts_something
from core.plan.guards.unknown_words import NamedInTextError, compounds, settled, unordered
from core.plan.ir.nodes import Note, Plan, Scope, SelectionNode
from core.plan.ir.steps import PlanSteps
from core.plan.language.interpretation import interpret, lexicon_of
from core.plan.language.lexicon.lexicon import Lexicon
from core.plan.language.lexicon.meaning import FieldMeanings, Known
from core.plan.language.pieces import (
    Comparator,
    Comparing,
    Connective,
    DocumentSet,
    HavingWord,
    Noun,
    Parties,
    Statistic,
    UnknownWord,
    Values,
)
from core.plan.language.reading.documents import named_document
from core.plan.language.reading.read import ParsedQuestion
from core.plan.language.rewriting.framing import Framed
from core.plan.language.syntax.parse import parse
from core.plan.language.syntax.tree import AnswerIntent, Tree, elect, tests
from core.plan.tables.planner import TablePlan, is_structured, plan_tables, says_more, says_once
from core.plan.text.classify import Classification, asks_what_is_said, classify, clean_question
from core.plan.text.classify import CollectionNeed as Need
from core.plan.text.collection_question import asks_for_everything
from core.plan.text.text_plan import text_plan

_Kinds = Counter[type]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of question with a planner of its own. fits: whether pieces of such kinds allow it at all."""

    plan: Callable[[ParsedQuestion, Lexicon, tuple[str, ...], date], BuiltPlan | None]
    fits: Callable[[_Kinds, ParsedQuestion], bool]


def _has_several_sides(kinds: _Kinds, reading: ParsedQuestion) -> bool:
    between = kinds[Comparator] + kinds[Connective] + kinds[Comparing] + kinds[HavingWord]
    return bool(between) or any(token.word == "than" for token in reading.tokens)


FORMS = (
    Form(plan_sides, _has_several_sides),
    Form(plan_common, lambda kinds, _: kinds[Parties] == 2),
    Form(plan_extreme, lambda kinds, _: kinds[Statistic] > 0),
)
"""Tried in turn; the first that has a plan makes it."""

_GROUNDED = 0.5  # share of a question's words that rows say, from where on they answer what no field does
_OF_ONE = (AnswerIntent.LOOKUP, AnswerIntent.CHECK)


class RulePlanner:
    """Plans questions over one catalogue. Thread-safe.

    meanings: without them, words that nothing is called by are asked about. today: None for the day of the
    question. words: tells words of the language from misspelt ones. texts: what the documents say; without
    it, only titles, names and values exist.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        meanings: FieldMeanings | None = None,
        today: date | None = None,
        words: TokenCounter | None = None,
        texts: Texts | None = None,
    ) -> None:
        self._texts = texts or NoTexts()
        self._lexicon = lexicon_of(catalogue)
        self._meanings = meanings
        self._today = today
        self._words = words

    def plan(self, question: str, buckets: tuple[str, ...] = ()) -> Plan | Clarify:
        """The plan of a question, or what has to be asked back. Never raises for what a person may type."""
        question = clean_question(question)
        today = self._today or date.today()
        if not question:
            return Clarify(type="vague", question=question, reason="The question is empty.")
        found = classify(question)
        if found.intent is Need.GENERAL:
            return text_plan(found, question, buckets, today=today.isoformat())
        if asks_for_everything(found.normalised):
            return _everything(question, buckets, today)
        known = Known(self._lexicon, self._meanings, self._texts, buckets, self._words)
        interpretation = interpret(question, known, today)
        frame, reading = interpretation.frame, interpretation.reading
        today = frame.today
        kinds: _Kinds = Counter(type(piece.meaning) for piece in reading.pieces)
        link = linked(reading, self._texts) if kinds[DocumentSet] else None
        if link is not None:
            called, because = link
            planned = self.plan(called, buckets)
            note = Note(phrase="", reading=because)
            if isinstance(planned, Clarify):
                return planned
            return planned.model_copy(update={"notes": (note, *planned.notes)})
        has_tables = bool(self._lexicon.catalogue.tables)
        over_rows = plan_tables(frame.text, self._lexicon, buckets, today) if has_tables else None
        if over_rows is not None and not over_rows.is_sheet and _asks_of_papers(reading):
            over_rows = None
        if over_rows is not None and over_rows.is_alone and over_rows.is_whole:
            return _asked(over_rows.planned, question, frame)
        try:
            check_wording(question, reading, known)
        except AskBackError as needs:
            return needs.clarify
        if over_rows is not None and over_rows.named and over_rows.is_whole:
            return _asked(over_rows.planned, question, frame)
        planned = self._over_documents(question, reading, found, known, frame, kinds)
        if over_rows is None:
            return planned
        return self._better(planned, over_rows, question, frame)

    def _better(
        self, planned: Plan | Clarify, over_rows: TablePlan, question: str, frame: Framed
    ) -> Plan | Clarify:
        """Of a plan over documents and one over rows of tables the one that says more of the question."""
        if over_rows.is_sure:
            if not is_whole(planned) or says_more(planned, self._lexicon.catalogue):
                return _asked(over_rows.planned, question, frame)
            return says_once(planned, over_rows)
        is_better = over_rows.is_alone and not is_structured(planned) and over_rows.grounded >= _GROUNDED
        # Fields of a paper say more of it than the rows of a table in it do.
        may_lack = over_rows.is_sheet or not is_structured(planned)
        if over_rows.named and (over_rows.is_whole or may_lack):
            says_less = over_rows.shares(planned) or not over_rows.is_whole
            is_better = is_better or not (is_whole(planned) and says_less)
        return _asked(over_rows.planned, question, frame) if is_better else planned

    def readings(self, question: str, buckets: tuple[str, ...] = ()) -> tuple[Plan, ...]:
        """No other plans: rules read a question in one way, or ask."""
        return ()

    def _over_documents(
        self,
        question: str,
        reading: ParsedQuestion,
        found: Classification,
        known: Known,
        frame: Framed,
        kinds: _Kinds,
    ) -> Plan | Clarify:
        """The plan over documents and their fields, or over text where no field answers."""
        today, buckets = frame.today, known.buckets
        is_foreign = False
        try:
            check_names(reading, known)
            is_foreign = bool(kinds[UnknownWord]) and is_of_absent_schema(reading, self._lexicon, buckets)
            fitting = (form for form in FORMS if not is_foreign and form.fits(kinds, reading))
            plans = (form.plan(reading, self._lexicon, buckets, today) for form in fitting)
            built = next((each for each in plans if each is not None), None)
            is_text = found.route is Route.LONG_TEXT or asks_what_is_said(found.normalised)
            if built is None and is_text:
                return _of_text(found, question, known, reading, today=today.isoformat())
            if built is None and kinds[UnknownWord] and found.kind in (Kind.LOOKUP, Kind.AGGREGATE):
                check_attribute(reading, known)
            built = built or (None if is_foreign else self._built(reading, known, frame))
        except AskBackError as needs:
            return needs.clarify
        except (NotStructuredError, NamedInTextError):
            built = None
        if built is None:
            return _of_text(
                found,
                question,
                known,
                reading,
                today=today.isoformat(),
                single=_means_one(reading, parse(reading)),
                asked=(is_foreign and field_words(reading)) or asked_words(reading),
            )
        if reading.amending:
            note = Note(phrase=reading.amending, reading="What amendments changed is held to be so")
            built = replace(built, notes=(*built.notes, note))
        if reading.question != question:
            found = classify(reading.question)
        notes = (*_of_frame(frame), *_corrections(reading))
        plan = finished(question, built, reading, found, frame.today.isoformat(), notes)
        return self._fitting(self._deciding(plan, reading), reading, found, known)

    def _deciding(self, plan: Plan, reading: ParsedQuestion) -> Plan:
        catalogue = self._lexicon.catalogue
        return deciding(plan, decides_of(reading, plan, catalogue), catalogue)

    def _fitting(
        self, plan: Plan, reading: ParsedQuestion, found: Classification, known: Known
    ) -> Plan | Clarify:
        """The plan, if it gives what is asked for; else text, or what is not there."""
        other = gives_another_thing(reading, plan, self._lexicon)
        if other or lists_other_things(reading, plan):
            found = replace(found, kind=Kind.LOOKUP, over_collection=False)
            return _of_text(found, plan.question, known, reading, today=plan.today, asked=other)
        try:
            check_plan(reading, plan, known)
        except AskBackError as needs:
            return needs.clarify
        return plan

    def _built(self, reading: ParsedQuestion, known: Known, frame: Framed) -> BuiltPlan | None:
        tree = parse(reading)
        has_unknown = any(isinstance(piece.meaning, UnknownWord) for piece in reading.pieces)
        if tree.asks == "text" or (has_unknown and counts_something(reading)):
            return None
        if _counts_all(tree):
            return _all_documents(known.buckets)
        check_nothing_asked(reading, self._lexicon.catalogue)
        check_compared(reading, self._lexicon.catalogue)
        tree = self._settled(reading, tree, known) if has_unknown else tree
        schema = self._lexicon.catalogue.schema(elect(tree, self._lexicon))
        tree = checked(tree, schema) if schema is not None else tree
        if not _is_structured(tree) and not _means_one(reading, tree):
            return None
        builder = Builder(
            tree, self._lexicon, reading.question, known.buckets, frame.today, readable=frame.readable
        )
        try:
            built = builder.build()
        except AskBackError as needs:
            if tree.intent in _OF_ONE and needs.clarify.type == "no_match":
                return None  # as below
            raise
        is_open = tree.intent is AnswerIntent.LIST and tree.asks == "what"  # "what happened to ..."
        if (tree.intent in _OF_ONE or is_open) and built.uncovered and not _may_cover(built):
            return None  # text may say what no field does
        return replace(built, single=_means_one(reading, tree))

    def _settled(self, reading: ParsedQuestion, tree: Tree, known: Known) -> Tree:
        """The tree with words that nothing is called by read by what they mean. Raises AskBackError."""
        schema = self._lexicon.catalogue.schema(elect(tree, self._lexicon))
        whole = replace(reading, pieces=compounds(reading, schema, known))
        if whole.pieces != reading.pieces:
            reading, tree = whole, parse(whole)
        unordered(reading, schema, known)
        is_left = any(isinstance(piece.meaning, UnknownWord) for piece in tree.leftover)
        if tree.intent not in _OF_ONE and is_left and (tree.subject is not None or tree.entity is not None):
            return parse(replace(reading, pieces=settled(reading, schema, known)))
        return tree


def _of_text(
    found: Classification,
    question: str,
    known: Known,
    reading: ParsedQuestion,
    *,
    today: str,
    single: str = "",
    asked: str = "",
) -> Plan:
    """The plan over text, of the one document that the question names.

    The title of a web page is a topic, of which others speak as well: only "the page on ..." names that one.
    """
    named = named_document(reading, known.lexicon, known.words)
    if named is not None and "://" in named.entry.source and not _names_kind(reading):
        named = None
    return text_plan(
        found,
        question,
        known.buckets,
        notes=_notes(reading),
        today=today,
        single=single,
        asked=asked,
        document=named.entry.id if named is not None else "",
        called=named.text if named is not None else "",
    )


def _names_kind(reading: ParsedQuestion) -> bool:
    return any(isinstance(piece.meaning, Noun) and not piece.meaning.is_thing for piece in reading.pieces)


def _asked(planned: Plan | Clarify, question: str, frame: Framed) -> Plan | Clarify:
    """The plan of the question as it was asked, with what its frame said."""
    if isinstance(planned, Clarify):
        return planned
    notes = (*_of_frame(frame), *planned.notes)
    return planned.model_copy(update={"question": question, "notes": notes, "today": frame.today.isoformat()})


def _asks_of_papers(reading: ParsedQuestion) -> bool:
    """True where several documents of a kind are asked about: their fields answer, and no table in one."""
    nouns = (piece.meaning for piece in reading.pieces if isinstance(piece.meaning, Noun))
    return any(noun.is_plural and bool(noun.schema) for noun in nouns)


def _may_cover(built: BuiltPlan) -> bool:
    """True where words that are left may stand where the values of a lookup do: seen when it has run."""
    answer = built.nodes[-1]
    return built.kind is Kind.LOOKUP and isinstance(answer, SelectionNode) and bool(answer.fields)


def _counts_all(tree: Tree) -> bool:
    """True where the question only counts documents of any kind."""
    is_bare = tree.where is None and not tree.groups and not tree.leftover and tree.order is None
    return tree.intent is AnswerIntent.COUNT and tree.subject == Noun("", is_plural=True) and is_bare


def _all_documents(buckets: tuple[str, ...]) -> BuiltPlan:
    """The plan that counts documents of any kind."""
    reason = "the question asks for all of them"
    steps = PlanSteps()
    select = steps.select("Find all documents", Scope(buckets=buckets), reason=reason)
    count = steps.aggregate("Count them", (select.id,), Calculation.COUNT, reason=reason)
    return BuiltPlan(tuple(steps.nodes), count.id, Kind.AGGREGATE, (), ())


def _everything(question: str, buckets: tuple[str, ...], today: date) -> Plan:
    """The plan that lists all documents of any kind."""
    steps = PlanSteps()
    reason = "the question asks for all of them"
    select = steps.select("Find all documents", Scope(buckets=buckets), reason=reason)
    return Plan(
        question=question,
        kind=Kind.AGGREGATE,
        route=Route.STRUCTURED,
        nodes=tuple(steps.nodes),
        answer_node=select.id,
        notes=(Note(phrase=question[:500], reading="all documents, of any kind", node=select.id),),
        today=today.isoformat(),
    )


def _means_one(reading: ParsedQuestion, tree: Tree) -> str:
    """The words that mean one document where nothing says which: "the invoice"; "" where something does."""
    noun = definite(reading)
    if noun is None or tree.intent not in _OF_ONE:
        return ""
    for test in tests(tree.where):
        if isinstance(test.operand, (DocumentSet, Parties, Values)):
            return ""
        if test.operand is not None and test.fields is None:
            return ""
    return f"the {noun.text}"


def _is_structured(tree: Tree) -> bool:
    """True where fields and sets can answer it, rather than text."""
    conditions = list(tests(tree.where))
    if tree.intent is AnswerIntent.LIST and tree.subject is None and any(test.op for test in conditions):
        return True
    if tree.intent is AnswerIntent.LIST:
        return (tree.subject is not None or tree.entity is not None) and (
            bool(conditions) or not tree.leftover
        )
    if tree.intent is AnswerIntent.LOOKUP:
        asked = [test for test in conditions if test.fields is not None and test.operand is None]
        named = [test for test in conditions if test.operand is not None]
        return bool(asked or tree.measure) and bool(named)
    if tree.intent is AnswerIntent.CHECK and tree.shown:
        return True
    if tree.intent is AnswerIntent.CHECK:
        return len(conditions) > 1 or (bool(conditions) and tree.subject is not None)
    if tree.intent is AnswerIntent.COMPARE:
        return bool(tree.shown)
    return tree.subject is not None or tree.measure is not None or tree.entity is not None or bool(conditions)


def _notes(reading: ParsedQuestion) -> tuple[Note, ...]:
    return (
        *_corrections(reading),
        Note(phrase="", reading="No field answers this, so the text is searched."),
    )


def _of_frame(frame: Framed) -> tuple[Note, ...]:
    return tuple(Note(phrase=said[:500], reading=meant) for said, meant in frame.notes)


def _corrections(reading: ParsedQuestion) -> tuple[Note, ...]:
    return tuple(Note(phrase=said, reading=f"read as “{meant}”") for said, meant in reading.corrections)
